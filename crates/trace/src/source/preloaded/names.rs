//! `realpath` that resolves each directory once: its entries begin with the same names.

use core::ffi::{CStr, c_char, c_int};
use core::ptr::{copy_nonoverlapping, null_mut};

use crate::answers::{HERE, Look, Question, ask};
use crate::hand_on::{__errno_location, Behind, malloc};
use crate::looks::readlink;

/// `PATH_MAX` (linux/limits.h).
const LONGEST: usize = 4096;

/// `EINVAL` (errno.h): it is no link.
const NO_LINK: c_int = 22;

type Plain = unsafe extern "C" fn(*const c_char, *mut c_char) -> *mut c_char;

/// The real path of an entry from that of its directory; `None` if it takes more than that.
unsafe fn entry(path: &[u8], plain: Plain, real: &mut [u8; LONGEST]) -> Option<usize> {
    let at = path.iter().rposition(|byte| *byte == b'/').filter(|at| *at > 0)?;
    let (directory, name) = (path.get(..at)?, path.get(at + 1..)?);
    if matches!(name, b"" | b"." | b"..") {
        return None;
    }
    let mut text = [0; LONGEST];
    let start = text.get_mut(..at)?;
    // SAFETY: they are of one length; what follows them is a NUL, as `at` is not the last place.
    unsafe { copy_nonoverlapping(directory.as_ptr(), start.as_mut_ptr(), at) };
    let (path, to) = (text.as_ptr().cast(), real.as_mut_ptr());
    let question = Question { look: Look::Name, at: HERE, path, more: 0, to, size: 0 };
    let resolve = &mut || {
        // SAFETY: the buffer is as long as the C library wants it.
        let found = unsafe { plain(path, to.cast()) };
        if found.is_null() { -1 } else { unsafe { CStr::from_ptr(found) }.count_bytes() as isize }
    };
    // SAFETY: the text ends with a NUL, and the buffer holds every answer.
    let length = usize::try_from(unsafe { ask(&question, resolve) }).ok()?;
    // That of the root ends with a slash.
    let length = if length == 1 { 0 } else { length };
    let end = length + 1 + name.len();
    *real.get_mut(length)? = b'/';
    *real.get_mut(end)? = 0;
    let mut target = 0;
    // SAFETY: the name fits, as its end does.
    unsafe {
        copy_nonoverlapping(name.as_ptr(), real.as_mut_ptr().add(length + 1), name.len());
        let is_link = readlink(real.as_ptr().cast(), &raw mut target, 1) != -1;
        (!is_link && *__errno_location() == NO_LINK).then_some(end)
    }
}

unsafe fn real_path(path: *const c_char, to: *mut c_char, plain: Plain) -> *mut c_char {
    let mut real = [0; LONGEST];
    // SAFETY: as the caller vouches; the C library takes null, too.
    unsafe {
        let length = match path.is_null() || !crate::is_chosen(crate::Chosen::Answers) {
            true => None,
            false => entry(CStr::from_ptr(path).to_bytes(), plain, &mut real),
        };
        let Some(length) = length else { return plain(path, to) };
        let to = if to.is_null() { malloc(length + 1).cast() } else { to };
        if to.is_null() {
            return null_mut();
        }
        copy_nonoverlapping(real.as_ptr(), to.cast(), length + 1);
        to
    }
}

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn realpath(path: *const c_char, to: *mut c_char) -> *mut c_char {
    static BEHIND: Behind = Behind::new(c"realpath");
    // SAFETY: as the caller vouches.
    unsafe { real_path(path, to, BEHIND.get::<Plain>()) }
}

/// As the C library's, which is told how much there is for the result.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __realpath_chk(
    path: *const c_char,
    to: *mut c_char,
    _size: usize,
) -> *mut c_char {
    // SAFETY: as the caller vouches.
    unsafe { realpath(path, to) }
}
