//! Files: open, read, write, and read links.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{Mode, OFlags, openat, readlinkat_raw};

use super::{At, Descriptor, retry};
use crate::Errno;
use crate::counter::Call;

/// Opens `name` relative to `at` for reading, following links.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "openat")]
pub fn open(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    open_with(at, name, OFlags::empty())
}

/// Opens `name` as [`open`] does, without waiting: a FIFO without a writer, or a
/// device that is not ready, is open at once.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "openat")]
pub fn open_at_once(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    open_with(at, name, OFlags::NONBLOCK)
}

/// Whether `name` relative to `at` exists, links followed, as `access` answers it.
///
/// Price: one `faccessat`.
///
/// # Errors
/// The kernel's number: `ENOENT`, `EACCES`, `ENOTDIR`, …
#[doc(alias = "faccessat")]
pub fn access(at: At<'_>, name: &CStr) -> Result<(), Errno> {
    use rustix::fs::{Access as Bits, AtFlags, accessat};
    retry(Call::Faccessat, || accessat(at, name, Bits::EXISTS, AtFlags::empty()))
}

fn open_with(at: At<'_>, name: &CStr, more: OFlags) -> Result<Descriptor, Errno> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | more;
    retry(Call::Openat, || openat(at, name, flags, Mode::empty())).map(Descriptor::new)
}

/// Reads at most `block.len()` bytes; 0 is the end.
///
/// Price: one `read`.
///
/// # Errors
/// The kernel's number.
pub fn read(file: impl AsFd, block: &mut [u8]) -> Result<usize, Errno> {
    let file = file.as_fd();
    retry(Call::Read, || rustix::io::read(file, &mut *block))
}

/// Reads as much as `bytes` has room for without growing, and appends it; 0 is the end, unless
/// there is no room.
///
/// Price: one `read`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "read")]
pub fn read_more(file: impl AsFd, bytes: &mut Vec<u8>) -> Result<usize, Errno> {
    let file = file.as_fd();
    retry(Call::Read, || rustix::io::read(file, rustix::buffer::spare_capacity(bytes)))
}

/// Most files that are read whole are smaller, and memory that is not touched costs nothing.
const FIRST_READ_BYTES: usize = 8 << 10;

/// Reads a file up to its end, but refuses one of more than `limit` bytes (`EFBIG`). A pipe without
/// a writer counts as empty; the function does not wait for one.
///
/// Price: one `openat`, one `close`, and a `read` for the first 8 KiB, for each doubling, and for
/// the end; files in /proc give about 4 KiB per read.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "openat")]
pub fn read_all(at: At<'_>, name: &CStr, limit: usize) -> Result<Vec<u8>, Errno> {
    read_until(at, name, limit, |_| false)
}

/// Reads a file as [`read_all`] does, but stops as soon as `is_whole` says that the bytes read so
/// far are all: for a format that marks its own end.
///
/// Price: as [`read_all`], less the read for the end.
///
/// # Errors
/// The kernel's number.
pub fn read_until(
    at: At<'_>,
    name: &CStr,
    limit: usize,
    mut is_whole: impl FnMut(&[u8]) -> bool,
) -> Result<Vec<u8>, Errno> {
    let file = open_with(at, name, OFlags::NONBLOCK)?;
    let mut bytes = Vec::new();
    loop {
        let filled = bytes.len();
        if filled > limit {
            return Err(Errno::FBIG);
        }
        bytes.resize((filled * 2).max(FIRST_READ_BYTES), 0);
        let got = read(&file, &mut bytes[filled..])?;
        bytes.truncate(filled + got);
        if got == 0 || is_whole(&bytes) {
            return Ok(bytes);
        }
    }
}

/// Writes as many of `bytes` as the file takes at once.
///
/// Price: one `write`.
///
/// # Errors
/// The kernel's number: `EPIPE`, `ENOSPC`, `EAGAIN`, …
pub fn write(file: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize, Errno> {
    retry(Call::Write, || rustix::io::write(file, bytes))
}

/// Writes all of `bytes`.
///
/// Price: one `write`; more if the file takes less at a time.
///
/// # Errors
/// The kernel's number: `EPIPE`, `ENOSPC`, … Part of the bytes may be written by then.
#[doc(alias = "write")]
pub fn write_all(file: BorrowedFd<'_>, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match write(file, bytes) {
            Ok(0) => return Err(Errno::IO),
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            // Another process that shares the open file made it non-blocking: wait until it can be
            // written.
            Err(Errno::AGAIN) => wait_for_room(file)?,
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

fn wait_for_room(file: BorrowedFd<'_>) -> Result<(), Errno> {
    use rustix::event::{PollFd, PollFlags, poll};
    retry(Call::Poll, || poll(&mut [PollFd::from_borrowed_fd(file, PollFlags::OUT)], None))
        .map(drop)
}

/// The target of the link `name` relative to `at`.
///
/// Price: one `readlinkat`; one more per doubling for a target of more than 256 bytes.
///
/// # Errors
/// The kernel's number; `EINVAL` if it is no link.
#[doc(alias = "readlinkat")]
pub fn read_link(at: At<'_>, name: &CStr) -> Result<Vec<u8>, Errno> {
    read_link_of(at, name, 255)
}

/// The target of the link `name` relative to `at`, if it is known to take `bytes` bytes, from the
/// link's size.
///
/// Price: one `readlinkat`; more only if the target is longer (the size of a link in /proc is 0 or
/// 64).
///
/// # Errors
/// As [`read_link`].
#[doc(alias = "readlinkat")]
pub fn read_link_of(at: At<'_>, name: &CStr, bytes: u64) -> Result<Vec<u8>, Errno> {
    // The kernel gives a page at most.
    let capacity = usize::try_from(bytes).unwrap_or(0).clamp(127, 4095) + 1;
    let mut target = Vec::with_capacity(capacity);
    loop {
        target.clear();
        let capacity = target.capacity();
        let length = retry(Call::Readlinkat, || {
            readlinkat_raw(at, name, rustix::buffer::spare_capacity(&mut target))
        })?;
        if length < capacity {
            return Ok(target);
        }
        target.reserve(2 * capacity);
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;

    use super::super::CWD;
    use super::*;

    #[test]
    fn what_is_there_is_told_from_what_is_not() {
        assert_eq!(access(CWD, c"/"), Ok(()));
        assert_eq!(access(CWD, c"/no such file"), Err(Errno::NOENT));
        assert_eq!(access(CWD, c"/dev/null/x"), Err(Errno::NOTDIR));
    }

    #[test]
    fn a_pipe_with_a_name_is_open_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let name = CString::new(path.to_str().unwrap()).unwrap();
        let fifo = open_at_once(CWD, &name).unwrap();
        assert_eq!(read(&fifo, &mut [0; 8]), Ok(0));
    }
}
