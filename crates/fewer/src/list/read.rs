//! Reads one directory into rows, by several threads if it is large.
//!
//! The calling thread reads names into chunks. As soon as there is more than one chunk, and entries
//! need metadata, other threads start to fetch it for the chunks that are full; when all names are
//! read, the calling thread helps them.

use std::os::fd::AsFd;
use std::sync::{Condvar, Mutex, PoisonError};

use sys::{Buffer, Descriptor, Errno, FileSystem, RawEntry};

use super::metadata::MetadataRequest;
use super::rows::{Chunk, Listing, ROWS_PER_CHUNK, RowData};
use super::{Hidden, List};
use crate::Answer;
use crate::cancel::CancelCheck;
use crate::error::{Action, Error};
use crate::processors::processors;
use crate::threads::start_scoped;

/// The first block: enough for most directories, without allocating.
const FIRST_BLOCK_BYTES: usize = 32 << 10;
const BLOCK_BYTES: usize = 256 << 10;

/// The bytes that the kernel writes for an entry besides its name.
const RECORD_BYTES: usize = 24;

/// The block that entries are read into, one directory after the other.
pub(super) struct Block {
    buffer: Buffer,
    is_first: bool,
}

impl Block {
    pub(super) fn new() -> Block {
        Block { buffer: Buffer::new(FIRST_BLOCK_BYTES), is_first: true }
    }

    /// Grows for the rest of a directory that fills half of the first block or more.
    fn grow(&mut self) {
        if self.is_first {
            *self = Block { buffer: Buffer::new(BLOCK_BYTES), is_first: false };
        }
    }
}

impl List {
    /// Lists an open directory on this file system.
    pub(super) fn read_on(&self, dir: &Descriptor, on: FileSystem, block: &mut Block) -> Listing {
        let request = self.request();
        let queue = ChunkQueue::new(dir, request);
        let mut broken_off = None;
        std::thread::scope(|scope| {
            // Also if a caller's function panics: otherwise threads would wait for ever.
            let close_on_drop = CloseOnDrop(&queue);
            let mut helpers = None;
            let read = self.read_names(dir, on, block, |chunk| {
                // One chunk is small, and without metadata there is nothing to help with.
                if queue.put(chunk) > 1 && request.needs_calls() {
                    let most = *helpers.get_or_insert_with(|| self.helpers());
                    if queue.start_another(most) {
                        let started = start_scoped(scope, || queue.work(&CancelCheck::default()));
                        queue.started(started.is_ok());
                    }
                }
                if self.cancel_check.is_canceled() {
                    queue.cancel();
                    return Answer::Stop;
                }
                Answer::Continue
            });
            broken_off = read.err();
            drop(close_on_drop);
            queue.work(&self.cancel_check);
        });
        if queue.state().canceled {
            let canceled = Some(self.error(Errno::CANCELED, Action::READ_DIRECTORY));
            return Listing::new(Vec::new(), 1, canceled);
        }
        let errno = broken_off.map(|errno| self.error(errno, Action::READ_DIRECTORY));
        let (chunks, threads) = queue.finish();
        self.order.apply(self.rank.as_ref(), Listing::new(chunks, threads, errno))
    }

    /// Passes the rows of an open directory to the visitor in the order in which they are read, up
    /// to 1,024 at a time.
    pub(super) fn visit_on(
        &self,
        dir: &Descriptor,
        mut visitor: impl FnMut(&Listing) -> Answer,
    ) -> Result<(), Errno> {
        let request = self.request();
        self.read_names(dir, FileSystem::OTHER, &mut Block::new(), |mut chunk| {
            chunk.fetch_metadata(dir, &request);
            visitor(&Listing { chunks: vec![chunk], ..Listing::default() })
        })
    }

    /// Calls `full` with each full chunk, and with what is left at the end.
    fn read_names(
        &self,
        dir: &Descriptor,
        on: FileSystem,
        block: &mut Block,
        mut full: impl FnMut(Chunk) -> Answer,
    ) -> Result<(), Errno> {
        let mut chunk = Chunk::default();
        let read = loop {
            let mut entries = match sys::read_entries(dir, &mut block.buffer, on) {
                Ok(entries) => entries,
                // Removed meanwhile: there is nothing in it any more.
                Err(Errno::NOENT) => break Ok(()),
                Err(errno) => break Err(errno),
            };
            if self.hidden == Hidden::ShowDots {
                entries = entries.with_dots();
            }
            let mut record_bytes = 0;
            for entry in entries.by_ref() {
                record_bytes += RECORD_BYTES + entry.name().len();
                if self.is_listed(&entry) {
                    chunk.push(entry.name(), entry.kind, entry.inode);
                    if chunk.rows.len() == ROWS_PER_CHUNK
                        && full(std::mem::replace(&mut chunk, Chunk::large())) == Answer::Stop
                    {
                        return Ok(());
                    }
                }
            }
            if entries.is_malformed() {
                break Err(Errno::IO);
            }
            if entries.ended() {
                break Ok(());
            }
            if record_bytes > FIRST_BLOCK_BYTES / 2 {
                block.grow();
            }
        };
        if !chunk.rows.is_empty() {
            full(chunk);
        }
        read
    }

    fn is_listed(&self, entry: &RawEntry<'_>) -> bool {
        let name = entry.name();
        let hidden = self.hidden == Hidden::Skip && name.first() == Some(&b'.');
        !hidden && self.keep.as_ref().is_none_or(|keep| keep(name))
    }

    /// How many threads may help the calling one.
    fn helpers(&self) -> usize {
        self.threads.unwrap_or_else(processors) - 1
    }

    pub(super) fn error(&self, errno: Errno, action: Action) -> Error {
        use std::os::unix::ffi::OsStrExt;
        Error::new(errno, action, self.path.as_os_str().as_bytes())
    }
}

/// The chunks whose metadata is to be fetched, and those that are done.
struct ChunkQueue<'d> {
    dir: &'d Descriptor,
    request: MetadataRequest,
    state: Mutex<QueueState>,
    /// Notified when a chunk has been added, or no more will be.
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    /// Chunks and their places, the first to be done at the end.
    waiting: Vec<(usize, Chunk)>,
    done: Vec<(usize, Chunk)>,
    added: usize,
    started: usize,
    closed: bool,
    canceled: bool,
}

impl<'d> ChunkQueue<'d> {
    fn new(dir: &'d Descriptor, request: MetadataRequest) -> ChunkQueue<'d> {
        ChunkQueue { dir, request, state: Mutex::default(), changed: Condvar::new() }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a chunk; returns how many have been added in all.
    fn put(&self, chunk: Chunk) -> usize {
        let mut state = self.state();
        let place = state.added;
        state.added += 1;
        state.waiting.push((place, chunk));
        if state.started > 0 {
            self.changed.notify_one();
        }
        state.added
    }

    /// Corrects the count if a thread could not be started.
    fn started(&self, yes: bool) {
        self.state().started -= usize::from(!yes);
    }

    /// Whether one more thread may start: counts it as started.
    fn start_another(&self, most: usize) -> bool {
        let mut state = self.state();
        let worth_it = state.started < most;
        state.started += usize::from(worth_it);
        worth_it
    }

    fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        if state.started > 0 {
            self.changed.notify_all();
        }
    }

    /// Stops the work: no more chunks are taken.
    fn cancel(&self) {
        let mut state = self.state();
        state.canceled = true;
        state.waiting.clear();
    }

    /// Takes chunks until the last one is done, or it is canceled.
    fn work(&self, cancel_check: &CancelCheck) {
        while let Some((place, mut chunk)) = self.take() {
            if cancel_check.is_canceled() {
                return self.cancel();
            }
            chunk.fetch_metadata(self.dir, &self.request);
            self.state().done.push((place, chunk));
        }
    }

    fn take(&self) -> Option<(usize, Chunk)> {
        let mut state = self.state();
        loop {
            if let Some(next) = state.waiting.pop() {
                return Some(next);
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The chunks, in the order in which they came, and how many threads there were for them.
    fn finish(self) -> (Vec<Chunk>, usize) {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.done.sort_unstable_by_key(|(place, _)| *place);
        (state.done.into_iter().map(|(_, chunk)| chunk).collect(), state.started + 1)
    }
}

/// Closes the queue when it goes out of scope.
struct CloseOnDrop<'d>(&'d ChunkQueue<'d>);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Chunk {
    /// Fetches the metadata of each row.
    fn fetch_metadata(&mut self, dir: &Descriptor, request: &MetadataRequest) {
        if !request.needs_calls() {
            return;
        }
        let at = dir.as_fd();
        let (names, failed) = (&self.names, &mut self.failed);
        let fetch = |data: &mut RowData| {
            let start = data.start as usize;
            let with_nul = &names[start..=start + usize::from(data.length)];
            let answer = match std::ffi::CStr::from_bytes_with_nul(with_nul) {
                Ok(name) => request.fetch(at, name, data),
                Err(_) => Some(Err(Errno::INVAL)),
            };
            *failed |= matches!(answer, Some(Err(_)))
                || data.more.as_ref().is_some_and(|more| {
                    more.link.as_ref().is_some_and(|link| matches!(link.path, Some(Err(_))))
                });
            answer
        };
        match request.needs_stat() {
            true => self.answers = self.rows.iter_mut().map(fetch).collect(),
            false => {
                // Links and marks are kept with the row.
                self.rows.iter_mut().map(fetch).for_each(|_| {});
            }
        }
    }
}
