//! What `$( )` collects: in memory what the script itself writes, through a pipe what its children
//! write.

use std::os::fd::AsFd;
use std::rc::Rc;
use std::time::Duration;

use fewer::{Descriptor, Fields};
use sys::Errno;

use super::FULL;
use super::collected::{BLOCK_BYTES, Collected, Sink};
use super::open::{Backing, Open};
use super::real::Real;
use super::table::Table;

impl Table {
    /// A stream that collects what is written to it, up to `limit` bytes: what `$( )` puts in the
    /// place of standard output. Children that get it write into a pipe, which is read while they
    /// are [waited for](crate::processes::wait).
    ///
    /// Price: none; for each child or set of children waited for together one `pipe2`, two `close`,
    /// and one `ppoll` and one `read` for each 64 KiB and for the end.
    #[must_use]
    pub fn capture(&self, limit: usize) -> Rc<Open> {
        self.capture_for(None, limit)
    }

    /// As [`capture`](Table::capture); but what is written goes to `sink` as it comes, if there is
    /// one, and is not kept.
    pub(crate) fn capture_for(&self, sink: Option<Sink>, limit: usize) -> Rc<Open> {
        let collected = Collected::new(sink, limit);
        Open::new(&self.shared, Backing::Capture(collected), [false, true], false)
    }

    /// A stream to read `bytes` from: a here-document, what another command has written. A child
    /// that gets it is given a pipe, as bash and dash do; a file in memory if that would be too
    /// small, or if its reader may go back (`seekable`: ksh's here-documents).
    ///
    /// Price: none; `pipe2`, `write` and two `close`, or `memfd_create`, `write`, `lseek` and
    /// `close`, when a child is to have it.
    #[must_use]
    pub fn from_bytes(&self, bytes: Rc<[u8]>, seekable: bool) -> Rc<Open> {
        let backing = Backing::Bytes { bytes, at: 0, seekable };
        Open::new(&self.shared, backing, [true, false], false)
    }
}

impl Open {
    /// What a [capture](Table::capture) has collected, once it has no writer any more: waits for
    /// the last child that has it. It is empty then.
    ///
    /// Price: none if no child had it; else one `ppoll` and one `read` for each 64 KiB that is left
    /// and for the end.
    ///
    /// # Errors
    /// [`FULL`] if the limit was reached, `EBADF` if it is no capture; `EINTR` if a
    /// caught signal is pending: call again, nothing is lost.
    pub fn collected(&self) -> Result<Vec<u8>, Errno> {
        self.shared.unless_caught(|| {
            let mut backing = self.backing.borrow_mut();
            let Backing::Capture(collected) = &mut *backing else { return Err(Errno::BADF) };
            collected.close_writer();
            while !collected.readers.is_empty() {
                let files: Vec<_> =
                    collected.readers.iter().map(|reader| (**reader).as_fd()).collect();
                let ready = match files.len() {
                    1 if self.shared.interrupt().is_none() => Some(0), // the read waits
                    _ => {
                        let ready = self.shared.wait_any_readable(&files, None)?;
                        ready.iter().position(|&ready| ready)
                    }
                };
                if let Some(reader) = ready {
                    collected.take_block(reader)?;
                }
            }
            match collected.over {
                true => Err(FULL),
                false => Ok(std::mem::take(&mut collected.bytes)),
            }
        })
    }

    /// Whether a [capture](Table::capture) was written more than its limit allows. Free.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(&*self.backing.borrow(), Backing::Capture(collected) if collected.over)
    }

    /// What a [capture](Table::capture) that is [over](Open::is_over) its limit has kept. Free.
    #[must_use]
    pub fn kept(&self) -> Vec<u8> {
        match &mut *self.backing.borrow_mut() {
            Backing::Capture(collected) => std::mem::take(&mut collected.bytes),
            _ => Vec::new(),
        }
    }

    /// A descriptor that a child can be given.
    ///
    /// Price: none if there is one already; /dev/null, once for the table, one `openat`; else as
    /// [`Table::capture`] and [`Table::from_bytes`] say.
    ///
    /// # Errors
    /// The kernel's number: `EMFILE`, `ENFILE`, `ENOMEM`.
    pub fn real(&self) -> Result<Real, Errno> {
        let mut backing = self.backing.borrow_mut();
        let made = match &mut *backing {
            Backing::Real(real) => return Ok(real.clone()),
            Backing::Null => return self.shared.null(),
            Backing::Capture(collected) => {
                let (real, fresh) = collected.real()?;
                if fresh {
                    self.shared.add_capture(self.me.clone());
                }
                return Ok(real);
            }
            Backing::Bytes { bytes, at, seekable } => holding(&bytes[*at..], *seekable)?,
        };
        let real = Real::Own(Rc::new(made));
        *backing = Backing::Real(real.clone());
        Ok(real)
    }

    /// As [`real`](Open::real), for a child to keep.
    pub(super) fn real_to_give(&self) -> Result<Real, Errno> {
        self.read.borrow_mut().given = true;
        self.real()
    }

    /// In the child after a fork: what it writes is for the parent to collect, if it was `given`
    /// to the child at all.
    pub(super) fn become_writer(&self, given: bool) {
        let mut backing = self.backing.borrow_mut();
        if let Backing::Capture(collected) = &mut *backing {
            let writer = collected.writer.take().filter(|_| given);
            *backing = match writer {
                Some(writer) => Backing::Real(Real::Own(writer)),
                None => Backing::Null,
            };
        }
    }
}

impl Open {
    /// How many bytes of a [`from_bytes`](Table::from_bytes) are unread; 0 for what a pipe
    /// holds.
    ///
    /// Price: none; one `statx` and one `lseek` if a child had it.
    #[must_use]
    pub fn unread_bytes(&self) -> u64 {
        let backing = self.backing.borrow();
        let unread = match &*backing {
            Backing::Bytes { bytes, at, .. } => return (bytes.len() - at) as u64,
            Backing::Real(file) => sys::position(file).and_then(|position| {
                let stat = sys::stat_descriptor(file, Fields::SIZE)?;
                Ok(stat.size().saturating_sub(position))
            }),
            _ => return 0,
        };
        unread.unwrap_or(0)
    }
}

/// Something to read these bytes from.
fn holding(bytes: &[u8], seekable: bool) -> Result<Descriptor, Errno> {
    if !seekable && bytes.len() <= BLOCK_BYTES {
        let (reader, writer) = sys::pipe()?;
        sys::write_all(writer.as_fd(), bytes)?;
        return Ok(reader);
    }
    let file = sys::memory_file()?;
    sys::write_all(file.as_fd(), bytes)?;
    sys::set_position(&file, 0)?;
    Ok(file)
}

impl Table {
    /// Collects what children write to captures until all pipes are at their end (false), or
    /// nothing has come for so long (true).
    pub(crate) fn collect_once(&self, patience: Duration) -> Result<bool, Errno> {
        let captures = self.captures();
        for capture in &captures {
            capture.with_collected(|collected| {
                collected.close_writer();
                Ok(())
            })?;
        }
        loop {
            let mut all = Vec::new();
            for capture in &captures {
                capture.with_collected(|collected| {
                    let readers = collected.readers.iter().enumerate();
                    all.extend(readers.map(|(at, reader)| (capture, at, Rc::clone(reader))));
                    Ok(())
                })?;
            }
            if all.is_empty() {
                return Ok(false);
            }
            let files: Vec<_> = all.iter().map(|(.., reader)| (**reader).as_fd()).collect();
            let ready = self.wait_any_readable(&files, Some(patience))?;
            let Some(first) = ready.iter().position(|&ready| ready) else { return Ok(true) };
            let (capture, at, _) = &all[first];
            capture.with_collected(|collected| collected.take_block(*at))?;
        }
    }

    /// Runs what may wait: see [`Shared::unless_caught`](super::open::Shared::unless_caught).
    pub(crate) fn unless_caught<T>(
        &self,
        wait: impl FnMut() -> Result<T, Errno>,
    ) -> Result<T, Errno> {
        self.shared.unless_caught(wait)
    }

    /// Collects what is there now.
    pub(crate) fn collect_rest(&self) -> Result<(), Errno> {
        self.captures()
            .iter()
            .try_for_each(|capture| capture.with_collected(Collected::take_what_is_there))
    }
}

impl Open {
    fn with_collected(
        &self,
        f: impl FnOnce(&mut Collected) -> Result<(), Errno>,
    ) -> Result<(), Errno> {
        match &mut *self.backing.borrow_mut() {
            Backing::Capture(collected) => f(collected),
            _ => Ok(()),
        }
    }
}
