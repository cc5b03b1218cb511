//! The parser of what `getdents64` wrote: records borrowed from the block, every bound checked.
//!
//! A record (`struct linux_dirent64`) is, in native byte order: inode u64, offset i64, record
//! length u16, type u8, then the name with a NUL, padded to a multiple of 8 bytes (fs/readdir.c,
//! `filldir64`). The parser does not trust the kernel: any bytes at all lead to entries within the
//! block or to [`Entries::is_malformed`], never to a panic.

use super::FileSystem;
use crate::unix::RecordMetadata;
use crate::{Kind, RawEntry};

const HEADER_BYTES: usize = 19;

/// The entries of one block, as an iterator that borrows from it. `.` and `..` are left out unless
/// asked for.
#[derive(Clone, Debug)]
pub struct Entries<'b> {
    rest: &'b [u8],
    dots: bool,
    was_empty: bool,
    malformed: bool,
    last_offset: i64,
    on: FileSystem,
}

impl<'b> Entries<'b> {
    /// Entries of a block of bytes as `getdents64` writes it, whatever is in it.
    #[must_use]
    pub fn parse(bytes: &'b [u8], on: FileSystem) -> Entries<'b> {
        let was_empty = bytes.is_empty();
        Entries { rest: bytes, dots: false, was_empty, malformed: false, last_offset: 0, on }
    }

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
        self.was_empty || (self.rest.is_empty() && self.on.marks_end(self.last_offset))
    }

    /// How much of the block has not been taken yet, in bytes. Before the first entry is taken,
    /// that is what the kernel wrote: if another entry would have fitted, the directory has likely
    /// ended.
    #[inline]
    #[must_use]
    pub fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// The position after the entries taken so far, for [`seek`](crate::seek).
    #[inline]
    #[must_use]
    pub fn position(&self) -> i64 {
        self.last_offset
    }

    /// Whether the block has bytes that are no record.
    #[inline]
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        self.malformed
    }

    /// The next record, `.` and `..` included.
    #[inline]
    fn record(&mut self) -> Option<RawEntry<'b>> {
        let length = usize::from(u16::from_ne_bytes(*self.rest.get(16..)?.first_chunk()?));
        let record = self.rest.get(..length)?;
        let (header, name) = record.split_first_chunk::<HEADER_BYTES>()?;
        let with_nul = &name[..=name_length(record, name)?];
        self.last_offset = i64::from_ne_bytes(*header[8..].first_chunk()?);
        self.rest = &self.rest[length..];
        let inode = u64::from_ne_bytes(*header.first_chunk()?);
        Some(RawEntry {
            with_nul,
            kind: Kind::from_dirent(header[18]),
            inode,
            metadata: RecordMetadata,
        })
    }
}

/// The position of the NUL that ends the name. The kernel pads to a multiple of 8, so it is among
/// the last 8 bytes of the record, and one comparison finds it; the bytes behind it are arbitrary.
#[inline]
fn name_length(record: &[u8], name: &[u8]) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    let last = u64::from_le_bytes(*record.last_chunk()?);
    // Those of the 8 bytes that belong to the header of a short record are made non-zero.
    let in_header = 8usize.saturating_sub(name.len());
    let word = last | ((1u64 << (8 * in_header as u32)) - 1);
    // The lowest zero byte is found exactly; bits above it may be wrong, and are not looked at.
    let zeros = word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080;
    if zeros == 0 {
        return name.iter().position(|&byte| byte == 0);
    }
    Some((zeros.trailing_zeros() / 8) as usize + name.len() - 8)
}

impl<'b> Iterator for Entries<'b> {
    type Item = RawEntry<'b>;

    #[inline]
    fn next(&mut self) -> Option<RawEntry<'b>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let Some(entry) = self.record() else {
                self.malformed = true;
                self.rest = &[];
                self.last_offset = 0;
                return None;
            };
            match entry.name() {
                b"" => {}
                b"." | b".." if !self.dots => {}
                _ => return Some(entry),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A record written by hand after the description of `struct linux_dirent64`.
    fn record(name: &[u8], kind: u8, offset: i64, padding: u8) -> Vec<u8> {
        let length = (HEADER_BYTES + name.len() + 1).next_multiple_of(8);
        let mut bytes = 42u64.to_ne_bytes().to_vec();
        bytes.extend(offset.to_ne_bytes());
        bytes.extend((length as u16).to_ne_bytes());
        bytes.push(kind);
        bytes.extend(name);
        bytes.push(0);
        bytes.resize(length, padding);
        bytes
    }

    #[test]
    fn names_of_every_length_are_found_whatever_pads_them() {
        for padding in [0, 1, b'x', 0x80, 0xff] {
            for length in 1..=255 {
                let name = vec![b'n'; length];
                let mut block = record(&name, 8, 7, padding);
                block.extend(record(b"next", 4, i64::MAX, padding));
                let mut entries = Entries::parse(&block, FileSystem::EXT4);
                let first = entries.next().unwrap();
                assert_eq!((first.name(), first.kind, first.inode), (&*name, Kind::File, 42));
                assert!(!entries.ended());
                assert_eq!(entries.next().unwrap().name(), b"next");
                assert!(entries.next().is_none() && entries.ended() && !entries.is_malformed());
            }
        }
    }

    #[test]
    fn the_end_is_believed_only_where_the_file_system_marks_it() {
        for (on, offset, ended) in [
            (FileSystem::EXT4, i64::MAX, cfg!(target_pointer_width = "64")),
            (FileSystem::EXT4, 12, false),
            (FileSystem::TMPFS, 0x7fff_ffff, true),
            (FileSystem::TMPFS, i64::MAX, false),
            (FileSystem::BTRFS, 0x7fff_ffff, true),
            (FileSystem::BTRFS, i64::MAX, true),
            (FileSystem::OTHER, i64::MAX, false),
            (FileSystem::OTHER, 0x7fff_ffff, false),
        ] {
            let block = record(b"only", 8, offset, 0);
            let mut entries = Entries::parse(&block, on);
            entries.by_ref().for_each(drop);
            assert_eq!(entries.ended(), ended, "{on:?} {offset:#x}");
        }
    }

    #[test]
    fn a_record_cut_short_is_malformed_and_never_the_end() {
        let whole = record(b"name", 8, i64::MAX, 0);
        for cut in 1..whole.len() {
            let mut entries = Entries::parse(&whole[..cut], FileSystem::EXT4);
            assert!(entries.next().is_none());
            assert!(entries.is_malformed() && !entries.ended(), "cut at {cut}");
        }
    }

    #[test]
    fn a_record_without_room_for_a_name_is_malformed() {
        let mut header = vec![0; HEADER_BYTES];
        header[16..18].copy_from_slice(&(HEADER_BYTES as u16).to_ne_bytes());
        let mut entries = Entries::parse(&header, FileSystem::OTHER);
        assert!(entries.next().is_none() && entries.is_malformed());
    }

    proptest! {
        #[test]
        fn any_bytes_at_all_stay_within_bounds(
            bytes in proptest::collection::vec(any::<u8>(), 0..600),
        ) {
            let mut entries = Entries::parse(&bytes, FileSystem::EXT4);
            let taken: usize = entries.by_ref().map(|entry| entry.name().len()).sum();
            prop_assert!(taken <= bytes.len());
        }
    }
}
