//! Opening a directory for names in it, and reading a block of its entries.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd};

use rustix::fs::{Mode, OFlags, openat};

use super::{Entries, FileSystem};
use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, Buffer, Descriptor, last_error, retry};

/// Opens the directory `name` relative to `at`, following links, only for names relative to it: it
/// cannot be read, and no permission to read it is needed. A name that ends in `/.` makes the
/// kernel check that the directory may be searched, as for a working directory.
///
/// Price: one `openat`.
///
/// # Errors
/// As [`open_dir`](crate::open_dir).
#[doc(alias = "openat")]
pub fn open_place(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    retry(Call::Openat, || openat(at, name, flags, Mode::empty())).map(Descriptor::new)
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
    // SAFETY: the kernel returned how many bytes it wrote.
    Ok(Entries::parse(unsafe { buffer.filled(filled) }, on))
}
