//! Whether this process may use a file.

use std::ffi::CStr;
use std::os::fd::AsRawFd;

use super::identity::effective_is_real;
use crate::counter::Call;
use crate::unix::{At, Newer, last_error, retry};
use crate::{Access, Errno};

/// Whether this process has the permission for `name` relative to `at`, links followed. The
/// effective user counts.
///
/// Price: one `faccessat2`. Where that is refused, as by filters of containers that are older than
/// the call, one `faccessat` (and four calls that are not counted, which ask for the users and
/// groups); both calls the first time.
///
/// # Errors
/// The kernel's number: `EACCES`, `EROFS`, `ENOENT`, …
#[doc(alias = "faccessat2")]
#[doc(alias = "faccessat")]
pub fn access_to_use(at: At<'_>, name: &CStr, how: Access) -> Result<(), Errno> {
    use rustix::fs::{Access as Bits, AtFlags, accessat};
    static FACCESSAT2: Newer = Newer::new();
    let access = match how {
        Access::Read => Bits::READ_OK,
        Access::Write => Bits::WRITE_OK,
        Access::Execute => Bits::EXEC_OK,
    };
    let newer = || {
        retry(Call::Faccessat2, || {
            let (at, name) = (at.as_raw_fd(), name.as_ptr());
            let (access, flags) = (access.bits(), libc::AT_EACCESS);
            // SAFETY: the descriptor is open as long as `at` is borrowed, or is AT_FDCWD; `name`
            // ends with a NUL. (rustix makes the older call as well, which is not counted then.)
            match unsafe { libc::syscall(libc::SYS_faccessat2, at, name, access, flags) } {
                0 => Ok(()),
                _ => Err(last_error()),
            }
        })
    };
    // The older call knows the real user and group only.
    FACCESSAT2.or(newer, || match effective_is_real() {
        true => retry(Call::Faccessat, || accessat(at, name, access, AtFlags::empty())),
        false => Err(Errno::NOSYS),
    })
}
