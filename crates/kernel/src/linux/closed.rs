//! What a program was given, before its language's own start has changed it.

use std::ffi::CStr;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use libc::{POLLNVAL, c_char, c_int, pollfd};

/// A bit for each of the three standard descriptors that was closed.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Has [`was_closed`] know: Rust puts /dev/null in the place of a standard descriptor that is
/// closed, before `main`. Stands once in a program, outside of its functions. Only a program whose
/// first argument is `sh` wants to know.
///
/// Price: one `poll` before `main`; none if something else is asked for.
#[macro_export]
macro_rules! remember_what_is_closed {
    () => {
        // SAFETY: the section is a list of functions that the C library calls before `main`, in
        // one thread.
        #[used]
        #[unsafe(link_section = ".init_array")]
        static REMEMBER_WHAT_IS_CLOSED: unsafe extern "C" fn(
            ::core::ffi::c_int,
            *const *const ::core::ffi::c_char,
        ) = $crate::note_what_is_closed;
    };
}

/// For [`remember_what_is_closed`].
///
/// # Safety
/// For the C library, before `main`.
#[doc(hidden)]
pub unsafe extern "C" fn note_what_is_closed(count: c_int, arguments: *const *const c_char) {
    // SAFETY: as the caller says.
    if !unsafe { runs_a_script(count, arguments) } {
        return;
    }
    let ask = |fd| pollfd { fd, events: 0, revents: 0 };
    let mut standard: [pollfd; 3] = std::array::from_fn(|number| ask(number as c_int));
    // SAFETY: three entries, and it does not wait. Rust's own start has not run: nothing of the
    // standard library is used but an atomic. Where it fails, nothing is taken to be closed.
    let asked = unsafe { libc::poll(standard.as_mut_ptr(), 3, 0) };
    if asked > 0 {
        let closed = (0..3).filter(|&number| standard[number].revents & POLLNVAL != 0);
        CLOSED.store(closed.fold(0, |bits, number| bits | 1 << number), Relaxed);
    }
}

/// Whether the first argument is `sh`. glibc gives its functions what `main` is given; of other C
/// libraries that is not known, and nothing is looked at.
///
/// # Safety
/// With glibc, the arguments are those of `main`.
unsafe fn runs_a_script(count: c_int, arguments: *const *const c_char) -> bool {
    if !cfg!(target_env = "gnu") {
        return true;
    }
    // SAFETY: there are so many texts, each with a NUL at its end.
    count > 1 && unsafe { CStr::from_ptr(*arguments.add(1)) } == c"sh"
}

/// Whether a standard descriptor was closed when this program began; `false` if the program does
/// not [remember](remember_what_is_closed) it. /dev/null has its place now. Free.
#[must_use]
pub fn was_closed(number: u32) -> bool {
    number < 3 && CLOSED.load(Relaxed) & 1 << number != 0
}
