//! Operations of a shell on descriptors: open, peek, put back, move, close.

use std::ffi::{CStr, CString};
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, Mode, OFlags, SeekFrom};
use rustix::io::FdFlags;
use rustix::pipe::SpliceFlags;

use super::newer::Newer;
use super::{At, CWD, Descriptor, STDERR, STDIN, STDOUT, create, last_error, remove_file, retry};
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
    let (flags, mode) = (way | OFlags::CLOEXEC | OFlags::NOCTTY, Mode::from_bits_retain(0o666));
    retry(Call::Openat, || rustix::fs::openat(at, name, flags, mode)).map(Descriptor::new)
}

/// Copies at most `at_most` bytes from the pipe `from` into the pipe `into`, and leaves them in
/// `from`. Waits if `from` is empty; 0 is the end.
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

/// A file in memory that has no name.
///
/// Price: one `memfd_create`; one `close` later. Where that is refused, as by kernels before 3.17,
/// one `openat` and one `unlinkat`; both the first time.
///
/// # Errors
/// The kernel's number: `EMFILE`, `ENOMEM`.
#[doc(alias = "memfd_create")]
pub fn memory_file() -> Result<Descriptor, Errno> {
    static MEMFD_CREATE: Newer = Newer::new();
    let newer =
        || retry(Call::MemfdCreate, || rustix::fs::memfd_create(c"memory", MemfdFlags::CLOEXEC));
    MEMFD_CREATE.or(|| newer().map(Descriptor::new), nameless_file)
}

/// The same with a name for a moment. It is gone before anything is in the file.
fn nameless_file() -> Result<Descriptor, Errno> {
    // In memory, where that is mounted.
    nameless_in(Path::new("/dev/shm")).or_else(|_| nameless_in(&std::env::temp_dir()))
}

fn nameless_in(folder: &Path) -> Result<Descriptor, Errno> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NUMBER.fetch_add(1, Relaxed);
        let path = folder.join(format!(".fewer-{}-{number}", std::process::id()));
        let path = CString::new(path.into_os_string().into_vec()).map_err(|_| Errno::INVAL)?;
        match create(CWD, &path, 0o600) {
            Err(Errno::EXIST) => {}
            made => return made.and_then(|file| remove_file(CWD, &path).map(|()| file)),
        }
    }
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

/// Waits until no process can write any more to the other end of a pipe or a socket, at most for
/// `at_most`; returns whether that is so. Written bytes may still be there to be read. With
/// `or_readable` it also returns when there is something to be read.
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

/// What ended a [wait](wait_readable_or_signal).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// There is something to be read.
    Readable,
    /// No process reads any more what is written.
    ReaderGone,
    /// A caught signal came.
    Signal,
    /// The time is over.
    Time,
}

/// Waits until `file` can be read, no process reads `output` any more (if it is a pipe or a
/// socket), or a signal comes; at most for `at_most`. Signals that are held back come meanwhile,
/// and not before or after, so that none is missed. A signal goes before what can be read, of which
/// there may always be more.
///
/// Price: one `ppoll`; two where it does not have to wait.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "ppoll")]
pub fn wait_readable_or_signal(
    held: &super::HeldSignals,
    file: impl AsFd,
    output: impl AsFd,
    at_most: Option<Duration>,
) -> Result<Woken, Errno> {
    let poll_for =
        |fd: BorrowedFd<'_>, events| libc::pollfd { fd: fd.as_raw_fd(), events, revents: 0 };
    let mut both = [poll_for(file.as_fd(), libc::POLLIN), poll_for(output.as_fd(), 0)];
    let time = at_most.map(|time| libc::timespec {
        // Decades are enough.
        tv_sec: i32::try_from(time.as_secs()).unwrap_or(i32::MAX).into(),
        tv_nsec: time.subsec_nanos() as _, // below 2³⁰; the type has 32 bits on some machines
    });
    let time = time.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    let start = Instant::now();
    count(Call::Poll);
    // SAFETY: `both` is two whole records, whose descriptors are open as long as they are borrowed;
    // the time and the mask are whole values, or a null pointer for no time, and only read.
    match unsafe { libc::ppoll(both.as_mut_ptr(), 2, time, held.before()) } {
        0 => Ok(Woken::Time),
        1.. if both[1].revents & (libc::POLLERR | libc::POLLHUP) != 0 => Ok(Woken::ReaderGone),
        // The kernel lets no signal in if it does not have to wait.
        1.. if start.elapsed() < WAITED && lets_signal_in(held) => Ok(Woken::Signal),
        1.. => Ok(Woken::Readable),
        _ => match last_error() {
            Errno::INTR => Ok(Woken::Signal),
            errno => Err(errno),
        },
    }
}

/// What takes longer was a wait, into which signals come.
const WAITED: Duration = Duration::from_millis(1);

/// Lets signals that are held back come now; whether one did.
fn lets_signal_in(held: &super::HeldSignals) -> bool {
    let no_time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    count(Call::Poll);
    // SAFETY: no records; the time and the mask are whole values, and only read.
    let done = unsafe { libc::ppoll(std::ptr::null_mut(), 0, &raw const no_time, held.before()) };
    done < 0 && last_error() == Errno::INTR
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

fn timespec(time: Duration) -> rustix::event::Timespec {
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
    count(Call::Dup3);
    // SAFETY: plain numbers; no code depends on what the three standard descriptors are, and they
    // are never left closed.
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
