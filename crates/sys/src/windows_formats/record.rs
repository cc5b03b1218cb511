//! What a record of a directory says of an entry, and the parser of a block of them.
//!
//! A record (`FILE_ID_EXTD_DIR_INFORMATION`, `FILE_ID_BOTH_DIR_INFORMATION`) is little-endian:
//! offset of the next record u32, index u32, times of creation, access, writing and change i64,
//! size i64, allocated i64, attributes u32, length of the name in bytes u32, tag u32; then what the
//! two differ in, the id, and the name in UTF-16. The parser does not trust the kernel, nor the
//! server behind it: any bytes at all lead to records within the block or to
//! [`Records::is_malformed`], never to a panic. (learn.microsoft.com, [MS-FSCC] 2.4.)

use super::times::time;
use crate::{Fields, Kind, Stat};

/// Which of the two records a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `FILE_ID_EXTD_DIR_INFORMATION`: ids of 128 bits.
    Extended,
    /// `FILE_ID_BOTH_DIR_INFORMATION`: ids of 64 bits, and a short name.
    Both,
}

impl Layout {
    const fn header_bytes(self) -> usize {
        match self {
            Layout::Extended => 88,
            Layout::Both => 104,
        }
    }
}

const DIRECTORY: u32 = 0x10;
const READ_ONLY: u32 = 0x1;
const REPARSE_POINT: u32 = 0x400;
/// Tags of a pipe with a name and of a device for characters.
pub(crate) const LX_FIFO: u32 = 0x8000_0024;
pub(crate) const LX_CHAR: u32 = 0x8000_0025;

/// The metadata that a directory's record has of an entry; on other systems there is none in it.
#[derive(Clone, Copy, Debug)]
pub struct RecordMetadata {
    pub(crate) is_known: bool,
    pub(crate) attributes: u32,
    /// What kind of reparse point it is; 0 if it is none.
    pub(crate) tag: u32,
    pub(crate) links: u32,
    pub(crate) inode: u64,
    pub(crate) device: u64,
    pub(crate) size: u64,
    pub(crate) allocated: u64,
    /// Created, accessed, modified, changed; in units of 100 ns since 1601.
    pub(crate) times: [i64; 4],
}

/// What a record has.
const FILLED: Fields = Fields(Fields::ALL.0 & !Fields::OWNER.0);

impl RecordMetadata {
    /// Nothing is known.
    pub const UNKNOWN: RecordMetadata = RecordMetadata {
        is_known: false,
        attributes: 0,
        tag: 0,
        links: 0,
        inode: 0,
        device: 0,
        size: 0,
        allocated: 0,
        times: [0; 4],
    };

    /// These fields, if the record has them: all but the owner. The number of names is not in it
    /// and counts as 1. Free.
    #[must_use]
    pub fn stat(&self, fields: Fields) -> Option<Stat> {
        let has_all = self.is_known && !fields.contains(Fields::OWNER);
        has_all.then(|| self.to_stat())
    }

    /// Whether it has a tag.
    pub(crate) fn is_reparse_point(&self) -> bool {
        self.attributes & REPARSE_POINT != 0
    }

    /// What it is: a reparse point that stands for another name (a junction, a mount point, a
    /// symbolic link: the bit of name surrogates) is a link, any other (a file in a cloud, one that
    /// is compressed or stored once for many) is what its attributes say. One whose record has no
    /// tag is taken for a link, so that nothing is entered or removed behind it: Wine's records of
    /// symbolic links to directories, and those of some servers, are such.
    pub(crate) fn kind(&self) -> Kind {
        const STANDS_FOR_A_NAME: u32 = 0x2000_0000;
        match self.tag {
            _ if !self.is_reparse_point() => {}
            0 => return Kind::Symlink,
            0x8000_0023 => return Kind::Socket,
            LX_FIFO => return Kind::Fifo,
            LX_CHAR => return Kind::Char,
            0x8000_0026 => return Kind::Block,
            tag if tag & STANDS_FOR_A_NAME != 0 => return Kind::Symlink,
            _ => {}
        }
        if self.attributes & DIRECTORY != 0 { Kind::Directory } else { Kind::File }
    }

    /// The mode that programs from other systems show: all may read, the owner may write unless the
    /// file is read-only, which means nothing for a directory.
    pub(crate) fn to_stat(self) -> Stat {
        let kind = self.kind();
        let mode = match kind {
            Kind::Directory => 0o755,
            Kind::Symlink => 0o777,
            _ if self.attributes & READ_ONLY != 0 => 0o444,
            _ => 0o644,
        };
        let [created, accessed, modified, changed] = self.times.map(time);
        // Where the file system keeps no time of change, that of writing is the best there is.
        let changed = if self.times[3] == 0 { modified } else { changed };
        let times = [accessed, modified, changed, created];
        Stat {
            mode: mode | kind.type_bits(),
            is_mount_root: false,
            filled: match self.times[0] {
                0 => Fields(FILLED.0 & !Fields::CREATED.0),
                _ => FILLED,
            },
            links: self.links,
            user: 0,
            group: 0,
            inode: self.inode,
            size: self.size,
            sectors: self.allocated.div_ceil(512),
            device: ((self.device >> 32) as u32, self.device as u32),
            special: (0, 0),
            seconds: times.map(|time| time.seconds),
            nanoseconds: times.map(|time| time.nanoseconds),
        }
    }
}

/// One record, still inside the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'b> {
    /// The name in UTF-16, little-endian.
    name: &'b [u8],
    pub(crate) metadata: RecordMetadata,
}

impl Record<'_> {
    /// The units of the name.
    pub(crate) fn units(&self) -> impl Iterator<Item = u16> {
        self.name.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
    }
}

/// The records of a block, `.` and `..` included.
#[derive(Clone, Debug)]
pub(crate) struct Records<'b> {
    rest: &'b [u8],
    layout: Layout,
    malformed: bool,
}

impl<'b> Records<'b> {
    /// The records in the bytes that the kernel has written.
    pub(crate) fn parse(bytes: &'b [u8], layout: Layout) -> Records<'b> {
        Records { rest: bytes, layout, malformed: false }
    }

    /// Whether the block has bytes that are no record.
    pub(crate) fn is_malformed(&self) -> bool {
        self.malformed
    }

    fn record(&mut self) -> Option<Record<'b>> {
        let bytes = self.rest;
        let header = bytes.get(..self.layout.header_bytes())?;
        let u32_at = |at: usize| Some(u32::from_le_bytes(*header.get(at..)?.first_chunk()?));
        let u64_at = |at: usize| Some(u64::from_le_bytes(*header.get(at..)?.first_chunk()?));
        let name_bytes = usize::try_from(u32_at(60)?).ok()?;
        let end = header.len().checked_add(name_bytes)?;
        let name = bytes.get(header.len()..end).filter(|name| name.len() % 2 == 0)?;
        self.rest = match usize::try_from(u32_at(0)?).ok()? {
            0 => &[],
            next if next < end => return None,
            next => bytes.get(next..).filter(|rest| !rest.is_empty())?,
        };
        let attributes = u32_at(56)?;
        let is_reparse_point = attributes & REPARSE_POINT != 0;
        // Of a reparse point the older record has the tag where others have the size of extended
        // attributes.
        let (tag_at, id_at) = match self.layout {
            Layout::Extended => (68, 72),
            Layout::Both => (64, 96),
        };
        let upper = if self.layout == Layout::Extended { u64_at(80)? } else { 0 };
        let metadata = RecordMetadata {
            is_known: true,
            attributes,
            tag: if is_reparse_point { u32_at(tag_at)? } else { 0 },
            links: 1,
            inode: inode(u64_at(id_at)?, upper),
            device: 0,
            size: u64_at(40)?,
            allocated: u64_at(48)?,
            times: [u64_at(8)?, u64_at(16)?, u64_at(24)?, u64_at(32)?].map(u64::cast_signed),
        };
        Some(Record { name, metadata })
    }
}

/// The number of a file from its id: NTFS has 64 bits, and zeros above them; of the 128 bits of
/// ReFS the upper half is the directory's and the lower counts within it.
pub(crate) fn inode(lower: u64, upper: u64) -> u64 {
    lower ^ upper.rotate_left(32)
}

impl<'b> Iterator for Records<'b> {
    type Item = Record<'b>;

    fn next(&mut self) -> Option<Record<'b>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Time;
    use proptest::prelude::*;

    /// A record written by hand after the documentation.
    fn record(layout: Layout, name: &str, attributes: u32, tag: u32, is_last: bool) -> Vec<u8> {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut bytes = vec![0; 8];
        for time in [1_u64, 2, 3, 4] {
            bytes.extend((116_444_736_000_000_000 + time * 10_000_001).to_le_bytes());
        }
        bytes.extend(5_000_000_000_u64.to_le_bytes());
        bytes.extend(5_000_004_608_u64.to_le_bytes());
        bytes.extend(attributes.to_le_bytes());
        bytes.extend((name.len() as u32).to_le_bytes());
        match layout {
            Layout::Extended => {
                bytes.extend(0_u32.to_le_bytes());
                bytes.extend(tag.to_le_bytes());
            }
            Layout::Both => {
                bytes.extend(tag.to_le_bytes());
                bytes.extend([0; 28]);
            }
        }
        bytes.extend(42_u64.to_le_bytes());
        if layout == Layout::Extended {
            bytes.extend(0_u64.to_le_bytes());
        }
        bytes.extend(name);
        if !is_last {
            bytes.resize(bytes.len().next_multiple_of(8), 0xaa);
            let length = (bytes.len() as u32).to_le_bytes();
            bytes[..4].copy_from_slice(&length);
        }
        bytes
    }

    #[test]
    fn a_record_has_name_kind_size_times_and_id() {
        for layout in [Layout::Extended, Layout::Both] {
            let mut block = record(layout, "naïve.txt", 0x21, 0, false);
            block.extend(record(layout, "d", DIRECTORY, 0, true));
            let mut records = Records::parse(&block, layout);
            let first = records.next().unwrap();
            assert_eq!(
                String::from_utf16(&first.units().collect::<Vec<_>>()).unwrap(),
                "naïve.txt"
            );
            let stat = first.metadata.stat(FILLED).unwrap();
            assert_eq!((stat.kind(), stat.permissions(), stat.links()), (Kind::File, 0o444, 1));
            assert_eq!((stat.size(), stat.allocated()), (5_000_000_000, 5_000_004_608));
            assert_eq!(stat.inode(), 42);
            let times = [stat.created().unwrap(), stat.accessed(), stat.modified(), stat.changed()];
            for (time, number) in times.into_iter().zip(1..) {
                assert_eq!((time.seconds, time.nanoseconds), (number, number as u32 * 100));
            }
            let second = records.next().unwrap();
            let stat = second.metadata.stat(FILLED).unwrap();
            assert!(second.metadata.stat(Fields::OWNER).is_none());
            assert_eq!((stat.kind(), stat.permissions()), (Kind::Directory, 0o755));
            assert!(records.next().is_none() && !records.is_malformed());
        }
    }

    #[test]
    fn only_a_reparse_point_that_stands_for_a_name_is_a_link() {
        for (attributes, tag, kind) in [
            (REPARSE_POINT | DIRECTORY, 0xa000_0003, Kind::Symlink), // a junction
            (REPARSE_POINT, 0xa000_000c, Kind::Symlink),
            (REPARSE_POINT | DIRECTORY, 0x9000_101a, Kind::Directory), // in a cloud
            (REPARSE_POINT, 0x9000_001a, Kind::File),
            (REPARSE_POINT, 0x8000_0023, Kind::Socket),
            (DIRECTORY, 0xa000_0003, Kind::Directory), // not a tag without the attribute
        ] {
            for layout in [Layout::Extended, Layout::Both] {
                let block = record(layout, "x", attributes, tag, true);
                let found = Records::parse(&block, layout).next().unwrap();
                assert_eq!(found.metadata.kind(), kind, "{attributes:#x} {tag:#x}");
            }
        }
    }

    #[test]
    fn a_time_before_1970_counts_its_nanoseconds_forwards() {
        assert_eq!(time(1), Time { seconds: -11_644_473_600, nanoseconds: 100 });
        assert_eq!(time(0), Time { seconds: 0, nanoseconds: 0 });
    }

    #[test]
    fn a_record_cut_short_is_malformed() {
        let whole = record(Layout::Extended, "name", 0, 0, true);
        for cut in 1..whole.len() {
            let mut records = Records::parse(&whole[..cut], Layout::Extended);
            assert!(records.next().is_none() && records.is_malformed(), "cut at {cut}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_at_all_stay_within_bounds(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0)], 0..600),
            next in 0_u8..200,
            length in 0_u8..40,
        ) {
            for layout in [Layout::Extended, Layout::Both] {
                let mut bytes = bytes.clone();
                if bytes.len() > 64 {
                    bytes[..4].copy_from_slice(&[next, 0, 0, 0]);
                    bytes[60..64].copy_from_slice(&[length, 0, 0, 0]);
                }
                let taken: usize = Records::parse(&bytes, layout).map(|it| it.name.len()).sum();
                prop_assert!(taken <= bytes.len());
            }
        }
    }
}
