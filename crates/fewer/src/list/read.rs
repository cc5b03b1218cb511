//! Reads one directory into rows, by several threads if it is large.
//!
//! The calling thread reads names into chunks. As soon as there is more than one chunk, and entries
//! need metadata, other threads start to fetch it for the chunks that are full; when all names are
//! read, the calling thread helps them.

use sys::{Buffer, Descriptor, Errno, Fields, FileSystem};

use super::fetch::{CloseOnDrop, Fetch, Restraint};
use super::rows::{Chunk, Listing, ROWS_PER_CHUNK};
use super::{Hidden, List};
use crate::Answer;
use crate::error::{Action, Error};

/// The first block: enough for most directories, without allocating.
const FIRST_BLOCK_BYTES: usize = Buffer::USUAL_BYTES;
const BLOCK_BYTES: usize = 256 << 10;

/// The block that entries are read into, one directory after the other.
pub(super) struct Block {
    buffer: Buffer,
    wanted: Fields,
    is_first: bool,
}

impl Block {
    /// A block for the directories of a list.
    pub(super) fn of(list: &List) -> Block {
        let wanted = list.request().wanted_fields();
        let buffer = Buffer::new(FIRST_BLOCK_BYTES).wanting(wanted);
        Block { buffer, wanted, is_first: true }
    }

    /// Grows for the rest of a directory that fills half of the first block or more.
    fn grow(&mut self) {
        if self.is_first {
            let buffer = Buffer::new(BLOCK_BYTES).wanting(self.wanted);
            *self = Block { buffer, is_first: false, ..*self };
        }
    }
}

impl List {
    /// Lists an open directory on this file system.
    pub(super) fn read_on(
        &self,
        dir: &Descriptor,
        on: FileSystem,
        block: &mut Block,
        restraint: &dyn Restraint,
    ) -> Listing {
        let request = self.request();
        let fetch = Fetch::new(dir, request, self.threads, restraint);
        let mut broken_off = None;
        std::thread::scope(|scope| {
            // Also if a caller's function panics: otherwise threads would wait for ever.
            let close_on_drop = CloseOnDrop(&fetch);
            let read = self.read_names(dir, on, block, |chunk| {
                // One chunk is small, and without metadata there is nothing to help with.
                if fetch.put(chunk) > 1 && request.needs_calls() {
                    fetch.start_one(scope);
                }
                if self.cancel_check.is_canceled() {
                    fetch.cancel();
                    return Answer::Stop;
                }
                Answer::Continue
            });
            broken_off = read.err();
            drop(close_on_drop);
            fetch.work(0, &self.cancel_check, scope);
        });
        if fetch.is_canceled() {
            let canceled = Some(self.error(Errno::CANCELED, Action::READ_DIRECTORY));
            return Listing::new(Vec::new(), 1, canceled);
        }
        let errno = broken_off.map(|errno| self.error(errno, Action::READ_DIRECTORY));
        let (chunks, threads) = fetch.finish();
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
        self.read_names(dir, FileSystem::OTHER, &mut Block::of(self), |mut chunk| {
            let all = 0..chunk.rows.len();
            chunk.fetch_metadata(dir, &request, all);
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
            let filled = entries.bytes_left();
            for entry in entries.by_ref() {
                if self.is_wanted(entry.name()) {
                    chunk.push(entry.name(), entry.kind, entry.inode, entry.metadata);
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
            if filled > FIRST_BLOCK_BYTES / 2 {
                block.grow();
            }
        };
        if !chunk.rows.is_empty() {
            full(chunk);
        }
        read
    }

    /// Whether an entry of this name is listed.
    #[inline]
    pub(super) fn is_wanted(&self, name: &[u8]) -> bool {
        let hidden = self.hidden == Hidden::Skip && name.first() == Some(&b'.');
        !hidden && self.keep.as_ref().is_none_or(|keep| keep(name))
    }

    pub(super) fn error(&self, errno: Errno, action: Action) -> Error {
        use sys::OsStrExt;
        Error::new(errno, action, self.path.as_os_str().as_bytes())
    }
}
