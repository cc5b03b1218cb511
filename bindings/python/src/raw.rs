//! The raw CPython calls: bytes into `str` objects without a copy in between, and a descriptor by
//! its number. Everything else goes through PyO3.
//!
//! `README.md` says what they save.

use std::ffi::CStr;
#[cfg(not(feature = "abi3"))]
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd, RawFd};

use fewer::Errno;
use pyo3::ffi;
use pyo3::prelude::*;

#[cfg(not(feature = "abi3"))]
use fewer::utf8::{Unit, characters, fill};

/// A `str` of bytes that are known to be ASCII.
#[cfg(not(feature = "abi3"))]
#[inline]
pub(crate) fn ascii<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    debug_assert!(bytes.is_ascii());
    // SAFETY: this thread is attached to the interpreter, as `py` says. A new object of `length`
    // characters up to 127 has as many bytes for them, which no other code knows of yet; an empty
    // one may be shared, and nothing is written to it.
    unsafe {
        let object = ffi::PyUnicode_New(bytes.len() as ffi::Py_ssize_t, 127);
        let object = Bound::from_owned_ptr_or_err(py, object)?;
        let room = ffi::PyUnicode_DATA(object.as_ptr()).cast::<u8>();
        room.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        Ok(object)
    }
}

/// A `str` of bytes that are known to be ASCII.
#[cfg(feature = "abi3")]
#[inline]
pub(crate) fn ascii<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    utf8(py, bytes, c"strict")
}

/// A `str` of bytes that are known to be UTF-8.
///
/// CPython's own decoder begins with one byte a character and copies what it has when it finds a
/// character that takes more. Here one pass over the bytes finds out how many they take.
#[cfg(not(feature = "abi3"))]
pub(crate) fn known_utf8<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let bytes = text.as_bytes();
    // The first byte of a character is larger the more it takes; all bytes after it are smaller.
    let largest = bytes.iter().fold(0, |largest, byte| largest.max(*byte));
    let length = characters(bytes);
    match largest {
        ..0x80 => ascii(py, bytes),
        // Up to U+00FF.
        0x80..0xc4 => filled::<u8>(py, text, length, 0xff),
        // Up to U+FFFF.
        0xc4..0xf0 => filled::<u16>(py, text, length, 0xffff),
        _ => filled::<u32>(py, text, length, 0x10_ffff),
    }
}

/// A `str` of bytes that are known to be UTF-8.
#[cfg(feature = "abi3")]
pub(crate) fn known_utf8<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    utf8(py, text.as_bytes(), c"strict")
}

/// A new `str` of `length` characters, none of them beyond `largest`, which determines how many
/// bytes CPython keeps for each: those of a `T`.
#[cfg(not(feature = "abi3"))]
fn filled<'py, T: Unit>(
    py: Python<'py>,
    text: &str,
    length: usize,
    largest: u32,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: this thread is attached. The object is new and no other code knows of it yet. It is
    // not the shared empty one, and it has memory for `length` units of T.
    unsafe {
        let object = ffi::PyUnicode_New(length as ffi::Py_ssize_t, largest);
        let object = Bound::from_owned_ptr_or_err(py, object)?;
        let data = ffi::PyUnicode_DATA(object.as_ptr()).cast::<MaybeUninit<T>>();
        fill(text, std::slice::from_raw_parts_mut(data, length));
        Ok(object)
    }
}

/// A `str` of UTF-8, with the error handler for other bytes.
#[inline]
pub(crate) fn utf8<'py>(
    py: Python<'py>,
    bytes: &[u8],
    errors: &CStr,
) -> PyResult<Bound<'py, PyAny>> {
    let length = bytes.len() as ffi::Py_ssize_t;
    // SAFETY: this thread is attached; the bytes are borrowed for the call, and `errors` ends with
    // a NUL.
    unsafe {
        let object = ffi::PyUnicode_DecodeUTF8(bytes.as_ptr().cast(), length, errors.as_ptr());
        Bound::from_owned_ptr_or_err(py, object)
    }
}

/// A `str` of bytes in any encoding that Python knows.
pub(crate) fn decode<'py>(
    py: Python<'py>,
    bytes: &[u8],
    encoding: &CStr,
    errors: &CStr,
) -> PyResult<Bound<'py, PyAny>> {
    let length = bytes.len() as ffi::Py_ssize_t;
    let (encoding, errors) = (encoding.as_ptr(), errors.as_ptr());
    // SAFETY: this thread is attached; the bytes are borrowed for the call, and both names end with
    // a NUL.
    unsafe {
        let object = ffi::PyUnicode_Decode(bytes.as_ptr().cast(), length, encoding, errors);
        Bound::from_owned_ptr_or_err(py, object)
    }
}

/// The `str` that `os.fsdecode` makes of a name.
#[inline]
pub(crate) fn file_name<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    if bytes.is_ascii() {
        // Every encoding that Python accepts for file names contains ASCII.
        return ascii(py, bytes);
    }
    let length = bytes.len() as ffi::Py_ssize_t;
    // SAFETY: this thread is attached; the bytes are borrowed for the call.
    unsafe {
        let object = ffi::PyUnicode_DecodeFSDefaultAndSize(bytes.as_ptr().cast(), length);
        Bound::from_owned_ptr_or_err(py, object)
    }
}

/// A `bytes` object.
///
/// PyO3's own function panics if there is no memory for it.
#[inline]
pub(crate) fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let length = bytes.len() as ffi::Py_ssize_t;
    // SAFETY: this thread is attached; the bytes are borrowed for the call.
    unsafe {
        let object = ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), length);
        Bound::from_owned_ptr_or_err(py, object)
    }
}

/// Whether this is a thread of Python's, attached or not: only there signal handlers run, and only
/// such a thread may be waited for by one that has the interpreter.
pub(crate) fn is_pythons_thread() -> bool {
    // SAFETY: it only looks, and may be called by any thread.
    unsafe { !ffi::PyGILState_GetThisThreadState().is_null() }
}

/// Another descriptor of the open file `number`.
///
/// Price: one `fcntl`, which only `strace` counts.
///
/// # Errors
/// The kernel's number: `EBADF` if it is not open.
pub(crate) fn duplicate(number: RawFd) -> Result<OwnedFd, Errno> {
    if number < 0 {
        return Err(Errno::BADF);
    }
    // SAFETY: the number is not -1. It is used for one call only, which fails with EBADF if nothing
    // is open there; closing it meanwhile has the same effect as with `os.dup`.
    let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
    let failed =
        |error: std::io::Error| Errno::from_raw_os_error(error.raw_os_error().unwrap_or_default());
    borrowed.try_clone_to_owned().map_err(failed)
}
