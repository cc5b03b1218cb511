//! What all workers of one walk share, and with what it is done.

use std::sync::OnceLock;

use super::Walk;
use super::held::Terrain;
use super::ignored::UserRules;

/// A worker holds at least so many descriptors; where the limit is so low that not all could, fewer
/// work.
const LEAST_TO_HOLD: usize = 4;

/// What all workers of one walk share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) walk: Walk,
    pub(crate) terrain: Terrain,
    pub(crate) user_rules: UserRules,
    to_hold: OnceLock<usize>,
    workers: OnceLock<usize>,
}

impl Shared {
    pub(crate) fn new(walk: Walk) -> Shared {
        Shared {
            terrain: Terrain::new(walk.one_file_system),
            walk,
            user_rules: UserRules::default(),
            to_hold: OnceLock::new(),
            workers: OnceLock::new(),
        }
    }

    /// How many descriptors all workers together may hold on their ways down: half of what the
    /// process may have open.
    ///
    /// Price: one `prlimit64`, once.
    pub(crate) fn to_hold(&self) -> usize {
        *self.to_hold.get_or_init(|| {
            let limit = kernel::descriptor_limit().unwrap_or(u64::MAX);
            usize::try_from(limit / 2).unwrap_or(usize::MAX)
        })
    }

    /// How many may work once the tree turns out not to be small, the calling thread included.
    ///
    /// Price: what [`crate::processors::processors`] costs, once, unless the number was given.
    pub(crate) fn workers(&self) -> usize {
        *self.workers.get_or_init(|| {
            let workers = self.walk.threads.unwrap_or_else(crate::processors::processors);
            workers.min(self.to_hold() / LEAST_TO_HOLD).max(1)
        })
    }

    /// How many descriptors each of them may hold.
    pub(crate) fn to_hold_each(&self) -> usize {
        (self.to_hold() / self.workers()).max(LEAST_TO_HOLD)
    }
}
