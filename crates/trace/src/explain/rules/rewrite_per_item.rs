//! A file that is written whole, again and again, where the last time would have done.

use super::prelude::*;

pub(super) const ID: &str = "rewrite-per-item";

/// Files that are followed.
const MOST: usize = 1 << 16;

/// Files that were written whole again.
#[derive(Default)]
pub(crate) struct RewritePerItem {
    wastes: ByFile,
    /// Files that a process writes again.
    known: FxHashSet<(u32, PathId)>,
}

impl Rule for RewritePerItem {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let Repeats::Rewrite(file) = session.repeats else { return };
        let Some(opening) = session.opening.as_deref() else { return };
        if self.known.len() < MOST {
            self.known.insert((context.process.id, file));
        }
        let waste = self.wastes.of(context.process.program, file);
        waste.tally.absorb(&session.marks);
        if session.is_moved_aside() {
            let closing = session.kinds.iter().find(|(call, _)| call.name == Name::Close);
            for call in std::iter::once(opening).chain(closing.map(|(call, _)| call)) {
                waste.tally.blame(call.stack, 1);
                waste.tally.spare(Act::of(call), 1);
            }
            return;
        }
        let is_written = session.truncates() || session.creates();
        waste.times += u64::from(session.origin == DescriptorOrigin::Opened && is_written);
        let whole = is_written.then(|| written_whole(session, file));
        for (call, count) in &session.kinds {
            waste.tally.count(call, *count);
            if whole.is_none() || !is_of_whole(call) {
                waste.tally.spare(Act::of(call), *count);
            }
        }
        if let Some(act) = whole {
            waste.tally.spare(act, 1);
        }
    }

    fn path_asked(&mut self, call: &Call, asked: PathQuestion, context: Context) {
        // Go looks at what it is about to replace; others look whether it is there.
        let is_ours = match asked.novelty {
            Novelty::New => false,
            Novelty::Again => context.process.outputs.is_rewritten(call.file),
            Novelty::Changed => self.known.contains(&(call.process, call.file)),
        };
        if is_ours {
            self.wastes.of(context.process.program, call.file).tally.add(call);
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.known.retain(|(process, _)| *process != context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.groups(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

/// What a session did, as one act: its price is not the sum of its calls'.
fn written_whole(session: &DescriptorSession, file: PathId) -> Act {
    let moved = session.kinds.iter().filter(|(call, _)| call.name.class() == Class::Write);
    let moved: u64 = moved.map(|(call, count)| call.moved * count).sum();
    let replaces = session.kinds.iter().any(|(call, _)| call.name.class() == Class::Change);
    // A few bytes more or less have no price.
    Act::WriteWhole { file, moved: moved.next_power_of_two(), replaces }
}

fn is_of_whole(call: &Call) -> bool {
    matches!(call.name.class(), Class::Open | Class::Write | Class::Close | Class::Change)
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let times = words::times(group.waste.times + group.files);
    let was = group.subject_was("file", registry);
    let verdict = format!("{was} written whole {times}, where the last time would have done");
    group.finding(ID, None, verdict, registry)
}
