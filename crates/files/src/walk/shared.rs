//! What all workers of one walk share, and with what it is done.

use std::sync::OnceLock;

use super::Walk;
use super::held::Terrain;
use super::ignored::UserRules;

/// A worker holds at least so many; where the limit is so low that not all could, fewer work.
const LEAST_TO_HOLD: usize = 4;

/// What all workers of one walk share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) walk: Walk,
    pub(crate) terrain: Terrain,
    pub(crate) user_rules: UserRules,
    means: OnceLock<Means>,
}

/// With what a walk is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    /// How many may work, the calling thread included.
    pub(crate) workers: usize,
    /// How many descriptors of its way down each may hold.
    pub(crate) held_each: usize,
}

impl Shared {
    pub(crate) fn new(walk: Walk) -> Shared {
        Shared {
            terrain: Terrain::of(&walk),
            walk,
            user_rules: UserRules::default(),
            means: OnceLock::new(),
        }
    }

    /// With what the walk is done, once it turns out not to be small.
    ///
    /// Price: one `prlimit64`, and what [`kernel::processors`] costs, once.
    pub(crate) fn means(&self) -> Means {
        *self.means.get_or_init(|| {
            let limit = kernel::descriptor_limit().unwrap_or(u64::MAX);
            let to_hold = usize::try_from(limit / 2).unwrap_or(usize::MAX);
            let workers = self.walk.threads.unwrap_or_else(kernel::processors);
            let workers = workers.min(to_hold / LEAST_TO_HOLD).max(1);
            Means { workers, held_each: (to_hold / workers).max(LEAST_TO_HOLD) }
        })
    }
}
