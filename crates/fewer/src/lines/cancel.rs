//! Ends a read that takes too long: a function of the caller decides.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use sys::Errno;

use super::Lines;

/// How often the function is called.
const INTERVAL: Duration = Duration::from_millis(20);

/// Calls the caller's function, if there is one, to find out whether to give up.
#[derive(Default)]
pub(super) struct CancelCheck(Option<Box<Canceller>>);

struct Canceller {
    gives_up: Box<dyn Fn() -> bool + Send + Sync>,
    start: Instant,
    /// When it is called next, in milliseconds since the start.
    next: AtomicU64,
}

impl fmt::Debug for CancelCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancelCheck").field(&self.0.is_some()).finish()
    }
}

impl CancelCheck {
    /// Makes a call that reads. If there is a function, it is also called after a signal that
    /// [interrupts](sys::interruptible) the call, which is made again if the function returns
    /// false.
    ///
    /// # Errors
    /// `ECANCELED` if the function returns true; otherwise those of the call.
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
    /// Ends any read with `ECANCELED` when `gives_up` returns true. It is called before a read, 50
    /// times a second at most, and whenever a signal has [interrupted](sys::interruptible) one: for
    /// a program that handles signals itself. Afterwards [`Lines::next_batch`] and
    /// [`Lines::count_into`] can go on, and nothing is lost; what was to be collected, or was read
    /// by several threads, has to be started anew.
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
