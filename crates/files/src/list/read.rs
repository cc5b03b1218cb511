//! One directory into rows, by several threads if it is large.
//!
//! The calling thread reads names into chunks. As soon as there is more than one chunk, and entries
//! are asked for anything, other threads start to ask for those that are full; when all names are
//! read, the calling thread helps them.

use std::os::fd::AsFd;
use std::sync::{Condvar, Mutex, PoisonError};

use kernel::{Buffer, Descriptor, Errno, FileSystem, RawEntry};

use super::ask::Ask;
use super::rows::{Chunk, Kept, Listing, ROWS_PER_CHUNK};
use super::{Hidden, List};
use crate::Answer;
use crate::error::Error;
use crate::processors::processors;
use crate::threads::start_scoped;

/// The first block: enough for most directories, without asking the system for memory.
const FIRST_BLOCK_BYTES: usize = 32 << 10;
const BLOCK_BYTES: usize = 256 << 10;

/// What the kernel writes for an entry besides its name.
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

    /// Makes room for the rest of a directory that fills half of the first block or more.
    fn grow(&mut self) {
        if self.is_first {
            *self = Block { buffer: Buffer::new(BLOCK_BYTES), is_first: false };
        }
    }
}

impl List {
    /// Lists what is in an open directory on a file system of known promises, unless this thread
    /// is told between chunks that it is enough.
    pub(super) fn read_on(
        &self,
        dir: &Descriptor,
        on: FileSystem,
        block: &mut Block,
        enough: &dyn Fn() -> bool,
    ) -> Listing {
        let ask = self.ask();
        let desk = Desk::new(dir, ask);
        let mut broken_off = None;
        std::thread::scope(|scope| {
            // Also if a caller's function panics: nobody may wait for what never comes.
            let closing = Closing(&desk);
            let mut helpers = None;
            let read = self.read_names(dir, on, block, |chunk| {
                // One chunk is small, and where nothing is asked there is nothing to help with.
                if desk.put(chunk) > 1 && ask.costs() {
                    let most = *helpers.get_or_insert_with(|| self.helpers());
                    if desk.start_another(most) {
                        let started = start_scoped(scope, || desk.work(&|| false));
                        desk.started(started.is_ok());
                    }
                }
                if enough() {
                    desk.give_up();
                    return Answer::Stop;
                }
                Answer::Continue
            });
            broken_off = read.err();
            drop(closing);
            desk.work(enough);
        });
        if desk.piles().given_up {
            let canceled = Some(self.error(Errno::CANCELED, "read directory"));
            return Listing::new(Vec::new(), 1, canceled);
        }
        let errno = broken_off.map(|errno| self.error(errno, "read directory"));
        let (chunks, threads) = desk.finish();
        self.order.apply(self.rank.as_ref(), Listing::new(chunks, threads, errno))
    }

    /// Hands over the rows of an open directory in the order in which they are read, up to 1,024 at
    /// a time.
    pub(super) fn visit_on(
        &self,
        dir: &Descriptor,
        mut visitor: impl FnMut(&Listing) -> Answer,
    ) -> Result<(), Errno> {
        let ask = self.ask();
        self.read_names(dir, FileSystem::OTHER, &mut Block::new(), |mut chunk| {
            chunk.ask_all(dir, &ask);
            visitor(&Listing { chunks: vec![chunk], ..Listing::default() })
        })
    }

    /// Hands over full chunks one after the other, and what is left at the end.
    fn read_names(
        &self,
        dir: &Descriptor,
        on: FileSystem,
        block: &mut Block,
        mut full: impl FnMut(Chunk) -> Answer,
    ) -> Result<(), Errno> {
        let mut chunk = Chunk::default();
        let read = loop {
            let mut entries = match kernel::read_entries(dir, &mut block.buffer, on) {
                Ok(entries) => entries,
                // Removed meanwhile: there is nothing in it any more.
                Err(Errno::NOENT) => break Ok(()),
                Err(errno) => break Err(errno),
            };
            if self.hidden == Hidden::ShowDots {
                entries = entries.with_dots();
            }
            let mut given_bytes = 0;
            for entry in entries.by_ref() {
                given_bytes += RECORD_BYTES + entry.name().len();
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
            if given_bytes > FIRST_BLOCK_BYTES / 2 {
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

    pub(super) fn error(&self, errno: Errno, action: &'static str) -> Error {
        use std::os::unix::ffi::OsStrExt;
        Error::new(errno, action, self.path.as_os_str().as_bytes())
    }
}

/// Where chunks wait to be asked for, and lie when they are done.
struct Desk<'d> {
    dir: &'d Descriptor,
    ask: Ask,
    piles: Mutex<Piles>,
    /// Rung when a chunk has come or the last one has.
    bell: Condvar,
}

#[derive(Default)]
struct Piles {
    /// Chunks and their places, the first to be done at the end.
    waiting: Vec<(usize, Chunk)>,
    done: Vec<(usize, Chunk)>,
    came: usize,
    started: usize,
    closed: bool,
    given_up: bool,
}

impl<'d> Desk<'d> {
    fn new(dir: &'d Descriptor, ask: Ask) -> Desk<'d> {
        Desk { dir, ask, piles: Mutex::default(), bell: Condvar::new() }
    }

    fn piles(&self) -> std::sync::MutexGuard<'_, Piles> {
        self.piles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a chunk down to be asked for; back comes how many there have been.
    fn put(&self, chunk: Chunk) -> usize {
        let mut piles = self.piles();
        let place = piles.came;
        piles.came += 1;
        piles.waiting.push((place, chunk));
        if piles.started > 0 {
            self.bell.notify_one();
        }
        piles.came
    }

    /// Takes back that a thread has started, if none was to be had.
    fn started(&self, yes: bool) {
        self.piles().started -= usize::from(!yes);
    }

    /// Whether one more thread may start: counts it as started.
    fn start_another(&self, most: usize) -> bool {
        let mut piles = self.piles();
        let worth_it = piles.started < most;
        piles.started += usize::from(worth_it);
        worth_it
    }

    fn close(&self) {
        let mut piles = self.piles();
        piles.closed = true;
        if piles.started > 0 {
            self.bell.notify_all();
        }
    }

    /// No chunk is asked for any more.
    fn give_up(&self) {
        let mut piles = self.piles();
        piles.given_up = true;
        piles.waiting.clear();
    }

    /// Asks for chunks until the last one is done, or it is enough.
    fn work(&self, enough: &dyn Fn() -> bool) {
        while let Some((place, mut chunk)) = self.take() {
            if enough() {
                return self.give_up();
            }
            chunk.ask_all(self.dir, &self.ask);
            self.piles().done.push((place, chunk));
        }
    }

    fn take(&self) -> Option<(usize, Chunk)> {
        let mut piles = self.piles();
        loop {
            if let Some(next) = piles.waiting.pop() {
                return Some(next);
            }
            if piles.closed {
                return None;
            }
            piles = self.bell.wait(piles).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The chunks, in the order in which they came, and how many threads there were for them.
    fn finish(self) -> (Vec<Chunk>, usize) {
        let mut piles = self.piles.into_inner().unwrap_or_else(PoisonError::into_inner);
        piles.done.sort_unstable_by_key(|(place, _)| *place);
        (piles.done.into_iter().map(|(_, chunk)| chunk).collect(), piles.started + 1)
    }
}

/// Closes the desk when it goes out of scope.
struct Closing<'d>(&'d Desk<'d>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Chunk {
    /// Asks for whatever is wanted of each row.
    fn ask_all(&mut self, dir: &Descriptor, ask: &Ask) {
        if !ask.costs() {
            return;
        }
        let at = dir.as_fd();
        let (names, failed) = (&self.names, &mut self.failed);
        let about = |kept: &mut Kept| {
            let start = kept.start as usize;
            let with_nul = &names[start..=start + usize::from(kept.length)];
            let answer = match std::ffi::CStr::from_bytes_with_nul(with_nul) {
                Ok(name) => ask.about(at, name, kept),
                Err(_) => Some(Err(Errno::INVAL)),
            };
            *failed |= matches!(answer, Some(Err(_)))
                || kept.more.as_ref().is_some_and(|more| {
                    more.link.as_ref().is_some_and(|link| matches!(link.path, Some(Err(_))))
                });
            answer
        };
        match ask.stats() {
            true => self.answers = self.rows.iter_mut().map(about).collect(),
            false => {
                // Links and marks are kept with the row.
                self.rows.iter_mut().map(about).for_each(|_| {});
            }
        }
    }
}
