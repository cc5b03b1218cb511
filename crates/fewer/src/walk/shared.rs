//! What all workers of one walk share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::ignored::UserRules;
use super::open_dir::FileSystems;
use super::{Order, Walk};
use crate::concurrency::Alone;
use crate::descriptors;
use crate::pool::Pool;

/// A tree that is done after this many directories never starts a thread, unless the storage is
/// slow: starting one takes as long as reading about ten directories, and a dozen calls.
pub(super) const SMALL_DIRECTORIES: usize = 400;

/// A worker holds at least so many descriptors; where the limit is so low that not all could, fewer
/// work.
const LEAST_DESCRIPTORS: usize = 4;

/// Where nothing has to be waited for, a directory takes less than ten microseconds.
const SLOW_DIRECTORY: Duration = Duration::from_micros(40);
const SLOW_TIME: Duration = Duration::from_millis(15);

/// What all workers of one walk share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) walk: Walk,
    pub(crate) file_systems: FileSystems,
    pub(crate) user_rules: UserRules,
    held_limit: OnceLock<usize>,
    pool: OnceLock<Pool>,
    alone: Mutex<Alone>,
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
            pool: OnceLock::new(),
            alone: Mutex::new(Alone::new(SLOW_DIRECTORY, SLOW_TIME)),
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

    /// The threads of the walk. Without a given number: as many as processors while these have
    /// work, and more where storage has to be waited for.
    ///
    /// Price: what [`crate::processors::processors`] costs, once, unless the number was given.
    pub(crate) fn pool(&self) -> &Pool {
        self.pool.get_or_init(|| {
            if self.walk.max_results.is_some() && self.walk.order == Order::Sorted {
                return Pool::new(1, 1);
            }
            let (least, most) = match self.walk.threads {
                Some(threads) => (threads, threads),
                None => {
                    let processors = crate::processors::processors();
                    let most = self.walk.max_threads;
                    (processors.min(most), most)
                }
            };
            let affordable = (self.descriptors_to_hold() / LEAST_DESCRIPTORS).max(1);
            Pool::new(least.min(affordable), most.min(affordable))
        })
    }

    /// What the calling thread has done while it was alone.
    pub(crate) fn alone(&self) -> MutexGuard<'_, Alone> {
        self.alone.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many descriptors each thread may hold.
    pub(crate) fn descriptors_each(&self) -> usize {
        (self.descriptors_to_hold() / self.pool().started()).max(LEAST_DESCRIPTORS)
    }
}
