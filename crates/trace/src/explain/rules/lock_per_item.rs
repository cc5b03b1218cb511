//! A file locked and unlocked for every item.

use super::prelude::*;

pub(super) const ID: &str = "lock-per-item";

/// A lock and an unlock that are needed.
const NEEDED: u64 = 2;

/// Locks of open files beyond the first.
#[derive(Default)]
pub(crate) struct LockPerItem {
    wastes: ByFile,
}

impl Rule for LockPerItem {
    fn descriptor_closed(&mut self, session: &DescriptorSession, context: Context) {
        let locks = &session.patterns.locks;
        if session.repeats.is_some() || locks.count <= NEEDED {
            return;
        }
        let Some(name) = locks.examples().first().map(|call| call.name) else { return };
        let act = Act::Call { name, file: session.file, moved: 0, failed: false };
        let key = (context.process.program, session.file);
        self.wastes.add_beyond(key, locks, NEEDED, act);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.whole(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let (was, times) = (group.subject_was("file", registry), words::times(group.waste.times));
    let verdict = format!("{was} locked or unlocked {times} while it was open");
    group.finding(ID, None, verdict, registry)
}
