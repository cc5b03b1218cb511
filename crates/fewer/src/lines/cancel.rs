//! Ending a read that takes too long: a function of the caller says when.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use sys::Errno;

use super::Lines;

/// How often the function is asked.
const INTERVAL: Duration = Duration::from_millis(20);

/// Asks the caller's function, if there is one, whether to give up.
#[derive(Default)]
pub(super) struct CancelCheck(Option<Box<Canceller>>);

struct Canceller {
    gives_up: Box<dyn Fn() -> bool + Send + Sync>,
    start: Instant,
    /// When it is asked next, in milliseconds since the start.
    next: AtomicU64,
}

impl fmt::Debug for CancelCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancelCheck").field(&self.0.is_some()).finish()
    }
}

impl CancelCheck {
    /// Makes a call that reads. If there is a function, it is also asked after a signal that
    /// [interrupts](sys::interruptible) the call, which is made again if the answer is no.
    ///
    /// # Errors
    /// `ECANCELED` after a yes; else those of the call.
    pub(super) fn call<T>(&self, mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
        let Some(canceller) = &self.0 else { return call() };
        let mut at_once = false;
        loop {
            if (at_once || canceller.is_time()) && (canceller.gives_up)() {
                return Err(Errno::CANCELED);
            }
            match call() {
                Err(Errno::INTR) => at_once = true,
                done => return done,
            }
        }
    }
}

impl Canceller {
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
    /// 50 times a second at most, and whenever a signal has [interrupted](sys::interruptible)
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
        self.cancel_check = CancelCheck(Some(Box::new(Canceller {
            gives_up: Box::new(gives_up),
            start: Instant::now(),
            next: AtomicU64::new(INTERVAL.as_millis() as u64),
        })));
        self
    }
}
