//! The library's number for what a call has answered.

use windows_sys::Win32::Foundation::{GetLastError, RtlNtStatusToDosError};

use crate::Errno;
use crate::windows_formats::errors::{from_status, from_win32};

/// The number for a status that is an error or a warning.
pub(super) fn errno_of(status: i32) -> Errno {
    // SAFETY: takes a number.
    let code = || unsafe { RtlNtStatusToDosError(status) };
    let number = from_status(status).unwrap_or_else(|| from_win32(code()));
    Errno::from_raw_os_error(number)
}

/// The number for what the last call of Win32 on this thread says.
pub(super) fn last_error() -> Errno {
    // SAFETY: takes nothing.
    Errno::from_raw_os_error(from_win32(unsafe { GetLastError() }))
}
