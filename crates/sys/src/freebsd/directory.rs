//! Reading a block of a directory's entries.

use std::ffi::{c_char, c_int};
use std::os::fd::{AsFd, AsRawFd};

use super::Entries;
use crate::Errno;
use crate::bsd::FileSystem;
use crate::counter::Call;
use crate::unix::{Buffer, Descriptor, last_error, position, retry};

// The libc crate has no name for it (getdirentries(2), dirent.h).
unsafe extern "C" {
    fn getdirentries(file: c_int, block: *mut c_char, size: usize, base: *mut libc::off_t)
    -> isize;
}

/// Reads the next block of entries of `dir` into `buffer`; the entries borrow from it.
///
/// A block without entries is the end of the directory.
///
/// Price: one `getdirentries`, and an `lseek` unless it is the end.
///
/// # Errors
/// The kernel's number: `ENOENT` for a directory removed meanwhile, `EIO`, …
#[doc(alias = "getdirentries")]
#[inline]
pub fn read_entries<'b>(
    dir: &Descriptor,
    buffer: &'b mut Buffer,
    _on: FileSystem,
) -> Result<Entries<'b>, Errno> {
    let fd = dir.as_fd().as_raw_fd();
    let (block, size) = buffer.memory();
    let mut base = 0;
    let filled = retry(Call::Getdirentries, || {
        // SAFETY: the descriptor is open as long as `dir` is borrowed; `block` points to `size`
        // bytes that nothing else refers to while `buffer` is borrowed mutably; the kernel writes
        // at most `size` bytes there, and one number to `base`.
        let answer = unsafe { getdirentries(fd, block.cast(), size, &raw mut base) };
        usize::try_from(answer).map_err(|_| last_error())
    })?;
    let behind = if filled > 0 { position(dir)?.cast_signed() } else { base };
    // SAFETY: the kernel returned how many bytes it wrote.
    Ok(Entries::parse(unsafe { buffer.filled(filled) }, behind))
}
