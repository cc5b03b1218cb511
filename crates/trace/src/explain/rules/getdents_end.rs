//! The call after the last entry of a directory, which gives nothing.
//!
//! ext4, tmpfs and btrfs mark the end in the last record: its offset is one that no other record
//! has (`sys::FileSystem`). A program that reads records itself need not ask once more.

use super::prelude::*;
use super::purposes;

pub(super) const ID: &str = "getdents-end";

/// Calls that gave nothing.
#[derive(Default)]
pub(crate) struct GetdentsEnd {
    wastes: ByFile,
}

impl Rule for GetdentsEnd {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let Some(end) = session.listing.end.as_deref().filter(|_| !session.repeats.is_some())
        else {
            return;
        };
        let waste = self.wastes.of(context.process.program, session.file);
        waste.times += session.listing.ends;
        waste.tally.count(end, session.listing.ends);
        let act = Act::Call { name: Name::Getdents64, file: session.file, moved: 0, failed: false };
        waste.tally.spare(act, session.listing.ends);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.whole(registry).into_iter();
        let theirs = groups.filter(|it| purposes::reads_directories(it.program, registry));
        theirs.map(|group| finding(&group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let path = words::path(group.file, registry);
    let verdict = if group.is_one() {
        let times = words::times(group.waste.times);
        format!("{path} was read once more after its last entry, {times}, and gave nothing")
    } else {
        let directories = group.some("directory");
        format!(
            "{directories}, {path} among them, were read once more after their last entry, and \
             gave nothing"
        )
    };
    group.finding(ID, None, verdict, registry)
}
