//! Operations on descriptors that Linux has: peek into a pipe, files in memory, waiting for the
//! other end and for signals.

use std::ffi::CString;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustix::fs::MemfdFlags;
use rustix::pipe::SpliceFlags;

use crate::Errno;
use crate::counter::{Call, count};
use crate::unix::{
    CWD, Descriptor, HeldSignals, Newer, create, last_error, remove_file, retry, timespec,
};

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
    held: &HeldSignals,
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
fn lets_signal_in(held: &HeldSignals) -> bool {
    let no_time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    count(Call::Poll);
    // SAFETY: no records; the time and the mask are whole values, and only read.
    let done = unsafe { libc::ppoll(std::ptr::null_mut(), 0, &raw const no_time, held.before()) };
    done < 0 && last_error() == Errno::INTR
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{discard, pipe, read, write_all};

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
}
