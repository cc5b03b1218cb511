//! What every function does at the FFI boundary: catch panics, check arguments, write results.

use std::ffi::{OsStr, c_char, c_int};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use fewer::Errno;
use sys::OsStrExt;

use crate::error::Failed;

/// Runs a function that can fail. No panic gets out, and `errno` stays as it is.
///
/// # Safety
/// `error` is NULL or may be written to.
pub(crate) unsafe fn answer(
    error: *mut *mut Failed,
    body: impl FnOnce() -> Result<(), Failed>,
) -> c_int {
    let _kept = sys::keep_errno();
    let failed = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return 0,
        Ok(Err(failed)) => failed,
        Err(panic) => {
            // To drop it could panic once more.
            std::mem::forget(panic);
            Failed::of_panic()
        }
    };
    let number = failed.number();
    if !error.is_null() {
        // SAFETY: the caller says so.
        unsafe { error.write(Box::into_raw(Box::new(failed))) };
    }
    number
}

/// Declares functions of the header that can fail. Each has the error as its last parameter, and
/// returns the number; its body is run by [`answer`].
macro_rules! functions {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        #[unsafe(no_mangle)]
        #[allow(clippy::macro_metavars_in_unsafe, reason = "for the functions of this crate")]
        pub unsafe extern "C" fn $name(
            $($argument: $type,)*
            error: *mut *mut crate::error::Failed,
        ) -> std::ffi::c_int {
            // SAFETY: all of it is as the header says.
            unsafe { crate::boundary::answer(error, || $body) }
        }
    )*};
}
pub(crate) use functions;

/// Declares such functions that begin with a scope, and a path in it.
macro_rules! in_scope {
    ($(fn $name:ident($scope:ident, $path:ident $(, $argument:ident: $type:ty)*) $body:block)*) => {
        crate::boundary::functions! {$(
            fn $name(
                scope: *const fewer::Scope,
                at: *const std::ffi::c_char,
                length: usize,
                $($argument: $type,)*
            ) {
                let scope = crate::scope::scope_or_start(scope);
                let ($scope, $path) = (&scope, crate::boundary::path(at, length)?);
                $body
            }
        )*}
    };
}
pub(crate) use in_scope;

/// As [`answer`], for a function without an error result; after a panic it returns `otherwise`.
pub(crate) fn guard<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    let _kept = sys::keep_errno();
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        std::mem::forget(panic);
        otherwise
    })
}

/// Makes a handle of a value.
///
/// # Safety
/// `to` may be written to.
pub(crate) unsafe fn hand_out<T>(to: *mut *mut T, value: T) -> Result<(), Failed> {
    writable(to)?;
    // SAFETY: the caller says so.
    unsafe { to.write(Box::into_raw(Box::new(value))) };
    Ok(())
}

/// Closes a handle, if there is one.
///
/// # Safety
/// It came from [`hand_out`], and no other code uses it any more.
pub(crate) unsafe fn close<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller says so.
        guard((), || drop(unsafe { Box::from_raw(handle) }));
    }
}

/// The value of a handle, for exclusive use.
///
/// # Safety
/// It is NULL, or a handle that no other code uses until the borrow ends.
pub(crate) unsafe fn borrow_mut<'h, T>(handle: *mut T) -> Result<&'h mut T, Failed> {
    // SAFETY: the caller says so.
    unsafe { handle.as_mut() }.ok_or_else(|| Failed::of(Errno::INVAL, "use no handle"))
}

/// The value of a handle that other threads may use, too.
///
/// # Safety
/// It is NULL, or a handle that is not closed until the borrow ends.
pub(crate) unsafe fn borrow<'h, T>(handle: *const T) -> Result<&'h T, Failed> {
    // SAFETY: the caller says so.
    unsafe { handle.as_ref() }.ok_or_else(|| Failed::of(Errno::INVAL, "use no handle"))
}

/// Fails if there is no memory for a result: before anything is done that cannot be repeated.
pub(crate) fn writable<T>(to: *mut T) -> Result<(), Failed> {
    if to.is_null() { Err(Failed::of(Errno::INVAL, "hand out")) } else { Ok(()) }
}

/// Writes a result.
///
/// # Safety
/// `to` is NULL or may be written to.
pub(crate) unsafe fn put<T>(to: *mut T, value: T) -> Result<(), Failed> {
    writable(to)?;
    // SAFETY: the caller says so.
    unsafe { to.write(value) };
    Ok(())
}

/// Writes a result; without one, zeros.
///
/// # Safety
/// `to` is NULL or may be written to.
pub(crate) unsafe fn put_or_zeros<T>(to: *mut T, value: Option<T>) -> Result<(), Failed> {
    writable(to)?;
    // SAFETY: the caller says so.
    unsafe {
        match value {
            Some(value) => to.write(value),
            None => to.write_bytes(0, 1),
        }
    }
    Ok(())
}

/// Bytes that the caller passes.
///
/// # Safety
/// So many bytes may be read there for as long as the borrow lasts.
pub(crate) unsafe fn bytes<'b>(data: *const c_char, length: usize) -> Result<&'b [u8], Failed> {
    // SAFETY: the caller says so.
    unsafe { array(data.cast(), length) }
}

/// Bytes of an argument that must not contain a NUL.
pub(crate) fn without_nul(bytes: &[u8]) -> Result<&[u8], Failed> {
    match bytes.contains(&0) {
        false => Ok(bytes),
        true => Err(Failed::of(Errno::INVAL, "read an argument")),
    }
}

/// A path that the caller passes.
///
/// # Safety
/// As [`bytes`].
pub(crate) unsafe fn path<'b>(data: *const c_char, length: usize) -> Result<&'b Path, Failed> {
    // SAFETY: the caller says so.
    let bytes = unsafe { bytes(data, length) }?;
    Ok(Path::new(OsStr::from_bytes(bytes)))
}

/// An array that the caller passes.
///
/// # Safety
/// So many values may be read there for as long as the borrow lasts.
pub(crate) unsafe fn array<'b, T>(data: *const T, count: usize) -> Result<&'b [T], Failed> {
    if count == 0 {
        return Ok(&[]);
    }
    must_be_array(data, count)?;
    // SAFETY: it is neither NULL nor too long, and the caller says the rest.
    Ok(unsafe { std::slice::from_raw_parts(data, count) })
}

/// An array that the caller provides for results.
///
/// # Safety
/// So many values may be written there for as long as the borrow lasts.
pub(crate) unsafe fn array_mut<'b, T: Copy>(
    data: *mut T,
    count: usize,
) -> Result<&'b mut [MaybeUninit<T>], Failed> {
    if count == 0 {
        return Ok(&mut []);
    }
    must_be_array(data, count)?;
    // SAFETY: it is neither NULL nor too long, and the caller says the rest.
    Ok(unsafe { std::slice::from_raw_parts_mut(data.cast(), count) })
}

fn must_be_array<T>(data: *const T, count: usize) -> Result<(), Failed> {
    let fits = count.checked_mul(size_of::<T>()).is_some_and(|size| size <= isize::MAX as usize);
    if data.is_null() || !fits || !data.is_aligned() {
        return Err(Failed::of(Errno::INVAL, "read an argument"));
    }
    Ok(())
}

/// Options of a program that may be older or younger than this library.
///
/// # Safety
/// `T` may be all zeros, and has no padding. `size` bytes may be read at `data`.
pub(crate) unsafe fn options<T: Copy>(data: *const T, size: usize) -> Result<T, Failed> {
    // SAFETY: bytes have any alignment.
    let given = unsafe { bytes(data.cast(), size) }?;
    let known = given.len().min(size_of::<T>());
    if given[known..].iter().any(|&byte| byte != 0) {
        return Err(Failed::of(Errno::TOOBIG, "read the options"));
    }
    let mut options = MaybeUninit::<T>::zeroed();
    // SAFETY: both are `known` bytes long, and the caller says that zeros make a `T`; the caller's
    // integers and pointers make one, too.
    unsafe {
        std::ptr::copy_nonoverlapping(given.as_ptr(), options.as_mut_ptr().cast::<u8>(), known);
        Ok(options.assume_init())
    }
}

/// Fails if there are unknown bits.
pub(crate) fn only(flags: u32, known: u32) -> Result<(), Failed> {
    match flags & !known {
        0 => Ok(()),
        _ => Err(Failed::of(Errno::INVAL, "read the options")),
    }
}

/// Writes a text and a NUL into the caller's buffer.
///
/// # Safety
/// `capacity` bytes may be written at `buffer`; `needed` is NULL or may be written to.
pub(crate) unsafe fn fill(
    text: &[u8],
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Result<(), Failed> {
    if !needed.is_null() {
        // SAFETY: the caller says so.
        unsafe { needed.write(text.len()) };
    }
    if buffer.is_null() || capacity <= text.len() {
        return Err(Failed::of(Errno::RANGE, "hand out a text"));
    }
    // SAFETY: the text and its NUL fit, and the caller says the rest.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), text.len());
        buffer.add(text.len()).write(0);
    }
    Ok(())
}

/// Appends a text and a NUL; returns their offset and length.
pub(crate) fn append(bytes: &mut Vec<u8>, text: &[u8]) -> (u32, u32) {
    let start = bytes.len() as u32;
    bytes.extend_from_slice(text);
    bytes.push(0);
    (start, text.len() as u32)
}
