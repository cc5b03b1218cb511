//! Changes to a tree by calls that Linux has: files without a name, and names that must be new.

use std::ffi::CStr;

use rustix::fs::{FileType, Mode, OFlags, RenameFlags};

use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, Descriptor, retry};

/// Makes a file without a name on the file system of the directory `name` relative to `at`, and
/// opens it for writing. It is gone when it is closed.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number: `EOPNOTSUPP` where the file system has no such files, `EACCES`, `EROFS`, …
#[doc(alias = "O_TMPFILE")]
pub fn create_nameless(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    let mode = Mode::RUSR | Mode::WUSR;
    retry(Call::Openat, || rustix::fs::openat(at, name, flags, mode)).map(Descriptor::new)
}

/// Makes the file `name` relative to `at`, which must not be there yet, and leaves it closed. The
/// umask takes bits off `bits`.
///
/// Price: one `mknodat`.
///
/// # Errors
/// As [`create`].
#[doc(alias = "mknodat")]
pub fn make_file(at: At<'_>, name: &CStr, bits: u32) -> Result<(), Errno> {
    let mode = Mode::from_bits_retain(bits);
    retry(Call::Mknodat, || rustix::fs::mknodat(at, name, FileType::RegularFile, mode, 0))
}

/// Renames `old` relative to `from` to `new` relative to `to`. With `only_new` it is an error if
/// `new` exists already. A link is renamed itself.
///
/// Price: one `renameat2`; one `renameat` more, unless `only_new`, where that is refused.
///
/// # Errors
/// The kernel's number: `EEXIST` if `only_new`, `ENOENT`, `EXDEV` for another file system, `EINVAL`
/// for a directory into itself (or where the file system knows no `only_new`), `EISDIR`, `ENOTDIR`,
/// `ENOTEMPTY`, `EBUSY`, `EACCES`, …
#[doc(alias = "renameat2")]
#[doc(alias = "renameat")]
pub fn rename(
    from: At<'_>,
    old: &CStr,
    to: At<'_>,
    new: &CStr,
    only_new: bool,
) -> Result<(), Errno> {
    let flags = if only_new { RenameFlags::NOREPLACE } else { RenameFlags::empty() };
    match retry(Call::Renameat2, || rustix::fs::renameat_with(from, old, to, new, flags)) {
        // A filter or a kernel that does not know the call. If the rename itself is forbidden, the
        // older call says so, too.
        Err(Errno::NOSYS | Errno::PERM) if !only_new => {
            retry(Call::Renameat, || rustix::fs::renameat(from, old, to, new))
        }
        answer => answer,
    }
}
