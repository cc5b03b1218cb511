//! A directory read with a small buffer.

use super::by_file::{ByFile, Group};
use super::small_reads::less;
use crate::explain::draft::Draft;
use crate::explain::finding::{Act, Finding};
use crate::explain::history::{Context, DescriptorSession};
use crate::explain::rules::Rule;
use crate::explain::words;
use crate::figures;
use crate::quick::Map;
use crate::{Name, PathId, Registry};

const ID: &str = "small-getdents";

/// A buffer of this size would do.
const ENOUGH: u64 = 64 * 1024;

/// Reads of directories that a larger buffer would spare.
#[derive(Default)]
pub(crate) struct SmallGetdents {
    wastes: ByFile,
    buffers: Map<PathId, u64>,
}

impl Rule for SmallGetdents {
    fn id(&self) -> &'static str {
        ID
    }

    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let Some(tally) = session.listing.tally.as_deref().filter(|_| !session.again) else {
            return;
        };
        let needed = session.listing.bytes.div_ceil(ENOUGH).max(1);
        let Some(wasted) = tally.count.checked_sub(needed).filter(|wasted| *wasted > 0) else {
            return;
        };
        let waste = self.wastes.of(context.process.program, session.file);
        waste.times += tally.count;
        waste.tally.absorb(&less(tally, wasted));
        let act = Act::Call { name: Name::Getdents64, file: session.file, moved: 1, failed: false };
        waste.tally.spare(act, wasted);
        let buffer = self.buffers.entry(context.process.program).or_default();
        *buffer = (*buffer).max(session.listing.buffer);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.whole(registry);
        groups.iter().map(|group| finding(group, &self.buffers, registry)).collect()
    }
}

fn finding(group: &Group, buffers: &Map<PathId, u64>, registry: &Registry) -> Finding {
    let buffer = buffers.get(&group.program).copied().unwrap_or_default();
    let path = words::path(group.file, registry);
    let (was, what) = match group.is_one() {
        true => ("was", path),
        false => ("were", format!("{}, {path} the most,", group.some("directory"))),
    };
    let times = words::times(group.waste.times);
    let needed = figures::count(group.waste.times - group.waste.tally.count);
    let verdict = format!(
        "{what} {was} read {times} with a buffer of {}, where {needed} would do",
        words::some(buffer, "byte")
    );
    let tally = &group.waste.tally;
    Draft { id: ID, case: None, program: group.program, tally, verdict }.finding(registry)
}
