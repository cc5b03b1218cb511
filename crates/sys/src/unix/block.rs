//! Reads blocks of bytes and appends them to a buffer, into memory that need not be cleared first;
//! reads and sets the position of an open file, and sets its length.

use std::mem::MaybeUninit;
use std::os::fd::AsFd;

use rustix::fs::SeekFrom;

use super::retry;
use crate::Errno;
use crate::counter::Call;

/// Reads at most `at_most` bytes and appends them to `bytes`; 0 is the end.
///
/// Price: one `read`, whatever it gives; and a `poll` where there is nothing yet to read and
/// another process that shares the open file made it non-blocking.
///
/// # Errors
/// The kernel's number: `EISDIR` for a directory, `EIO`, …
#[doc(alias = "read")]
pub fn read_behind(file: impl AsFd, bytes: &mut Vec<u8>, at_most: usize) -> Result<usize, Errno> {
    let file = file.as_fd();
    append(bytes, at_most, |spare| {
        loop {
            match retry(Call::Read, || {
                rustix::io::read(file, &mut *spare).map(|(got, _)| got.len())
            }) {
                Err(Errno::AGAIN) => wait_for_bytes(file)?,
                done => return done,
            }
        }
    })
}

/// Reads at most `at_most` bytes from `offset` on and appends them to `bytes`; 0 is the end. The
/// file's own position, which other readers may share, neither matters nor changes.
///
/// Price: one `pread64`.
///
/// # Errors
/// The kernel's number: `ESPIPE` for a pipe.
#[doc(alias = "pread64")]
pub fn pread_behind(
    file: impl AsFd,
    bytes: &mut Vec<u8>,
    at_most: usize,
    offset: u64,
) -> Result<usize, Errno> {
    let file = file.as_fd();
    append(bytes, at_most, |spare| {
        retry(Call::Pread64, || {
            rustix::io::pread(file, &mut *spare, offset).map(|(got, _)| got.len())
        })
    })
}

/// Lets `fill` initialise the beginning of the next `at_most` bytes behind `bytes`; `fill` returns
/// how many it initialised.
fn append(
    bytes: &mut Vec<u8>,
    at_most: usize,
    fill: impl FnOnce(&mut [MaybeUninit<u8>]) -> Result<usize, Errno>,
) -> Result<usize, Errno> {
    bytes.try_reserve(at_most).map_err(|_| Errno::NOMEM)?;
    let got = fill(&mut bytes.spare_capacity_mut()[..at_most])?.min(at_most);
    // SAFETY: `fill` is one of the two closures above, which answer the length of the part that
    // rustix says the kernel has initialised, at the beginning of the spare capacity; it is within
    // the capacity, since `at_most` bytes were reserved.
    unsafe { bytes.set_len(bytes.len() + got) };
    Ok(got)
}

fn wait_for_bytes(file: impl AsFd) -> Result<(), Errno> {
    use rustix::event::{PollFd, PollFlags, poll};
    retry(Call::Poll, || poll(&mut [PollFd::new(&file, PollFlags::IN)], None)).map(drop)
}

/// The position at which the next [`read_behind`] of an open file begins.
///
/// Price: one `lseek`.
///
/// # Errors
/// The kernel's number: `ESPIPE` for a pipe, a socket or a terminal.
#[doc(alias = "lseek")]
pub fn position(file: impl AsFd) -> Result<u64, Errno> {
    let file = file.as_fd();
    retry(Call::Lseek, || rustix::fs::seek(file, SeekFrom::Current(0)))
}

/// Sets the position at which the next [`read_behind`] of an open file begins.
///
/// Price: one `lseek`.
///
/// # Errors
/// As [`position`].
#[doc(alias = "lseek")]
pub fn set_position(file: impl AsFd, offset: u64) -> Result<(), Errno> {
    let file = file.as_fd();
    retry(Call::Lseek, || rustix::fs::seek(file, SeekFrom::Start(offset))).map(drop)
}

/// Sets the length of an open file: what is behind it is gone, what is missing is zero bytes.
///
/// Price: one `ftruncate`.
///
/// # Errors
/// The kernel's number: `EINVAL` for what is no file or not open for writing, `EPERM` for a file
/// that may only grow.
#[doc(alias = "ftruncate")]
pub fn set_length(file: impl AsFd, bytes: u64) -> Result<(), Errno> {
    let file = file.as_fd();
    retry(Call::Ftruncate, || rustix::fs::ftruncate(file, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, Write};

    fn file(text: &[u8]) -> std::fs::File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text).unwrap();
        file.rewind().unwrap();
        file
    }

    #[test]
    fn what_is_read_stands_behind_what_was_there() {
        let file = file(b"0123456789");
        let mut bytes = b"ab".to_vec();
        assert_eq!(read_behind(&file, &mut bytes, 3), Ok(3));
        assert_eq!(bytes, b"ab012");
        assert_eq!(position(&file), Ok(3));
        assert_eq!(pread_behind(&file, &mut bytes, 4, 8), Ok(2));
        assert_eq!(bytes, b"ab01289");
        set_position(&file, 9).unwrap();
        assert_eq!(read_behind(&file, &mut bytes, 100), Ok(1));
        assert_eq!(read_behind(&file, &mut bytes, 100), Ok(0));
        assert_eq!(bytes, b"ab012899");
        set_length(&file, 2).unwrap();
        assert_eq!(pread_behind(&file, &mut bytes, 100, 0), Ok(2));
        assert_eq!(set_length(crate::pipe().unwrap().1, 0), Err(Errno::INVAL));
    }
}
