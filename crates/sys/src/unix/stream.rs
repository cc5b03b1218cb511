//! Operations of a shell on descriptors: open, peek, put back, move, close.

use std::ffi::{CStr, c_int};
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use rustix::fs::{OFlags, SeekFrom};
use rustix::io::FdFlags;

use super::{At, Descriptor, STDERR, STDIN, STDOUT, last_error, mode_of, retry};
use crate::Errno;
use crate::counter::{Call, count};

/// How to open a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// For reading.
    Read,
    /// For writing: emptied, and made if it is not there.
    Write,
    /// For writing at its end: made if it is not there.
    Append,
    /// For reading and writing, its contents kept: made if it is not there.
    ReadWrite,
    /// For writing: it must not be there, and is made.
    New,
    /// For writing, its contents kept: it must be there.
    Existing,
}

/// Opens `name` relative to `at`, links followed. The umask takes bits off 0666 for a new file. A
/// terminal does not become this process's controlling terminal.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "openat")]
pub fn open_how(at: At<'_>, name: &CStr, how: How) -> Result<Descriptor, Errno> {
    let way = match how {
        How::Read => OFlags::RDONLY,
        How::Write => OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC,
        How::Append => OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND,
        How::ReadWrite => OFlags::RDWR | OFlags::CREATE,
        How::New => OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL,
        How::Existing => OFlags::WRONLY,
    };
    let (flags, mode) = (way | OFlags::CLOEXEC | OFlags::NOCTTY, mode_of(0o666));
    retry(Call::Openat, || rustix::fs::openat(at, name, flags, mode)).map(Descriptor::new)
}

/// Appends to `bytes` at most `at_most` bytes that have arrived at a socket, and leaves them there.
/// Waits if there are none; 0 is the end.
///
/// Price: one `recvfrom`.
///
/// # Errors
/// The kernel's number: `ENOTSOCK`, `ECONNRESET`, …
#[doc(alias = "recvfrom")]
pub fn peek_socket(socket: impl AsFd, bytes: &mut Vec<u8>, at_most: usize) -> Result<usize, Errno> {
    let socket = socket.as_fd().as_raw_fd();
    let start = bytes.len();
    bytes.resize(start + at_most, 0);
    let got = retry(Call::Recvfrom, || {
        let space = &mut bytes[start..];
        // SAFETY: the kernel writes at most `space.len()` bytes, into memory that is lent to it.
        let got =
            unsafe { libc::recv(socket, space.as_mut_ptr().cast(), space.len(), libc::MSG_PEEK) };
        usize::try_from(got).map_err(|_| last_error())
    });
    bytes.truncate(start + got.unwrap_or(0).min(at_most));
    got
}

/// Takes `bytes` bytes, which have arrived, out of a pipe or a socket.
///
/// Price: one `read` for each 64 KiB.
///
/// # Errors
/// The kernel's number. It is no error if another process has taken them.
pub fn discard(from: impl AsFd, mut bytes: usize) -> Result<(), Errno> {
    let from = from.as_fd();
    let mut buffer = Vec::<u8>::with_capacity(bytes.min(64 << 10));
    while bytes > 0 {
        let spare = buffer.spare_capacity_mut();
        let at_most = spare.len().min(bytes);
        let got = retry(Call::Read, || {
            rustix::io::read(from, &mut spare[..at_most]).map(|(got, _)| got.len())
        })?;
        if got == 0 {
            break;
        }
        bytes -= got.min(bytes);
    }
    Ok(())
}

/// Moves the position of an open file back by so many bytes.
///
/// Price: one `lseek`.
///
/// # Errors
/// The kernel's number: `ESPIPE` for a pipe, a socket or a terminal.
#[doc(alias = "lseek")]
pub fn move_back(file: impl AsFd, bytes: u64) -> Result<(), Errno> {
    let file = file.as_fd();
    let back = SeekFrom::Current(0_i64.saturating_sub_unsigned(bytes));
    retry(Call::Lseek, || rustix::fs::seek(file, back)).map(drop)
}

/// Waits until `file` can be read or is at its end, at most for `at_most`; returns whether it can
/// be read.
///
/// Price: one `ppoll`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "ppoll")]
pub fn wait_readable(file: impl AsFd, at_most: Option<Duration>) -> Result<bool, Errno> {
    use rustix::event::{PollFd, PollFlags, poll};
    let time = at_most.map(timespec);
    let mut one = [PollFd::new(&file, PollFlags::IN)];
    retry(Call::Poll, || poll(&mut one, time.as_ref())).map(|ready| ready > 0)
}

/// How many bytes wait to be read in a pipe or a socket.
///
/// Price: one `ioctl`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "ioctl")]
pub fn waiting_bytes(file: impl AsFd) -> Result<u64, Errno> {
    let file = file.as_fd();
    retry(Call::Ioctl, || rustix::io::ioctl_fionread(file))
}

/// Waits until one of `files` can be read or is at its end, at most for `at_most`; returns which of
/// them.
///
/// Price: one `ppoll`.
///
/// # Errors
/// The kernel's number; `EINTR` if a caught signal came, as for an interruptible thread.
#[doc(alias = "ppoll")]
pub fn wait_any_readable(
    files: &[BorrowedFd<'_>],
    at_most: Option<Duration>,
) -> Result<Vec<bool>, Errno> {
    use rustix::event::{PollFd, PollFlags, poll};
    let time = at_most.map(timespec);
    let polled = files.iter().map(|&file| PollFd::from_borrowed_fd(file, PollFlags::IN));
    let mut all: Vec<PollFd<'_>> = polled.collect();
    retry(Call::Poll, || poll(&mut all, time.as_ref()))?;
    Ok(all.iter().map(|file| !file.revents().is_empty()).collect())
}

pub(crate) fn timespec(time: Duration) -> rustix::event::Timespec {
    rustix::event::Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos() as _, // below 2³⁰; the type has 32 bits on some machines
    }
}

/// The numbers that have been adopted already, as bits; numbers above 63 are never adopted.
static ADOPTED: AtomicU64 = AtomicU64::new(0);

/// Takes over the descriptor `number` that this process inherited: from 3 up to 63. From then on
/// programs that are run do not inherit it, unless it is passed on explicitly. `None` if there is
/// none, if it has been adopted before, or if this process opened it itself: such descriptors are
/// all closed when a program is run, which tells them apart.
///
/// Price: one `fcntl`; if there is one, another, and one `close` later.
#[doc(alias = "fcntl")]
#[must_use]
pub fn adopt(number: i32) -> Option<Descriptor> {
    let bit = u32::try_from(number).ok().filter(|bit| (3..64).contains(bit)).map(|bit| 1 << bit)?;
    // SAFETY: the number is not -1. It is only borrowed for a call, which fails if it is not open.
    // The descriptor is never dropped here.
    let borrowed = unsafe { ManuallyDrop::new(OwnedFd::from_raw_fd(number)) };
    let flags = retry(Call::Fcntl, || rustix::io::fcntl_getfd(&*borrowed)).ok()?;
    if flags.contains(FdFlags::CLOEXEC) || ADOPTED.fetch_or(bit, Relaxed) & bit != 0 {
        return None;
    }
    let adopted = Descriptor::new(ManuallyDrop::into_inner(borrowed));
    retry(Call::Fcntl, || rustix::io::fcntl_setfd(&adopted, FdFlags::CLOEXEC)).ok()?;
    // SAFETY assumptions of owning it: it is open, came through an `execve` (std, this crate and
    // the C library's own files are all closed then), and is handed out once.
    Some(adopted)
}

/// Makes a descriptor one that programs that are run do not inherit.
///
/// Price: one `fcntl`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "fcntl")]
pub fn close_on_run(file: impl AsFd, close: bool) -> Result<(), Errno> {
    let file = file.as_fd();
    let flags = if close { FdFlags::CLOEXEC } else { FdFlags::empty() };
    retry(Call::Fcntl, || rustix::io::fcntl_setfd(file, flags))
}

/// The same open file under another number, `least` or above, which programs that are run do not
/// inherit.
///
/// Price: one `fcntl`; one `close` later.
///
/// # Errors
/// The kernel's number: `EMFILE`, `EINVAL` where `least` is above the limit.
#[doc(alias = "fcntl")]
pub fn duplicate_from(file: impl AsFd, least: i32) -> Result<Descriptor, Errno> {
    let file = file.as_fd();
    retry(Call::Fcntl, || rustix::io::fcntl_dupfd_cloexec(file, least)).map(Descriptor::new)
}

/// Opens /dev/null in the place of one of the three standard descriptors, so that a process that
/// holds the other end sees this one closed, and no other file gets the number.
///
/// Price: one `openat`, one `dup3`, one `close`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "openat")]
#[doc(alias = "dup3")]
pub fn null_over(standard: BorrowedFd<'static>) -> Result<(), Errno> {
    let null = open_how(super::CWD, c"/dev/null", How::ReadWrite)?;
    put_over(&null, standard)
}

/// Makes an open file one of the three standard descriptors; what was open there is closed.
///
/// Price: one `dup3`.
///
/// # Errors
/// The kernel's number; `EBADF` if `standard` is none of the three.
#[doc(alias = "dup3")]
pub fn put_over(file: impl AsFd, standard: BorrowedFd<'static>) -> Result<(), Errno> {
    let number = standard.as_raw_fd();
    if ![STDIN, STDOUT, STDERR].iter().any(|one| one.as_raw_fd() == number) {
        return Err(Errno::BADF);
    }
    // SAFETY: no code depends on what the three standard descriptors are, and they are never left
    // closed.
    match unsafe { dup_over(file.as_fd().as_raw_fd(), number) } {
        -1 => Err(last_error()),
        _ => Ok(()),
    }
}

/// `dup3`, or `dup2` where only Linux has the former.
///
/// # Safety
/// No code depends on what is open as `number`.
pub(super) unsafe fn dup_over(file: c_int, number: c_int) -> c_int {
    count(Call::Dup3);
    // SAFETY: plain numbers, and as the caller says.
    #[cfg(target_os = "linux")]
    return unsafe { libc::dup3(file, number, 0) };
    // SAFETY: as above.
    #[cfg(not(target_os = "linux"))]
    return unsafe { libc::dup2(file, number) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_all;

    #[test]
    fn a_socket_is_peeked_at() {
        let (here, there) = std::os::unix::net::UnixStream::pair().unwrap();
        write_all(there.as_fd(), b"hello").unwrap();
        let mut bytes = b"x".to_vec();
        assert_eq!(peek_socket(&here, &mut bytes, 3), Ok(3));
        assert_eq!(bytes, b"xhel");
        discard(&here, 1).unwrap();
        assert_eq!(peek_socket(&here, &mut bytes, 9), Ok(4));
        assert_eq!(bytes, b"xhelello");
        assert_eq!(peek_socket(tempfile::tempfile().unwrap(), &mut bytes, 9), Err(Errno::NOTSOCK));
    }

    #[test]
    fn what_this_process_opened_is_not_adopted() {
        let own = tempfile::tempfile().unwrap();
        assert!(adopt(own.as_fd().as_raw_fd()).is_none());
        assert!(adopt(62).is_none() && adopt(0).is_none() && adopt(-1).is_none());
    }
}
