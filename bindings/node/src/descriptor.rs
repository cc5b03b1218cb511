//! A descriptor that was passed.

use std::os::fd::{BorrowedFd, OwnedFd, RawFd};

use fewer::{Errno, Error};

use crate::failure::Failure;

/// Another descriptor of the open file `number`.
///
/// Price: one `fcntl`, which only `strace` counts.
pub(crate) fn duplicate(number: RawFd) -> Result<OwnedFd, Failure> {
    let failed = |errno| Failure::from(Error::new(errno, "read", number.to_string().as_bytes()));
    if number < 0 {
        return Err(failed(Errno::BADF));
    }
    // SAFETY: the number is not -1. It is used for one call only, which fails with EBADF if nothing
    // is open there; closing it meanwhile has the same effect as with `fs.closeSync`.
    let borrowed = unsafe { BorrowedFd::borrow_raw(number) };
    borrowed
        .try_clone_to_owned()
        .map_err(|error| failed(Errno::from_raw_os_error(error.raw_os_error().unwrap_or_default())))
}
