//! Opening a directory and reading a block of its entries.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd};

use rustix::fs::{Mode, OFlags, openat};

use super::{Buffer, Entries, FileSystem};
use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, Descriptor, last_error, retry};

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

/// Opens the directory `name` relative to `at`, following links, only for names relative to it: it
/// cannot be read, and no permission to read it is needed. A name that ends in `/.` makes the
/// kernel check that the directory may be searched, as for a working directory.
///
/// Price: one `openat`.
///
/// # Errors
/// As [`open_dir`].
#[doc(alias = "openat")]
pub fn open_place(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    retry(Call::Openat, || openat(at, name, flags, Mode::empty())).map(Descriptor::new)
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

/// Reads the next block of entries of `dir` into `buffer`; the entries borrow from it.
///
/// A block without entries is the end of the directory. On file systems whose [`FileSystem`] marks
/// the end, [`Entries::ended`] may know it after the last entry already.
///
/// Price: one `getdents64`.
///
/// # Errors
/// The kernel's number: `ENOENT` for a directory removed meanwhile, `EINVAL` for a buffer
/// smaller than one entry, `EIO`, …
#[doc(alias = "getdents64")]
#[inline]
pub fn read_entries<'b>(
    dir: &Descriptor,
    buffer: &'b mut Buffer,
    on: FileSystem,
) -> Result<Entries<'b>, Errno> {
    let fd = dir.as_fd().as_raw_fd();
    let (block, size) = buffer.memory();
    let filled = retry(Call::Getdents64, || {
        // SAFETY: the descriptor is open as long as `dir` is borrowed; `block` points to `size`
        // bytes that nothing else refers to while `buffer` is borrowed mutably, aligned for the
        // records; the kernel writes at most `size` bytes there.
        let answer = unsafe { libc::syscall(libc::SYS_getdents64, fd, block, size) };
        usize::try_from(answer).map_err(|_| last_error())
    })?;
    Ok(buffer.entries(filled, on))
}

/// Lets the next [`read_entries`] go on from `position`, which an earlier one has reached, maybe on
/// another descriptor of the same directory.
///
/// Price: one `lseek`.
///
/// # Errors
/// The kernel's number: `EINVAL` where the file system knows no such position.
#[doc(alias = "lseek")]
pub fn seek(dir: &Descriptor, position: i64) -> Result<(), Errno> {
    // A position is whatever 64 bits the file system chose; rustix takes them unsigned.
    let to = rustix::fs::SeekFrom::Start(position as u64);
    retry(Call::Lseek, || rustix::fs::seek(dir, to)).map(drop)
}
