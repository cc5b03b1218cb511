//! Standard descriptors that were closed when the program began, before its language's own start
//! opened something in their place.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use libc::{POLLNVAL, c_int, nfds_t, pollfd};

/// A bit for each of the three standard descriptors that was closed.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Keeps standard descriptors that were closed when the program began unusable: reading and writing
/// fail with `EBADF`, as in programs of other languages, and a child does not get them.
/// [`was_closed`] tells which they are. Without this macro Rust opens /dev/null in their place
/// before `main`, and what is written there is lost without an error.
///
/// The macro stands once in a program, outside of its functions; a library must not use it. Rust's
/// start asks by `poll` which of the three are closed; the macro defines that function in place of
/// the C library's, and so sees the answer.
///
/// Price: none; one `open` for each that was closed, instead of Rust's.
#[macro_export]
macro_rules! remember_what_is_closed {
    () => {
        // SAFETY: it does what the C library's function of that name does.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn poll(
            files: *mut ::core::ffi::c_void,
            count: ::core::ffi::c_ulong,
            wait: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int {
            // SAFETY: as the caller says.
            unsafe { $crate::poll_and_note_what_is_closed(files, count, wait) }
        }
    };
}

/// For [`remember_what_is_closed`].
///
/// # Safety
/// As for `poll` of the C library.
#[doc(hidden)]
pub unsafe fn poll_and_note_what_is_closed(
    files: *mut core::ffi::c_void,
    count: core::ffi::c_ulong,
    wait: c_int,
) -> c_int {
    static RECORDED: AtomicBool = AtomicBool::new(false);
    let files = files.cast::<pollfd>();
    // SAFETY: as the caller says.
    let answer = unsafe { poll(files, count, wait) };
    if RECORDED.load(Relaxed) {
        return answer;
    }
    if answer < 0 {
        // SAFETY: `errno` belongs to this thread, and the call that set it has just failed. Rust's
        // start ends the process silently at an error that it does not expect; at this one it tries
        // another way.
        unsafe {
            let number = libc::__errno_location();
            if *number != libc::EINTR {
                *number = libc::EAGAIN;
            }
        }
        return answer;
    }
    RECORDED.store(true, Relaxed);
    if count == 3 && wait == 0 {
        // SAFETY: there are three, which nothing else refers to during the call.
        note(unsafe { std::slice::from_raw_parts_mut(files, 3) });
    }
    answer
}

/// The call itself, by the number that the C library uses.
///
/// # Safety
/// As for `poll` of the C library.
unsafe fn poll(files: *mut pollfd, count: nfds_t, wait: c_int) -> c_int {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as the caller says.
    return unsafe { libc::syscall(libc::SYS_poll, files, count, wait) } as c_int;
    #[cfg(not(target_arch = "x86_64"))]
    {
        let (tv_sec, tv_nsec) = ((wait / 1000).into(), (wait % 1000 * 1_000_000).into());
        let time = libc::timespec { tv_sec, tv_nsec };
        let time = if wait < 0 { std::ptr::null() } else { &raw const time };
        // SAFETY: as the caller says; the time is read during the call only.
        unsafe { libc::ppoll(files, count, time, std::ptr::null()) }
    }
}

/// Opens something that can be neither read nor written in the place of each closed descriptor,
/// from the lowest number up: an open gets the lowest free number.
fn note(standard: &mut [pollfd]) {
    for (number, file) in (0..).zip(standard) {
        if file.fd != number || file.revents & POLLNVAL == 0 {
            continue;
        }
        CLOSED.fetch_or(1 << number, Relaxed);
        // SAFETY: the path ends with a NUL. Rust's own start has not run: nothing of the standard
        // library is used but an atomic.
        let got = unsafe { libc::open(c"/".as_ptr(), libc::O_PATH | libc::O_CLOEXEC) };
        if got == number {
            file.revents = 0; // there is nothing for Rust to do
        }
    }
}

/// Whether a standard descriptor was closed when this program began; `false` if the program does
/// not [record](remember_what_is_closed) it. Free.
#[must_use]
pub fn was_closed(number: u32) -> bool {
    number < 3 && CLOSED.load(Relaxed) & 1 << number != 0
}
