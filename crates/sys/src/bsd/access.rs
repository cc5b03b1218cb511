//! Whether this process may use a file.

use std::ffi::CStr;

use rustix::fs::{Access as Bits, AtFlags, accessat};

use crate::counter::Call;
use crate::unix::{At, retry};
use crate::{Access, Errno};

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
