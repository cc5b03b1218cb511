//! Descriptors, as Node has them.

use fewer::{Errno, Error};
use sys::OwnedFile;

use crate::failure::Failure;

/// Another descriptor of the open file `number`.
///
/// Price: one `fcntl`, which only `strace` counts.
pub(crate) fn duplicate(number: i32) -> Result<OwnedFile, Failure> {
    let failed = |errno| Failure::from(Error::new(errno, "read", number.to_string().as_bytes()));
    if number < 0 {
        return Err(failed(Errno::BADF));
    }
    system::duplicate(number)
        .map_err(|error| failed(Errno::from_io_error(&error).unwrap_or(Errno::BADF)))
}

/// The descriptor of an open file, which JavaScript has to close.
pub(crate) fn number_of(file: OwnedFile) -> i32 {
    system::number_of(file)
}

#[cfg(unix)]
mod system {
    use std::io::Error;
    use std::os::fd::{BorrowedFd, IntoRawFd, OwnedFd};

    pub(super) fn duplicate(number: i32) -> Result<OwnedFd, Error> {
        // SAFETY: the number is not -1. It is used for one call only, which fails with EBADF if
        // nothing is open there; closing it meanwhile has the same effect as with `fs.closeSync`.
        unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned()
    }

    pub(super) fn number_of(file: OwnedFd) -> i32 {
        file.into_raw_fd()
    }
}

/// Descriptors are numbers of Node's own C library, and only Node knows their handles.
#[cfg(windows)]
mod system {
    use std::ffi::c_int;
    use std::io::Error;
    use std::os::windows::io::{BorrowedHandle, IntoRawHandle, OwnedHandle, RawHandle};

    #[link(name = "node.exe", kind = "raw-dylib", modifiers = "+verbatim")]
    unsafe extern "C" {
        fn uv_get_osfhandle(number: c_int) -> RawHandle;
        safe fn uv_open_osfhandle(handle: RawHandle) -> c_int;
    }

    /// What `uv_get_osfhandle` returns for a stream that the process was started without.
    const NO_STREAM: isize = -2;

    /// `ERROR_INVALID_HANDLE`.
    const INVALID_HANDLE: i32 = 6;

    pub(super) fn duplicate(number: i32) -> Result<OwnedHandle, Error> {
        // SAFETY: it takes any number, and returns -1 if nothing is open there.
        let handle = unsafe { uv_get_osfhandle(number) };
        if matches!(handle as isize, -1 | 0 | NO_STREAM) {
            return Err(Error::from_raw_os_error(INVALID_HANDLE));
        }
        // SAFETY: the handle is used for one call only, which fails if it is closed meanwhile.
        unsafe { BorrowedHandle::borrow_raw(handle) }.try_clone_to_owned()
    }

    pub(super) fn number_of(file: OwnedHandle) -> i32 {
        uv_open_osfhandle(file.into_raw_handle())
    }
}
