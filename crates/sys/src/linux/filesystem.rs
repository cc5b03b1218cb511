//! What a kind of file system guarantees about its directories.

use rustix::fs::{fstatfs, fstatvfs};

use crate::Errno;
use crate::counter::Call;
use crate::unix::{Descriptor, retry};

/// What is known of the file system that a directory lies on. A guarantee that is not known to hold
/// is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSystem {
    /// The offsets that the last record of a directory carries, and no other record.
    end_marks: &'static [i64],
    /// Whether one mount is one device, so that only a mount point leads to another.
    one_device: bool,
    /// Whether every change of a directory's names gives it a new time of change.
    stamps_changes: bool,
}

/// Whether whatever is mounted is a link, so that no directory leads to another device: not so
/// here.
pub const MOUNT_POINTS_ARE_LINKS: bool = false;

/// ext4 ends a hashed directory with the largest hash, which it gives to no name (fs/ext4/dir.c,
/// `ext4_get_htree_eof`): 63 bits for a 64-bit process, 31 for a 32-bit one.
const EXT4_END: i64 = if cfg!(target_pointer_width = "64") { i64::MAX } else { 0x7fff_ffff };

impl FileSystem {
    /// ext2, ext3 and ext4 share one number.
    pub const EXT4: FileSystem = FileSystem { end_marks: &[EXT4_END], ..FileSystem::XFS };
    /// tmpfs keeps `S32_MAX` for the end and gives it to no entry (fs/libfs.c, `DIR_OFFSET_EOD`).
    pub const TMPFS: FileSystem = FileSystem { end_marks: &[0x7fff_ffff], ..FileSystem::XFS };
    /// btrfs sets the position behind all entries at the end (fs/btrfs/inode.c,
    /// `btrfs_real_readdir`). Its subvolumes are devices of their own without being mounts.
    pub const BTRFS: FileSystem =
        FileSystem { end_marks: &[0x7fff_ffff, i64::MAX], one_device: false, stamps_changes: true };
    /// xfs and f2fs: no mark at the end, but names never change without a new time of change, as on
    /// all local file systems that keep times to the nanosecond.
    pub const XFS: FileSystem =
        FileSystem { end_marks: &[], one_device: true, stamps_changes: true };
    /// One device per mount, and no mark at the end.
    pub const PLAIN: FileSystem = FileSystem { stamps_changes: false, ..FileSystem::XFS };
    /// Nothing is known.
    pub const OTHER: FileSystem = FileSystem { one_device: false, ..FileSystem::PLAIN };

    /// Whether a last record with this offset says that the directory ends here.
    #[inline]
    #[must_use]
    pub fn marks_end(self, offset: i64) -> bool {
        self.end_marks.contains(&offset)
    }

    /// Whether a directory that is no mount point is surely on the device of its parent.
    #[must_use]
    pub fn is_one_device(self) -> bool {
        self.one_device
    }

    /// Whether a directory whose times of change are the same still has the same names. Not so
    /// where another machine or program may change it unseen (NFS, FUSE, 9p), where its names are
    /// made up (proc, cgroup) or come from several directories (overlay), or where times are coarse
    /// (vfat).
    #[must_use]
    pub fn stamps_changes(self) -> bool {
        self.stamps_changes
    }

    /// By the number in `statfs` (linux/magic.h).
    fn from_magic(magic: u64) -> FileSystem {
        match magic {
            0xef53 => FileSystem::EXT4,
            0x0102_1994 => FileSystem::TMPFS,
            0x9123_683e => FileSystem::BTRFS,
            0x5846_5342 | 0xf2f5_2010 => FileSystem::XFS, // and f2fs
            // proc, sysfs, devpts, cgroup, cgroup2, squashfs, vfat, exfat, iso9660
            0x9fa0 | 0x6265_6572 | 0x1cd1 | 0x0027_e0eb | 0x6367_7270 | 0x7371_7368 | 0x4d44
            | 0x2011_bab0 | 0x9660 => FileSystem::PLAIN,
            _ => FileSystem::OTHER,
        }
    }
}

/// Which file system an open directory lies on.
///
/// Price: one `fstatfs`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "fstatfs")]
pub fn filesystem(dir: &Descriptor) -> Result<FileSystem, Errno> {
    use std::os::fd::AsFd;
    let answer = retry(Call::Fstatfs, || fstatfs(dir.as_fd()))?;
    // The C type of the number differs by architecture and may be negative; only 32 bits count.
    Ok(FileSystem::from_magic(answer.f_type as u64 & 0xffff_ffff))
}

/// The number that tells the file system of an open directory from others of its kind: given when
/// it was made (ext4, btrfs) or mounted (tmpfs), or that of its device (xfs, f2fs).
///
/// Price: one `fstatfs`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "fstatfs")]
pub fn filesystem_id(dir: &Descriptor) -> Result<u64, Errno> {
    use std::os::fd::AsFd;
    Ok(retry(Call::Fstatfs, || fstatvfs(dir.as_fd()))?.f_fsid)
}

/// Whether an open directory lies on a file system that other machines or programs change without
/// this kernel: then inotify tells only what goes through this kernel (linux/magic.h: NFS, SMB,
/// CIFS, FUSE, 9p, Ceph, AFS, Coda).
///
/// Price: one `fstatfs`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "fstatfs")]
pub fn is_changed_elsewhere(dir: &Descriptor) -> Result<bool, Errno> {
    use std::os::fd::AsFd;
    const MAGIC: [u64; 9] = [
        0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x6573_5546, 0x0102_1997, 0x00c3_6400,
        0x5346_414f, 0x7375_7245,
    ];
    let answer = retry(Call::Fstatfs, || fstatfs(dir.as_fd()))?;
    Ok(MAGIC.contains(&(answer.f_type as u64 & 0xffff_ffff)))
}
