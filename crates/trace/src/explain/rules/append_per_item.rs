//! A file that is opened, appended to and closed for every line.
//!
//! All calls on the descriptor would be spared if the file stayed open, but for the writes: those
//! only where the language's own stream would have put the lines together.

use super::prelude::*;
use crate::explain::caller;

pub(super) const ID: &str = "append-per-item";

/// What a stream puts together.
const BLOCK: u64 = 8192;
/// Files whose writes are counted one by one.
const MOST: usize = 1 << 16;

/// Files that were opened again to append to them.
#[derive(Default)]
pub(crate) struct AppendPerItem {
    wastes: ByFile,
    /// The writes to them, and their bytes.
    writes: FxHashMap<(PathId, PathId), (Tally, u64)>,
}

impl Rule for AppendPerItem {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let Repeats::Append(file) = session.repeats else { return };
        let Some(opening) = session.opening.as_deref() else { return };
        let program = context.process.program;
        let waste = self.wastes.of(program, file);
        waste.tally.absorb(&session.marks);
        if session.is_moved_aside() {
            let closing = session.kinds.iter().find(|(call, _)| call.name == Name::Close);
            for call in std::iter::once(opening).chain(closing.map(|(call, _)| call)) {
                waste.tally.blame(call.stack, 1);
                waste.tally.spare(Act::of(call), 1);
            }
            return;
        }
        waste.times += u64::from(session.origin == DescriptorOrigin::Opened);
        for (call, count) in &session.kinds {
            match call.name.class() {
                Class::Write => self.written((program, file), call, *count),
                // Durability of each item is a matter of its own.
                Class::Sync => {}
                _ => {
                    let waste = self.wastes.of(program, file);
                    waste.tally.count(call, *count);
                    waste.tally.spare(Act::of(call), *count);
                }
            }
        }
    }

    fn path_asked(&mut self, call: &Call, asked: PathQuestion, context: Context) {
        // Lisp and careful programs look whether it is there.
        let is_look = matches!(asked.question, Question::Stat | Question::Access);
        if is_look
            && asked.novelty != Novelty::New
            && context.process.outputs.is_appended_again(call.file)
        {
            self.wastes.of(context.process.program, call.file).tally.add(call);
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        for ((program, file), (writes, bytes)) in std::mem::take(&mut self.writes) {
            let wasted = writes.count.saturating_sub(bytes.div_ceil(BLOCK));
            if caller::is_buffered(registry.language(program), &writes, registry) && wasted > 0 {
                let waste = self.wastes.of(program, file);
                waste.tally.absorb(&writes.cut(wasted));
                let act = Act::Call { name: Name::Write, file, moved: 1, failed: false };
                waste.tally.spare(act, wasted);
            }
        }
        self.wastes.groups(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

impl AppendPerItem {
    fn written(&mut self, key: (PathId, PathId), call: &Call, count: u64) {
        if self.writes.len() < MOST || self.writes.contains_key(&key) {
            let (tally, moved) = self.writes.entry(key).or_default();
            tally.count(call, count);
            *moved += bytes(call) * count;
        }
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let times = words::times(group.waste.times + group.files);
    let verdict = format!(
        "{} opened, appended to and closed again {times}",
        group.subject_was("file", registry)
    );
    group.finding(ID, None, verdict, registry)
}
