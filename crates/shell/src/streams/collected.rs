//! What a capture has collected, and the pipes that children write to it.

use std::cell::RefCell;
use std::fmt;
use std::os::fd::AsFd;
use std::rc::Rc;
use std::time::Duration;

use fewer::Descriptor;
use sys::Errno;

use super::FULL;
use super::real::Real;

/// How much of what a child writes is read at once: what a pipe holds.
pub(super) const BLOCK_BYTES: usize = 64 << 10;

type Take = dyn FnMut(&[u8]);

/// What takes the bytes of a capture as they come.
#[derive(Clone)]
pub(crate) struct Sink(Rc<RefCell<Take>>);

impl Sink {
    pub(crate) fn new(take: impl FnMut(&[u8]) + 'static) -> Sink {
        Sink(Rc::new(RefCell::new(take)))
    }
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sink")
    }
}

/// What has been written so far.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) bytes: Vec<u8>,
    limit: usize,
    /// What takes the bytes as they come, and how many it has taken.
    sink: Option<(Sink, usize)>,
    /// Whether more was written than the limit allows.
    pub(super) over: bool,
    /// Pipes that children still may write to.
    pub(super) readers: Vec<Rc<Descriptor>>,
    /// What the next children are given.
    pub(super) writer: Option<Rc<Descriptor>>,
}

impl Collected {
    /// Nothing yet, and no more than `limit` bytes ever; what comes goes to the sink, if there is
    /// one, and is not kept.
    pub(super) fn new(sink: Option<Sink>, limit: usize) -> Collected {
        Collected {
            bytes: Vec::new(),
            limit,
            sink: sink.map(|sink| (sink, 0)),
            over: false,
            readers: Vec::new(),
            writer: None,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), Errno> {
        self.take_what_is_there()?; // which came first
        if self.over || bytes.len() > self.limit.saturating_sub(self.length()) {
            self.over = true;
            return Err(FULL);
        }
        self.bytes.extend_from_slice(bytes);
        self.pass_on();
        Ok(())
    }

    /// How many bytes have come.
    fn length(&self) -> usize {
        self.bytes.len() + self.sink.as_ref().map_or(0, |(_, taken)| *taken)
    }

    /// Gives the sink what has come, if there is a sink.
    fn pass_on(&mut self) {
        if let Some((sink, taken)) = &mut self.sink
            && !self.bytes.is_empty()
        {
            (sink.0.borrow_mut())(&self.bytes);
            *taken += self.bytes.len();
            self.bytes.clear();
        }
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
        if self.length() > self.limit {
            let excess = self.length() - self.limit;
            self.bytes.truncate(self.bytes.len().saturating_sub(excess));
            self.pass_on();
            self.over = true;
            self.readers.clear(); // further writes fail
            return Err(FULL);
        }
        self.pass_on();
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
