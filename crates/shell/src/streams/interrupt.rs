//! What ends a script from outside, whatever it waits for: another thread, or the time.

use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::AcqRel, Ordering::Acquire};
use std::time::{Duration, Instant};

use fewer::Descriptor;
use sys::Errno;

use super::FULL;

/// Cancels the runs of a [`Runner`](crate::Runner), from any thread. Made by
/// [`Runner::canceller`](crate::Runner::canceller); its clones cancel the same runner.
#[derive(Clone, Debug)]
pub struct Canceller(Arc<Request>);

#[derive(Debug)]
struct Request {
    made: AtomicBool,
    /// A pipe that has a byte in it once the request was made.
    reader: Descriptor,
    writer: Descriptor,
}

impl Canceller {
    /// Price: one `pipe2`; two `close` later.
    pub(crate) fn new() -> Result<Canceller, Errno> {
        let (reader, writer) = sys::pipe()?;
        Ok(Canceller(Arc::new(Request { made: AtomicBool::new(false), reader, writer })))
    }

    /// Stops the run that is going on, or else the next one: before its next command, or in the
    /// middle of what it waits for. A program that it waits for, and those in the background, are
    /// killed. Returns at once.
    ///
    /// Price: one `write`, the first time in a run.
    pub fn cancel(&self) {
        if !self.0.made.swap(true, AcqRel) {
            // There is room in the pipe, as it is emptied before the next request.
            let _ = sys::write(self.0.writer.as_fd(), b"x");
        }
    }

    /// Forgets the request, if there was one.
    ///
    /// Price: one `read`, if there was one.
    pub(crate) fn reset(&self) {
        if self.0.made.swap(false, AcqRel) {
            let _ = sys::read(&self.0.reader, &mut [0]);
        }
    }
}

/// Why a script is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    Canceled,
    OutOfTime,
}

/// What may end a script from outside.
#[derive(Debug)]
pub(crate) struct Interrupt {
    pub(crate) canceller: Option<Canceller>,
    pub(crate) deadline: Option<Instant>,
}

impl Interrupt {
    pub(super) fn stopped(&self) -> Option<Stopped> {
        if self.canceller.as_ref().is_some_and(|canceller| canceller.0.made.load(Acquire)) {
            return Some(Stopped::Canceled);
        }
        let over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        over.then_some(Stopped::OutOfTime)
    }

    /// Waits until one of the files can be read, at most for so long; [`FULL`] if the script is to
    /// stop.
    pub(super) fn wait(
        &self,
        files: &[BorrowedFd<'_>],
        at_most: Option<Duration>,
    ) -> Result<Vec<bool>, Errno> {
        let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let at_most = at_most.into_iter().chain(left).min();
        let reader = self.canceller.as_ref().map(|canceller| canceller.0.reader.as_fd());
        let all: Vec<_> = files.iter().copied().chain(reader).collect();
        let mut ready = sys::wait_any_readable(&all, at_most)?;
        ready.truncate(files.len());
        if self.stopped().is_some() { Err(FULL) } else { Ok(ready) }
    }
}
