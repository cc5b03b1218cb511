//! A look at a path right before it is opened.

use super::prelude::*;

pub(super) const ID: &str = "look-then-do";

/// No more calls of the process than this lie between.
const SOON: u64 = 2;
/// Threads whose last look is known.
const MOST: usize = 4096;

/// Looks that opening would have answered.
#[derive(Default)]
pub(crate) struct LookThenDo {
    latest: FxHashMap<u32, (Call, u64)>,
    wastes: ByFile,
}

impl Rule for LookThenDo {
    fn path_asked(&mut self, call: &Call, asked: PathQuestion, context: Context) {
        // An entry of a listed directory is looked at for its kind; what was asked before is
        // another rule's.
        let is_ours = asked.novelty == Novelty::New
            && !asked.entry_of.is_some()
            && !asked.answered_by_fstat
            && asked.question != Question::Link
            && context.kind(call.file) == FileKind::File;
        if self.latest.get(&call.thread).is_some_and(|(look, _)| look.file == call.file) {
            // The second of two looks is double-stat.
            return;
        }
        if !is_ours {
            self.latest.remove(&call.thread);
        } else if self.latest.len() < MOST || self.latest.contains_key(&call.thread) {
            self.latest.insert(call.thread, (call.clone(), context.process.calls));
        }
    }

    fn call(&mut self, call: &Call, context: Context) {
        if call.name.class() != Class::Open {
            return;
        }
        let Some((look, at)) = self.latest.remove(&call.thread) else { return };
        let is_soon = context.process.calls - at <= SOON && look.process == call.process;
        if is_soon && is_same(&look, call) {
            let waste = self.wastes.of(context.process.program, look.file);
            waste.add(&look);
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.latest.retain(|_, (look, _)| look.process != context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.whole(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

/// Whether both mean one file: an opened link is known by where it leads.
fn is_same(look: &Call, open: &Call) -> bool {
    look.file == open.file || look.path == open.path && look.path != PathId::NONE
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let path = words::path(group.file, registry);
    let verdict = if group.is_one() {
        format!(
            "{path} was looked at {} right before it was opened",
            words::times(group.waste.times)
        )
    } else {
        let files = group.some("file");
        format!("{files}, {path} among them, were looked at right before they were opened")
    };
    group.finding(ID, None, verdict, registry)
}
