//! A stream as tools use it.

use std::rc::Rc;

use coreutils::{Input, Output, ToolError};
use sys::{Errno, Stat};

use super::FULL;
use super::open::Open;

/// How much a tool is shown at once.
const BLOCK_BYTES: usize = 256 << 10;

/// What a tool reads from. What it has not used is left to the next reader.
#[derive(Debug)]
pub struct Reader {
    open: Rc<Open>,
    block: Vec<u8>,
    at: usize,
}

impl Reader {
    /// A stream to read.
    #[must_use]
    pub fn new(open: Rc<Open>) -> Reader {
        Reader { open, block: Vec::new(), at: 0 }
    }
}

impl Input for Reader {
    fn fill(&mut self) -> Result<&[u8], Errno> {
        if self.at == self.block.len() {
            self.block.clear();
            self.at = 0;
            let block = &mut self.block;
            self.open.with_block(true, usize::MAX, None, |bytes| {
                block.extend_from_slice(&bytes[..bytes.len().min(BLOCK_BYTES)]);
                0
            })?;
        }
        Ok(&self.block[self.at..])
    }

    fn consume(&mut self, bytes: usize) {
        let bytes = bytes.min(self.block.len() - self.at);
        self.at += bytes;
        self.open.consume(bytes);
    }

    fn stat(&self) -> Option<Stat> {
        self.open.stat()
    }
}

/// What a tool writes to.
#[derive(Debug)]
pub struct Writer {
    open: Rc<Open>,
}

impl Writer {
    /// A stream to write.
    #[must_use]
    pub fn new(open: Rc<Open>) -> Writer {
        Writer { open }
    }
}

impl Output for Writer {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ToolError> {
        self.open.write(bytes).map_err(|errno| match errno {
            Errno::PIPE => ToolError::Pipe,
            FULL | Errno::INTR => ToolError::Stopped,
            errno => ToolError::Output(errno),
        })
    }

    fn stat(&self) -> Option<Stat> {
        self.open.stat()
    }
}
