//! What all workers of one walk share.

use std::sync::OnceLock;

use super::Walk;
use super::ignored::UserRules;
use super::open_dir::FileSystems;
use crate::descriptors;

/// A worker holds at least so many descriptors; where the limit is so low that not all could, fewer
/// work.
const LEAST_DESCRIPTORS: usize = 4;

/// What all workers of one walk share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) walk: Walk,
    pub(crate) file_systems: FileSystems,
    pub(crate) user_rules: UserRules,
    held_limit: OnceLock<usize>,
    workers: OnceLock<usize>,
}

impl Shared {
    pub(crate) fn new(walk: Walk) -> Shared {
        Shared {
            file_systems: FileSystems::new(walk.one_file_system),
            walk,
            user_rules: UserRules::default(),
            held_limit: OnceLock::new(),
            workers: OnceLock::new(),
        }
    }

    /// How many descriptors all workers together may hold on their ways down: half of what the
    /// process may have open.
    ///
    /// Price: one `prlimit64`, once.
    pub(crate) fn descriptors_to_hold(&self) -> usize {
        *self.held_limit.get_or_init(descriptors::most_to_hold)
    }

    /// How many may work once the tree turns out not to be small, the calling thread included.
    ///
    /// Price: what [`crate::processors::processors`] costs, once, unless the number was given.
    pub(crate) fn workers(&self) -> usize {
        *self.workers.get_or_init(|| {
            let workers = self.walk.threads.unwrap_or_else(crate::processors::processors);
            workers.min(self.descriptors_to_hold() / LEAST_DESCRIPTORS).max(1)
        })
    }

    /// How many descriptors each of them may hold.
    pub(crate) fn descriptors_each(&self) -> usize {
        (self.descriptors_to_hold() / self.workers()).max(LEAST_DESCRIPTORS)
    }
}
