//! A directory made again that is there.

use super::prelude::*;

pub(super) const ID: &str = "mkdir-again";

const EEXIST: i32 = 17;
/// Directories that are known to be there.
const MOST: usize = 1 << 16;

/// Directories that a process made, or was told of, and then made again.
#[derive(Default)]
pub(crate) struct MkdirAgain {
    known: FxHashSet<(u32, PathId)>,
    wastes: ByFile,
}

impl Rule for MkdirAgain {
    fn call(&mut self, call: &Call, context: Context) {
        if call.name.class() != Class::Change || !call.file.is_some() {
            return;
        }
        let key = (call.process, call.file);
        let makes = matches!(call.name, Name::Mkdir | Name::Mkdirat);
        if !makes || !(call.succeeded() || call.errno() == Some(EEXIST)) {
            self.known.remove(&key);
        } else if self.known.contains(&key) && !call.succeeded() {
            let waste = self.wastes.of(context.process.program, call.file);
            waste.times += 1;
            waste.tally.count(call, 1);
            // A name that is there costs what it costs to ask for it.
            let (name, file) = (Name::Access, call.file);
            waste.tally.spare(Act::Call { name, file, moved: 0, failed: false }, 1);
        } else if self.known.len() < MOST {
            self.known.insert(key);
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.known.retain(|(process, _)| *process != context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.whole(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let (was, times) = (group.subject_was("directory", registry), words::times(group.waste.times));
    let verdict = format!("{was} made again {times}, each time in vain");
    group.finding(ID, None, verdict, registry)
}
