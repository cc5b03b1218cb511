//! Opening a directory, and its position.

use std::ffi::CStr;
use std::os::fd::AsFd;

use rustix::fs::{Mode, OFlags, openat};

use super::{At, Descriptor, retry};
use crate::Errno;
use crate::counter::Call;

/// Opens the directory `name` relative to `at` for reading its entries.
///
/// A link as the last component is followed only with `follow`. Otherwise the error is `ENOTDIR`,
/// as for any other entry that is not a directory.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number: `EACCES`, `ENOENT`, `ENOTDIR`, `ELOOP`, `EMFILE`, `ENAMETOOLONG`, …
#[doc(alias = "openat")]
#[inline]
pub fn open_dir(at: At<'_>, name: &CStr, follow: bool) -> Result<Descriptor, Errno> {
    let mut flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    if !follow {
        flags |= OFlags::NOFOLLOW;
    }
    retry(Call::Openat, || openat(at, name, flags, Mode::empty())).map(Descriptor::new)
}

/// Opens the directory `name` relative to `at` to remove what is in it; a link is none. Whether the
/// kind of `name` `is_unknown` does not matter: the call itself refuses a link.
///
/// Price: one `openat`.
///
/// # Errors
/// As [`open_dir`].
#[inline]
pub fn open_dir_to_empty(at: At<'_>, name: &CStr, _is_unknown: bool) -> Result<Descriptor, Errno> {
    open_dir(at, name, false)
}

/// Opens the parent directory of `dir`. The caller checks that it is the expected one: `dir` may
/// have been moved.
///
/// Price: one `openat`.
///
/// # Errors
/// As [`open_dir`].
#[doc(alias = "openat")]
pub fn open_parent(dir: &Descriptor) -> Result<Descriptor, Errno> {
    open_dir(dir.as_fd(), c"..", false)
}

/// Lets the next [`read_entries`](crate::read_entries) go on from `position`, which an earlier one
/// has reached, maybe on another descriptor of the same directory.
///
/// Price: one `lseek`.
///
/// # Errors
/// The kernel's number: `EINVAL` where the file system knows no such position.
#[doc(alias = "lseek")]
#[cfg(not(target_os = "macos"))]
pub fn seek(dir: &Descriptor, position: i64) -> Result<(), Errno> {
    // A position is whatever 64 bits the file system chose; rustix takes them unsigned.
    let to = rustix::fs::SeekFrom::Start(position as u64);
    retry(Call::Lseek, || rustix::fs::seek(dir, to)).map(drop)
}
