//! All that is there to be read, before any of it is taken.

use std::time::Duration;

use sys::{Errno, Kind};

use super::open::Open;
use super::real::Real;

/// How much is looked at.
const MOST_BYTES: usize = 16 << 20;
const BLOCK_BYTES: usize = 64 << 10;

/// The writer counts as quiet after this time without a byte,
const QUIET: Duration = Duration::from_millis(200);
/// or has all the same been waited for long enough after so many such times.
const TIMES: u32 = 5;

/// What a look at an input has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Looked {
    /// It is a terminal. Nothing was read.
    Terminal,
    /// All that will ever come.
    Whole(Vec<u8>),
    /// What has come so far: there may be more.
    Part(Vec<u8>),
}

impl Open {
    /// Looks at all that is there, and leaves it there: the next reader finds it
    /// unchanged. A pipe or a socket is waited for: until the other end is closed, or for a
    /// short while if it stays open.
    ///
    /// Price: one `statx`; a file: one `read` for each 64 KiB, and an `lseek` if another process is
    /// to read it; a pipe: `ppoll`, `ioctl`, `tee`, one `read`; a socket: `ppoll`, `ioctl`,
    /// `recvfrom`; a device: one `ioctl` and what it costs to read it.
    ///
    /// # Errors
    /// The kernel's number: `EBADF` if it is closed, `EISDIR`, `EIO`.
    pub fn look(&self) -> Result<Looked, Errno> {
        let real = self.real_already().ok_or(Errno::BADF)?;
        let kind = self.identity(&real)?.kind;
        if kind == Kind::Char && self.is_terminal() {
            return Ok(Looked::Terminal);
        }
        let whole = match kind {
            Kind::Fifo | Kind::Socket => self.look_into_pipe(&real, kind)?,
            _ => self.read_ahead(&real, kind)?,
        };
        self.shared.add_reading(self);
        let bytes = self.read.borrow().bytes.clone();
        Ok(if whole { Looked::Whole(bytes) } else { Looked::Part(bytes) })
    }

    /// Whether that was all.
    fn read_ahead(&self, real: &Real, kind: Kind) -> Result<bool, Errno> {
        let mut block = self.read.borrow_mut();
        while block.bytes.len() < MOST_BYTES {
            match sys::read_behind(real, &mut block.bytes, BLOCK_BYTES) {
                Ok(0) => return Ok(true),
                // No file is shorter than it says.
                Ok(got) if got < BLOCK_BYTES && kind == Kind::File => return Ok(true),
                Ok(_) => {}
                Err(Errno::AGAIN) => sys::wait_readable(real, None).map(drop)?,
                Err(errno) => return Err(errno),
            }
        }
        Ok(false)
    }

    fn look_into_pipe(&self, real: &Real, kind: Kind) -> Result<bool, Errno> {
        let mut closed = sys::wait_closed(real, true, None)?;
        let mut there = sys::waiting_bytes(real)?;
        for _ in 0..TIMES {
            if closed {
                break;
            }
            closed = sys::wait_closed(real, false, Some(QUIET))?;
            let before = std::mem::replace(&mut there, sys::waiting_bytes(real)?);
            if there == before {
                break;
            }
        }
        let mut block = self.read.borrow_mut();
        let got = match kind {
            _ if there == 0 => 0,
            Kind::Fifo => self.shared.peek_pipe(real, &mut block.bytes, BLOCK_BYTES)?,
            _ => peek_socket(real, &mut block.bytes, MOST_BYTES)?,
        };
        block.peeked = got > 0;
        Ok(closed && got as u64 == there)
    }
}

/// Copies what has come in at a socket; a non-blocking one is waited for.
pub(super) fn peek_socket(real: &Real, bytes: &mut Vec<u8>, most: usize) -> Result<usize, Errno> {
    loop {
        match sys::peek_socket(real, bytes, most) {
            Err(Errno::AGAIN) => sys::wait_readable(real, None).map(drop)?,
            done => return done,
        }
    }
}
