//! What changes a tree: permissions, new names, and names that go.

use std::ffi::CStr;

use rustix::fs::{AtFlags, Mode, OFlags};

use super::{At, Descriptor, Errno, retry};
use crate::counter::Call;

/// Sets the permission bits of what `name` relative to `at` leads to, links followed. Of `bits`
/// the lowest twelve count.
///
/// Price: one `fchmodat`.
///
/// # Errors
/// The kernel's number: `EPERM`, `ENOENT`, `EROFS`, …
pub fn set_permissions(at: At<'_>, name: &CStr, bits: u32) -> Result<(), Errno> {
    let mode = Mode::from_bits_retain(bits);
    retry(Call::Fchmodat, || rustix::fs::chmodat(at, name, mode, AtFlags::empty()))
}

/// Makes the symbolic link `name` relative to `at`, which says `target`.
///
/// Price: one `symlinkat`.
///
/// # Errors
/// The kernel's number: `EEXIST`, `ENOENT`, `ENAMETOOLONG` for a target of 4,096 bytes or more, …
pub fn make_symlink(at: At<'_>, name: &CStr, target: &CStr) -> Result<(), Errno> {
    retry(Call::Symlinkat, || rustix::fs::symlinkat(target, at, name))
}

/// Gives the file `target` relative to `from` another name: `name` relative to `at`. Of a link it
/// is the link itself that gets it.
///
/// Price: one `linkat`.
///
/// # Errors
/// The kernel's number: `EEXIST`, `ENOENT`, `EPERM` for a directory, `EXDEV`, `EMLINK`, …
pub fn make_hard_link(at: At<'_>, name: &CStr, from: At<'_>, target: &CStr) -> Result<(), Errno> {
    retry(Call::Linkat, || rustix::fs::linkat(from, target, at, name, AtFlags::empty()))
}

/// Makes the directory `name` relative to `at`. The umask takes bits off `bits`.
///
/// Price: one `mkdirat`.
///
/// # Errors
/// The kernel's number: `EEXIST`, `ENOENT`, `EACCES`, …
pub fn make_directory(at: At<'_>, name: &CStr, bits: u32) -> Result<(), Errno> {
    let mode = Mode::from_bits_retain(bits);
    retry(Call::Mkdirat, || rustix::fs::mkdirat(at, name, mode))
}

/// Makes the file `name` relative to `at`, which must not be there yet, and opens it for reading
/// and writing. The umask takes bits off `bits`.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number: `EEXIST` for whatever is there, a link that leads nowhere included;
/// `ENOENT`, `EACCES`, …
pub fn create(at: At<'_>, name: &CStr, bits: u32) -> Result<Descriptor, Errno> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mode = Mode::from_bits_retain(bits);
    retry(Call::Openat, || rustix::fs::openat(at, name, flags, mode)).map(Descriptor::new)
}

/// Removes the name `name` relative to `at`, which must not be a directory's; a link itself.
///
/// Price: one `unlinkat`.
///
/// # Errors
/// The kernel's number: `EISDIR` for a directory, `ENOENT`, `EACCES`, …
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
#[inline]
pub fn remove_directory(at: At<'_>, name: &CStr) -> Result<(), Errno> {
    retry(Call::Unlinkat, || rustix::fs::unlinkat(at, name, AtFlags::REMOVEDIR))
}
