//! The path of an open file, and the disk that it lies on.

use std::os::fd::{AsFd, BorrowedFd};

use crate::Errno;
use crate::counter::Call;
use crate::unix::retry;

/// The path of an open file as the kernel knows it at this moment. The caller checks that it leads
/// here: it may be an old one, if the file was removed.
///
/// Price: one `fcntl` (`F_GETPATH`).
///
/// # Errors
/// The kernel's number: `ENOENT` if it has none; `ENOSPC` for a path of 1 KiB or more, …
#[doc(alias = "F_GETPATH")]
pub fn path_of(file: BorrowedFd<'_>) -> Result<Vec<u8>, Errno> {
    retry(Call::Fcntl, || rustix::fs::getpath(file)).map(std::ffi::CString::into_bytes)
}

/// Waits until what was written to a file is on the disk, also in its own memory. Where the file
/// system cannot promise that, it is handed to the disk.
///
/// Price: one `fcntl` (`F_FULLFSYNC`); one `fsync` more where that is not known.
///
/// # Errors
/// The kernel's number: `EIO`, `ENOSPC`, `EINVAL` for what is on no disk, …
#[doc(alias = "F_FULLFSYNC")]
#[doc(alias = "fsync")]
pub fn sync_data(file: impl AsFd) -> Result<(), Errno> {
    let file = file.as_fd();
    match retry(Call::Fcntl, || rustix::fs::fcntl_fullfsync(file)) {
        Err(errno) if errno != Errno::IO && errno != Errno::NOSPC => {
            retry(Call::Fsync, || rustix::fs::fsync(file))
        }
        done => done,
    }
}
