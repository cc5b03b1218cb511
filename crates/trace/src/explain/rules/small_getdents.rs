//! A directory read with a small buffer.

use super::prelude::*;

pub(super) const ID: &str = "small-getdents";

/// A buffer of this size would do.
const ENOUGH: u64 = 64 * 1024;

/// Reads of directories that a larger buffer would spare.
#[derive(Default)]
pub(crate) struct SmallGetdents {
    wastes: ByFile,
    buffers: FxHashMap<PathId, u64>,
}

impl Rule for SmallGetdents {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let Some(tally) = session.listing.tally.as_deref().filter(|_| !session.repeats.is_some())
        else {
            return;
        };
        let needed = session.listing.bytes.div_ceil(ENOUGH).max(1);
        let (program, file) = (context.process.program, session.file);
        let act = Act::Call { name: Name::Getdents64, file, moved: 1, failed: false };
        if self.wastes.add_beyond((program, file), tally, needed, act) {
            let buffer = self.buffers.entry(program).or_default();
            *buffer = session.listing.buffer.max(*buffer);
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.whole(registry);
        groups.iter().map(|group| finding(group, &self.buffers, registry)).collect()
    }
}

fn finding(group: &Group, buffers: &FxHashMap<PathId, u64>, registry: &Registry) -> Finding {
    let buffer = buffers.get(&group.program).copied().unwrap_or_default();
    let times = words::times(group.waste.times);
    let needed = figures::count(group.waste.times - group.waste.tally.count);
    let verdict = format!(
        "{} read {times} with a buffer of {}, where {needed} would do",
        group.subject_was("directory", registry),
        words::some(buffer, "byte")
    );
    group.finding(ID, None, verdict, registry)
}
