//! Renaming by the newer call.

use std::ffi::CStr;

use rustix::fs::RenameFlags;

use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, Newer, rename_over, rename_to_new, retry};

/// Renames `old` relative to `from` to `new` relative to `to`. With `only_new` it is an error if
/// `new` exists already. A link is renamed itself.
///
/// Price: one `renameat2`. Where that is refused, as by kernels before 3.15, one `renameat`; with
/// `only_new` one `linkat` and one `unlinkat`, for a directory one `linkat`, `mkdirat` and
/// `renameat`; both the first time.
///
/// # Errors
/// The kernel's number: `EEXIST` if `only_new`, `ENOENT`, `EXDEV` for another file system, `EINVAL`
/// for a directory into itself (or where the file system knows no `only_new`), `EISDIR`, `ENOTDIR`,
/// `ENOTEMPTY`, `EBUSY`, `EACCES`, …; `ENOSYS` or `EPERM` for a file with `only_new` where neither
/// `renameat2` nor hard links are known.
#[doc(alias = "renameat2")]
#[doc(alias = "renameat")]
pub fn rename(
    from: At<'_>,
    old: &CStr,
    to: At<'_>,
    new: &CStr,
    only_new: bool,
) -> Result<(), Errno> {
    static RENAMEAT2: Newer = Newer::new();
    let flags = if only_new { RenameFlags::NOREPLACE } else { RenameFlags::empty() };
    let newer = || retry(Call::Renameat2, || rustix::fs::renameat_with(from, old, to, new, flags));
    RENAMEAT2.or(newer, || match only_new {
        true => rename_to_new(from, old, to, new),
        false => rename_over(from, old, to, new),
    })
}
