//! The parser of what `getdirentries64` wrote: records borrowed from the block, every bound
//! checked.
//!
//! A record (dir(5), `struct dirent` with 64-bit inodes in `<sys/dirent.h>`) is, in native byte
//! order: inode u64, position u64, record length u16, name length u16, type u8, then the name with
//! a NUL, padded. Into a block of 1,024 bytes or more the kernel also writes flags, into its last 4
//! bytes (`bsd/sys/dirent_private.h`): one of them says that there is no further block. The parser
//! does not trust the kernel: any bytes at all lead to entries within the block or to
//! [`Dirents::is_malformed`], never to a panic.

use crate::Kind;

/// What a record has before its name.
pub(crate) const HEADER_BYTES: usize = 21;

/// From so many bytes on a block has flags at its end (`GETDIRENTRIES64_EXTENDED_BUFSIZE`).
pub(crate) const BYTES_WITH_FLAGS: usize = 1024;

/// How many bytes the flags take.
const FLAGS_BYTES: usize = 4;

/// The flag of a block behind which there is none (`GETDIRENTRIES64_EOF`).
const END: u32 = 0x1;

/// One entry, still inside the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dirent<'b> {
    /// The name and its NUL.
    pub(crate) with_nul: &'b [u8],
    pub(crate) kind: Kind,
    pub(crate) inode: u64,
}

/// The records of one block, as an iterator that borrows from it. `.` and `..` are among them;
/// records without an inode, which stand for removed names, are not.
#[derive(Clone, Debug)]
pub(crate) struct Dirents<'b> {
    rest: &'b [u8],
    malformed: bool,
}

impl<'b> Dirents<'b> {
    /// The records of the bytes that the kernel has written.
    pub(crate) fn parse(bytes: &'b [u8]) -> Dirents<'b> {
        Dirents { rest: bytes, malformed: false }
    }

    /// Whether the block has bytes that are no record.
    pub(crate) fn is_malformed(&self) -> bool {
        self.malformed
    }

    /// How much of the block has not been taken yet, in bytes.
    pub(crate) fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    fn record(&mut self) -> Option<Dirent<'b>> {
        let (header, _) = self.rest.split_first_chunk::<HEADER_BYTES>()?;
        let u16_at = |at: usize| Some(u16::from_ne_bytes(*header[at..].first_chunk()?));
        let record = self.rest.get(..usize::from(u16_at(16)?))?;
        let name_bytes = usize::from(u16_at(18)?);
        let with_nul = record.get(HEADER_BYTES..)?.get(..=name_bytes)?;
        let (last, name) = with_nul.split_last()?;
        if *last != 0 || name.is_empty() || name.iter().any(|byte| matches!(byte, 0 | b'/')) {
            return None;
        }
        self.rest = &self.rest[record.len()..];
        let inode = u64::from_ne_bytes(*header.first_chunk()?);
        Some(Dirent { with_nul, kind: Kind::from_dirent(header[20]), inode })
    }

    /// Passes over records that stand for no name.
    fn skip_removed(&mut self) {
        while let Some((header, _)) = self.rest.split_first_chunk::<HEADER_BYTES>()
            && header[..8] == [0; 8]
        {
            let length = usize::from(u16::from_ne_bytes([header[16], header[17]]));
            match self.rest.get(length..) {
                Some(rest) if length >= HEADER_BYTES => self.rest = rest,
                _ => return,
            }
        }
    }
}

impl<'b> Iterator for Dirents<'b> {
    type Item = Dirent<'b>;

    #[inline]
    fn next(&mut self) -> Option<Dirent<'b>> {
        self.skip_removed();
        if self.rest.is_empty() {
            return None;
        }
        let record = self.record();
        if record.is_none() {
            (self.malformed, self.rest) = (true, &[]);
        }
        record
    }
}

/// Whether the kernel, which was given all of `block` and has filled so many bytes of it with
/// records, says that there is no further block.
pub(crate) fn is_last(block: &[u8], filled: usize) -> bool {
    if filled == 0 {
        return true;
    }
    let has_flags = block.len() >= BYTES_WITH_FLAGS && filled <= block.len() - FLAGS_BYTES;
    let flags = block.last_chunk().map_or(0, |bytes| u32::from_ne_bytes(*bytes));
    has_flags && flags & END != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A record written by hand after the description of `struct dirent`.
    fn record(name: &[u8], kind: u8, inode: u64, padding: u8) -> Vec<u8> {
        let length = (21 + name.len() + 1).next_multiple_of(8);
        let mut bytes = inode.to_ne_bytes().to_vec();
        bytes.extend(7_u64.to_ne_bytes());
        bytes.extend((length as u16).to_ne_bytes());
        bytes.extend((name.len() as u16).to_ne_bytes());
        bytes.push(kind);
        bytes.extend(name);
        bytes.push(0);
        bytes.resize(length, padding);
        bytes
    }

    #[test]
    fn names_of_every_length_are_found_whatever_pads_them() {
        for padding in [0, 1, 0xff] {
            for length in 1..=1023 {
                let name = vec![b'n'; length];
                let mut block = record(&name, 8, 42, padding);
                block.extend(record(b"gone", 8, 0, padding));
                block.extend(record(b"next", 4, 43, padding));
                let mut entries = Dirents::parse(&block);
                let first = entries.next().unwrap();
                assert_eq!(first.with_nul.split_last().unwrap(), (&0, &*name));
                assert_eq!((first.kind, first.inode), (Kind::File, 42));
                let next = entries.next().unwrap();
                assert_eq!((next.with_nul, next.kind), (&b"next\0"[..], Kind::Directory));
                assert!(entries.next().is_none() && !entries.is_malformed());
            }
        }
    }

    /// The bytes of a small directory, written out by hand on a little-endian machine: `.`, `..`
    /// and `a.txt`, with the lengths that a volume in APFS gives them.
    #[test]
    fn the_bytes_of_a_small_directory() {
        if cfg!(target_endian = "big") {
            return;
        }
        let block = [
            b"\x15\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x20\0\x01\0\x04.\0\0\0\0\0\0\0\0\0\0".as_slice(),
            b"\x02\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x20\0\x02\0\x04..\0\0\0\0\0\0\0\0\0",
            b"\x16\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\x20\0\x05\0\x08a.txt\0\0\0\0\0\0",
        ]
        .concat();
        let found: Vec<_> = Dirents::parse(&block).map(|it| (it.with_nul, it.inode)).collect();
        assert_eq!(found, [(&b".\0"[..], 21), (b"..\0", 2), (b"a.txt\0", 22)]);
    }

    #[test]
    fn the_end_is_believed_only_where_the_kernel_says_it() {
        for (block_bytes, filled, flags, last) in [
            (1024, 100, 1_u32, true),
            (1024, 1020, 1, true),
            (1024, 1021, 1, false), // these bytes are a record's
            (1024, 100, 2, false),
            (1024, 100, 0, false),
            (1023, 100, 1, false),
            (1024, 0, 0, true),
        ] {
            let mut block = vec![0; block_bytes];
            block[block_bytes - 4..].copy_from_slice(&flags.to_ne_bytes());
            assert_eq!(is_last(&block, filled), last, "{block_bytes} {filled} {flags}");
        }
    }

    #[test]
    fn a_record_cut_short_or_without_a_name_is_malformed() {
        let whole = record(b"name", 8, 1, 0);
        for cut in 1..whole.len() {
            let mut entries = Dirents::parse(&whole[..cut]);
            assert!(entries.next().is_none() && entries.is_malformed(), "cut at {cut}");
        }
        for wrong in [record(b"", 8, 1, 0), record(b"a/b", 8, 1, 0), record(b"a\0b", 8, 1, 0)] {
            let mut entries = Dirents::parse(&wrong);
            assert!(entries.next().is_none() && entries.is_malformed());
        }
        let mut no_length = record(b"gone", 8, 0, 0);
        no_length[16..18].fill(0);
        assert!(Dirents::parse(&no_length).next().is_none(), "and it ends");
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            entries in proptest::collection::vec(("[^/\0]{1,80}", 1_u64.., 0_u8..16), 0..20),
        ) {
            let block: Vec<u8> = entries
                .iter()
                .flat_map(|(name, inode, kind)| record(name.as_bytes(), *kind, *inode, 0xaa))
                .collect();
            let mut dirents = Dirents::parse(&block);
            for (name, inode, kind) in &entries {
                let found = dirents.next().unwrap();
                prop_assert_eq!(found.with_nul, [name.as_bytes(), &[0]].concat());
                prop_assert_eq!((found.inode, found.kind), (*inode, Kind::from_dirent(*kind)));
            }
            prop_assert!(dirents.next().is_none() && !dirents.is_malformed());
        }

        #[test]
        fn any_bytes_at_all_stay_within_bounds(
            mut bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0)], 0..600),
            length in 0_u16..80,
            name in 0_u16..60,
        ) {
            if bytes.len() > 20 {
                bytes[16..18].copy_from_slice(&length.to_ne_bytes());
                bytes[18..20].copy_from_slice(&name.to_ne_bytes());
            }
            let taken: usize = Dirents::parse(&bytes).map(|it| it.with_nul.len()).sum();
            prop_assert!(taken <= bytes.len());
        }
    }
}
