//! Cancels work that takes too long: a function of the caller decides.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use sys::Errno;

/// How often the function is called at most.
const INTERVAL: Duration = Duration::from_millis(20);

/// Calls the caller's function, if there is one, to find out whether to stop.
#[derive(Clone, Default)]
pub(crate) struct CancelCheck(Option<Arc<TimedCheck>>);

struct TimedCheck {
    is_canceled: Box<dyn Fn() -> bool + Send + Sync>,
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
    pub(crate) fn new(is_canceled: impl Fn() -> bool + Send + Sync + 'static) -> CancelCheck {
        CancelCheck(Some(Arc::new(TimedCheck {
            is_canceled: Box::new(is_canceled),
            start: Instant::now(),
            next: AtomicU64::new(INTERVAL.as_millis() as u64),
        })))
    }

    /// Whether to stop now: asks the function, if it is time to.
    #[inline]
    pub(crate) fn is_canceled(&self) -> bool {
        self.0.as_ref().is_some_and(|check| check.is_time() && (check.is_canceled)())
    }

    /// How long a wait may be until [`CancelCheck::is_canceled`] is called again.
    pub(crate) fn interval(&self) -> Duration {
        if self.0.is_some() { INTERVAL } else { Duration::MAX }
    }

    /// Makes a call that reads. If there is a function, it is also called after a signal that
    /// [interrupts](sys::interruptible) the call, which is made again if the function returns
    /// false.
    ///
    /// # Errors
    /// `ECANCELED` if the function returns true; otherwise those of the call.
    pub(crate) fn call<T>(&self, mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
        let Some(check) = &self.0 else { return call() };
        let mut at_once = false;
        loop {
            if (at_once || check.is_time()) && (check.is_canceled)() {
                return Err(Errno::CANCELED);
            }
            match call() {
                Err(Errno::INTR) => at_once = true,
                done => return done,
            }
        }
    }
}

impl TimedCheck {
    fn is_time(&self) -> bool {
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let is_time = now >= self.next.load(Relaxed);
        if is_time {
            self.next.store(now + INTERVAL.as_millis() as u64, Relaxed);
        }
        is_time
    }
}
