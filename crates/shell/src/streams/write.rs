//! The block that is written, and when.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use sys::{Errno, Kind};

use super::open::{Backing, Open};
use super::real::Real;

/// What is kept in memory at most before it is written.
const BLOCK_BYTES: usize = 64 << 10;

/// Output appears after this time at the latest.
const PATIENCE: Duration = Duration::from_millis(50);

impl Open {
    /// Writes all of `bytes`, or keeps them to be written with what follows. A write to one of two
    /// streams that lead to the same place waits for neither: the other's bytes are written first.
    ///
    /// Price: none, or one `write` for 64 KiB. To a terminal, and where the last `write` was 50 ms
    /// ago: one. The first write to standard output or error, or to something in /dev: one `statx`,
    /// and one `ioctl` if it is a device. Where two streams have something to write: one `statx`
    /// for each, once. Into a [capture](super::Table::capture), and to /dev/null: none.
    ///
    /// # Errors
    /// The kernel's number, also that of an earlier write that was not reported; `EBADF` if it
    /// is not open for writing; [`FULL`](super::FULL) if a capture's limit is reached, or the
    /// table's.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Errno> {
        if let Some(errno) = self.failed.take() {
            return Err(errno);
        }
        if !self.may_write {
            return Err(Errno::BADF);
        }
        match &mut *self.backing.borrow_mut() {
            Backing::Real(_) => {}
            Backing::Null => return Ok(()),
            Backing::Bytes { .. } => return Err(Errno::BADF),
            Backing::Capture(collected) => return collected.push(bytes),
        }
        self.shared.spend(bytes.len())?;
        if self.may_read {
            self.put_back()?;
        }
        if self.shared.others_dirty(self.dirty.get()) {
            self.flush_conflicting()?;
        }
        self.keep(bytes)
    }

    fn keep(&self, bytes: &[u8]) -> Result<(), Errno> {
        let mut written = self.written.borrow_mut();
        if written.len() + bytes.len() > BLOCK_BYTES {
            self.write_now(&mut written)?;
            if bytes.len() >= BLOCK_BYTES {
                return self.write_through(bytes);
            }
        }
        written.extend_from_slice(bytes);
        if self.must_show(bytes)? || self.is_late() {
            return self.write_now(&mut written);
        }
        if !self.dirty.replace(true) {
            self.shared.add_dirty(self.me.clone());
        }
        Ok(())
    }

    /// Whether what was written must be seen, or refused, at once.
    fn must_show(&self, bytes: &[u8]) -> Result<bool, Errno> {
        if !self.shows {
            return Ok(false);
        }
        if self.identity.get().is_none() {
            let Some(real) = self.real_already() else { return Ok(false) };
            // What cannot be asked is written at once, and says itself what is wrong.
            if self.identity(&real).is_err() {
                return Ok(true);
            }
        }
        let device = self.identity.get().is_some_and(|it| it.kind == Kind::Char && !it.null);
        Ok(device && (!self.is_terminal() || bytes.contains(&b'\n')))
    }

    /// Writes what is kept.
    ///
    /// Price: one `write` if something is; none otherwise.
    ///
    /// # Errors
    /// The kernel's number, also that of an earlier write that was not reported. What could
    /// not be written is gone.
    pub fn flush(&self) -> Result<(), Errno> {
        if self.dirty.get() {
            self.write_now(&mut self.written.borrow_mut())?;
        }
        match self.failed.take() {
            Some(errno) => Err(errno),
            None => Ok(()),
        }
    }

    /// As [`flush`](Open::flush), for the sake of others: an error waits for the next write here.
    pub(super) fn flush_later_told(&self) {
        if let Err(errno) = self.flush() {
            self.failed.set(Some(errno));
        }
    }

    fn write_now(&self, written: &mut Vec<u8>) -> Result<(), Errno> {
        if self.dirty.replace(false) {
            self.shared.remove_dirty(&self.me);
        }
        if written.is_empty() {
            return Ok(());
        }
        let done = self.write_through(written);
        written.clear();
        done
    }

    fn write_through(&self, bytes: &[u8]) -> Result<(), Errno> {
        let done = match &*self.backing.borrow() {
            Backing::Real(real) => sys::write_all(real.as_fd(), bytes),
            _ => Ok(()),
        };
        self.flushed.set(Instant::now());
        done
    }

    /// Writes what is kept, for the last time.
    pub(super) fn write_as_it_is(&self) {
        if let Ok(written) = self.written.try_borrow()
            && let Ok(backing) = self.backing.try_borrow()
            && let Backing::Real(real) = &*backing
        {
            let _ = sys::write_all(real.as_fd(), &written); // there is nowhere to report it
        }
    }

    /// Whether what is kept has been kept too long.
    pub(super) fn is_late(&self) -> bool {
        self.flushed.get().elapsed() > PATIENCE
    }

    /// Before the last reference goes.
    pub(super) fn end(&self) {
        // An open file without other users is gone; what was taken from a pipe is not.
        let (peeked, given) = {
            let block = self.read.borrow();
            (block.peeked, block.given)
        };
        if peeked || given || matches!(self.real_already(), Some(Real::Standard(_))) {
            let _ = self.put_back(); // there is nowhere to report it
        }
        if self.dirty.get() {
            let _ = self.write_now(&mut self.written.borrow_mut()); // errors matter at flushes
        }
    }

    /// Writes what others have kept that lead to the same place.
    fn flush_conflicting(&self) -> Result<(), Errno> {
        for other in self.shared.dirty() {
            if !std::ptr::eq(&raw const *other, self) && self.seen_together_with(&other)? {
                other.flush_later_told();
            }
        }
        Ok(())
    }

    /// Whether the order of writes to two streams can be seen.
    fn seen_together_with(&self, other: &Open) -> Result<bool, Errno> {
        let (Some(mine), Some(theirs)) = (self.real_already(), other.real_already()) else {
            return Ok(false);
        };
        let Ok(theirs) = other.identity(&theirs) else { return Ok(true) };
        if self.identity.get().is_none() && !self.shows {
            // Opened by a path that is not in /dev: it cannot be what has no other.
            match theirs.kind {
                Kind::Char | Kind::Socket => return Ok(false),
                Kind::Fifo if theirs.device == self.shared.pipes_device()? => return Ok(false),
                _ => {}
            }
        }
        let Ok(mine) = self.identity(&mine) else { return Ok(true) };
        Ok(mine == theirs || (mine.kind == Kind::Char && theirs.kind == Kind::Char))
    }

    /// Whether what is kept is for something else than a pipe, a socket or a device: a file, whose
    /// size and contents others may look at. Not known counts as one, for an error.
    pub(super) fn is_kept_from_file(&self) -> bool {
        let kind = self.real_already().map(|real| self.identity(&real).map(|it| it.kind));
        !matches!(kind, Some(Ok(Kind::Fifo | Kind::Socket | Kind::Char)))
    }
}
