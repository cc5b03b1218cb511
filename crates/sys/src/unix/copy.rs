//! Owner, permissions and times of an open file, for copies.

use std::os::fd::BorrowedFd;

use rustix::fs::{Gid, Timestamps, Uid};

use super::{mode_of, retry};
use crate::counter::Call;
use crate::{Errno, SetTime};

/// Sets the twelve permission bits of an open file.
///
/// Price: one `fchmod`.
///
/// # Errors
/// The kernel's number: `EPERM`, `EROFS`, …
#[doc(alias = "fchmod")]
pub fn set_permissions_of(file: BorrowedFd<'_>, bits: u32) -> Result<(), Errno> {
    let mode = mode_of(bits);
    retry(Call::Fchmod, || rustix::fs::fchmod(file, mode))
}

/// Sets the owner of an open file.
///
/// Price: one `fchown`.
///
/// # Errors
/// The kernel's number: `EPERM` without the privilege, …
#[doc(alias = "fchown")]
pub fn set_owner_of(file: BorrowedFd<'_>, user: u32, group: u32) -> Result<(), Errno> {
    let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
    retry(Call::Fchown, || rustix::fs::fchown(file, Some(user), Some(group)))
}

/// Sets the access and modification times of an open file.
///
/// Price: one `utimensat`.
///
/// # Errors
/// The kernel's number: `EPERM`, `EROFS`, …
#[doc(alias = "utimensat")]
pub fn set_times_of(
    file: BorrowedFd<'_>,
    accessed: SetTime,
    modified: SetTime,
) -> Result<(), Errno> {
    let times =
        Timestamps { last_access: accessed.timespec(), last_modification: modified.timespec() };
    retry(Call::Utimensat, || rustix::fs::futimens(file, &times))
}
