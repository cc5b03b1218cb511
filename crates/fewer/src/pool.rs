//! The threads of one walk or list: how many there are, and how many of them work at once.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::concurrency::{AdaptiveLimit, Alone, Progress, Sample};

/// The threads of one walk or list.
#[derive(Debug)]
pub(crate) struct Pool {
    /// How many may work at once where storage has to be waited for, and where it has not.
    most: usize,
    least: usize,
    /// The calling thread included.
    started: AtomicUsize,
    limit: Mutex<AdaptiveLimit>,
    begun: OnceLock<Instant>,
    items: AtomicU64,
    /// When the limit is to be looked at next, in microseconds since it began.
    due: AtomicU64,
}

impl Pool {
    /// Of `least` threads while the processors have work, and up to `most` where storage has to be
    /// waited for.
    pub(crate) fn new(least: usize, most: usize) -> Pool {
        Pool {
            most,
            least,
            started: AtomicUsize::new(1),
            limit: Mutex::new(AdaptiveLimit::new(least, most)),
            begun: OnceLock::new(),
            items: AtomicU64::new(0),
            due: AtomicU64::new(u64::MAX),
        }
    }

    fn limit(&self) -> MutexGuard<'_, AdaptiveLimit> {
        self.limit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the number of threads is given.
    pub(crate) fn is_fixed(&self) -> bool {
        self.least == self.most
    }

    /// How many have been started, the calling one included.
    pub(crate) fn started(&self) -> usize {
        self.started.load(Relaxed)
    }

    /// The number of a thread that is about to be started.
    pub(crate) fn add_thread(&self) -> usize {
        self.started.fetch_add(1, Relaxed)
    }

    /// Says that the thread that was added last could not be started.
    pub(crate) fn drop_thread(&self) {
        let left = self.started.fetch_sub(1, Relaxed) - 1;
        self.limit().cap(left);
    }

    /// The work goes on with several threads. Returns how many may work.
    pub(crate) fn begin(&self, alone: &Alone) -> usize {
        let mut limit = self.limit();
        if !self.is_fixed() && self.begun.set(Instant::now()).is_ok() {
            limit.begin(Progress::default(), alone.rate());
            self.set_due(&limit);
        }
        limit.limit()
    }

    /// Says how many directories a thread has read, and entries it has looked at by a call each,
    /// since it said so last, and whether threads are out of work. Returns how many threads may
    /// work if that has changed.
    ///
    /// Price: none; now and then, at most 60 times a second, three `getrusage`.
    pub(crate) fn report(&self, now: Instant, items: u64, lacks_work: bool) -> Option<usize> {
        let items = self.items.fetch_add(items, Relaxed) + items;
        let time = now.saturating_duration_since(*self.begun.get()?);
        if micros(time) < self.due.load(Relaxed) {
            return None;
        }
        // Another thread is at it if it is locked.
        let mut limit = self.limit.try_lock().ok()?;
        if time < limit.due() {
            return None;
        }
        let changed = limit.update(Progress { time, items }, !lacks_work, Sample::now);
        self.set_due(&limit);
        changed.then(|| limit.limit())
    }

    fn set_due(&self, limit: &AdaptiveLimit) {
        self.due.store(micros(limit.due()), Relaxed);
    }

    /// How many may work once no more can be started.
    pub(crate) fn allowed(&self) -> usize {
        self.limit().limit()
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
