//! The version of the library.

use std::ffi::{CStr, c_char};

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

#[unsafe(no_mangle)]
pub extern "C" fn fewer_abi_version() -> u32 {
    1
}

#[unsafe(no_mangle)]
pub extern "C" fn fewer_version() -> *const c_char {
    VERSION.as_ptr()
}

/// Panics, as a bug in the library would.
#[cfg(feature = "panics")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_panic(error: *mut *mut crate::error::Failed) -> i32 {
    // SAFETY: the caller says so.
    unsafe { crate::boundary::answer(error, || panic!("asked for")) }
}
