//! How long a reader goes on: until it is told to give up.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use kernel::Errno;

use super::Lines;

/// How often it is asked whether to give up.
const INTERVAL: Duration = Duration::from_millis(20);

/// Asks now and then whether to give up; never, unless there is somebody to ask.
#[derive(Default)]
pub(super) struct Patience(Option<Box<Asking>>);

struct Asking {
    gives_up: Box<dyn Fn() -> bool + Send + Sync>,
    start: Instant,
    /// When it is asked next, in milliseconds since the start.
    next: AtomicU64,
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Patience").field(&self.0.is_some()).finish()
    }
}

impl Patience {
    /// Makes a call that reads. Where there is somebody to ask, a signal that [interrupts
    /// it](kernel::interruptible) is a reason to ask, and the call is made again after a no.
    ///
    /// # Errors
    /// `ECANCELED` after a yes; else those of the call.
    pub(super) fn call<T>(&self, mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
        let Some(asking) = &self.0 else { return call() };
        let mut at_once = false;
        loop {
            if (at_once || asking.is_time()) && (asking.gives_up)() {
                return Err(Errno::CANCELED);
            }
            match call() {
                Err(Errno::INTR) => at_once = true,
                done => return done,
            }
        }
    }
}

impl Asking {
    fn is_time(&self) -> bool {
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let is_time = now >= self.next.load(Relaxed);
        if is_time {
            self.next.store(now + INTERVAL.as_millis() as u64, Relaxed);
        }
        is_time
    }
}

impl Lines<'_> {
    /// Ends whatever reads with `ECANCELED` when `gives_up` says so, which is asked before a read,
    /// 50 times a second at most, and whenever a signal has [interrupted](kernel::interruptible)
    /// one: for a program that has its own idea of what a signal means. After it nothing is lost
    /// of what [`Lines::next_batch`] lends, and [`Lines::count_into`] counts; what was to be
    /// collected, or was read by several threads, has to be asked for anew.
    ///
    /// Price: no call.
    ///
    /// ```
    /// use fewer::{Errno, Lines};
    ///
    /// let mut lines = Lines::open("/dev/zero")?.gives_up(|| true);
    /// assert_eq!(lines.count().unwrap_err().errno(), Errno::CANCELED);
    /// # Ok::<(), fewer::LineError>(())
    /// ```
    #[must_use]
    pub fn gives_up(mut self, gives_up: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.patience = Patience(Some(Box::new(Asking {
            gives_up: Box::new(gives_up),
            start: Instant::now(),
            next: AtomicU64::new(INTERVAL.as_millis() as u64),
        })));
        self
    }
}
