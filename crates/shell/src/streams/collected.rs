//! What a capture has collected, and the pipes that children write to it.

use std::os::fd::AsFd;
use std::rc::Rc;
use std::time::Duration;

use fewer::Descriptor;
use sys::Errno;

use super::FULL;
use super::real::Real;

/// How much of what a child writes is read at once: what a pipe holds.
pub(super) const BLOCK_BYTES: usize = 64 << 10;

/// What has been written so far.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) bytes: Vec<u8>,
    limit: usize,
    /// Whether more was written than the limit allows.
    pub(super) over: bool,
    /// Pipes that children still may write to.
    pub(super) readers: Vec<Rc<Descriptor>>,
    /// What the next children are given.
    pub(super) writer: Option<Rc<Descriptor>>,
}

impl Collected {
    /// Nothing yet, and no more than `limit` bytes ever.
    pub(super) fn new(limit: usize) -> Collected {
        Collected { bytes: Vec::new(), limit, over: false, readers: Vec::new(), writer: None }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), Errno> {
        self.take_what_is_there()?; // which came first
        if self.over || bytes.len() > self.limit.saturating_sub(self.bytes.len()) {
            self.over = true;
            return Err(FULL);
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Makes what a child can write to; whether it is new.
    pub(super) fn real(&mut self) -> Result<(Real, bool), Errno> {
        let fresh = self.writer.is_none();
        if fresh {
            let (reader, writer) = sys::pipe()?;
            self.readers.push(Rc::new(reader));
            self.writer = Some(Rc::new(writer));
        }
        Ok((Real::Own(self.writer.clone().ok_or(Errno::BADF)?), fresh))
    }

    /// Lets the pipes come to their end once the children have ended.
    pub(super) fn close_writer(&mut self) {
        self.writer = None;
    }

    /// Reads once from one pipe that has something; forgets it if it is at its end.
    pub(super) fn take_block(&mut self, reader: usize) -> Result<(), Errno> {
        let Some(from) = self.readers.get(reader) else { return Ok(()) };
        if sys::read_behind(&**from, &mut self.bytes, BLOCK_BYTES)? == 0 {
            self.readers.remove(reader);
        }
        if self.bytes.len() > self.limit {
            self.bytes.truncate(self.limit);
            self.over = true;
            self.readers.clear(); // further writes fail
            return Err(FULL);
        }
        Ok(())
    }

    /// Without waiting.
    pub(super) fn take_what_is_there(&mut self) -> Result<(), Errno> {
        loop {
            if self.readers.is_empty() {
                return Ok(());
            }
            let files: Vec<_> = self.readers.iter().map(|reader| (**reader).as_fd()).collect();
            let ready = sys::wait_any_readable(&files, Some(Duration::ZERO))?;
            let Some(reader) = ready.iter().position(|&ready| ready) else { return Ok(()) };
            self.take_block(reader)?;
        }
    }
}
