//! The parser of what `getdirentries` wrote: records borrowed from the block, every bound checked.
//!
//! A record (dir(5), `struct dirent` in `<sys/dirent.h>`) is, in native byte order: inode u64,
//! position u64, record length u16, then the type u8 and the length of the name u16, then the name
//! with a NUL, padded. The parser does not trust the kernel: any bytes at all lead to entries
//! within the block or to [`Entries::is_malformed`], never to a panic.

use std::mem::{MaybeUninit, offset_of};

use crate::{Fields, Kind, RawEntry, Stat};

const HEADER_BYTES: usize = offset_of!(libc::dirent, d_name);
const LENGTH_AT: usize = offset_of!(libc::dirent, d_reclen);
const KIND_AT: usize = offset_of!(libc::dirent, d_type);
const NAME_LENGTH_AT: usize = offset_of!(libc::dirent, d_namlen);

/// A block of memory that [`read_entries`](crate::read_entries) fills, made once and reused.
#[derive(Debug)]
pub struct Buffer {
    block: Box<[MaybeUninit<u64>]>,
    /// How much of the block the kernel may fill.
    fill_limit_bytes: usize,
}

impl Buffer {
    /// The smallest block that the kernel takes.
    pub const SMALLEST_BYTES: usize = 1024;
    /// What most directories fit into: a listing begins with it.
    pub const USUAL_BYTES: usize = 32 << 10;

    /// A block of `bytes`, rounded up to [`Buffer::SMALLEST_BYTES`] and to a multiple of 8.
    /// The memory is not touched before the kernel fills it.
    #[must_use]
    pub fn new(bytes: usize) -> Buffer {
        let block = Box::new_uninit_slice(bytes.max(Self::SMALLEST_BYTES).div_ceil(8));
        Buffer { fill_limit_bytes: size_of_val(&*block), block }
    }

    /// Limits how much of the block the kernel may fill; at least [`Buffer::SMALLEST_BYTES`].
    pub fn limit_fill(&mut self, bytes: usize) {
        self.fill_limit_bytes = bytes.max(Self::SMALLEST_BYTES).min(size_of_val(&*self.block));
    }

    /// Says which fields of every entry will be asked for. Nothing changes: the directory's records
    /// have none of them here.
    #[must_use]
    pub fn wanting(self, _fields: Fields) -> Buffer {
        self
    }

    pub(crate) fn memory(&mut self) -> (*mut u8, usize) {
        (self.block.as_mut_ptr().cast(), self.fill_limit_bytes)
    }

    /// The entries in the first `filled` bytes, which the kernel has just written, and the position
    /// behind them.
    pub(crate) fn entries(&self, filled: usize, position: i64) -> Entries<'_> {
        let filled = filled.min(size_of_val(&*self.block));
        // SAFETY: the pointer is valid for the whole block and `filled` is within it; the kernel
        // returned `filled` as the number of bytes that it wrote, so they are initialised; u8 has
        // no alignment; the borrow of self keeps other code from writing there meanwhile.
        let bytes = unsafe { std::slice::from_raw_parts(self.block.as_ptr().cast(), filled) };
        Entries { rest: bytes, dots: false, was_empty: filled == 0, malformed: false, position }
    }
}

/// The entries of one block, as an iterator that borrows from it. `.` and `..` are left out unless
/// asked for.
#[derive(Clone, Debug)]
pub struct Entries<'b> {
    rest: &'b [u8],
    dots: bool,
    was_empty: bool,
    malformed: bool,
    position: i64,
}

/// The metadata that a directory's record has of an entry: none, on this system.
#[derive(Clone, Copy, Debug)]
pub struct RecordMetadata;

impl RecordMetadata {
    /// Nothing is known.
    pub const UNKNOWN: RecordMetadata = RecordMetadata;

    /// These fields, if the record has them: never, on this system. Free.
    #[inline]
    #[must_use]
    pub fn stat(&self, _fields: Fields) -> Option<Stat> {
        None
    }
}

impl<'b> Entries<'b> {
    /// The same entries, with `.` and `..` where the directory has them.
    #[must_use]
    pub fn with_dots(mut self) -> Entries<'b> {
        self.dots = true;
        self
    }

    /// Whether the directory is known to have no further block. Free.
    #[inline]
    #[must_use]
    pub fn ended(&self) -> bool {
        self.was_empty
    }

    /// How much of the block has not been taken yet, in bytes. Before the first entry is taken,
    /// that is what the kernel wrote: if another entry would have fitted, the directory has likely
    /// ended.
    #[inline]
    #[must_use]
    pub fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// The position behind the block, for [`seek`](crate::seek).
    #[inline]
    #[must_use]
    pub fn position(&self) -> i64 {
        self.position
    }

    /// Whether the block has bytes that are no record.
    #[inline]
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        self.malformed
    }

    /// The next record, `.` and `..` included, and those without an inode, which are no entries.
    #[inline]
    fn record(&mut self) -> Option<RawEntry<'b>> {
        let u16_at = |at: usize| Some(u16::from_ne_bytes(*self.rest.get(at..)?.first_chunk()?));
        let record = self.rest.get(..usize::from(u16_at(LENGTH_AT)?))?;
        let name_bytes = usize::from(u16_at(NAME_LENGTH_AT)?);
        let with_nul = record.get(HEADER_BYTES..)?.get(..=name_bytes)?;
        if with_nul.last() != Some(&0) {
            return None;
        }
        self.rest = &self.rest[record.len()..];
        Some(RawEntry {
            with_nul,
            kind: Kind::from_dirent(record[KIND_AT]),
            inode: u64::from_ne_bytes(*record.first_chunk()?),
            metadata: RecordMetadata,
        })
    }
}

impl<'b> Iterator for Entries<'b> {
    type Item = RawEntry<'b>;

    #[inline]
    fn next(&mut self) -> Option<RawEntry<'b>> {
        while !self.rest.is_empty() {
            let Some(entry) = self.record() else {
                self.malformed = true;
                self.rest = &[];
                return None;
            };
            match entry.name() {
                _ if entry.inode == 0 => {}
                b"" => {}
                b"." | b".." if !self.dots => {}
                _ => return Some(entry),
            }
        }
        None
    }
}
