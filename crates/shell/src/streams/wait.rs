//! Waiting that what ends a script from outside ends, too.

use std::os::fd::{AsFd, BorrowedFd};
use std::rc::Rc;
use std::time::Duration;

use sys::{Errno, Process};

use super::interrupt::{Interrupt, Stopped};
use super::open::Shared;
use super::table::Table;

/// How long to wait before looking whether a child has ended that does not say so.
const FIRST_PATIENCE: Duration = Duration::from_millis(1);
const LONGEST_PATIENCE: Duration = Duration::from_millis(50);

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
    /// Price: none; [`wait_for_one`](Self::wait_for_one) where the script may be ended.
    pub(crate) fn wait_until_ended(&self, child: Process) -> Result<(), Errno> {
        match self.shared.interrupt() {
            None => Ok(()),
            Some(_) => self.wait_for_one(&[child]).map(drop),
        }
    }

    /// Waits until one of these children has ended, of which there are some; returns which. It must
    /// still be waited for.
    ///
    /// Price: one `pidfd_open` and one `close` for each, and one `ppoll`; where `pidfd_open` is
    /// refused, a `waitid` for each and a `ppoll` every now and then.
    pub(crate) fn wait_for_one(&self, children: &[Process]) -> Result<Process, Errno> {
        let watched = children.iter().map(|child| sys::watch(*child));
        if let Some(watched) = watched.collect::<Result<Option<Vec<_>>, _>>()? {
            let files: Vec<_> = watched.iter().map(AsFd::as_fd).collect();
            let ready = self.wait_any_readable(&files, None)?;
            return Ok(children[ready.iter().position(|&ready| ready).unwrap_or(0)]);
        }
        self.look_for_one(children)
    }

    fn look_for_one(&self, children: &[Process]) -> Result<Process, Errno> {
        let mut patience = FIRST_PATIENCE;
        loop {
            for &child in children {
                if sys::has_ended(child)? {
                    return Ok(child);
                }
            }
            self.wait_any_readable(&[], Some(patience))?;
            patience = (patience * 2).min(LONGEST_PATIENCE);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn start(script: &str) -> Process {
        let arguments = ["sh", "-c", script].map(|word| std::ffi::CString::new(word).unwrap());
        sys::start(&sys::Start {
            program: c"/bin/sh",
            search: false,
            arguments: &arguments,
            environment: &[],
            directory: None,
            streams: [sys::Stream::Null; 3],
            mask: None,
        })
        .unwrap()
    }

    #[test]
    fn the_child_that_ends_first_is_found_without_descriptors_of_children() {
        let table = Table::empty();
        let (long, short) = (start("read x </dev/zero"), start("exit 7"));
        assert_eq!(table.look_for_one(&[long, short]), Ok(short));
        // It is still there to be waited for.
        assert_eq!(sys::wait(&short, true).unwrap().map(|status| status >> 8), Some(7));
        assert_eq!(sys::has_ended(long), Ok(false));
        sys::kill(&long).unwrap();
        assert_eq!(table.look_for_one(&[long]), Ok(long));
        assert!(sys::wait(&long, true).unwrap().is_some());
    }
}
