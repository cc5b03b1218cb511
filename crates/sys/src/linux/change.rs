//! Changes to a tree by calls that Linux has: files without a name, and nodes.

use std::ffi::CStr;

use rustix::fs::{FileType, Mode, OFlags};

use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, Descriptor, retry};

/// Makes a file without a name on the file system of the directory `name` relative to `at`, and
/// opens it for writing. It is gone when it is closed.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number: `EOPNOTSUPP` where the file system has no such files, `EACCES`, `EROFS`, …
#[doc(alias = "O_TMPFILE")]
pub fn create_nameless(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    let mode = Mode::RUSR | Mode::WUSR;
    retry(Call::Openat, || rustix::fs::openat(at, name, flags, mode)).map(Descriptor::new)
}

/// Makes the file `name` relative to `at`, which must not be there yet, and leaves it closed. The
/// umask takes bits off `bits`.
///
/// Price: one `mknodat`.
///
/// # Errors
/// As [`create`](crate::create).
#[doc(alias = "mknodat")]
pub fn make_file(at: At<'_>, name: &CStr, bits: u32) -> Result<(), Errno> {
    let mode = Mode::from_bits_retain(bits);
    retry(Call::Mknodat, || rustix::fs::mknodat(at, name, FileType::RegularFile, mode, 0))
}
