//! The bytes of one directory: its stamp, then its entries in the order of their names.
//!
//! They refer to nothing outside, so those of an unchanged directory go into another snapshot as
//! they are. docs/snapshot-format.md describes them for readers in other languages.

use sys::Kind;

use super::bytes::{FIRST_SECOND, Reader, put_number, put_signed, put_time};
use super::names;
use super::stamp::{EntryStat, Stamp};

const RACY: u8 = 1;
const MOUNT_ROOT: u8 = 1 << 1;
/// The time of modification is that of the change, and is left out.
const MODIFIED_AS_CHANGED: u8 = 1 << 2;
const HAS_CREATED: u8 = 1 << 3;
const FLAGS: u8 = RACY | MOUNT_ROOT | MODIFIED_AS_CHANGED | HAS_CREATED;

/// The first byte of an entry has its kind in three bits, and above it how many bytes of the name
/// are those of the name before in its sequence; if these five bits do not suffice, the rest
/// follows.
pub(super) const KIND_BITS: u32 = 3;
pub(super) const MANY_SHARED: u8 = 31;

/// Longer names are not recorded. Few file systems have more than 255 bytes, and a file that was
/// made to do harm should not grow much when it is read.
pub(super) const LONGEST_NAME: usize = 1024;

/// What precedes the entries of a directory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) stamp: Stamp,
    pub(super) racy: bool,
    pub(super) entries: u64,
    /// How many of the entries are directories.
    pub(super) directories: u32,
}

/// An entry but for its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryData {
    pub(super) kind: Kind,
    pub(super) inode: u64,
    pub(super) stat: Option<EntryStat>,
}

impl EntryData {
    /// Which of two sequences an entry is in: what is a directory or may be one, or all others. Its
    /// name and inode refer to those of the entry before in the same one.
    #[inline]
    pub(super) fn sequence(kind: Kind) -> usize {
        usize::from(matches!(kind, Kind::Directory | Kind::Unknown))
    }
}

/// Whether an entry may have this name.
pub(super) fn is_name(name: &[u8]) -> bool {
    let is_dots = matches!(name, b"" | b"." | b"..");
    !is_dots && name.len() <= LONGEST_NAME && memchr::memchr2(b'/', 0, name).is_none()
}

pub(super) fn put_head(out: &mut Vec<u8>, head: &Head) {
    let Head { stamp, racy, entries, directories } = head;
    let flag = |is: bool, bit: u8| if is { bit } else { 0 };
    out.push(
        flag(*racy, RACY)
            | flag(stamp.is_mount_root, MOUNT_ROOT)
            | flag(stamp.modified == stamp.changed, MODIFIED_AS_CHANGED)
            | flag(stamp.created.is_some(), HAS_CREATED),
    );
    put_number(out, stamp.device >> 32);
    put_number(out, stamp.device & u64::from(u32::MAX));
    put_number(out, stamp.inode);
    put_time(out, stamp.changed, FIRST_SECOND);
    if stamp.modified != stamp.changed {
        put_time(out, stamp.modified, stamp.changed.seconds);
    }
    if let Some(created) = stamp.created {
        put_time(out, created, stamp.changed.seconds);
    }
    put_number(out, *entries);
    put_number(out, (*directories).into());
}

/// Appends an entry. `before` are the name and the inode of the entry before in its sequence, or no
/// name and the inode of the directory.
pub(super) fn put_entry(out: &mut Vec<u8>, before: (&[u8], u64), name: &[u8], entry: &EntryData) {
    let shared = before.0.iter().zip(name).take_while(|(a, b)| a == b).count();
    let few = u8::try_from(shared).unwrap_or(u8::MAX).min(MANY_SHARED);
    out.push(entry.kind as u8 | few << KIND_BITS);
    if few == MANY_SHARED {
        put_number(out, (shared - usize::from(MANY_SHARED)) as u64);
    }
    put_rest(out, &name[shared..]);
    put_signed(out, entry.inode.wrapping_sub(before.1) as i64);
    if let Some(stat) = &entry.stat {
        put_stat(out, stat);
    }
}

/// Appends the rest of a name: twice its length, and 1 more if it is shortened.
fn put_rest(out: &mut Vec<u8>, rest: &[u8]) {
    let mut short = Vec::with_capacity(rest.len());
    let is_short = names::shorten(rest, &mut short);
    let bytes = if is_short { &short } else { rest };
    put_number(out, (bytes.len() as u64) << 1 | u64::from(is_short));
    out.extend_from_slice(bytes);
}

/// Appends a stat: the permissions with a bit that says whether the two times are the same.
pub(super) fn put_stat(out: &mut Vec<u8>, stat: &EntryStat) {
    let differ = stat.changed != stat.modified;
    put_number(out, u64::from(stat.permissions) << 1 | u64::from(differ));
    put_number(out, stat.size);
    put_time(out, stat.modified, FIRST_SECOND);
    if differ {
        put_time(out, stat.changed, stat.modified.seconds);
    }
}

pub(super) fn read_stat(bytes: &mut Reader<'_>) -> Option<EntryStat> {
    let bits = bytes.small::<u16>()?;
    let (permissions, differ) = (bits >> 1, bits & 1 != 0);
    let size = bytes.number()?;
    let modified = bytes.time(FIRST_SECOND)?;
    let changed = if differ { bytes.time(modified.seconds)? } else { modified };
    (permissions < 1 << 12).then_some(EntryStat { size, permissions, modified, changed })
}

/// The kind of that number, the lowest bits of a byte.
pub(super) fn kind_of(byte: u8) -> Kind {
    Kind::ALL[usize::from(byte) & (Kind::ALL.len() - 1)]
}

impl Head {
    /// The head at the beginning of `bytes`, which are then those of the entries.
    pub(super) fn read(bytes: &mut Reader<'_>) -> Option<Head> {
        let flags = bytes.byte()?;
        if flags & !FLAGS != 0 {
            return None;
        }
        let (major, minor) = (bytes.small::<u32>()?, bytes.small::<u32>()?);
        let inode = bytes.number()?;
        let changed = bytes.time(FIRST_SECOND)?;
        let same = flags & MODIFIED_AS_CHANGED != 0;
        let modified = if same { changed } else { bytes.time(changed.seconds)? };
        let created = match flags & HAS_CREATED {
            0 => None,
            _ => Some(bytes.time(changed.seconds)?),
        };
        let stamp = Stamp {
            device: u64::from(major) << 32 | u64::from(minor),
            inode,
            is_mount_root: flags & MOUNT_ROOT != 0,
            created,
            changed,
            modified,
        };
        let (entries, directories) = (bytes.number()?, bytes.small()?);
        Some(Head { stamp, racy: flags & RACY != 0, entries, directories })
    }
}
