//! The block that was read, and what is put back before another process reads.

use std::os::fd::AsFd;
use std::time::Instant;

use sys::{Errno, Kind};

use super::open::{Backing, Open, Shared};
use super::read_block::FIRST_BLOCK_BYTES;
use super::real::Real;
const LARGEST_BLOCK_BYTES: usize = 256 << 10;

/// Why [`Open::read_until`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The delimiter was read; it is not among the bytes.
    Delimiter,
    /// There are as many bytes as were wanted.
    Limit,
    /// That was all.
    End,
    /// The time is over.
    Late,
}

/// How something is read so that others can go on where the script stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadMode {
    /// In blocks: the offset is put right later.
    Blocks,
    /// In blocks whose rest no other process needs, or that hold one line.
    Lines,
    /// Looked at in blocks, taken later.
    PeekPipe,
    PeekSocket,
    /// Byte by byte.
    Bytes,
}

impl Open {
    /// Appends to `bytes` what comes before `delimiter`, at most `limit` bytes, and takes both.
    /// With a `deadline` it comes back then; what was read by then has been taken.
    ///
    /// Price: nothing as long as a block lasts. A file: one `statx` at the first read, and one
    /// `read` a block, 4 KiB at first and 256 KiB soon. A pipe: `tee` and two `read` a block of up
    /// to 64 KiB. A socket: `recvfrom` and `read` a block. A terminal: one `read` a line. Before
    /// each of them what is kept to be written is written; with a deadline, one `ppoll` more.
    ///
    /// # Errors
    /// The kernel's number: `EBADF` if it is not open for reading, `EISDIR`, `EIO`; `EINTR` if a
    /// caught signal is pending: call again to go on, nothing is lost.
    pub fn read_until(
        &self,
        delimiter: u8,
        bytes: &mut Vec<u8>,
        limit: usize,
        deadline: Option<Instant>,
    ) -> Result<Ended, Errno> {
        let start = bytes.len();
        loop {
            let wanted = limit - (bytes.len() - start);
            if wanted == 0 {
                return Ok(Ended::Limit);
            }
            let mut found = false;
            let took = self.with_block(delimiter == b'\n', wanted, deadline, |block| {
                let block = &block[..block.len().min(wanted)];
                let end = memchr::memchr(delimiter, block);
                bytes.extend_from_slice(&block[..end.unwrap_or(block.len())]);
                found = end.is_some();
                end.map_or(block.len(), |end| end + 1)
            })?;
            match took {
                None => return Ok(Ended::Late),
                Some(_) if found => return Ok(Ended::Delimiter),
                Some(0) => return Ok(Ended::End),
                Some(_) => {}
            }
        }
    }

    /// Shows `use_block` what is there, after a read if nothing is (empty only at the end), and
    /// takes as much as that answers. What was taken; `None` if the time is over.
    ///
    /// Price: as [`read_until`](Open::read_until).
    ///
    /// # Errors
    /// As [`read_until`](Open::read_until).
    pub fn with_block(
        &self,
        lines: bool,
        wanted: usize,
        deadline: Option<Instant>,
        use_block: impl FnOnce(&[u8]) -> usize,
    ) -> Result<Option<usize>, Errno> {
        let mut use_block = Some(use_block);
        if let Backing::Bytes { bytes, at, .. } = &mut *self.backing.borrow_mut()
            && let Some(use_block) = use_block.take()
        {
            let took = use_block(&bytes[*at..]).min(bytes.len() - *at);
            *at += took;
            return Ok(Some(took));
        }
        let used_up = {
            let block = self.read.borrow();
            block.at == block.bytes.len()
        };
        if used_up && !self.refill(lines, wanted, deadline)? {
            return Ok(None);
        }
        let mut block = self.read.borrow_mut();
        let rest = &block.bytes[block.at..];
        let took = use_block.map_or(0, |use_block| use_block(rest)).min(rest.len());
        block.at += took;
        Ok(Some(took))
    }

    /// Reads so much at once the next time. Free.
    pub(crate) fn read_by(&self, bytes: usize) {
        self.read.borrow_mut().block = bytes;
    }

    /// Takes so many bytes of what the last [`with_block`](Open::with_block) has shown. Free.
    pub(super) fn consume(&self, taken: usize) {
        if let Backing::Bytes { bytes, at, .. } = &mut *self.backing.borrow_mut() {
            *at = (*at + taken).min(bytes.len());
            return;
        }
        let mut block = self.read.borrow_mut();
        block.at = (block.at + taken).min(block.bytes.len());
    }

    /// Reads the next block, all of the last one being used; false if the time is over.
    fn refill(&self, lines: bool, wanted: usize, deadline: Option<Instant>) -> Result<bool, Errno> {
        if !self.may_read {
            return Err(Errno::BADF);
        }
        let real = match &*self.backing.borrow() {
            Backing::Real(real) => real.clone(),
            Backing::Capture(_) => return Err(Errno::BADF),
            Backing::Null | Backing::Bytes { .. } => return Ok(true),
        };
        self.take_peeked(&real)?;
        self.shared.flush_all();
        let read_mode = self.read_mode(&real, lines)?;
        self.shared.put_back_others(self);
        let in_time = self.shared.unless_caught(|| {
            if let Some(deadline) = deadline {
                let left = deadline.saturating_duration_since(Instant::now());
                if !self.shared.wait_any_readable(&[real.as_fd()], Some(left))?[0] {
                    return Ok(false);
                }
            } else if self.shared.interrupt().is_some() {
                self.shared.wait_any_readable(&[real.as_fd()], None)?;
            }
            let mut block = self.read.borrow_mut();
            let block = &mut *block;
            block.bytes.clear();
            block.at = 0;
            let size = block.block;
            let got = match read_mode {
                ReadMode::Blocks => sys::read_behind(&real, &mut block.bytes, size)?,
                ReadMode::Lines => sys::read_behind(&real, &mut block.bytes, FIRST_BLOCK_BYTES)?,
                ReadMode::Bytes => sys::read_behind(&real, &mut block.bytes, wanted.min(1))?,
                ReadMode::PeekPipe => self.shared.peek_pipe(&real, &mut block.bytes, size)?,
                ReadMode::PeekSocket => super::look::peek_socket(&real, &mut block.bytes, size)?,
            };
            block.peeked =
                matches!(read_mode, ReadMode::PeekPipe | ReadMode::PeekSocket) && got > 0;
            if got == size {
                block.block = (size * 4).min(LARGEST_BLOCK_BYTES);
            }
            Ok(true)
        })?;
        self.shared.add_reading(self);
        Ok(in_time)
    }

    fn read_mode(&self, real: &Real, lines: bool) -> Result<ReadMode, Errno> {
        Ok(match self.identity(real)?.kind {
            Kind::Fifo => ReadMode::PeekPipe,
            Kind::Socket => ReadMode::PeekSocket,
            Kind::Char if !self.is_terminal() || lines => ReadMode::Lines,
            Kind::Char => ReadMode::Bytes,
            _ => ReadMode::Blocks,
        })
    }

    /// Takes what has been used of what was only looked at.
    fn take_peeked(&self, real: &Real) -> Result<(), Errno> {
        let mut block = self.read.borrow_mut();
        if !block.peeked {
            return Ok(());
        }
        let used = std::mem::take(&mut block.at);
        block.bytes.clear();
        block.peeked = false;
        if used > 0 { sys::discard(real, used) } else { Ok(()) }
    }

    /// Whether more of a file has been read than was asked for.
    pub(super) fn is_ahead(&self) -> bool {
        let regular =
            self.identity.get().is_some_and(|it| matches!(it.kind, Kind::File | Kind::Block));
        regular && self.read.try_borrow().is_ok_and(|block| block.bytes.len() > block.at)
    }

    /// Lets other readers of the same open file go on where the script stopped.
    ///
    /// Price: one `lseek`, or for a pipe or a socket one `read` a 64 KiB block; none if nothing was
    /// read since the last time, or it ended with a block.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn put_back(&self) -> Result<(), Errno> {
        let Some(real) = self.real_already() else { return Ok(()) };
        self.take_peeked(&real)?;
        let regular =
            self.identity.get().is_some_and(|it| matches!(it.kind, Kind::File | Kind::Block));
        let mut block = self.read.borrow_mut();
        let left = block.bytes.len() - block.at;
        if regular {
            block.bytes.clear();
            block.at = 0;
            if left > 0 {
                block.block = FIRST_BLOCK_BYTES; // another process may read the rest each time
                sys::move_back(&real, left as u64)?;
            }
        } else if left == 0 {
            block.block = FIRST_BLOCK_BYTES;
        }
        Ok(())
    }
}

impl Shared {
    /// Runs what may wait; a signal that is caught ends it, any other does not. Signals are the
    /// business of the program: in a table of its own nothing is interrupted.
    pub(super) fn unless_caught<T>(
        &self,
        mut wait: impl FnMut() -> Result<T, Errno>,
    ) -> Result<T, Errno> {
        if !self.owns_process() {
            return wait();
        }
        loop {
            if self.is_interrupted() {
                return Err(Errno::INTR);
            }
            match sys::interruptible(&mut wait) {
                Err(Errno::INTR) => {}
                done => return done,
            }
        }
    }
}
