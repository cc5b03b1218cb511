//! Opens a path only to look at it; tells the path of an open file.

use std::ffi::{CStr, CString};
use std::os::fd::{AsRawFd, BorrowedFd};

use rustix::fs::{Mode, OFlags, openat};

use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, CWD, Descriptor, read_link, retry};

/// Opens `name` relative to `at`, whatever its kind, links followed, only to look at its metadata:
/// this needs no permission on the file, and does not wait.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number: `ENOENT`, `ENOTDIR`, `EACCES` for a directory on the way, `ELOOP`, …
#[doc(alias = "openat")]
pub fn open_path(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    retry(Call::Openat, || openat(at, name, flags, Mode::empty())).map(Descriptor::new)
}

/// The path of an open file as the kernel knows it at this moment, with " (deleted)" behind it if
/// the name is gone. The caller checks that it leads here.
///
/// Price: one `readlinkat` in /proc.
///
/// # Errors
/// `ENOENT` where there is no /proc; `ENAMETOOLONG` for a path of 4 KiB or more.
#[doc(alias = "readlinkat")]
pub fn path_of(file: BorrowedFd<'_>) -> Result<Vec<u8>, Errno> {
    let link = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd()));
    read_link(CWD, &link.map_err(|_| Errno::INVAL)?)
}
