//! Small reads of regular files that this process opened for reading come from a large block.
//!
//! The kernel's position is put right before anything that could see it: `lseek`, a duplicate, a
//! child, another program, a copy by the kernel. What is read by other functions than `read` is not
//! seen here.

use core::cell::UnsafeCell;
use core::ffi::{c_char, c_int, c_long, c_void};
use core::ptr::{copy_nonoverlapping, null_mut};

use crate::answers::{self, HERE, Look, Question};
use crate::hand_on::{Behind, free, malloc};
use crate::{Chosen, Lock, is_chosen};

/// Of larger numbers nothing is known.
const FILES: usize = 1024;

/// What is read at once.
const BLOCK: usize = 128 * 1024;

/// A read of so much is made as it is.
const LARGE: usize = 64 * 1024;

/// `O_ACCMODE`, and what makes a file no plain one: `O_NONBLOCK`, `O_PATH` (fcntl.h).
const HOW: c_int = 0o3 | 0o4000 | 0o10_000_000;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Not opened here for reading only.
    Other,
    /// Nothing was read yet.
    New,
    /// It was read once, with a small block.
    Once,
    Regular,
}

#[derive(Clone, Copy)]
struct File {
    kind: Kind,
    block: *mut u8,
    at: usize,
    end: usize,
}

const NONE: File = File { kind: Kind::Other, block: null_mut(), at: 0, end: 0 };

struct Files {
    lock: Lock,
    all: UnsafeCell<[File; FILES]>,
}

// SAFETY: what is in it is touched only with the lock.
unsafe impl Sync for Files {}

static ALL: Files = Files { lock: Lock::new(), all: UnsafeCell::new([NONE; FILES]) };

fn with<T>(file: c_int, act: impl FnOnce(&mut File) -> T) -> Option<T> {
    let at = usize::try_from(file).ok().filter(|at| *at < FILES && is_chosen(Chosen::Reads))?;
    // SAFETY: with the lock.
    ALL.lock.with(|| unsafe { (*ALL.all.get()).get_mut(at).map(act) })
}

static SEEK: Behind = Behind::new(c"lseek");
static READ: Behind = Behind::new(c"read");
type Seek = unsafe extern "C" fn(c_int, i64, c_int) -> i64;
type Read = unsafe extern "C" fn(c_int, *mut c_void, usize) -> isize;

/// Puts the kernel's position to where the program is.
fn give_back(number: c_int, file: &mut File) {
    let ahead = (file.end - file.at) as i64;
    (file.at, file.end) = (0, 0);
    if ahead > 0 {
        // SAFETY: the type is that of <unistd.h>; SEEK_CUR is 1.
        unsafe { SEEK.get::<Seek>()(number, -ahead, 1) };
    }
}

/// The same for all files, before a child or another program gets them.
pub(crate) fn give_back_all() {
    for number in 0..FILES as c_int {
        with(number, |file| give_back(number, file));
    }
}

#[cfg(target_arch = "x86_64")]
const STATX: c_long = 332;
#[cfg(not(target_arch = "x86_64"))]
const STATX: c_long = 291;

/// Whether it is a regular file that has a size: those of /proc have none.
fn is_regular(number: c_int) -> bool {
    static BEHIND: Behind = Behind::new(c"syscall");
    type Statx = unsafe extern "C" fn(c_long, c_int, *const c_char, c_int, u32, *mut u64) -> c_long;
    let mut about = [0u64; 32];
    // SAFETY: `struct statx` is 256 bytes (linux/stat.h); AT_EMPTY_PATH, STATX_TYPE | STATX_SIZE.
    let result = unsafe {
        let statx = BEHIND.get::<Statx>();
        statx(STATX, number, c"".as_ptr(), 0x1000, 0x201, about.as_mut_ptr())
    };
    let mode = (about[3] >> 32) as u32;
    result == 0 && mode & 0o170_000 == 0o100_000 && about[5] > 0
}

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn read(number: c_int, to: *mut c_void, size: usize) -> isize {
    // SAFETY: as the caller vouches.
    unsafe {
        let plain = || READ.get::<Read>()(number, to, size);
        let from_block = |file: &mut File| {
            match file.kind {
                Kind::Other => return None,
                Kind::New => {
                    file.kind = if size < LARGE { Kind::Once } else { Kind::New };
                    return None;
                }
                Kind::Once => {
                    file.kind = if is_regular(number) { Kind::Regular } else { Kind::Other };
                    if file.kind == Kind::Other {
                        return None;
                    }
                }
                Kind::Regular => {}
            }
            if file.at == file.end && size >= LARGE {
                return None;
            }
            if file.block.is_null() {
                file.block = malloc(BLOCK).cast();
            }
            if file.block.is_null() {
                return None;
            }
            if file.at == file.end {
                let got = READ.get::<Read>()(number, file.block.cast(), BLOCK);
                if got <= 0 {
                    return Some(got);
                }
                (file.at, file.end) = (0, got.unsigned_abs());
            }
            let part = size.min(file.end - file.at);
            copy_nonoverlapping(file.block.add(file.at), to.cast(), part);
            file.at += part;
            Some(part.cast_signed())
        };
        with(number, from_block).flatten().unwrap_or_else(plain)
    }
}

/// What of `open` makes a file, or lets it be written to (fcntl.h): `O_ACCMODE`, `O_CREAT`,
/// `O_TRUNC`, `O_TMPFILE`.
const WRITES: c_int = 0o3 | 0o100 | 0o1000 | 0o20_000_000;

/// Opens a file, unless it is known not to be there.
unsafe fn opened(
    at: c_int,
    path: *const c_char,
    how: c_int,
    open: &mut dyn FnMut() -> c_int,
) -> c_int {
    let writes = how & WRITES != 0;
    let (look, to) = (Look::Open, null_mut());
    let question = Question { look, at, path, more: 0, to, size: 0 };
    // SAFETY: as the caller vouches.
    let number = match writes {
        true => open(),
        false => unsafe { answers::ask(&question, &mut || open() as isize) as c_int },
    };
    answers::opened(number, writes);
    with(number, |file| {
        file.kind = if how & HOW == 0 { Kind::New } else { Kind::Other };
        (file.at, file.end) = (0, 0);
    });
    number
}

fn forget(number: c_int, file: &mut File) {
    give_back(number, file);
    // SAFETY: it came from `malloc`, or is null.
    unsafe { free(file.block.cast()) };
    *file = NONE;
}

macro_rules! opens {
    ($($name:ident, $text:literal, ($($argument:ident: $type:ty),*), $at:expr, $path:ident,
        $how:ident;)*) => {$(
        /// As the C library's. (What is variable in it comes in the next register.)
        ///
        /// # Safety
        /// As the C library's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> c_int {
            static BEHIND: Behind = Behind::new($text);
            type Open = unsafe extern "C" fn($($type),*) -> c_int;
            // SAFETY: as the caller vouches.
            unsafe { opened($at, $path, $how, &mut || BEHIND.get::<Open>()($($argument),*)) }
        }
    )*};
}

opens! {
    open, c"open", (path: *const c_char, how: c_int, mode: u32), HERE, path, how;
    open64, c"open64", (path: *const c_char, how: c_int, mode: u32), HERE, path, how;
    openat, c"openat", (at: c_int, path: *const c_char, how: c_int, mode: u32),
        at, path, how;
    openat64, c"openat64", (at: c_int, path: *const c_char, how: c_int, mode: u32),
        at, path, how;
    __open_2, c"__open_2", (path: *const c_char, how: c_int), HERE, path, how;
    __open64_2, c"__open64_2", (path: *const c_char, how: c_int), HERE, path, how;
    __openat_2, c"__openat_2", (at: c_int, path: *const c_char, how: c_int), at, path, how;
    __openat64_2, c"__openat64_2", (at: c_int, path: *const c_char, how: c_int), at, path, how;
}

/// Functions before which something has to be done to their file.
macro_rules! prepared {
    ($($name:ident, $text:literal, ($($argument:ident: $type:ty),*) -> $result:ty,
        $prepare:ident($number:ident);)*) => {$(
        /// As the C library's.
        ///
        /// # Safety
        /// As the C library's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $result {
            static BEHIND: Behind = Behind::new($text);
            type Function = unsafe extern "C" fn($($type),*) -> $result;
            $prepare($number);
            // SAFETY: as the caller vouches.
            unsafe { BEHIND.get::<Function>()($($argument),*) }
        }
    )*};
}

/// Its position can be seen.
fn see_position(number: c_int) {
    with(number, |file| give_back(number, file));
}

/// It is read in another way.
fn leave(number: c_int) {
    with(number, |file| forget(number, file));
}

/// It gets another number.
fn share(number: c_int) {
    leave(number);
    answers::shared(number);
}

prepared! {
    lseek, c"lseek", (file: c_int, offset: i64, from: c_int) -> i64, see_position(file);
    lseek64, c"lseek64", (file: c_int, offset: i64, from: c_int) -> i64, see_position(file);
    readv, c"readv", (file: c_int, parts: *const c_void, count: c_int) -> isize,
        see_position(file);
    sendfile, c"sendfile", (to: c_int, file: c_int, at: *mut i64, size: usize) -> isize,
        see_position(file);
    sendfile64, c"sendfile64", (to: c_int, file: c_int, at: *mut i64, size: usize) -> isize,
        see_position(file);
    copy_file_range, c"copy_file_range",
        (file: c_int, from: *mut i64, to: c_int, at: *mut i64, size: usize, how: u32) -> isize,
        see_position(file);
    dup, c"dup", (file: c_int) -> c_int, share(file);
    dup2, c"dup2", (file: c_int, to: c_int) -> c_int, share(file);
    dup3, c"dup3", (file: c_int, to: c_int, how: c_int) -> c_int, share(file);
    fdopen, c"fdopen", (file: c_int, how: *const c_char) -> *mut c_void, leave(file);
}

/// `F_DUPFD`, `F_DUPFD_CLOEXEC` (fcntl.h).
const SHARE: [c_int; 2] = [0, 1030];

/// `F_SETFL` (fcntl.h).
const SET_FLAGS: c_int = 4;

macro_rules! controls {
    ($($name:ident, $text:literal;)*) => {$(
        /// As the C library's. (What is variable in it comes in the next register.)
        ///
        /// # Safety
        /// As the C library's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(number: c_int, what: c_int, more: usize) -> c_int {
            static BEHIND: Behind = Behind::new($text);
            type Control = unsafe extern "C" fn(c_int, c_int, usize) -> c_int;
            match what {
                SET_FLAGS => leave(number),
                _ if SHARE.contains(&what) => share(number),
                _ => {}
            }
            // SAFETY: as the caller vouches.
            unsafe { BEHIND.get::<Control>()(number, what, more) }
        }
    )*};
}

controls! {
    fcntl, c"fcntl";
    fcntl64, c"fcntl64";
}

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn close(number: c_int) -> c_int {
    static BEHIND: Behind = Behind::new(c"close");
    type Close = unsafe extern "C" fn(c_int) -> c_int;
    // SAFETY: what was read ahead goes with the file.
    unsafe {
        with(number, |file| {
            free(file.block.cast());
            *file = NONE;
        });
        answers::closed(number);
        BEHIND.get::<Close>()(number)
    }
}
