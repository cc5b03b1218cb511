//! What all workers of one walk share.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::ignored::UserRules;
use super::open_dir::FileSystems;
use super::{Order, Walk};
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
    /// How many entries have been shown; counted only if there is a limit.
    results: AtomicUsize,
}

impl Shared {
    pub(crate) fn new(walk: Walk) -> Shared {
        Shared {
            file_systems: FileSystems::new(
                walk.one_file_system,
                walk.since.is_some() || walk.recording.is_some(),
            ),
            walk,
            user_rules: UserRules::default(),
            held_limit: OnceLock::new(),
            workers: OnceLock::new(),
            results: AtomicUsize::new(0),
        }
    }

    /// How many descriptors all workers together may hold on their ways down: half of what the
    /// process may have open.
    ///
    /// Price: one `prlimit64`, once.
    pub(crate) fn descriptors_to_hold(&self) -> usize {
        *self.held_limit.get_or_init(descriptors::most_to_hold)
    }

    /// Counts one more entry that is to be shown: whether it may be, and whether it is the last.
    #[inline]
    pub(crate) fn count_result(&self) -> (bool, bool) {
        let Some(limit) = self.walk.max_results else { return (true, false) };
        let number = self.results.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        (number <= limit, number >= limit)
    }

    /// How many may work once the tree turns out not to be small, the calling thread included.
    ///
    /// Price: what [`crate::processors::processors`] costs, once, unless the number was given.
    pub(crate) fn workers(&self) -> usize {
        *self.workers.get_or_init(|| {
            if self.walk.max_results.is_some() && self.walk.order == Order::Sorted {
                return 1;
            }
            let workers = self.walk.threads.unwrap_or_else(crate::processors::processors);
            workers.min(self.descriptors_to_hold() / LEAST_DESCRIPTORS).max(1)
        })
    }

    /// How many descriptors each of them may hold.
    pub(crate) fn descriptors_each(&self) -> usize {
        (self.descriptors_to_hold() / self.workers()).max(LEAST_DESCRIPTORS)
    }
}
