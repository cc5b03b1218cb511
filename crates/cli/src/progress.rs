//! A progress line: on standard error, if that is a terminal, and only once the work has lasted a
//! while. Where results are printed on the way, standard output must be no terminal.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Work that ends earlier shows no progress, and does not look for a terminal.
const BEFORE_FIRST: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(100);
const CLEAR: &[u8] = b"\r\x1b[K";

/// Shared by all workers.
pub(crate) struct Progress {
    start: Instant,
    unit: &'static str,
    while_printing: bool,
    done: AtomicU64,
    directories: AtomicU64,
    /// How many columns the terminal has; `None` if nothing is to be shown.
    columns: OnceLock<Option<usize>>,
    shown: Mutex<Option<Instant>>,
}

impl Progress {
    /// A worker reports once in so many entries.
    pub(crate) const EVERY: usize = 256;

    /// Counts in `unit`s: "entries", "lines". Results are printed while it is shown.
    pub(crate) fn new(unit: &'static str) -> Progress {
        Progress {
            start: Instant::now(),
            unit,
            while_printing: true,
            directories: AtomicU64::new(0),
            done: AtomicU64::new(0),
            columns: OnceLock::new(),
            shown: Mutex::new(None),
        }
    }

    /// Counts entries. Results are printed when it is gone.
    pub(crate) fn before_results() -> Progress {
        Progress { while_printing: false, ..Progress::new("entries") }
    }

    /// Shows nothing if the flags say so.
    pub(crate) fn unless_unwanted(self, flags: &clap::ArgMatches) -> Progress {
        match flags.get_flag("no-progress") {
            true => Progress { columns: OnceLock::from(None), ..self },
            false => self,
        }
    }

    /// Adds entries, of which so many are directories.
    pub(crate) fn add_tree(&self, entries: usize, directories: usize) {
        self.directories.fetch_add(directories as u64, Relaxed);
        self.add(entries);
    }

    /// Adds what was done, and shows the sum if it is time.
    pub(crate) fn add(&self, more: usize) {
        let sum = self.done.fetch_add(more as u64, Relaxed) + more as u64;
        let elapsed = self.start.elapsed();
        if elapsed < BEFORE_FIRST {
            return;
        }
        let Some(columns) = self.shown_columns() else { return };
        // If it is locked, another worker is showing it.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        if shown.is_none_or(|last| last.elapsed() >= BETWEEN) {
            let seconds = elapsed.as_secs_f64();
            let rate = sum as f64 / seconds;
            let unit = self.unit;
            let directories = match self.directories.load(Relaxed) {
                0 => String::new(),
                directories => format!("{directories} directories, "),
            };
            let line = format!("{directories}{sum} {unit}, {rate:.0} {unit}/s, {seconds:.1} s");
            // A line that is wrapped could not be taken away. All of it is ASCII.
            let line = format!("\r{}\x1b[K", &line[..line.len().min(columns.saturating_sub(1))]);
            sys::set_last_line_shown(true);
            let _ = sys::write_all(sys::STDERR, line.as_bytes());
            *shown = Some(Instant::now());
        }
    }

    /// Takes the line away, for something else to be written there.
    pub(crate) fn clear(&self) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.take().is_some() {
            let _ = sys::write_all(sys::STDERR, CLEAR);
            sys::set_last_line_shown(false);
        }
    }

    /// Whether it will be shown, should the work take long.
    ///
    /// Price: up to nine calls, which the first line does not take again.
    pub(crate) fn may_be_shown(&self) -> bool {
        self.shown_columns().is_some()
    }

    fn shown_columns(&self) -> Option<usize> {
        *self.columns.get_or_init(|| self.columns())
    }

    /// How many columns there are, if the line is shown; then a signal that ends the process takes
    /// it away.
    ///
    /// Price: once, at most three `ioctl`; and up to six `rt_sigaction` if it is shown.
    fn columns(&self) -> Option<usize> {
        let dumb = || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_wanted = sys::is_terminal(sys::STDERR)
            && !(self.while_printing && sys::is_terminal(sys::STDOUT))
            && !dumb();
        let columns = || sys::terminal_columns(sys::STDERR).filter(|&columns| columns > 0);
        if is_wanted {
            sys::erase_last_line_at_end();
        }
        is_wanted.then(|| columns().map_or(80, usize::from))
    }
}
