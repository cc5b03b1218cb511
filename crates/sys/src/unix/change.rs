//! Changes to a tree: permissions, new names, renaming, and removing.

use std::ffi::CStr;

use rustix::fs::{AtFlags, Mode, OFlags, Timespec, Timestamps};

use super::{At, Descriptor, mode_of, retry};
use crate::counter::Call;
use crate::{Errno, SetTime};

/// Sets the permission bits of the file that `name` relative to `at` leads to; links are followed.
/// Only the lowest twelve of `bits` count.
///
/// Price: one `fchmodat`.
///
/// # Errors
/// The kernel's number: `EPERM`, `ENOENT`, `EROFS`, …
#[doc(alias = "fchmodat")]
pub fn set_permissions(at: At<'_>, name: &CStr, bits: u32) -> Result<(), Errno> {
    let mode = mode_of(bits);
    retry(Call::Fchmodat, || rustix::fs::chmodat(at, name, mode, AtFlags::empty()))
}

/// Makes the symbolic link `name` relative to `at`, with the target `target`.
///
/// Price: one `symlinkat`.
///
/// # Errors
/// The kernel's number: `EEXIST`, `ENOENT`, `ENAMETOOLONG` for a target of 4,096 bytes or more, …
#[doc(alias = "symlinkat")]
pub fn make_symlink(at: At<'_>, name: &CStr, target: &CStr) -> Result<(), Errno> {
    retry(Call::Symlinkat, || rustix::fs::symlinkat(target, at, name))
}

/// Gives the file `target` relative to `from` another name: `name` relative to `at`. If `target` is
/// a link, the link itself gets the name.
///
/// Price: one `linkat`.
///
/// # Errors
/// The kernel's number: `EEXIST`, `ENOENT`, `EPERM` for a directory, `EXDEV`, `EMLINK`, …
#[doc(alias = "linkat")]
pub fn make_hard_link(at: At<'_>, name: &CStr, from: At<'_>, target: &CStr) -> Result<(), Errno> {
    retry(Call::Linkat, || rustix::fs::linkat(from, target, at, name, AtFlags::empty()))
}

/// Makes the directory `name` relative to `at`. The umask takes bits off `bits`.
///
/// Price: one `mkdirat`.
///
/// # Errors
/// The kernel's number: `EEXIST`, `ENOENT`, `EACCES`, …
#[doc(alias = "mkdirat")]
pub fn make_directory(at: At<'_>, name: &CStr, bits: u32) -> Result<(), Errno> {
    let mode = mode_of(bits);
    retry(Call::Mkdirat, || rustix::fs::mkdirat(at, name, mode))
}

/// Makes the file `name` relative to `at`, which must not be there yet, and opens it for reading
/// and writing. The umask takes bits off `bits`.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number: `EEXIST` if the name exists, also as a link that leads nowhere;
/// `ENOENT`, `EACCES`, …
#[doc(alias = "openat")]
pub fn create(at: At<'_>, name: &CStr, bits: u32) -> Result<Descriptor, Errno> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mode = mode_of(bits);
    retry(Call::Openat, || rustix::fs::openat(at, name, flags, mode)).map(Descriptor::new)
}

/// Opens the file `name` relative to `at` for writing, links followed, and empties it; makes it if
/// it is not there. The umask takes bits off `bits`.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number: `EISDIR`, `EACCES`, `EROFS`, `ENOENT` for a directory on the way, …
#[doc(alias = "openat")]
pub fn overwrite(at: At<'_>, name: &CStr, bits: u32) -> Result<Descriptor, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC | OFlags::NOCTTY;
    let mode = mode_of(bits);
    retry(Call::Openat, || rustix::fs::openat(at, name, flags, mode)).map(Descriptor::new)
}

/// Removes `name` relative to `at`, which must not be a directory. A link is removed itself.
///
/// Price: one `unlinkat`.
///
/// # Errors
/// The kernel's number: `EISDIR` for a directory, `ENOENT`, `EACCES`, …
#[doc(alias = "unlinkat")]
#[inline]
pub fn remove_file(at: At<'_>, name: &CStr) -> Result<(), Errno> {
    retry(Call::Unlinkat, || rustix::fs::unlinkat(at, name, AtFlags::empty()))
}

/// Removes the empty directory `name` relative to `at`.
///
/// Price: one `unlinkat`.
///
/// # Errors
/// The kernel's number: `ENOTEMPTY` (some file systems say `EEXIST`), `ENOTDIR`, `EBUSY` where
/// something is mounted, `EINVAL` for a path that ends in `.`, …
#[doc(alias = "unlinkat")]
#[inline]
pub fn remove_directory(at: At<'_>, name: &CStr) -> Result<(), Errno> {
    retry(Call::Unlinkat, || rustix::fs::unlinkat(at, name, AtFlags::REMOVEDIR))
}

/// Opens the file `name` relative to `at` for writing, links followed, without waiting for a
/// reader; makes it if it is not there. The umask takes bits off `bits`.
///
/// Price: one `openat`.
///
/// # Errors
/// As [`overwrite`]; `ENXIO` for a FIFO without a reader.
#[doc(alias = "openat")]
pub fn open_or_make(at: At<'_>, name: &CStr, bits: u32) -> Result<Descriptor, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOCTTY;
    let (flags, mode) = (flags | OFlags::NONBLOCK, mode_of(bits));
    retry(Call::Openat, || rustix::fs::openat(at, name, flags, mode)).map(Descriptor::new)
}

/// Opens the file `name` relative to `at`, which must be there, for writing, links followed, and
/// empties it if it is a regular file.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number: `ENOENT`, `EISDIR`, `EACCES`, `EROFS`, `ETXTBSY`, …
#[doc(alias = "openat")]
pub fn open_emptied(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    let flags = OFlags::WRONLY | OFlags::TRUNC | OFlags::CLOEXEC | OFlags::NOCTTY;
    retry(Call::Openat, || rustix::fs::openat(at, name, flags, Mode::empty())).map(Descriptor::new)
}

impl SetTime {
    /// As utimensat(2) takes it (linux/stat.h: `UTIME_NOW`, `UTIME_OMIT`).
    pub(super) fn timespec(self) -> Timespec {
        let (tv_sec, tv_nsec) = match self {
            SetTime::Keep => (0, rustix::fs::UTIME_OMIT),
            SetTime::Now => (0, rustix::fs::UTIME_NOW),
            SetTime::To(time) => (time.seconds, time.nanoseconds.into()),
        };
        Timespec { tv_sec, tv_nsec }
    }
}

/// Sets the access and modification times of `name` relative to `at`; of a link itself unless
/// `follow`.
///
/// Price: one `utimensat`.
///
/// # Errors
/// The kernel's number: `ENOENT`; `EACCES` if both times are to be set to now and the file may not
/// be written; `EPERM` if a user who does not own the file wants any other change; `EROFS`, …
#[doc(alias = "utimensat")]
pub fn set_times(
    at: At<'_>,
    name: &CStr,
    follow: bool,
    accessed: SetTime,
    modified: SetTime,
) -> Result<(), Errno> {
    let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    let times =
        Timestamps { last_access: accessed.timespec(), last_modification: modified.timespec() };
    retry(Call::Utimensat, || rustix::fs::utimensat(at, name, &times, flags))
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn what_was_there_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let name = std::ffi::CString::new(path.as_os_str().as_bytes()).unwrap();
        for text in ["long text", "short"] {
            let file = overwrite(super::super::CWD, &name, 0o600).unwrap();
            super::super::write_all(file.as_fd(), text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let directory = overwrite(super::super::CWD, c"/", 0o600).map(drop);
        assert_eq!(directory, Err(Errno::ISDIR));
    }
}
