//! `fstatat` and `fstat`, which fill every field.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd};

use rustix::fs::{AtFlags, major, minor};

use crate::counter::Call;
use crate::unix::{At, CWD, retry};
use crate::{Errno, Fields, Stat};

impl Stat {
    #[allow(clippy::unnecessary_cast, reason = "the numbers have other sizes on other systems")]
    fn from_record(from: &libc::stat) -> Stat {
        Stat {
            mode: from.st_mode as u16,
            is_mount_root: false,
            filled: Fields::ALL,
            links: from.st_nlink as u32,
            user: from.st_uid,
            group: from.st_gid,
            inode: from.st_ino,
            size: u64::try_from(from.st_size).unwrap_or(0),
            sectors: u64::try_from(from.st_blocks).unwrap_or(0),
            device: (major(from.st_dev), minor(from.st_dev)),
            special: (major(from.st_rdev), minor(from.st_rdev)),
            seconds: [from.st_atime, from.st_mtime, from.st_ctime, from.st_birthtime],
            nanoseconds: [
                from.st_atime_nsec, from.st_mtime_nsec, from.st_ctime_nsec, from.st_birthtime_nsec,
            ]
            .map(|nanoseconds| u32::try_from(nanoseconds).unwrap_or(0)),
        }
    }
}

/// What is known of `name` relative to `at`; of a link itself unless `follow`. Every field is
/// filled, whatever is asked for.
///
/// Price: one `fstatat`.
///
/// # Errors
/// The kernel's number: `ENOENT`, `EACCES`, `ELOOP`, …
#[doc(alias = "fstatat")]
#[inline]
pub fn stat(at: At<'_>, name: &CStr, follow: bool, _fields: Fields) -> Result<Stat, Errno> {
    let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    let record = retry(Call::Fstatat, || rustix::fs::statat(at, name, flags))?;
    Ok(Stat::from_record(&record))
}

/// What is known of an open file, or of the working directory if it is that.
///
/// Price: one `fstat`, or `fstatat` of the working directory.
///
/// # Errors
/// The kernel's number: `EIO`, …
#[doc(alias = "fstat")]
pub fn stat_descriptor(file: impl AsFd, fields: Fields) -> Result<Stat, Errno> {
    let file = file.as_fd();
    if file.as_raw_fd() == CWD.as_raw_fd() {
        return stat(file, c".", true, fields);
    }
    let record = retry(Call::Fstat, || rustix::fs::fstat(file))?;
    Ok(Stat::from_record(&record))
}
