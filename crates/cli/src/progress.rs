//! A progress line: on standard error, if that is a terminal and standard output is not, and only
//! once the work has lasted a while.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Work that ends earlier shows no progress, and does not look for a terminal.
const BEFORE_FIRST: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(100);
const CLEAR: &[u8] = b"\r\x1b[K";

/// Shared by all workers.
pub(crate) struct Progress {
    start: Instant,
    unit: &'static str,
    done: AtomicU64,
    wanted: OnceLock<bool>,
    shown: Mutex<Option<Instant>>,
}

impl Progress {
    /// A worker reports once in so many entries.
    pub(crate) const EVERY: usize = 1024;

    /// Counts in `unit`s: "entries", "lines".
    pub(crate) fn new(unit: &'static str) -> Progress {
        Progress {
            start: Instant::now(),
            unit,
            done: AtomicU64::new(0),
            wanted: OnceLock::new(),
            shown: Mutex::new(None),
        }
    }

    /// Adds what was done, and shows the sum if it is time.
    pub(crate) fn add(&self, more: usize) {
        let sum = self.done.fetch_add(more as u64, Relaxed) + more as u64;
        let elapsed = self.start.elapsed();
        if elapsed < BEFORE_FIRST || !*self.wanted.get_or_init(is_wanted) {
            return;
        }
        // If it is locked, another worker is showing it.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        if shown.is_none_or(|last| last.elapsed() >= BETWEEN) {
            let seconds = elapsed.as_secs_f64();
            let rate = sum as f64 / seconds;
            let unit = self.unit;
            let line = format!("\r{sum} {unit}, {rate:.0} {unit}/s, {seconds:.1} s\x1b[K");
            let _ = sys::write_all(sys::STDERR, line.as_bytes());
            *shown = Some(Instant::now());
        }
    }

    /// Takes the line away, for something else to be written there.
    pub(crate) fn clear(&self) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.take().is_some() {
            let _ = sys::write_all(sys::STDERR, CLEAR);
        }
    }
}

fn is_wanted() -> bool {
    sys::is_terminal(sys::STDERR) && !sys::is_terminal(sys::STDOUT)
}
