//! A gate in front of a new process: it goes on when this process says so.
//!
//! To open it is to write a byte. The end of the pipe would not do: a process that another thread
//! makes meanwhile has a copy of the pipe, and where two such wait at their gates, each would keep
//! the other's from coming to its end.

use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::os::fd::AsRawFd;

/// A pipe that the new process reads a byte from.
pub(crate) struct Gate {
    reader: PipeReader,
    writer: PipeWriter,
}

impl Gate {
    /// A closed one. Price: one `pipe2`.
    pub(crate) fn new() -> io::Result<Gate> {
        let (reader, writer) = io::pipe()?;
        Ok(Gate { reader, writer })
    }

    /// Lets the process go on. Without it, it ends when this is dropped.
    pub(crate) fn open(mut self) {
        // There is room for a byte, and somebody to read it: this process, if the other is gone.
        let _ = self.writer.write_all(&[0]);
    }

    /// For the new process: waits until it may go on. An errno, if it never may.
    /// All that it calls may be called after `fork`, and in a signal handler.
    pub(crate) fn wait(&self) -> Result<(), libc::c_int> {
        let mut byte = 0u8;
        // SAFETY: the descriptor that is closed is this copy's, which only the original writes to;
        // the kernel writes one byte.
        unsafe {
            libc::close(self.writer.as_raw_fd());
            loop {
                match libc::read(self.reader.as_raw_fd(), (&raw mut byte).cast(), 1) {
                    1 => return Ok(()),
                    -1 if *libc::__errno_location() == libc::EINTR => {}
                    _ => return Err(libc::EIO),
                }
            }
        }
    }
}
