//! Files looked at again and again with a sleep in between, to see whether they have changed.

use super::prelude::*;

pub(super) const ID: &str = "file-poll";

/// Fewer looks in vain are a few tries.
const FEWEST: u64 = 10;

/// Looks that saw what had been seen before, and the sleeps behind them.
#[derive(Default)]
pub(crate) struct FilePoll {
    wastes: ByFile,
}

impl Rule for FilePoll {
    fn process_gone(&mut self, context: Context, _: bool) {
        for (file, vain) in context.process.polls.vain() {
            let waste = self.wastes.of(context.process.program, file);
            waste.times += vain.passes;
            waste.tally.absorb(&vain.tally);
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.retain(FEWEST);
        self.wastes.groups(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let (was, times) = (group.subject_was("file", registry), words::times(group.waste.times));
    let verdict = format!("{was} polled: looked at {times} with a sleep in between and unchanged");
    group.finding(ID, None, verdict, registry)
}
