//! Waiting that what ends a script from outside ends, too.

use std::os::fd::{AsFd, BorrowedFd};
use std::rc::Rc;
use std::time::Duration;

use sys::Errno;

use super::interrupt::{Interrupt, Stopped};
use super::open::Shared;
use super::table::Table;

impl Table {
    /// Lets a script be ended from outside, from now on.
    pub(crate) fn interrupt_by(&self, interrupt: Option<Interrupt>) {
        *self.shared.interrupt.borrow_mut() = interrupt.map(Rc::new);
    }

    /// Whether the script is to stop, and why. Free.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        self.shared.interrupt()?.stopped()
    }

    /// Sleeps; what is left of the time if it was ended before, by a signal or because the script
    /// is to stop.
    ///
    /// Price: one `clock_nanosleep`; one `ppoll` where the script may be ended from outside.
    pub(crate) fn sleep(&self, time: Duration) -> Result<(), Duration> {
        match self.shared.interrupt() {
            None => sys::sleep(time),
            Some(interrupt) => interrupt.wait(&[], Some(time)).map(drop).map_err(|_| time),
        }
    }

    /// Waits for a child, so that it can be left while it runs; at once if nothing can end the
    /// script from outside.
    ///
    /// Price: none; one `pidfd_open`, one `ppoll` and one `close` where the script may be ended.
    pub(crate) fn wait_until_ended(&self, child: sys::Process) -> Result<(), Errno> {
        let Some(interrupt) = self.shared.interrupt() else { return Ok(()) };
        let child = sys::watch(child)?;
        interrupt.wait(&[child.as_fd()], None).map(drop)
    }

    /// As [`sys::wait_any_readable`]; [`FULL`](super::FULL) if the script is to stop.
    pub(crate) fn wait_any_readable(
        &self,
        files: &[BorrowedFd<'_>],
        at_most: Option<Duration>,
    ) -> Result<Vec<bool>, Errno> {
        self.shared.wait_any_readable(files, at_most)
    }
}

impl Shared {
    /// What may end the script from outside, if anything.
    pub(super) fn interrupt(&self) -> Option<Rc<Interrupt>> {
        self.interrupt.borrow().clone()
    }

    pub(super) fn wait_any_readable(
        &self,
        files: &[BorrowedFd<'_>],
        at_most: Option<Duration>,
    ) -> Result<Vec<bool>, Errno> {
        match self.interrupt() {
            None => sys::wait_any_readable(files, at_most),
            Some(interrupt) => interrupt.wait(files, at_most),
        }
    }
}
