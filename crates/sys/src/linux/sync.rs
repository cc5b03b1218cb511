//! Waiting for the disk.

use std::os::fd::AsFd;

use crate::Errno;
use crate::counter::Call;
use crate::unix::retry;

/// Waits until what was written to a file is on the disk.
///
/// Price: one `fdatasync`.
///
/// # Errors
/// The kernel's number: `EIO`, `ENOSPC`, `EINVAL` for what is on no disk, …
#[doc(alias = "fdatasync")]
pub fn sync_data(file: impl AsFd) -> Result<(), Errno> {
    let file = file.as_fd();
    retry(Call::Fdatasync, || rustix::fs::fdatasync(file))
}
