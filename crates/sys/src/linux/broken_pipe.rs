//! What SIGPIPE did when the program began, before its language's own start has changed it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use libc::{c_int, sighandler_t};

/// Whether SIGPIPE was ignored.
static IGNORED: AtomicBool = AtomicBool::new(false);

/// Has [`was_pipe_ignored`] know: Rust has SIGPIPE ignored before `main`. Stands once in a program,
/// outside of its functions; a library has no business with it. Rust's start says so by `signal`;
/// this takes the place of the C library's `signal` in the program, and so hears what was before.
///
/// Price: none.
#[macro_export]
macro_rules! remember_what_pipes_do {
    () => {
        // SAFETY: it does what the C library's function of that name does.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn signal(number: ::core::ffi::c_int, action: usize) -> usize {
            // SAFETY: as the caller says.
            unsafe { $crate::signal_and_note_what_pipes_do(number, action) }
        }
    };
}

/// For [`remember_what_pipes_do`].
///
/// # Safety
/// As for `signal` of the C library.
#[doc(hidden)]
pub unsafe fn signal_and_note_what_pipes_do(number: c_int, action: sighandler_t) -> sighandler_t {
    static ASKED: AtomicBool = AtomicBool::new(false);
    // SAFETY: all-zero is a whole `sigaction`; both are read and written during the call only. The
    // handler is the caller's, and calls go on behind it, as the C library has it.
    let (result, before) = unsafe {
        let mut new: libc::sigaction = std::mem::zeroed();
        let mut before: libc::sigaction = std::mem::zeroed();
        new.sa_sigaction = action;
        new.sa_flags = libc::SA_RESTART;
        (libc::sigaction(number, &raw const new, &raw mut before), before.sa_sigaction)
    };
    if result != 0 {
        return libc::SIG_ERR;
    }
    // The first one is Rust's; later ones would hear of that.
    if number == libc::SIGPIPE && !ASKED.swap(true, Relaxed) {
        IGNORED.store(before == libc::SIG_IGN, Relaxed);
    }
    before
}

/// Whether SIGPIPE was ignored when this program began; `false` if the program does not
/// [remember](remember_what_pipes_do) it. Free.
#[must_use]
pub fn was_pipe_ignored() -> bool {
    IGNORED.load(Relaxed)
}
