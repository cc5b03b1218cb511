//! Standard output is flushed when its block is full, and before a child or another program.

use core::ffi::{c_char, c_int, c_void};

use crate::answers;
use crate::hand_on::Behind;
use crate::reads::give_back_all;
use crate::{Chosen, is_chosen};

unsafe extern "C" {
    static stdout: *mut c_void;
}

static FLUSH: Behind = Behind::new(c"fflush");
type Flush = unsafe extern "C" fn(*mut c_void) -> c_int;

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fflush(stream: *mut c_void) -> c_int {
    // SAFETY: as the caller vouches; the C library has `stdout`.
    unsafe {
        if is_chosen(Chosen::Streams) && stream == stdout {
            return 0;
        }
        FLUSH.get::<Flush>()(stream)
    }
}

/// `_IOFBF` (stdio.h): a whole block.
const FULL: c_int = 0;

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setvbuf(
    stream: *mut c_void,
    block: *mut c_char,
    how: c_int,
    size: usize,
) -> c_int {
    static BEHIND: Behind = Behind::new(c"setvbuf");
    type Set = unsafe extern "C" fn(*mut c_void, *mut c_char, c_int, usize) -> c_int;
    // SAFETY: as the caller vouches; the C library has `stdout`.
    unsafe {
        if is_chosen(Chosen::Streams) && stream == stdout && how != FULL {
            return 0;
        }
        BEHIND.get::<Set>()(stream, block, how, size)
    }
}

/// What others are about to see is put right.
unsafe fn settle() {
    answers::end();
    give_back_all();
    // SAFETY: the C library has `stdout`.
    unsafe {
        if is_chosen(Chosen::Streams) {
            FLUSH.get::<Flush>()(stdout);
        }
    }
}

macro_rules! shares {
    ($($name:ident, $text:literal, ($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        /// As the C library's.
        ///
        /// # Safety
        /// As the C library's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $result {
            static BEHIND: Behind = Behind::new($text);
            type Function = unsafe extern "C" fn($($type),*) -> $result;
            // SAFETY: as the caller vouches.
            unsafe {
                settle();
                BEHIND.get::<Function>()($($argument),*)
            }
        }
    )*};
}

shares! {
    fork, c"fork", () -> c_int;
    system, c"system", (line: *const c_char) -> c_int;
    popen, c"popen", (line: *const c_char, how: *const c_char) -> *mut c_void;
    execv, c"execv", (path: *const c_char, arguments: *const c_void) -> c_int;
    execvp, c"execvp", (path: *const c_char, arguments: *const c_void) -> c_int;
    execve, c"execve",
        (path: *const c_char, arguments: *const c_void, environment: *const c_void) -> c_int;
    posix_spawn, c"posix_spawn",
        (number: *mut c_int, path: *const c_char, actions: *const c_void,
         attributes: *const c_void, arguments: *const c_void, environment: *const c_void) -> c_int;
    posix_spawnp, c"posix_spawnp",
        (number: *mut c_int, path: *const c_char, actions: *const c_void,
         attributes: *const c_void, arguments: *const c_void, environment: *const c_void) -> c_int;
}
