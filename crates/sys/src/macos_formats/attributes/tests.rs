use super::*;
use crate::{Fields, Stat};
use proptest::prelude::*;

const ALL: AttributeRequest = AttributeRequest { fields: Fields::ALL, entries_are_links: true };

/// Writes records after the manual, by other means than the parser reads them: attributes are put
/// down by the position of their bits, whatever the order in which they were added.
#[derive(Clone, Debug, Default)]
struct Builder {
    /// Group (0 common, 2 directory, 3 file), bit, bytes.
    attributes: Vec<(usize, u32, Vec<u8>)>,
    name: Vec<u8>,
}

impl Builder {
    fn new(name: &[u8]) -> Builder {
        let mut builder = Builder { name: name.to_vec(), ..Builder::default() };
        builder.attributes.push((0, 0x1, vec![0; 8]));
        builder
    }

    fn with_u32(mut self, group: usize, bit: u32, value: u32) -> Builder {
        self.attributes.push((group, bit, value.to_ne_bytes().to_vec()));
        self
    }

    fn with_u64(mut self, group: usize, bit: u32, value: u64) -> Builder {
        self.attributes.push((group, bit, value.to_ne_bytes().to_vec()));
        self
    }

    fn with_time(mut self, bit: u32, seconds: i64, nanoseconds: i64) -> Builder {
        let bytes = [seconds.to_ne_bytes(), nanoseconds.to_ne_bytes()].concat();
        self.attributes.push((0, bit, bytes));
        self
    }

    fn bytes(mut self) -> Vec<u8> {
        let mut groups = [0_u32; 5];
        groups[0] = 0x8000_0000;
        for (group, bit, _) in &self.attributes {
            groups[*group] |= bit;
        }
        // The error (0x2000_0000) comes before all others, also before the name.
        self.attributes.sort_by_key(|(group, bit, _)| match (group, bit) {
            (0, 0x2000_0000) => (0, 0),
            _ => (*group, *bit),
        });
        let mut bytes = vec![0; 4];
        for group in groups {
            bytes.extend(group.to_ne_bytes());
        }
        let mut reference = 0;
        for (group, bit, value) in &self.attributes {
            if (*group, *bit) == (0, 0x1) {
                reference = bytes.len();
            }
            bytes.extend(value);
        }
        let offset = (bytes.len() - reference) as i32;
        bytes[reference..reference + 4].copy_from_slice(&offset.to_ne_bytes());
        let length = self.name.len() as u32 + 1;
        bytes[reference + 4..reference + 8].copy_from_slice(&length.to_ne_bytes());
        bytes.extend(&self.name);
        bytes.push(0);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let length = bytes.len() as u32;
        bytes[..4].copy_from_slice(&length.to_ne_bytes());
        bytes
    }
}

fn only(block: &[u8], request: AttributeRequest) -> Record<'_> {
    let mut records = Records::parse(block, 1, request);
    let record = records.next().unwrap();
    assert!(records.next().is_none() && !records.is_malformed());
    record
}

/// A file as APFS describes it, with every attribute that is asked.
fn a_file(name: &[u8]) -> Builder {
    Builder::new(name)
        .with_u64(3, 0x200, 5_000_000_000)
        .with_u32(3, 0x20, 0)
        .with_u64(3, 0x4, 5_000_003_584)
        .with_u32(3, 0x1, 3)
        .with_u64(0, 0x0200_0000, 0x0123_4567_89ab)
        .with_u32(0, 0x0002_0000, 0o4755)
        .with_u32(0, 0x0001_0000, 20)
        .with_u32(0, 0x8000, 501)
        .with_time(0x1000, 1_700_000_001, 1)
        .with_time(0x800, 1_700_000_002, 2)
        .with_time(0x400, 1_700_000_003, 999_999_999)
        .with_time(0x200, -1, 4)
        .with_u32(0, 0x8, 1)
        .with_u32(0, 0x2, 0x0100_0004)
}

/// What `getattrlistbulk` answers for name, type, number and error of `a.txt`, written out by hand
/// on a little-endian machine.
#[test]
fn the_bytes_of_one_record() {
    if cfg!(target_endian = "big") {
        return;
    }
    let block = [
        b"\x38\0\0\0".as_slice(),                        // 56 bytes
        b"\x09\0\0\x82\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", // returned, number, type, name
        b"\x14\0\0\0\x06\0\0\0",                         // the name: 20 bytes from here, 6 long
        b"\x01\0\0\0",                                   // VREG
        b"\x16\0\0\0\0\0\0\0",                           // 22
        b"a.txt\0\0\0",
        b"\0\0\0\0",
    ]
    .concat();
    let request = AttributeRequest { fields: Fields::NONE, entries_are_links: true };
    // 4 + 20 + 8 + 4 + 8 + 8 = 52, and 4 bytes until the next multiple of 8.
    let record = only(&block, request);
    assert_eq!(record.with_nul, b"a.txt\0");
    assert_eq!((record.kind, record.inode), (Kind::File, 22));
    assert!(record.metadata.stat(Fields::SIZE).is_none());
    assert!(record.metadata.stat(Fields::KIND).is_none(), "without a device it is not whole");
}

#[test]
fn a_file_has_all_that_was_asked() {
    let block = a_file("naïve".as_bytes()).bytes();
    let record = only(&block, ALL);
    assert_eq!(record.with_nul, "naïve\0".as_bytes());
    assert_eq!((record.kind, record.inode), (Kind::File, 0x0123_4567_89ab));
    let stat = record.metadata.stat(Fields::ALL).unwrap();
    assert_eq!((stat.kind(), stat.permissions(), stat.links()), (Kind::File, 0o4755, 3));
    assert_eq!((stat.user(), stat.group()), (501, 20));
    assert_eq!((stat.size(), stat.allocated()), (5_000_000_000, 5_000_003_584));
    assert_eq!(stat.device(), 1 << 32 | 4);
    let times = [stat.accessed(), stat.changed(), stat.modified(), stat.created().unwrap()];
    assert_eq!(
        times.map(|time| (time.seconds, time.nanoseconds)),
        [(1_700_000_001, 1), (1_700_000_002, 2), (1_700_000_003, 999_999_999), (-1, 4)]
    );
}

/// A directory of 7 entries.
fn a_directory(status: u32) -> Builder {
    Builder::new(b"d")
        .with_u32(0, 0x2, 0x0100_0004)
        .with_u32(0, 0x8, 2)
        .with_u32(0, 0x0002_0000, 0o755)
        .with_u64(0, 0x0200_0000, 9)
        .with_u32(2, 0x2, 7)
        .with_u32(2, 0x4, status)
        .with_u64(2, 0x8, 4096)
        .with_u64(2, 0x20, 224)
}

#[test]
fn a_directory_has_as_many_names_as_entries_and_two_where_the_file_system_counts_so() {
    let block = a_directory(0).bytes();
    let fields = Fields::KIND | Fields::PERMISSIONS | Fields::LINKS | Fields::SIZE;
    let stat = only(&block, ALL).metadata.stat(fields).unwrap();
    assert_eq!((stat.kind(), stat.links(), stat.size()), (Kind::Directory, 9, 224));
    assert_eq!(stat.allocated(), 4096);
    let elsewhere = only(&block, AttributeRequest { entries_are_links: false, ..ALL });
    assert!(elsewhere.metadata.stat(fields).is_none());
    assert!(elsewhere.metadata.stat(Fields::SIZE).is_some());
}

#[test]
fn of_a_mount_point_the_record_describes_the_directory_below_it() {
    for status in [1, 2, 3] {
        let block = a_directory(status).bytes();
        let record = only(&block, ALL);
        assert_eq!((record.kind, record.inode), (Kind::Directory, 9));
        assert!(record.metadata.stat(Fields::KIND).is_none());
    }
}

#[test]
fn an_error_is_of_one_entry_and_the_next_is_read() {
    let mut block = Builder::new(b"locked").with_u32(0, 0x2000_0000, 13).bytes();
    block.extend(a_file(b"next").with_u32(0, 0x2000_0000, 0).bytes());
    let mut records = Records::parse(&block, 2, ALL);
    let bad = records.next().unwrap();
    assert_eq!((bad.with_nul, bad.kind), (&b"locked\0"[..], Kind::Unknown));
    assert!(bad.metadata.stat(Fields::NONE).is_none());
    let good = records.next().unwrap();
    assert_eq!((good.with_nul, good.kind), (&b"next\0"[..], Kind::File));
    assert!(records.next().is_none() && !records.is_malformed());
}

#[test]
fn what_a_file_system_leaves_out_is_not_known_but_for_the_time_of_creation() {
    let block = Builder::new(b"x").with_u32(0, 0x2, 7).with_u32(0, 0x8, 5).bytes();
    let metadata = only(&block, ALL).metadata;
    let stat = metadata.stat(Fields::KIND | Fields::CREATED).unwrap();
    assert_eq!((stat.kind(), stat.created()), (Kind::Symlink, None));
    assert!(metadata.stat(Fields::SIZE).is_none());
}

#[test]
fn kinds_are_those_of_vnodes() {
    for (number, kind) in [
        (1, Kind::File),
        (2, Kind::Directory),
        (3, Kind::Block),
        (4, Kind::Char),
        (5, Kind::Symlink),
        (6, Kind::Socket),
        (7, Kind::Fifo),
        (0, Kind::Unknown),
        (8, Kind::Unknown),
        (10, Kind::Unknown),
    ] {
        let block = Builder::new(b"x").with_u32(0, 0x8, number).with_u32(3, 0x20, 0x0300_0002);
        let block = block.with_u32(0, 0x2, 0x0100_0004).bytes();
        let record = only(&block, ALL);
        assert_eq!(record.kind, kind);
        assert_eq!(record.metadata.stat(Fields::KIND).unwrap().special(), (3, 2));
    }
}

#[test]
fn what_was_not_asked_has_no_known_length() {
    for (group, bit) in [(0, 0x10), (0, 0x4_0000), (1, 1), (2, 0x10), (3, 0x2), (4, 1)] {
        let block = a_file(b"x").with_u32(group, bit, 0).bytes();
        let mut records = Records::parse(&block, 1, ALL);
        assert!(records.next().is_none() && records.is_malformed(), "{group} {bit:#x}");
    }
    let sizes = AttributeRequest { fields: Fields::SIZE, ..ALL };
    let block = a_file(b"x").bytes();
    assert!(Records::parse(&block, 1, sizes).next().is_none());
}

#[test]
fn a_record_cut_short_is_malformed() {
    let whole = a_file(b"name").bytes();
    for cut in 0..whole.len() {
        let mut records = Records::parse(&whole[..cut], 1, ALL);
        assert!(records.next().is_none() && records.is_malformed(), "cut at {cut}");
        // Also where its own length says that it ends there.
        let mut shorter = whole[..cut].to_vec();
        if let Some(length) = shorter.first_chunk_mut() {
            *length = (cut as u32).to_ne_bytes();
        }
        let end_of_name = whole.windows(5).position(|it| it == b"name\0").unwrap() + 5;
        let mut records = Records::parse(&shorter, 1, ALL);
        assert_eq!(records.next().is_none(), cut < end_of_name, "cut at {cut}");
    }
}

#[test]
fn a_name_that_leads_elsewhere_is_none() {
    for name in [&b""[..], b"a/b", b"/", b"a\0b"] {
        let block = a_file(name).bytes();
        let mut records = Records::parse(&block, 1, ALL);
        assert!(records.next().is_none() && records.is_malformed(), "{name:?}");
    }
    for offset in [i32::MIN, -29, i32::MAX, 200] {
        let mut block = a_file(b"name").bytes();
        block[24..28].copy_from_slice(&offset.to_ne_bytes());
        assert!(Records::parse(&block, 1, ALL).next().is_none(), "{offset}");
    }
}

/// One attribute that may be asked: its group, its bit and how long it is.
const ATTRIBUTES: [(usize, u32, usize); 18] = [
    (0, 0x2000_0000, 4),
    (0, 0x2, 4),
    (0, 0x8, 4),
    (0, 0x200, 16),
    (0, 0x400, 16),
    (0, 0x800, 16),
    (0, 0x1000, 16),
    (0, 0x8000, 4),
    (0, 0x1_0000, 4),
    (0, 0x2_0000, 4),
    (0, 0x200_0000, 8),
    (2, 0x2, 4),
    (2, 0x4, 4),
    (2, 0x8, 8),
    (2, 0x20, 8),
    (3, 0x4, 8),
    (3, 0x20, 4),
    (3, 0x200, 8),
];

/// The number at an attribute, if the record has it.
fn number(present: &[(usize, u32, Vec<u8>)], group: usize, bit: u32) -> Option<u64> {
    let (_, _, bytes) = present.iter().find(|it| (it.0, it.1) == (group, bit))?;
    Some(match bytes.len() {
        4 => u64::from(u32::from_ne_bytes(*bytes.first_chunk()?)),
        _ => u64::from_ne_bytes(*bytes.first_chunk()?),
    })
}

proptest! {
    /// Any set of attributes with any values comes back as it was written.
    #[test]
    fn what_was_written_is_read(
        name in "[^/\0]{1,60}",
        which in proptest::collection::vec(any::<bool>(), 18),
        values in proptest::collection::vec(any::<[u8; 16]>(), 18),
    ) {
        let mut builder = Builder::new(name.as_bytes());
        let mut present = Vec::new();
        for ((group, bit, bytes), value) in
            ATTRIBUTES.into_iter().zip(&values).zip(&which).filter(|it| *it.1).map(|it| it.0)
        {
            present.push((group, bit, value[..bytes].to_vec()));
        }
        builder.attributes.extend(present.clone());
        let block = builder.bytes();
        let record = only(&block, ALL);
        prop_assert_eq!(record.with_nul, [name.as_bytes(), &[0]].concat());
        let at = |group, bit| number(&present, group, bit);
        let has_error = at(0, 0x2000_0000).is_some_and(|error| error != 0);
        prop_assert!(!has_error || record.kind == Kind::Unknown);
        prop_assert_eq!(record.inode, at(0, 0x200_0000).unwrap_or(0));
        let Some(stat) = record.metadata.stat(Fields::NONE) else { return Ok(()) };
        for (field, found, written) in [
            (Fields::SIZE, stat.size(), at(3, 0x200).or(at(2, 0x20))),
            (Fields::INODE, stat.inode(), at(0, 0x200_0000)),
            (Fields::PERMISSIONS, u64::from(stat.permissions()), at(0, 0x2_0000)),
        ] {
            if written.is_some() {
                prop_assert!(record.metadata.stat(field).is_some());
                let mask = if field == Fields::PERMISSIONS { 0o7777 } else { u64::MAX };
                prop_assert_eq!(Some(found), written.map(|it| it & mask));
            }
        }
        let modified = at(0, 0x400).map(u64::cast_signed);
        prop_assert!(modified.is_none_or(|seconds| stat.modified().seconds == seconds));
        let (user, group) = (at(0, 0x8000), at(0, 0x1_0000));
        if let (Some(user), Some(group)) = (user, group) {
            prop_assert_eq!((u64::from(stat.user()), u64::from(stat.group())), (user, group));
        }
        prop_assert!(stat_is_of_its_device(&stat, at(0, 0x2)));
    }

    #[test]
    fn any_bytes_at_all_stay_within_bounds(
        bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0)], 0..400),
        length in 0_u32..200,
        offset in -40_i32..100,
        name_bytes in 0_u32..40,
    ) {
        let mut bytes = bytes;
        if bytes.len() > 36 {
            bytes[..4].copy_from_slice(&length.to_ne_bytes());
            bytes[4..8].copy_from_slice(&0x8000_0001_u32.to_ne_bytes());
            bytes[8..24].fill(0);
            bytes[24..28].copy_from_slice(&offset.to_ne_bytes());
            bytes[28..32].copy_from_slice(&name_bytes.to_ne_bytes());
        }
        let inside = bytes.as_ptr_range();
        for record in Records::parse(&bytes, 100, ALL) {
            let name = record.with_nul.as_ptr_range();
            prop_assert!(inside.start <= name.start && name.end <= inside.end);
        }
    }
}

fn stat_is_of_its_device(stat: &Stat, device: Option<u64>) -> bool {
    device.is_some_and(|device| stat.device() == (device >> 24) << 32 | device & 0x00ff_ffff)
}

/// Numbers as an APFS volume gives them to a file, its clone, and a file that is nobody's.
#[test]
fn clones_have_a_number_in_common_and_no_other_file_has_one() {
    let space = AttributeRequest { fields: Fields::ALLOCATED, entries_are_links: true };
    let named = |kind: u32, flags: u64| {
        Builder::new(b"x")
            .with_u64(4, 0x200, flags)
            .with_u64(4, 0x100, 0x0012_3456_789a)
            .with_u64(3, 0x4, 4096)
            .with_u32(0, 0x8, kind)
            .with_u32(0, 0x2, 0x0100_0004)
            .bytes()
    };
    let stat = |block: &[u8]| only(block, space).metadata.stat(Fields::ALLOCATED).unwrap();
    let clone = stat(&named(1, 0x1));
    assert_eq!((clone.shared_blocks(), clone.special()), (Some(0x0012_3456_789a), (0, 0)));
    assert_eq!(clone.allocated(), 4096);
    // Another flag (EF_NO_XATTRS) says nothing of blocks.
    assert_eq!(stat(&named(1, 0x2)).shared_blocks(), None);
    assert_eq!(stat(&named(5, 0x1)).shared_blocks(), None);
    // What was not asked for has no known length.
    let request = AttributeRequest { fields: Fields::SIZE, entries_are_links: true };
    let block = named(1, 0x1);
    let mut records = Records::parse(&block, 1, request);
    assert!(records.next().is_none() && records.is_malformed());
}
