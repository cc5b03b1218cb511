//! `statx` for the requested fields only; `newfstatat` where `statx` is refused.

use std::ffi::CStr;
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::BitOr;
use std::os::fd::{AsFd, AsRawFd};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rustix::fs::{AtFlags, Statx, StatxAttributes, StatxFlags};

use super::{At, last_error, retry};
use crate::counter::Call;
use crate::{Errno, Kind, Time};

impl Kind {
    /// From `d_type` of a directory entry: the type bits of the mode, shifted down by 12.
    #[inline]
    pub(super) fn from_dirent(d_type: u8) -> Kind {
        match d_type {
            1 => Kind::Fifo,
            2 => Kind::Char,
            4 => Kind::Directory,
            6 => Kind::Block,
            8 => Kind::File,
            10 => Kind::Symlink,
            12 => Kind::Socket,
            _ => Kind::Unknown,
        }
    }

    fn from_mode(mode: u16) -> Kind {
        Kind::from_dirent((mode >> 12) as u8)
    }
}

/// The fields of a [`Stat`] that are wanted. The kernel may answer faster for fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields(StatxFlags);

impl Fields {
    /// The kind.
    pub const KIND: Fields = Fields(StatxFlags::TYPE);
    /// The twelve permission bits.
    pub const PERMISSIONS: Fields = Fields(StatxFlags::MODE);
    /// Owning user and group.
    pub const OWNER: Fields = Fields(StatxFlags::UID.union(StatxFlags::GID));
    /// Size in bytes.
    pub const SIZE: Fields = Fields(StatxFlags::SIZE);
    /// Number of names.
    pub const LINKS: Fields = Fields(StatxFlags::NLINK);
    /// Inode number.
    pub const INODE: Fields = Fields(StatxFlags::INO);
    /// Space taken on the device.
    pub const ALLOCATED: Fields = Fields(StatxFlags::BLOCKS);
    /// Time of the last reading of the contents, as far as the mount keeps it.
    pub const ACCESSED: Fields = Fields(StatxFlags::ATIME);
    /// Time of the last change of the contents.
    pub const MODIFIED: Fields = Fields(StatxFlags::MTIME);
    /// Time of the last change of contents or metadata.
    pub const CHANGED: Fields = Fields(StatxFlags::CTIME);
    /// Time of creation, where the file system keeps it.
    pub const CREATED: Fields = Fields(StatxFlags::BTIME);
    /// No field but the devices, which always come along.
    pub const NONE: Fields = Fields(StatxFlags::empty());
    /// Every field.
    pub const ALL: Fields = Fields(StatxFlags::BASIC_STATS.union(StatxFlags::BTIME));

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

impl BitOr for Fields {
    type Output = Fields;
    fn bitor(self, other: Fields) -> Fields {
        Fields(self.0 | other.0)
    }
}

/// The answer to [`stat`]. Fields that were not requested, or that the file system lacks, are 0.
///
/// Half the size of the kernel's own record, so that a hundred thousand of them can be kept.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    mode: u16,
    is_mount_root: bool,
    filled: StatxFlags,
    links: u32,
    user: u32,
    group: u32,
    inode: u64,
    size: u64,
    sectors: u64,
    device: (u32, u32),
    special: (u32, u32),
    /// Accessed, modified, changed, created; seconds and nanoseconds apart, so that the struct has
    /// no padding.
    seconds: [i64; 4],
    nanoseconds: [u32; 4],
}

impl Stat {
    fn new(from: &Statx) -> Stat {
        let times = [&from.stx_atime, &from.stx_mtime, &from.stx_ctime, &from.stx_btime];
        Stat {
            mode: from.stx_mode,
            is_mount_root: from.stx_attributes.contains(StatxAttributes::MOUNT_ROOT),
            filled: StatxFlags::from_bits_retain(from.stx_mask),
            links: from.stx_nlink,
            user: from.stx_uid,
            group: from.stx_gid,
            inode: from.stx_ino,
            size: from.stx_size,
            sectors: from.stx_blocks,
            device: (from.stx_dev_major, from.stx_dev_minor),
            special: (from.stx_rdev_major, from.stx_rdev_minor),
            seconds: times.map(|time| time.tv_sec),
            nanoseconds: times.map(|time| time.tv_nsec),
        }
    }

    /// From the answer of the older call, which has everything but the time of creation.
    fn from_older(from: &rustix::fs::Stat) -> Stat {
        use rustix::fs::{major, minor};
        let (device, special) = (from.st_dev, from.st_rdev);
        Stat {
            mode: from.st_mode as u16,
            is_mount_root: false,
            filled: StatxFlags::BASIC_STATS,
            links: u32::try_from(from.st_nlink).unwrap_or(u32::MAX),
            user: from.st_uid,
            group: from.st_gid,
            inode: from.st_ino,
            size: u64::try_from(from.st_size).unwrap_or(0),
            sectors: u64::try_from(from.st_blocks).unwrap_or(0),
            device: (major(device), minor(device)),
            special: (major(special), minor(special)),
            seconds: [from.st_atime, from.st_mtime, from.st_ctime, 0],
            nanoseconds: [from.st_atime_nsec, from.st_mtime_nsec, from.st_ctime_nsec, 0]
                .map(|nanoseconds| u32::try_from(nanoseconds).unwrap_or(0)),
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
        Kind::from_mode(self.mode)
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
        special: (u32, u32) = |it| it.special;
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
        created: Option<Time> = |it| it.filled.contains(StatxFlags::BTIME).then_some(it.time(3));
    }
}

/// The `fields` of the file `name` relative to `at`; of a link itself unless `follow`.
///
/// Price: one `statx`. Where that is refused, as by filters of containers older than the call and
/// by kernels before 4.11, one `newfstatat`; both calls the first time.
///
/// # Errors
/// The kernel's number: `ENOENT`, `EACCES`, `ELOOP`, …
#[doc(alias = "statx")]
#[doc(alias = "newfstatat")]
#[inline]
pub fn stat(at: At<'_>, name: &CStr, follow: bool, fields: Fields) -> Result<Stat, Errno> {
    let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    // An automount point is not mounted by looking at it.
    let flags = flags | AtFlags::NO_AUTOMOUNT;
    ask(at, name, flags, fields)
}

/// The `fields` of an open file.
///
/// Price: as [`stat`].
///
/// # Errors
/// The kernel's number.
#[doc(alias = "statx")]
#[doc(alias = "fstat")]
pub fn stat_descriptor(file: impl AsFd, fields: Fields) -> Result<Stat, Errno> {
    ask(file.as_fd(), c"", AtFlags::EMPTY_PATH, fields)
}

/// Whether this process was found to be refused `statx` for any file.
static REFUSED: AtomicBool = AtomicBool::new(false);

#[inline]
fn ask(at: At<'_>, name: &CStr, flags: AtFlags, fields: Fields) -> Result<Stat, Errno> {
    if REFUSED.load(Relaxed) {
        return ask_older(at, name, flags);
    }
    match ask_statx(at, name, flags, fields) {
        Err(errno @ (Errno::NOSYS | Errno::PERM)) => ask_again(at, name, flags, errno),
        answer => answer,
    }
}

/// A kernel without the call answers ENOSYS, a filter mostly EPERM: neither of them has looked at
/// the name. But a file system in user space (FUSE) may give the same answer to any call: `statx`
/// itself is refused only if the older call answers something else.
#[cold]
fn ask_again(at: At<'_>, name: &CStr, flags: AtFlags, first: Errno) -> Result<Stat, Errno> {
    match ask_older(at, name, flags) {
        Err(Errno::NOSYS | Errno::PERM) => Err(first),
        answer => {
            REFUSED.store(true, Relaxed);
            answer
        }
    }
}

fn ask_older(at: At<'_>, name: &CStr, flags: AtFlags) -> Result<Stat, Errno> {
    let stat = retry(Call::Newfstatat, || rustix::fs::statat(at, name, flags))?;
    Ok(Stat::from_older(&stat))
}

/// Not by rustix: after the first failure of its `statx` it makes another to see whether the kernel
/// has that call at all, and that one would not be counted.
#[inline]
fn ask_statx(at: At<'_>, name: &CStr, flags: AtFlags, fields: Fields) -> Result<Stat, Errno> {
    let mut answer = MaybeUninit::<Statx>::uninit();
    let record = answer.as_mut_ptr();
    let (flags, fields) = (flags.bits(), fields.0.bits());
    retry(Call::Statx, || {
        let (at, name) = (at.as_raw_fd(), name.as_ptr());
        // SAFETY: the descriptor is open as long as `at` is borrowed, or is AT_FDCWD; `name` ends
        // with a NUL; `record` points to a record of the kernel's layout that nothing else refers
        // to.
        let code = unsafe { libc::syscall(libc::SYS_statx, at, name, flags, fields, record) };
        if code == 0 { Ok(()) } else { Err(last_error()) }
    })?;
    // SAFETY: the call succeeded, so the kernel has filled the record; any bytes make one.
    Ok(Stat::new(unsafe { answer.assume_init_ref() }))
}
