//! What a shell does with descriptors: open in every way, look ahead, put back, move, close.

use std::ffi::CStr;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use rustix::fs::{MemfdFlags, Mode, OFlags, SeekFrom};
use rustix::io::FdFlags;
use rustix::net::RecvFlags;
use rustix::pipe::SpliceFlags;

use super::{At, Descriptor, Errno, STDERR, STDIN, STDOUT, last_error, retry};
use crate::counter::{Call, count};

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// To be read.
    Read,
    /// To be written: emptied, or made.
    Write,
    /// To be written at its end: made if need be.
    Append,
    /// To be read and written as it is: made if need be.
    ReadWrite,
    /// To be written, and made: it must not be there.
    New,
    /// To be written as it is: it must be there.
    Existing,
}

/// Opens `name` relative to `at`, links followed. The umask takes bits off 0666 for a new file. A
/// terminal does not become that of this process.
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
    let (flags, mode) = (way | OFlags::CLOEXEC | OFlags::NOCTTY, Mode::from_bits_retain(0o666));
    retry(Call::Openat, || rustix::fs::openat(at, name, flags, mode)).map(Descriptor::new)
}

/// Copies what is in the pipe `from`, at most `at_most` bytes, into the pipe `into`, and leaves it
/// where it is. Waits if nothing is there; 0 is the end.
///
/// Price: one `tee`.
///
/// # Errors
/// The kernel's number: `EINVAL` if one of them is no pipe.
#[doc(alias = "tee")]
pub fn peek_pipe(from: impl AsFd, into: impl AsFd, at_most: usize) -> Result<usize, Errno> {
    let (from, into) = (from.as_fd(), into.as_fd());
    retry(Call::Tee, || rustix::pipe::tee(from, into, at_most, SpliceFlags::empty()))
}

/// Copies what has come in at a socket, at most `at_most` bytes, behind `bytes`, and leaves it
/// where it is. Waits if nothing is there; 0 is the end.
///
/// Price: one `recvfrom`.
///
/// # Errors
/// The kernel's number: `ENOTSOCK`, `ECONNRESET`, …
#[doc(alias = "recvfrom")]
pub fn peek_socket(socket: impl AsFd, bytes: &mut Vec<u8>, at_most: usize) -> Result<usize, Errno> {
    let socket = socket.as_fd();
    let start = bytes.len();
    bytes.resize(start + at_most, 0);
    let got = retry(Call::Recvfrom, || {
        rustix::net::recv(socket, &mut bytes[start..], RecvFlags::PEEK).map(|(got, _)| got)
    });
    bytes.truncate(start + got.unwrap_or(0).min(at_most));
    got
}

/// Takes `bytes` bytes that are there out of a pipe or a socket.
///
/// Price: one `read` for each 64 KiB.
///
/// # Errors
/// The kernel's number. It is no error if another process has taken them.
pub fn discard(from: impl AsFd, mut bytes: usize) -> Result<(), Errno> {
    let from = from.as_fd();
    let mut room = Vec::<u8>::with_capacity(bytes.min(64 << 10));
    while bytes > 0 {
        let spare = room.spare_capacity_mut();
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

/// Lets the next read of an open file begin so many bytes before where it would begin.
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

/// A file in memory that has no name.
///
/// Price: one `memfd_create`; one `close` later.
///
/// # Errors
/// The kernel's number: `EMFILE`, `ENOMEM`.
#[doc(alias = "memfd_create")]
pub fn memory_file() -> Result<Descriptor, Errno> {
    retry(Call::MemfdCreate, || rustix::fs::memfd_create(c"memory", MemfdFlags::CLOEXEC))
        .map(Descriptor::new)
}

/// Waits until `file` can be read or is at its end, for as long as `at_most` says; whether it can.
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

/// Waits until no process can write any more to the other end of a pipe or a socket, for as long as
/// `at_most` says; whether that is so. What was written may still have to be read. With
/// `or_readable` it comes back when there is something to be read, too.
///
/// Price: one `ppoll`.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "ppoll")]
pub fn wait_closed(
    file: impl AsFd,
    or_readable: bool,
    at_most: Option<Duration>,
) -> Result<bool, Errno> {
    use rustix::event::{PollFd, PollFlags, poll};
    let time = at_most.map(timespec);
    let readable = if or_readable { PollFlags::IN } else { PollFlags::empty() };
    let mut one = [PollFd::new(&file, readable | PollFlags::RDHUP)];
    retry(Call::Poll, || poll(&mut one, time.as_ref()))?;
    Ok(one[0].revents().intersects(PollFlags::HUP | PollFlags::RDHUP | PollFlags::ERR))
}

/// How many bytes are in a pipe, or have come in at a socket, and wait to be read.
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

/// Waits until one of `files` can be read or is at its end, for as long as `at_most` says; which
/// of them.
///
/// Price: one `ppoll`.
///
/// # Errors
/// The kernel's number; `EINTR` if a caught signal came, as for a thread that asked for it.
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

fn timespec(time: Duration) -> rustix::event::Timespec {
    rustix::event::Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    }
}

/// Which numbers have been adopted already; those above 63 are not.
static ADOPTED: AtomicU64 = AtomicU64::new(0);

/// Takes over what this process was given under `number` by the process that started it, if
/// anything: 3 and more, up to 63. Programs that are run do not get it from then on unless told to.
/// `None` if there is nothing, if it has been taken over before, or if it is one that this process
/// has opened itself: all those are closed when a program is run.
///
/// Price: one `fcntl`; if there is one, another, and one `close` later.
#[doc(alias = "fcntl")]
#[must_use]
pub fn adopt(number: i32) -> Option<Descriptor> {
    let bit = u32::try_from(number).ok().filter(|bit| (3..64).contains(bit)).map(|bit| 1 << bit)?;
    // SAFETY: the number is not -1. It is only borrowed to be asked about, and the kernel minds if
    // it is not open. The descriptor is never dropped here.
    let asked = unsafe { ManuallyDrop::new(OwnedFd::from_raw_fd(number)) };
    let flags = retry(Call::Fcntl, || rustix::io::fcntl_getfd(&*asked)).ok()?;
    if flags.contains(FdFlags::CLOEXEC) || ADOPTED.fetch_or(bit, Relaxed) & bit != 0 {
        return None;
    }
    let adopted = Descriptor::new(ManuallyDrop::into_inner(asked));
    retry(Call::Fcntl, || rustix::io::fcntl_setfd(&adopted, FdFlags::CLOEXEC)).ok()?;
    // SAFETY assumptions of owning it: it is open, came through an `execve` (std, this crate and
    // the C library's own files are all closed then), and is handed out once.
    Some(adopted)
}

/// Makes a descriptor one that programs that are run do not get.
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

/// The same open file under another number, `least` or above, closed when a program is run.
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

/// Puts /dev/null in the place of one of the three standard descriptors, so that a process that
/// holds the other end of what was there sees it closed, and no other file gets the number.
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

/// Puts an open file in the place of one of the three standard descriptors: what was there is
/// closed.
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
    count(Call::Dup3);
    // SAFETY: plain numbers; the three standard descriptors belong to nothing that would be
    // surprised, and are never left closed.
    match unsafe { libc::dup3(file.as_fd().as_raw_fd(), number, 0) } {
        -1 => Err(last_error()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pipe, read, write_all};

    #[test]
    fn what_is_peeked_at_stays() {
        let ((reader, writer), (mine, side)) = (pipe().unwrap(), pipe().unwrap());
        write_all(writer.as_fd(), b"hello").unwrap();
        assert_eq!(peek_pipe(&reader, &side, 100), Ok(5));
        let mut block = [0; 9];
        assert_eq!((read(&mine, &mut block), &block[..5]), (Ok(5), &b"hello"[..]));
        discard(&reader, 2).unwrap();
        assert_eq!((read(&reader, &mut block), &block[..3]), (Ok(3), &b"llo"[..]));
    }

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
        let own = memory_file().unwrap();
        assert!(adopt(own.as_fd().as_raw_fd()).is_none());
        assert!(adopt(62).is_none() && adopt(0).is_none() && adopt(-1).is_none());
    }
}
