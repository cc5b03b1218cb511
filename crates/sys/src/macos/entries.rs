//! A block of a directory's records, and the entries in it.

use crate::macos_formats::attributes::{AttributeRequest, Record, Records};
use crate::macos_formats::dirent::{Dirent, Dirents};
use crate::macos_formats::metadata::RecordMetadata;
use crate::macos_formats::reader::{ReadCall, position_of};
use crate::{Fields, Kind, RawEntry};

/// A block of memory that [`read_entries`](super::read_entries) fills, made once and reused.
#[derive(Debug)]
pub struct Buffer {
    /// All of it is initialised: only the kernel knows how much of it records with attributes take.
    block: Box<[u64]>,
    /// How much of the block the kernel may fill.
    fill_limit_bytes: usize,
    wanted: Fields,
}

/// The kernel reads no more names at once (`GETDIRENTRIES_MAXBUFSIZE` in `bsd/vfs/vfs_syscalls.c`).
const MOST_BYTES: usize = 128 << 10;

impl Buffer {
    /// The smallest block that holds any single entry with a name of up to 1,023 bytes.
    pub const SMALLEST_BYTES: usize = 2 << 10;
    /// A block for most directories: records with attributes are four times as large as names
    /// alone would be, and memory that is not filled is not touched.
    pub const USUAL_BYTES: usize = MOST_BYTES;

    /// A block of `bytes`, at least [`Buffer::SMALLEST_BYTES`] and at most 128 KiB.
    /// The memory is not touched before the kernel fills it.
    #[must_use]
    pub fn new(bytes: usize) -> Buffer {
        let bytes = bytes.clamp(Self::SMALLEST_BYTES, MOST_BYTES);
        let block = vec![0; bytes.div_ceil(8)].into_boxed_slice();
        Buffer { fill_limit_bytes: size_of_val(&*block), block, wanted: Fields::NONE }
    }

    /// Limits how much of the block the kernel may fill; at least [`Buffer::SMALLEST_BYTES`].
    pub fn limit_fill(&mut self, bytes: usize) {
        self.fill_limit_bytes = bytes.max(Self::SMALLEST_BYTES).min(size_of_val(&*self.block));
    }

    /// Says which fields of every entry will be asked for: directories that are begun from now on
    /// are read with them ([`RecordMetadata::stat`]).
    #[must_use]
    pub fn wanting(mut self, fields: Fields) -> Buffer {
        self.wanted = fields;
        self
    }

    pub(super) fn wanted(&self) -> Fields {
        self.wanted
    }

    /// What the kernel may fill.
    pub(super) fn memory(&mut self) -> &mut [u8] {
        // SAFETY: the pointer is valid for the whole block, of which the limit is no more; all of
        // it is initialised, and any bytes make a u64; u8 has no alignment; the borrow of self
        // keeps other code from it.
        unsafe {
            std::slice::from_raw_parts_mut(self.block.as_mut_ptr().cast(), self.fill_limit_bytes)
        }
    }
}

/// The records of a block, of either call.
#[derive(Clone, Debug)]
pub(super) enum Block<'b> {
    Entries(Dirents<'b>),
    Attributes(Records<'b>),
}

impl<'b> Block<'b> {
    pub(super) fn of_entries(bytes: &'b [u8]) -> Block<'b> {
        Block::Entries(Dirents::parse(bytes))
    }

    pub(super) fn of_attributes(
        bytes: &'b [u8],
        count: usize,
        request: AttributeRequest,
    ) -> Block<'b> {
        Block::Attributes(Records::parse(bytes, count, request))
    }
}

impl<'b> Iterator for Block<'b> {
    type Item = RawEntry<'b>;

    #[inline]
    fn next(&mut self) -> Option<RawEntry<'b>> {
        Some(match self {
            Block::Entries(dirents) => {
                let Dirent { with_nul, kind, inode } = dirents.next()?;
                RawEntry { with_nul, kind, inode, metadata: RecordMetadata::UNKNOWN }
            }
            Block::Attributes(records) => {
                let Record { with_nul, kind, inode, metadata, .. } = records.next()?;
                RawEntry { with_nul, kind, inode, metadata }
            }
        })
    }
}

/// The entries of one block, as an iterator that borrows from it. `.` and `..` are left out unless
/// asked for; where records have attributes they come first, as the kernel leaves them out.
#[derive(Clone, Debug)]
pub struct Entries<'b> {
    pub(super) block: Block<'b>,
    /// How many records the block and those before it have.
    pub(super) behind: u64,
    pub(super) is_last: bool,
    pub(super) dots: bool,
    /// Those of `.` and `..` that are to come before the records.
    pub(super) dots_before: &'static [&'static [u8]],
}

/// The entries that the kernel leaves out of records with attributes.
pub(super) const DOTS: &[&[u8]] = &[b".\0", b"..\0"];

impl<'b> Entries<'b> {
    /// The same entries, with `.` and `..` where the directory has them.
    #[must_use]
    pub fn with_dots(mut self) -> Entries<'b> {
        self.dots = true;
        self
    }

    /// Whether the directory is known to have no further block. Free; certain only once all entries
    /// of this block have been taken.
    #[inline]
    #[must_use]
    pub fn ended(&self) -> bool {
        self.is_last && self.bytes_left() == 0 && !self.is_malformed()
    }

    /// How much of the block has not been taken yet, in bytes; of records with attributes, how
    /// many of them.
    #[inline]
    #[must_use]
    pub fn bytes_left(&self) -> usize {
        match &self.block {
            Block::Entries(dirents) => dirents.bytes_left(),
            Block::Attributes(records) => records.left(),
        }
    }

    /// The position behind the block, for [`seek`](super::seek): how many records lie before it,
    /// and by which call they are counted.
    #[inline]
    #[must_use]
    pub fn position(&self) -> i64 {
        let call = match self.block {
            Block::Entries(_) => ReadCall::Entries,
            Block::Attributes(_) => ReadCall::Attributes,
        };
        position_of(self.behind, call)
    }

    /// Whether the block has bytes that are no record.
    #[inline]
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        match &self.block {
            Block::Entries(dirents) => dirents.is_malformed(),
            Block::Attributes(records) => records.is_malformed(),
        }
    }
}

impl<'b> Iterator for Entries<'b> {
    type Item = RawEntry<'b>;

    #[inline]
    fn next(&mut self) -> Option<RawEntry<'b>> {
        if let (true, Some((with_nul, rest))) = (self.dots, self.dots_before.split_first()) {
            self.dots_before = rest;
            let (kind, metadata) = (Kind::Directory, RecordMetadata::UNKNOWN);
            return Some(RawEntry { with_nul, kind, inode: 0, metadata });
        }
        loop {
            let entry = self.block.next()?;
            match entry.name() {
                b"." | b".." if !self.dots => {}
                _ => return Some(entry),
            }
        }
    }
}
