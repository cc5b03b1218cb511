//! The functions of the C library that only look, and those that void what was seen.

use core::ffi::{CStr, c_char, c_int, c_long, c_void};

use crate::answers::{self, HERE, Look, Question, ask};
use crate::hand_on::{Behind, fileno};
use crate::reads::close;

/// `sizeof (struct stat)` and of `struct statx` (sys/stat.h, linux/stat.h).
#[cfg(target_arch = "x86_64")]
const STAT: usize = 144;
#[cfg(not(target_arch = "x86_64"))]
const STAT: usize = 128;
const STATX: usize = 256;

/// A function that looks: what it asks, from its arguments.
macro_rules! looks {
    ($($name:ident, $text:literal, ($($argument:ident: $type:ty),*) -> $result:ty,
        $look:ident, $at:expr, $path:ident, $more:expr, $to:expr, $size:expr;)*) => {$(
        /// As the C library's.
        ///
        /// # Safety
        /// As the C library's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $result {
            static BEHIND: Behind = Behind::new($text);
            type Function = unsafe extern "C" fn($($type),*) -> $result;
            let question = Question {
                look: Look::$look,
                at: $at,
                path: $path,
                more: $more as u64,
                to: $to,
                size: $size,
            };
            // SAFETY: as the caller vouches.
            unsafe {
                let plain = &mut || BEHIND.get::<Function>()($($argument),*) as isize;
                ask(&question, plain) as $result
            }
        }
    )*};
}

const NOTHING: *mut u8 = core::ptr::null_mut();

looks! {
    stat, c"stat", (path: *const c_char, to: *mut u8) -> c_int,
        Stat, HERE, path, 0, to, STAT;
    stat64, c"stat64", (path: *const c_char, to: *mut u8) -> c_int,
        Stat, HERE, path, 0, to, STAT;
    lstat, c"lstat", (path: *const c_char, to: *mut u8) -> c_int,
        LinkStat, HERE, path, 0, to, STAT;
    lstat64, c"lstat64", (path: *const c_char, to: *mut u8) -> c_int,
        LinkStat, HERE, path, 0, to, STAT;
    fstatat, c"fstatat", (at: c_int, path: *const c_char, to: *mut u8, how: c_int) -> c_int,
        Stat, at, path, how, to, STAT;
    fstatat64, c"fstatat64", (at: c_int, path: *const c_char, to: *mut u8, how: c_int) -> c_int,
        Stat, at, path, how, to, STAT;
    statx, c"statx",
        (at: c_int, path: *const c_char, how: c_int, mask: u32, to: *mut u8) -> c_int,
        Statx, at, path, (how as u64) << 32 | u64::from(mask), to, STATX;
    access, c"access", (path: *const c_char, mode: c_int) -> c_int,
        Access, HERE, path, mode, NOTHING, 0;
    faccessat, c"faccessat",
        (at: c_int, path: *const c_char, mode: c_int, how: c_int) -> c_int,
        Access, at, path, mode | how << 8, NOTHING, 0;
    readlink, c"readlink", (path: *const c_char, to: *mut u8, size: usize) -> isize,
        Link, HERE, path, size, to, 0;
    readlinkat, c"readlinkat",
        (at: c_int, path: *const c_char, to: *mut u8, size: usize) -> isize,
        Link, at, path, size, to, 0;
}

/// Functions with which something is no longer as it was seen; `$void` says how much is void. None
/// has more than six arguments, all of which come in registers.
macro_rules! voids {
    ($void:ident: $($name:ident $text:literal,)*) => {$(
        /// As the C library's.
        ///
        /// # Safety
        /// As the C library's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            a: usize,
            b: usize,
            c: usize,
            d: usize,
            e: usize,
            f: usize,
        ) -> usize {
            static BEHIND: Behind = Behind::new($text);
            // SAFETY: as the caller vouches.
            unsafe { void(&BEHIND, answers::$void, [a, b, c, d, e, f]) }
        }
    )*};
}

/// Calls a function, with answers void before and after it.
#[inline(never)]
unsafe fn void(behind: &Behind, void: fn(), [a, b, c, d, e, f]: [usize; 6]) -> usize {
    type Function = unsafe extern "C" fn(usize, usize, usize, usize, usize, usize) -> usize;
    void();
    // SAFETY: as the caller vouches.
    let result = unsafe { behind.get::<Function>()(a, b, c, d, e, f) };
    void();
    result
}

voids! { change:
    rename c"rename", renameat c"renameat", renameat2 c"renameat2", remove c"remove",
    unlink c"unlink", unlinkat c"unlinkat", rmdir c"rmdir",
    mkdir c"mkdir", mkdirat c"mkdirat", mkdtemp c"mkdtemp",
    link c"link", linkat c"linkat", symlink c"symlink", symlinkat c"symlinkat",
    mknod c"mknod", mknodat c"mknodat", mkfifo c"mkfifo", mkfifoat c"mkfifoat",
    chmod c"chmod", fchmod c"fchmod", fchmodat c"fchmodat",
    chown c"chown", lchown c"lchown", fchown c"fchown", fchownat c"fchownat",
    truncate c"truncate", truncate64 c"truncate64",
    ftruncate c"ftruncate", ftruncate64 c"ftruncate64",
    utime c"utime", utimes c"utimes", lutimes c"lutimes", futimes c"futimes",
    utimensat c"utimensat", futimens c"futimens", futimesat c"futimesat",
    setxattr c"setxattr", lsetxattr c"lsetxattr", fsetxattr c"fsetxattr",
    removexattr c"removexattr", lremovexattr c"lremovexattr", fremovexattr c"fremovexattr",
    chdir c"chdir", fchdir c"fchdir", chroot c"chroot", mount c"mount", umount2 c"umount2",
    setuid c"setuid", setgid c"setgid", seteuid c"seteuid", setegid c"setegid",
    setreuid c"setreuid", setregid c"setregid", setresuid c"setresuid", setresgid c"setresgid",
    setgroups c"setgroups", setfsuid c"setfsuid", setfsgid c"setfsgid",
}

// What is written to, or who writes, is not known from here on.
voids! { end:
    mkstemp c"mkstemp", mkstemp64 c"mkstemp64", mkostemp c"mkostemp", mkostemp64 c"mkostemp64",
    mkstemps c"mkstemps", mkostemps c"mkostemps", tmpfile c"tmpfile", tmpfile64 c"tmpfile64",
    freopen c"freopen", freopen64 c"freopen64", creat c"creat", creat64 c"creat64",
    wait c"wait", waitpid c"waitpid", wait3 c"wait3", wait4 c"wait4", waitid c"waitid",
    shm_open c"shm_open", sem_open c"sem_open",
    unshare c"unshare", setns c"setns", clone c"clone", daemon c"daemon",
}

type Stream = *mut c_void;
type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> Stream;

unsafe fn stream(path: *const c_char, how: *const c_char, open: Open) -> Stream {
    // SAFETY: as the caller vouches: both are texts that end with a NUL.
    unsafe {
        let mode = CStr::from_ptr(how).to_bytes();
        let writes = mode.first() != Some(&b'r') || mode.iter().any(|byte| *byte == b'+');
        if writes {
            answers::change();
            let stream = open(path, how);
            if !stream.is_null() {
                answers::opened(fileno(stream), true);
            }
            return stream;
        }
        let question = Question { look: Look::Open, at: HERE, path, more: 0, to: NOTHING, size: 0 };
        let mut opened = core::ptr::null_mut();
        ask(&question, &mut || {
            opened = open(path, how);
            if opened.is_null() { -1 } else { 0 }
        });
        opened
    }
}

macro_rules! streams {
    ($($name:ident $text:literal,)*) => {$(
        /// As the C library's.
        ///
        /// # Safety
        /// As the C library's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(path: *const c_char, how: *const c_char) -> Stream {
            static BEHIND: Behind = Behind::new($text);
            // SAFETY: as the caller vouches.
            unsafe { stream(path, how, BEHIND.get::<Open>()) }
        }
    )*};
}

streams! { fopen c"fopen", fopen64 c"fopen64", }

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fclose(stream: Stream) -> c_int {
    static BEHIND: Behind = Behind::new(c"fclose");
    // SAFETY: as the caller vouches. What is still buffered is written before it counts as closed.
    unsafe {
        let number = fileno(stream);
        let result = BEHIND.get::<unsafe extern "C" fn(Stream) -> c_int>()(stream);
        answers::closed(number);
        result
    }
}

/// Numbers of calls that change nothing that could be looked at: of memory and threads (`mmap`,
/// `mprotect`, `munmap`, `madvise`, `futex`, `gettid`, `membarrier`), `capget`, `getrandom`
/// (asm/unistd.h).
#[cfg(target_arch = "x86_64")]
const HARMLESS: [c_long; 9] = [9, 10, 11, 28, 202, 186, 324, 125, 318];
#[cfg(not(target_arch = "x86_64"))]
const HARMLESS: [c_long; 9] = [222, 226, 215, 233, 98, 178, 283, 90, 278];

/// Those of `statx` and `close`.
#[cfg(target_arch = "x86_64")]
const KNOWN: (c_long, c_long) = (332, 3);
#[cfg(not(target_arch = "x86_64"))]
const KNOWN: (c_long, c_long) = (291, 57);

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn syscall(
    number: c_long,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> c_long {
    static BEHIND: Behind = Behind::new(c"syscall");
    type Function =
        unsafe extern "C" fn(c_long, usize, usize, usize, usize, usize, usize) -> c_long;
    // SAFETY: as the caller vouches: the call has as many arguments as it has.
    unsafe {
        if number == KNOWN.0 {
            return statx(a as c_int, b as _, c as c_int, d as u32, e as _).into();
        }
        if number == KNOWN.1 {
            return close(a as c_int).into();
        }
        if !HARMLESS.contains(&number) {
            answers::end();
        }
        BEHIND.get::<Function>()(number, a, b, c, d, e, f)
    }
}
