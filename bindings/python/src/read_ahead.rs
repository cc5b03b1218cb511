//! Lines a block at a time, read and checked by another thread while this one makes objects.

use std::collections::TryReserveError;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};

use fewer::lines::Batch;
use fewer::{Errno, Error, LineError, Lines};
use pyo3::prelude::*;

use crate::arguments::Flavour;
use crate::failure::Failure;

/// How many blocks may wait: few enough to be still in the cache when they are used.
const QUEUED_BLOCKS: usize = 8;

/// Lines as a table: see [`Batch`].
#[derive(Clone, Copy)]
pub(crate) struct Table<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) ends: &'b [u64],
    pub(crate) flags: &'b [u8],
    pub(crate) number: u64,
    pub(crate) offset: u64,
}

impl<'b> Table<'b> {
    pub(crate) fn of(batch: Batch<'b>) -> Table<'b> {
        Table {
            bytes: batch.bytes(),
            ends: batch.ends(),
            flags: batch.flags(),
            number: batch.number(),
            offset: batch.offset(),
        }
    }
}

/// The same, owned, to be sent from one thread to the other. The memory goes back and forth.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    ends: Vec<u64>,
    flags: Vec<u8>,
    number: u64,
    offset: u64,
}

impl Block {
    fn fill(&mut self, batch: Batch<'_>) -> Result<(), TryReserveError> {
        self.bytes.clear();
        self.ends.clear();
        self.flags.clear();
        self.bytes.try_reserve(batch.bytes().len())?;
        self.ends.try_reserve(batch.ends().len())?;
        self.flags.try_reserve(batch.flags().len())?;
        self.bytes.extend_from_slice(batch.bytes());
        self.ends.extend_from_slice(batch.ends());
        self.flags.extend_from_slice(batch.flags());
        (self.number, self.offset) = (batch.number(), batch.offset());
        Ok(())
    }

    fn table(&self) -> Table<'_> {
        let Block { bytes, ends, flags, number, offset } = self;
        Table { bytes, ends, flags, number: *number, offset: *offset }
    }
}

type Sent = Result<Block, LineError>;

/// Passes on the lines that are left. If no thread can be started nothing happens, and the lines
/// are still left.
pub(crate) fn read(
    py: Python<'_>,
    lines: &mut Lines<'_>,
    flavour: Flavour,
    mut each: impl FnMut(Table<'_>) -> PyResult<()>,
) -> PyResult<()> {
    std::thread::scope(|scope| {
        // They are dropped when this ends, however it does; then the other thread ends as well.
        let (full, mut filled) = sync_channel::<Sent>(QUEUED_BLOCKS);
        let (empty, emptied) = channel::<Block>();
        // Signals are for Python's threads.
        let held = sys::hold_signals();
        let body = move || fill(lines, &full, &emptied);
        let thread = std::thread::Builder::new().spawn_scoped(scope, body);
        drop(held);
        if thread.is_err() {
            return Ok(());
        }
        while let Some(sent) = next(py, &mut filled) {
            py.check_signals()?;
            let block = sent.map_err(|failure| failure.raise(py, flavour))?;
            each(block.table())?;
            // If the other thread has ended, the block is freed.
            let _ = Sender::send(&empty, block);
        }
        Ok(())
    })
}

fn fill(lines: &mut Lines<'_>, full: &SyncSender<Sent>, emptied: &Receiver<Block>) {
    loop {
        let sent = match lines.next_batch() {
            Ok(None) => return,
            Ok(Some(batch)) => {
                let mut block = emptied.try_recv().unwrap_or_default();
                let filled = block.fill(batch).map_err(|_| no_memory());
                filled.map(|()| block)
            }
            Err(failure) => Err(failure),
        };
        if full.send(sent).is_err() {
            return;
        }
    }
}

fn no_memory() -> LineError {
    Error::new(Errno::NOMEM, "read lines of", b"a file").into()
}

/// The next block; other threads of the interpreter go on while it is waited for.
fn next(py: Python<'_>, filled: &mut Receiver<Sent>) -> Option<Sent> {
    match filled.try_recv() {
        Ok(sent) => Some(sent),
        Err(TryRecvError::Disconnected) => None,
        // Moved, because a receiver belongs to one thread at a time.
        Err(TryRecvError::Empty) => py.detach(move || filled.recv().ok()),
    }
}
