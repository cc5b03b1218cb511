//! Reads lines of text, one read for each block.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Lines`]: how it is made, and the reading of lines |
//! | `options` | what a line is, and how much is read at a time |
//! | `block` | the one block that all reads go into |
//! | `batch` | lines as a caller gets them |
//! | `check` | ASCII and UTF-8, a block at a time |
//! | `read_ahead` | another thread that reads and checks the blocks that come next |
//! | `pieces` | bytes without regard to the length of a line |
//! | `count` | how many lines, and the longest one |
//! | `collect` | all lines in one piece of memory |
//! | `parallel` | a large file on several threads, and counting it so |
//! | `parallel_collect` | collecting it so |
//! | `follow` | what is appended to files, whatever happens to their names |
//! | `last` | the last lines, from the end backwards |
//! | `error` | errors of reading lines |
//!
//! # The journey of a line
//!
//! `sys::read_behind` fills the one block of `block`; `check` finds out about ASCII and UTF-8 while
//! the block is in the cache, `memchr` where lines end. A line is borrowed from the block; only a
//! line that the block cuts in two is moved to its front. A large file is read by several threads,
//! block by block with `pread64` (`parallel`, `parallel_collect`), so that the result is the same.
//!
//! # Price
//!
//! Opening costs one `openat`, closing one `close`, and in between there is one `read` for each
//! 256 KiB and one more that finds the end. No call is made to find out what the input is, with
//! three exceptions: the last lines of a file, an input that has filled a whole block when it is
//! counted, and one that is collected cost one `statx`.
//!
//! The end is where a read gives nothing. A short read is not the end of a pipe, nor of a file in
//! /proc, and the size of a file is not its end while it is being written, so neither saves the
//! last read: a file that grows is read up to where it ends when the reading gets there, and one
//! that was cut short ends where it ends then.
//!
//! # Memory
//!
//! A block of 256 KiB, and space for a line that crosses its end: twice that at first, more only
//! for a line that is longer. The table of a batch is 9 bytes for each of its lines. Where another
//! thread reads ahead ([`Lines::set_read_ahead`]) there are up to 10 of both. None of it depends on
//! the size of the input. [`Lines::next_piece`], [`Lines::skip`], [`Lines::count`] and
//! [`Lines::longest`] do not need whole lines and stay within the first block, whatever the lines
//! in it.

mod batch;
mod block;
mod check;
mod collect;
mod count;
mod error;
#[cfg(target_os = "linux")]
mod follow;
mod last;
mod options;
mod parallel;
mod parallel_collect;
mod pieces;
mod read_ahead;

use std::path::Path;
use std::sync::Arc;

use sys::{AsFile, BorrowedFile, Descriptor, Errno, Fields, Kind, OsStrExt, OwnedFile, Stat};

pub use batch::{Batch, Line};
pub use collect::Column;
pub use count::{Count, Longest};
pub use error::LineError;
#[cfg(target_os = "linux")]
pub use follow::{Change, Follow};
pub use options::{Check, End};
pub use pieces::Piece;

use crate::cancel::CancelCheck;
use crate::{Action, Error, Scope};
use batch::Table;
use block::Block;
use check::Checker;
use options::Options;
use read_ahead::ReadAhead;

/// A reader of lines. They are borrowed from its one block.
///
/// A line ends with a newline, or with a NUL ([`Lines::ends_with`]); the bytes behind the last one
/// are a line too, unless there are none. There is no limit on its length. A `\r` before the
/// newline belongs to the line unless [`Lines::crlf`] says otherwise. A line is bytes: NUL bytes,
/// bytes that are not UTF-8 and a byte order mark stay as they are.
///
/// A file and a pipe with the same bytes give the same lines.
///
/// ```
/// use fewer::Lines;
///
/// let mut lines = Lines::open("Cargo.toml")?;
/// let mut longest = 0;
/// while let Some(line) = lines.next()? {
///     longest = longest.max(line.bytes().len());
/// }
/// # assert!(longest > 10);
/// # Ok::<(), fewer::LineError>(())
/// ```
#[derive(Debug)]
pub struct Lines<'f> {
    source: Source<'f>,
    name: Box<[u8]>,
    options: Options,
    cancel_check: CancelCheck,
    block: Block,
    checker: Checker,
    table: Table,
    /// How many lines of the table [`Lines::next`] has returned.
    lent: usize,
    /// Number of the line at the start of the block, from 1.
    number: u64,
    /// The input has ended.
    ended: bool,
    /// An error to return after the lines before it.
    pending: Option<LineError>,
    /// Whether the last read returned less than it could.
    was_short: bool,
    has_grown: bool,
    /// The thread that reads ahead.
    ahead: Option<ReadAhead>,
}

#[derive(Debug)]
enum Source<'f> {
    /// Opened here, so no other code moves its position.
    Own(Arc<Descriptor>),
    /// Given by the caller; its position may be anywhere, and other processes may share it.
    Taken(Arc<Descriptor>),
    Lent(BorrowedFile<'f>),
}

impl Source<'_> {
    /// The open file; free.
    fn as_file(&self) -> BorrowedFile<'_> {
        match self {
            Source::Own(file) | Source::Taken(file) => file.as_file(),
            Source::Lent(file) => file.as_file(),
        }
    }
}

impl Lines<'static> {
    /// The file, at the position behind the last byte that was read; `None` if it was borrowed.
    ///
    /// Price: none; one `lseek` if a thread [was reading ahead](Lines::set_read_ahead).
    #[must_use]
    pub fn into_file(mut self) -> Option<Descriptor> {
        self.stop_ahead().ok()?;
        match self.source {
            Source::Own(file) | Source::Taken(file) => Arc::into_inner(file),
            Source::Lent(_) => None,
        }
    }

    /// The lines of a file of any kind; links are followed.
    ///
    /// Price: one `openat`, and one `close` when it is dropped.
    ///
    /// # Errors
    /// The error of `openat`. A directory is an error at the first read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LineError> {
        Lines::open_within(&Scope::start(), path)
    }

    /// The same, with the path relative to `scope`.
    ///
    /// Price: as [`Lines::open`].
    ///
    /// # Errors
    /// As [`Lines::open`].
    pub fn open_within(scope: &Scope, path: impl AsRef<Path>) -> Result<Self, LineError> {
        let path = path.as_ref();
        Ok(Lines::new(Source::Own(Arc::new(scope.open(path)?)), path.as_os_str().as_bytes()))
    }

    /// The lines of an open file, from its position on; it is closed at the end. `name` stands for
    /// it in messages.
    ///
    /// Price: one `close` when it is dropped.
    #[must_use]
    pub fn from_owned(file: impl Into<OwnedFile>, name: impl AsRef<Path>) -> Self {
        let name = name.as_ref().as_os_str().as_bytes();
        Lines::new(Source::Taken(Arc::new(Descriptor::from(file.into()))), name)
    }

    /// The lines of the standard input, from its position on.
    ///
    /// Price: none.
    #[must_use]
    pub fn stdin() -> Self {
        Lines::new(Source::Lent(sys::STDIN), b"standard input")
    }
}

impl<'f> Lines<'f> {
    /// The lines of an open file, from its position on. `name` stands for it in messages.
    ///
    /// Price: none.
    #[must_use]
    pub fn from_descriptor(file: BorrowedFile<'f>, name: impl AsRef<Path>) -> Self {
        Lines::new(Source::Lent(file), name.as_ref().as_os_str().as_bytes())
    }

    fn new(source: Source<'f>, name: &[u8]) -> Self {
        Lines {
            source,
            name: name.into(),
            options: Options::default(),
            cancel_check: CancelCheck::default(),
            block: Block::default(),
            checker: Checker::default(),
            table: Table::default(),
            lent: 0,
            number: 1,
            ended: false,
            pending: None,
            was_short: false,
            has_grown: false,
            ahead: None,
        }
    }

    /// The next line. It is valid until the next call.
    ///
    /// Price: none, or those of [`Lines::next_batch`] after the last line of a block.
    ///
    /// # Errors
    /// The kernel's number; with [`Check::Strict`] a line that is not UTF-8. Lines before it are
    /// returned first. After an error there are no more lines.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> Result<Option<Line<'_>>, LineError> {
        if self.lent == self.table.len() && !self.fill()? {
            return Ok(None);
        }
        self.lent += 1;
        Ok(Some(self.batch().line(self.lent - 1)))
    }

    /// All lines that were read and not returned yet, or those of the next block.
    ///
    /// Price: none, or one `read`; more than one if a line is longer than what a read returns.
    ///
    /// # Errors
    /// As [`Lines::next`].
    pub fn next_batch(&mut self) -> Result<Option<Batch<'_>>, LineError> {
        if self.lent == self.table.len() {
            if !self.fill()? {
                return Ok(None);
            }
        } else {
            self.leave(self.lent);
        }
        self.lent = self.table.len();
        Ok(Some(self.batch()))
    }

    fn batch(&self) -> Batch<'_> {
        let bytes = &self.block.bytes()[..self.table.bytes()];
        Batch::new(bytes, &self.table, self.number, self.block.offset())
    }

    /// Drops the first lines of the table, and their bytes.
    fn leave(&mut self, lines: usize) {
        self.block.pass(self.table.drop_first(lines));
        self.number += lines as u64;
        self.lent = self.lent.saturating_sub(lines);
    }

    /// Fills the table with the next lines; false if there are none.
    fn fill(&mut self) -> Result<bool, LineError> {
        self.leave(self.table.len());
        self.lent = 0;
        if self.ahead.is_some() || (self.options.read_ahead && self.start_ahead()) {
            return self.take_ahead();
        }
        self.table.clear();
        loop {
            if self.block.seen() < self.block.bytes().len() {
                self.split()?;
                if self.table.len() > 0 {
                    return Ok(true);
                }
            }
            if self.ended {
                break;
            }
            let held = self.block.bytes().len();
            if held >= self.options.longest_bytes.max(self.options.block_bytes) {
                self.ended = true;
                self.block.pass(held);
                return Err(self.failed(Action::READ_LINE, Errno::FBIG));
            }
            self.read()?;
        }
        if !self.block.bytes().is_empty() {
            self.split_rest();
            if self.table.len() > 0 {
                return Ok(true);
            }
        }
        self.pending.take().map_or(Ok(false), Err)
    }

    /// Splits the bytes that were read and not yet searched.
    fn split(&mut self) -> Result<(), LineError> {
        let bytes = self.block.bytes();
        let new = self.block.seen();
        if self.table.split(bytes, new, self.options).is_err() {
            self.ended = true;
            self.table.clear();
            self.block.pass(self.block.bytes().len());
            return Err(self.failed(Action::READ_LINE, Errno::NOMEM));
        }
        let strict = self.options.check == Check::Strict;
        let bad = self.checker.block(bytes, new, self.options.check, &mut self.table);
        self.block.see(bytes.len());
        if let Some(line) = bad.filter(|_| strict) {
            self.refuse(line);
        }
        Ok(())
    }

    /// Makes the bytes behind the last line end a line.
    fn split_rest(&mut self) {
        let valid = self.checker.rest(self.options.check);
        self.table.push_rest(self.block.bytes().len(), self.checker.rest_flags(self.options.check));
        if self.options.check == Check::Strict && !valid {
            self.refuse(0);
        }
    }

    /// Ends the reading before a line of the table.
    fn refuse(&mut self, line: usize) {
        let batch = self.batch();
        let refused = batch.line(line);
        let column = batch::first_bad(refused.bytes()).unwrap_or(0) as u64;
        let (number, offset) = (refused.number(), refused.offset() + column);
        self.pending = Some(LineError::NotUtf8 { path: self.name.clone(), number, offset, column });
        self.ended = true;
        self.table.keep_first(line);
        self.block.truncate(self.table.bytes());
    }

    /// Reads behind the bytes in the block. False at the end; an error is the end too, and is
    /// pending then. Only a read that was [interrupted](sys::interruptible) or
    /// [canceled](Lines::cancel_when) is returned at once, and can be made again: nothing is lost.
    fn read(&mut self) -> Result<bool, LineError> {
        let Lines { block, source, options, cancel_check, .. } = self;
        match cancel_check.call(|| block.read(source.as_file(), options.block_bytes)) {
            Ok(got) => {
                self.ended = got == 0;
                self.has_grown |= self.was_short && got > 0;
                self.was_short = got < self.options.block_bytes;
            }
            Err(errno @ (Errno::INTR | Errno::CANCELED)) => {
                return Err(self.failed(Action::READ, errno));
            }
            Err(errno) => {
                self.ended = true;
                self.pending = Some(self.failed(Action::READ, errno));
            }
        }
        Ok(!self.ended)
    }

    /// As [`Lines::read`], when all bytes read before are used up.
    fn read_or_fail(&mut self) -> Result<bool, LineError> {
        if !self.ended && self.read()? {
            return Ok(true);
        }
        self.pending.take().map_or(Ok(false), Err)
    }

    /// Kind and size of the input.
    ///
    /// Price: one `statx`.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn stat(&self) -> Result<Stat, LineError> {
        sys::stat_descriptor(self.source.as_file(), Fields::KIND | Fields::SIZE)
            .map_err(|errno| self.failed(Action::ACCESS, errno))
    }

    /// How many bytes have been read or skipped. What another thread has read ahead does not count
    /// before its lines are returned.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.block.offset() + self.block.bytes().len() as u64
    }

    /// Whether there was more behind what seemed to be the end: a file that is being written, or a
    /// pipe. Known only if it is read in blocks, one after the other.
    ///
    /// Price: none.
    #[must_use]
    pub fn has_grown(&self) -> bool {
        self.has_grown
    }

    /// The size of a regular file; `None` for anything else.
    ///
    /// Price: one `statx`.
    fn size(&self) -> Result<Option<u64>, LineError> {
        let stat = self.stat()?;
        Ok((stat.kind() == Kind::File).then_some(stat.size()))
    }

    /// The position of the next read. No other code moves that of a file that was opened here.
    ///
    /// Price: one `lseek` for a file that was not opened here.
    fn position(&self) -> Result<u64, LineError> {
        match &self.source {
            Source::Own(_) => Ok(self.bytes_read()),
            Source::Taken(_) | Source::Lent(_) => sys::position(self.source.as_file())
                .map_err(|errno| self.failed(Action::READ, errno)),
        }
    }

    fn failed(&self, action: Action, errno: Errno) -> LineError {
        Error::new(errno, action, &self.name).into()
    }
}
