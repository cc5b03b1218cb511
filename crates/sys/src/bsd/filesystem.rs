//! What a kind of file system guarantees about its directories.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd};

use crate::Errno;
use crate::counter::Call;
#[cfg(target_os = "macos")]
use crate::macos_formats::reader::Volume;
use crate::unix::{Descriptor, last_error, retry};

/// What is known of the file system that a directory lies on. A guarantee that is not known to hold
/// is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSystem {
    /// Whether one mount is one device, so that only a mount point leads to another.
    one_device: bool,
    /// Whether every change of a directory's names gives it a new time of change.
    stamps_changes: bool,
    /// Whether `stat` says of a directory that it has as many names as entries, and two more.
    entries_are_links: bool,
    /// The number that was given to it when it was mounted; 0 if it is not known.
    number: u64,
}

/// Whether whatever is mounted is a link, so that no directory leads to another device: not so
/// here.
pub const MOUNT_POINTS_ARE_LINKS: bool = false;

impl FileSystem {
    /// APFS keeps times to the nanosecond. Its firmlinks lead to another volume without being
    /// mounts.
    pub const APFS: FileSystem =
        FileSystem { stamps_changes: true, entries_are_links: true, ..FileSystem::OTHER };
    /// HFS+: one device per mount, and times in seconds.
    pub const HFS: FileSystem = FileSystem { entries_are_links: true, ..FileSystem::PLAIN };
    /// UFS and ZFS: one device per mount. UFS keeps seconds unless it is told otherwise, so two
    /// changes may have one time.
    pub const PLAIN: FileSystem = FileSystem { one_device: true, ..FileSystem::OTHER };
    /// Nothing is known.
    pub const OTHER: FileSystem = FileSystem {
        one_device: false,
        stamps_changes: false,
        entries_are_links: false,
        number: 0,
    };

    /// Whether a directory that is no mount point is surely on the device of its parent.
    #[must_use]
    pub fn is_one_device(self) -> bool {
        self.one_device
    }

    /// Whether a directory whose times of change are the same still has the same names. Not so
    /// where another machine may change it unseen, or where times are coarse (HFS+, FAT).
    #[must_use]
    pub fn stamps_changes(self) -> bool {
        self.stamps_changes
    }

    #[cfg(target_os = "macos")]
    pub(crate) fn volume(self) -> Volume {
        Volume { number: self.number, entries_are_links: self.entries_are_links }
    }

    /// By the name in `statfs`, which ends with a NUL.
    fn from_name(name: &[libc::c_char]) -> FileSystem {
        let is = |known: &[u8]| bytes(name).eq(known.iter().copied());
        match () {
            () if is(b"apfs") => FileSystem::APFS,
            () if is(b"hfs") => FileSystem::HFS,
            () if is(b"ufs") || is(b"zfs") => FileSystem::PLAIN,
            () => FileSystem::OTHER,
        }
    }
}

/// The bytes before the NUL of what the kernel has filled in.
pub(super) fn bytes(text: &[libc::c_char]) -> impl Iterator<Item = u8> {
    text.iter().flat_map(|byte| byte.to_ne_bytes()).take_while(|byte| *byte != 0)
}

/// Which file system an open directory lies on.
///
/// Price: one `fstatfs`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "fstatfs")]
pub fn filesystem(dir: &Descriptor) -> Result<FileSystem, Errno> {
    let answer = statfs(dir)?;
    let number = number(&answer.f_fsid);
    Ok(FileSystem { number, ..FileSystem::from_name(&answer.f_fstypename) })
}

/// The number that tells the file system of an open directory from others: given when it was
/// mounted.
///
/// Price: one `fstatfs`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "fstatfs")]
pub fn filesystem_id(dir: &Descriptor) -> Result<u64, Errno> {
    statfs(dir).map(|it| number(&it.f_fsid))
}

/// Both halves of the number of a file system.
pub(super) fn number(id: &libc::fsid_t) -> u64 {
    const { assert!(size_of::<libc::fsid_t>() == 8) };
    // SAFETY: it is two 32-bit integers (sys/mount.h), whose names the libc crate keeps; any
    // alignment will do.
    unsafe { std::ptr::from_ref(id).cast::<u64>().read_unaligned() }
}

fn statfs(dir: &Descriptor) -> Result<libc::statfs, Errno> {
    let file = dir.as_fd().as_raw_fd();
    let mut answer = MaybeUninit::<libc::statfs>::zeroed();
    retry(Call::Fstatfs, || {
        // SAFETY: the descriptor is open as long as `dir` is borrowed; the kernel fills the record.
        match unsafe { libc::fstatfs(file, answer.as_mut_ptr()) } {
            0 => Ok(()),
            _ => Err(last_error()),
        }
    })?;
    // SAFETY: the kernel has filled it, and all-zero was a whole record before.
    Ok(unsafe { answer.assume_init() })
}
