//! The parser of what `getdirentries` wrote: records borrowed from the block, every bound checked.
//!
//! A record (dir(5), `struct dirent` in `<sys/dirent.h>`) is, in native byte order: inode u64,
//! position u64, record length u16, then the type u8 and the length of the name u16, then the name
//! with a NUL, padded. The parser does not trust the kernel: any bytes at all lead to entries
//! within the block or to [`Entries::is_malformed`], never to a panic.

use std::mem::offset_of;

use crate::unix::RecordMetadata;
use crate::{Kind, RawEntry};

const HEADER_BYTES: usize = offset_of!(libc::dirent, d_name);
const LENGTH_AT: usize = offset_of!(libc::dirent, d_reclen);
const KIND_AT: usize = offset_of!(libc::dirent, d_type);
const NAME_LENGTH_AT: usize = offset_of!(libc::dirent, d_namlen);

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

impl<'b> Entries<'b> {
    /// The entries in what the kernel has just written, and the position behind them.
    pub(super) fn parse(bytes: &'b [u8], position: i64) -> Entries<'b> {
        let was_empty = bytes.is_empty();
        Entries { rest: bytes, dots: false, was_empty, malformed: false, position }
    }

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
