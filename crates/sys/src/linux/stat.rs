//! `statx` for the requested fields only; `newfstatat` where `statx` is refused.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd};

use rustix::fs::{AtFlags, Statx, StatxAttributes, StatxFlags};

use crate::counter::Call;
use crate::unix::{At, Newer, last_error, retry};
use crate::{Errno, Fields, Stat};

impl Stat {
    fn from_statx(from: &Statx) -> Stat {
        let times = [&from.stx_atime, &from.stx_mtime, &from.stx_ctime, &from.stx_btime];
        Stat {
            mode: from.stx_mode,
            is_mount_root: from.stx_attributes.contains(StatxAttributes::MOUNT_ROOT),
            filled: Fields(from.stx_mask),
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
            filled: Fields(StatxFlags::BASIC_STATS.bits()),
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

static STATX: Newer = Newer::new();

#[inline]
fn ask(at: At<'_>, name: &CStr, flags: AtFlags, fields: Fields) -> Result<Stat, Errno> {
    STATX.or(|| ask_statx(at, name, flags, fields), || ask_older(at, name, flags))
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
    let (flags, fields) = (flags.bits(), fields.0);
    retry(Call::Statx, || {
        let (at, name) = (at.as_raw_fd(), name.as_ptr());
        // SAFETY: the descriptor is open as long as `at` is borrowed, or is AT_FDCWD; `name` ends
        // with a NUL; `record` points to a record of the kernel's layout that nothing else refers
        // to.
        let code = unsafe { libc::syscall(libc::SYS_statx, at, name, flags, fields, record) };
        if code == 0 { Ok(()) } else { Err(last_error()) }
    })?;
    // SAFETY: the call succeeded, so the kernel has filled the record; any bytes make one.
    Ok(Stat::from_statx(unsafe { answer.assume_init_ref() }))
}
