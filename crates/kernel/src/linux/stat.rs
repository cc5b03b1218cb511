//! `statx` with just the fields asked for.

use std::ffi::CStr;
use std::ops::BitOr;
use std::os::fd::AsFd;

use rustix::fs::{AtFlags, Statx, StatxFlags, statx};

use super::{At, Errno, retry};
use crate::counter::Call;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// The file system did not say, and asking failed or was not worth a call.
    Unknown,
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A block device.
    Block,
    /// A character device.
    Char,
}

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

/// Which fields of a [`Stat`] are wanted. The kernel may be able to answer cheaper for fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields(StatxFlags);

impl Fields {
    /// What it is.
    pub const KIND: Fields = Fields(StatxFlags::TYPE);
    /// Permission bits.
    pub const MODE: Fields = Fields(StatxFlags::MODE);
    /// Owning user and group.
    pub const OWNER: Fields = Fields(StatxFlags::UID.union(StatxFlags::GID));
    /// Size in bytes.
    pub const SIZE: Fields = Fields(StatxFlags::SIZE);
    /// Time of the last change of the contents.
    pub const MODIFIED: Fields = Fields(StatxFlags::MTIME);
    /// Number of names.
    pub const LINKS: Fields = Fields(StatxFlags::NLINK);
    /// Inode number.
    pub const INODE: Fields = Fields(StatxFlags::INO);
}

impl BitOr for Fields {
    type Output = Fields;
    fn bitor(self, other: Fields) -> Fields {
        Fields(self.0 | other.0)
    }
}

/// A point in time: seconds since 1970-01-01T00:00:00Z and nanoseconds after that second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Whole seconds, negative before 1970.
    pub seconds: i64,
    /// 0 to 999,999,999, counted forwards also before 1970.
    pub nanoseconds: u32,
}

/// The answer to [`stat`]. Fields that were not asked for, or that the file system lacks, are 0.
#[derive(Clone, Copy, Debug)]
pub struct Stat(Statx);

impl Stat {
    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::from_mode(self.0.stx_mode)
    }
    /// The twelve permission bits.
    #[must_use]
    pub fn permissions(&self) -> u16 {
        self.0.stx_mode & 0o7777
    }
    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.stx_size
    }
    /// Owning user.
    #[must_use]
    pub fn user(&self) -> u32 {
        self.0.stx_uid
    }
    /// Owning group.
    #[must_use]
    pub fn group(&self) -> u32 {
        self.0.stx_gid
    }
    /// Inode number.
    #[must_use]
    pub fn inode(&self) -> u64 {
        self.0.stx_ino
    }
    /// The device that holds it, as one number; always filled.
    #[must_use]
    pub fn device(&self) -> u64 {
        u64::from(self.0.stx_dev_major) << 32 | u64::from(self.0.stx_dev_minor)
    }
    /// Number of names.
    #[must_use]
    pub fn links(&self) -> u32 {
        self.0.stx_nlink
    }
    /// Time of the last change of the contents.
    #[must_use]
    pub fn modified(&self) -> Time {
        Time { seconds: self.0.stx_mtime.tv_sec, nanoseconds: self.0.stx_mtime.tv_nsec }
    }
}

/// Asks for the `fields` of `name` relative to `at`; a link is answered for itself unless
/// `follow`.
///
/// Price: one `statx`.
///
/// # Errors
/// The kernel's number: `ENOENT`, `EACCES`, `ELOOP`, …
#[inline]
pub fn stat(at: At<'_>, name: &CStr, follow: bool, fields: Fields) -> Result<Stat, Errno> {
    let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    // A mount that mounts itself when looked at stays as it is: nobody asked for its contents.
    let flags = flags | AtFlags::NO_AUTOMOUNT;
    retry(Call::Statx, || statx(at, name, flags, fields.0)).map(Stat)
}

/// Asks for the `fields` of an open file.
///
/// Price: one `statx`.
///
/// # Errors
/// The kernel's number.
pub fn stat_descriptor(file: impl AsFd, fields: Fields) -> Result<Stat, Errno> {
    let file = file.as_fd();
    retry(Call::Statx, || statx(file, c"", AtFlags::EMPTY_PATH, fields.0)).map(Stat)
}
