//! Whether this process may use a file.

use std::ffi::CStr;

use rustix::fs::{Access as Bits, AtFlags, accessat};

use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, retry};

/// A permission that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To read the file.
    Read,
    /// To write it.
    Write,
    /// To execute it, or to search it if it is a directory.
    Execute,
}

/// Whether this process has the permission for `name` relative to `at`, links followed. The
/// effective user counts.
///
/// Price: one `faccessat`.
///
/// # Errors
/// The kernel's number: `EACCES`, `EROFS`, `ENOENT`, …
#[doc(alias = "faccessat")]
pub fn access_to_use(at: At<'_>, name: &CStr, how: Access) -> Result<(), Errno> {
    let access = match how {
        Access::Read => Bits::READ_OK,
        Access::Write => Bits::WRITE_OK,
        Access::Execute => Bits::EXEC_OK,
    };
    retry(Call::Faccessat, || accessat(at, name, access, AtFlags::EACCESS))
}
