//! The same directory listed again, with the same entries.

use super::prelude::*;

pub(super) const ID: &str = "list-again";

/// A directory that is listed again less often is gone through twice: `rm -r` looks whether it is
/// empty first.
const FEWEST: u64 = 3;

/// Directories listed again.
#[derive(Default)]
pub(crate) struct ListAgain {
    wastes: ByFile,
}

impl Rule for ListAgain {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let Some(opening) = session.opening.as_deref() else { return };
        if session.repeats != Repeats::Content || !session.has_listed() {
            return;
        }
        let waste = self.wastes.of(context.process.program, session.file);
        waste.times += 1;
        waste.tally.absorb(&session.marks);
        waste.tally.count(opening, session.calls);
        session.patterns.looks_before.iter().for_each(|step| waste.tally.add(&step.call));
        for (call, count) in &session.kinds {
            // The call at the end costs next to nothing beside the others.
            let is_block = call.name.class() == Class::ReadDirectory;
            let ends = if is_block { session.listing.ends } else { 0 };
            let (name, file) = (call.name, session.file);
            let act = Act::Call { name, file, moved: 0, failed: false };
            waste.tally.spare(act, count.saturating_sub(ends));
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.retain(FEWEST);
        self.wastes.groups(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let path = words::path(group.file, registry);
    let (directories, times) = (group.files, words::times(group.waste.times + group.files));
    let verdict = if group.is_one() {
        format!("{path} was listed {times} with the same entries")
    } else {
        let directories = words::some(directories, "directory");
        format!("{directories} were listed {times} with the same entries, {path} the most")
    };
    group.finding(ID, None, verdict, registry)
}
