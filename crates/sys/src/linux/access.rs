//! Whether this process may use a file.

use std::ffi::CStr;

use super::identity::effective_is_real;
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
/// Price: one `faccessat2`; one `faccessat` more where that is refused, as by filters of containers
/// that are older than the call.
///
/// # Errors
/// The kernel's number: `EACCES`, `EROFS`, `ENOENT`, …
#[doc(alias = "faccessat2")]
#[doc(alias = "faccessat")]
pub fn access_to_use(at: At<'_>, name: &CStr, how: Access) -> Result<(), Errno> {
    use rustix::fs::{Access as Bits, AtFlags, accessat};
    let access = match how {
        Access::Read => Bits::READ_OK,
        Access::Write => Bits::WRITE_OK,
        Access::Execute => Bits::EXEC_OK,
    };
    match retry(Call::Faccessat2, || accessat(at, name, access, AtFlags::EACCESS)) {
        // This may be the right answer: no user may write the file. The older call then gives the
        // same one. It knows the real user and group only.
        Err(Errno::PERM) if effective_is_real() => {
            retry(Call::Faccessat, || accessat(at, name, access, AtFlags::empty()))
        }
        answer => answer,
    }
}
