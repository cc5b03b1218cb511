//! Whether SIGPIPE was ignored when the program began, before its language's own start changed it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use libc::{c_int, sighandler_t};

/// Whether SIGPIPE was ignored.
static IGNORED: AtomicBool = AtomicBool::new(false);

/// Records, for [`was_pipe_ignored`], whether SIGPIPE is ignored when the program begins: Rust's
/// start ignores it before `main`. The macro stands once in a program, outside of its functions; a
/// library must not use it. Rust's start calls `signal`; the macro defines that function in place
/// of the C library's, and so sees what SIGPIPE did before.
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
    static RECORDED: AtomicBool = AtomicBool::new(false);
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
    // The first call is that of Rust's start; later ones would only see what it has set.
    if number == libc::SIGPIPE && !RECORDED.swap(true, Relaxed) {
        IGNORED.store(before == libc::SIG_IGN, Relaxed);
    }
    before
}

/// Whether SIGPIPE was ignored when this program began; `false` if the program does not
/// [record](remember_what_pipes_do) it. Free.
#[must_use]
pub fn was_pipe_ignored() -> bool {
    IGNORED.load(Relaxed)
}
