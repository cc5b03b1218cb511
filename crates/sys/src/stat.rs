//! What is known of a file, the same on every system: each fills it in its own way.

use std::fmt;
use std::ops::BitOr;
use std::str::FromStr;

use crate::{Kind, Time};

/// The fields of a [`Stat`] that are wanted. The kernel may answer faster for fewer.
///
/// The bits are those of `statx` on Linux, so that nothing has to be translated there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields(pub(crate) u32);

impl Fields {
    /// The kind.
    pub const KIND: Fields = Fields(0x1);
    /// The twelve permission bits.
    pub const PERMISSIONS: Fields = Fields(0x2);
    /// Owning user and group.
    pub const OWNER: Fields = Fields(0x18);
    /// Size in bytes.
    pub const SIZE: Fields = Fields(0x200);
    /// Number of names.
    pub const LINKS: Fields = Fields(0x4);
    /// Inode number.
    pub const INODE: Fields = Fields(0x100);
    /// Space taken on the device.
    pub const ALLOCATED: Fields = Fields(0x400);
    /// Time of the last reading of the contents, as far as the mount keeps it.
    pub const ACCESSED: Fields = Fields(0x20);
    /// Time of the last change of the contents.
    pub const MODIFIED: Fields = Fields(0x40);
    /// Time of the last change of contents or metadata.
    pub const CHANGED: Fields = Fields(0x80);
    /// Time of creation, where the file system keeps it.
    pub const CREATED: Fields = Fields(0x800);
    /// No field but the devices, which always come along.
    pub const NONE: Fields = Fields(0);
    /// Every field; on Windows all but the owner, which no record has and which costs calls of its
    /// own.
    pub const ALL: Fields = Fields(if cfg!(windows) { 0xfe7 } else { 0xfff });

    /// Every field with its name, which is the same in all languages. The order is that of the bits
    /// in C (`FEWER_FIELD_KIND`, …).
    pub const NAMED: [(&'static str, Fields); 11] = [
        ("kind", Fields::KIND),
        ("permissions", Fields::PERMISSIONS),
        ("owner", Fields::OWNER),
        ("size", Fields::SIZE),
        ("links", Fields::LINKS),
        ("inode", Fields::INODE),
        ("allocated", Fields::ALLOCATED),
        ("accessed", Fields::ACCESSED),
        ("modified", Fields::MODIFIED),
        ("changed", Fields::CHANGED),
        ("created", Fields::CREATED),
    ];
}

/// A word that is not the name of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownField;

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fields are {}", Fields::NAMED.map(|(name, _)| name).join(", "))
    }
}

impl std::error::Error for UnknownField {}

impl FromStr for Fields {
    type Err = UnknownField;

    fn from_str(word: &str) -> Result<Fields, UnknownField> {
        let named = Fields::NAMED.into_iter().find(|(name, _)| *name == word);
        named.map(|(_, field)| field).ok_or(UnknownField)
    }
}

impl FromIterator<Fields> for Fields {
    fn from_iter<I: IntoIterator<Item = Fields>>(fields: I) -> Fields {
        fields.into_iter().fold(Fields::NONE, BitOr::bitor)
    }
}

impl Fields {
    /// That a file shares its blocks with others: never wanted, only filled.
    const SHARED_BLOCKS: Fields = Fields(0x4000_0000);

    /// Whether all of `other` are among them.
    #[inline]
    #[must_use]
    pub const fn contains(self, other: Fields) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Fields {
    type Output = Fields;
    fn bitor(self, other: Fields) -> Fields {
        Fields(self.0 | other.0)
    }
}

/// The answer to [`stat`](crate::stat()). Fields that were not requested, or that the file system
/// lacks, are 0.
///
/// Half the size of the kernel's own record, so that a hundred thousand of them can be kept.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    pub(crate) mode: u16,
    pub(crate) is_mount_root: bool,
    pub(crate) filled: Fields,
    pub(crate) links: u32,
    pub(crate) user: u32,
    pub(crate) group: u32,
    pub(crate) inode: u64,
    pub(crate) size: u64,
    pub(crate) sectors: u64,
    pub(crate) device: (u32, u32),
    /// Of a device; of a file that shares its blocks, the number that these files have in common.
    pub(crate) special: (u32, u32),
    /// Accessed, modified, changed, created; seconds and nanoseconds apart, so that the struct has
    /// no padding.
    pub(crate) seconds: [i64; 4],
    pub(crate) nanoseconds: [u32; 4],
}

impl Stat {
    /// The number that all files have which share all their blocks with it, and no other file of
    /// the device; `None` if it shares none, or where that costs a call to find out. Clones of APFS
    /// have one, as the records of a directory say it.
    #[inline]
    #[must_use]
    pub fn shared_blocks(&self) -> Option<u64> {
        let number = u64::from(self.special.0) << 32 | u64::from(self.special.1);
        self.filled.contains(Fields::SHARED_BLOCKS).then_some(number)
    }

    /// Notes that the blocks are also those of other files.
    #[cfg(any(target_os = "macos", test, feature = "fuzzing"))]
    pub(crate) fn share_blocks(&mut self, number: u64) {
        self.special = ((number >> 32) as u32, number as u32);
        self.filled = self.filled | Fields::SHARED_BLOCKS;
    }

    /// What a store tells of an object: kind, size, and when it was last written.
    #[cfg(feature = "stores")]
    #[must_use]
    pub fn of_object(kind: Kind, size: u64, modified: Time) -> Stat {
        Stat {
            mode: kind.type_bits(),
            is_mount_root: false,
            filled: Fields::KIND | Fields::SIZE | Fields::MODIFIED,
            links: 0,
            user: 0,
            group: 0,
            inode: 0,
            size,
            sectors: 0,
            device: (0, 0),
            special: (0, 0),
            seconds: [0, modified.seconds, 0, 0],
            nanoseconds: [0, modified.nanoseconds, 0, 0],
        }
    }

    /// The same with its twelve permission bits, where a store has them.
    #[cfg(feature = "stores")]
    #[must_use]
    pub fn with_permissions(self, permissions: u16) -> Stat {
        let mode = self.mode & !0o7777 | permissions & 0o7777;
        Stat { mode, filled: self.filled | Fields::PERMISSIONS, ..self }
    }

    /// Whether all of these fields were filled.
    #[must_use]
    pub fn has(&self, fields: Fields) -> bool {
        self.filled.contains(fields)
    }

    /// So many bytes it takes as [bytes](Stat::to_bytes).
    pub const BYTES: usize = 107;

    /// All fields one after the other, for memory that is handed from thread to thread. The order
    /// is nobody else's business. No call.
    #[inline]
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Stat::BYTES] {
        let mut bytes = [0; Stat::BYTES];
        let mut rest = bytes.as_mut_slice();
        put(&mut rest, self.mode.to_ne_bytes());
        put(&mut rest, [self.is_mount_root.into()]);
        for word in [self.filled.0, self.links, self.user, self.group] {
            put(&mut rest, word.to_ne_bytes());
        }
        for word in [self.inode, self.size, self.sectors] {
            put(&mut rest, word.to_ne_bytes());
        }
        for word in [self.device.0, self.device.1, self.special.0, self.special.1] {
            put(&mut rest, word.to_ne_bytes());
        }
        for word in self.seconds {
            put(&mut rest, word.to_ne_bytes());
        }
        for word in self.nanoseconds {
            put(&mut rest, word.to_ne_bytes());
        }
        bytes
    }

    /// What [`to_bytes`](Stat::to_bytes) made bytes of. No call.
    #[inline]
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Stat::BYTES]) -> Stat {
        let mut rest = bytes.as_slice();
        let rest = &mut rest;
        Stat {
            mode: u16::from_ne_bytes(take(rest)),
            is_mount_root: take(rest) != [0],
            filled: Fields(u32::from_ne_bytes(take(rest))),
            links: u32::from_ne_bytes(take(rest)),
            user: u32::from_ne_bytes(take(rest)),
            group: u32::from_ne_bytes(take(rest)),
            inode: u64::from_ne_bytes(take(rest)),
            size: u64::from_ne_bytes(take(rest)),
            sectors: u64::from_ne_bytes(take(rest)),
            device: (u32::from_ne_bytes(take(rest)), u32::from_ne_bytes(take(rest))),
            special: (u32::from_ne_bytes(take(rest)), u32::from_ne_bytes(take(rest))),
            seconds: [(); 4].map(|()| i64::from_ne_bytes(take(rest))),
            nanoseconds: [(); 4].map(|()| u32::from_ne_bytes(take(rest))),
        }
    }

    #[inline]
    fn time(&self, which: usize) -> Time {
        Time { seconds: self.seconds[which], nanoseconds: self.nanoseconds[which] }
    }

    /// The kind.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::from_dirent((self.mode >> 12) as u8)
    }
    crate::kind_questions!(".");
    crate::getters! {
        /// The twelve permission bits.
        permissions: u16 = |it| it.mode & 0o7777;
        /// Size in bytes.
        size: u64 = |it| it.size;
        /// Space taken on the device, in bytes: a multiple of 512.
        allocated: u64 = |it| it.sectors.saturating_mul(512);
        /// Owning user.
        user: u32 = |it| it.user;
        /// Owning group.
        group: u32 = |it| it.group;
        /// Inode number.
        inode: u64 = |it| it.inode;
        /// The device that holds it, as one number; always filled.
        device: u64 = |it| u64::from(it.device.0) << 32 | u64::from(it.device.1);
        /// Whether something is mounted on it and it is the top of that; always filled. False where
        /// the kernel does not say it (before 5.8), and where `statx` is refused.
        is_mount_root: bool = |it| it.is_mount_root;
        /// Major and minor number of the device that a block or character device is; always filled.
        special: (u32, u32) = |it| match it.shared_blocks() {
            Some(_) => (0, 0),
            None => it.special,
        };
        /// Number of names.
        links: u32 = |it| it.links;
        /// Time of the last reading of the contents, as far as the mount keeps it.
        accessed: Time = |it| it.time(0);
        /// Time of the last change of the contents.
        modified: Time = |it| it.time(1);
        /// Time of the last change of contents or metadata.
        changed: Time = |it| it.time(2);
        /// Time of creation; `None` where the file system keeps none, where `statx` is refused, or
        /// if it was not requested.
        created: Option<Time> = |it| it.filled.contains(Fields::CREATED).then_some(it.time(3));
    }
}

#[inline]
fn put<const N: usize>(rest: &mut &mut [u8], value: [u8; N]) {
    if let Some((front, behind)) = std::mem::take(rest).split_first_chunk_mut::<N>() {
        *front = value;
        *rest = behind;
    }
}

#[inline]
fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    match rest.split_first_chunk::<N>() {
        Some((front, behind)) => {
            *rest = behind;
            *front
        }
        None => [0; N],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_hold_every_field() {
        let stat = Stat {
            mode: 0x81a4,
            is_mount_root: true,
            filled: Fields(3),
            links: 4,
            user: 5,
            group: 6,
            inode: 7 << 40,
            size: 8 << 40,
            sectors: 9 << 40,
            device: (10, 11),
            special: (12, 13),
            seconds: [-1, 15, 16, i64::MAX],
            nanoseconds: [18, 19, 20, 999_999_999],
        };
        let again = Stat::from_bytes(&stat.to_bytes());
        assert_eq!(format!("{again:?}"), format!("{stat:?}"));
        assert_eq!(stat.to_bytes()[Stat::BYTES - 4..], 999_999_999_u32.to_ne_bytes());
    }
}
