//! Changes to a tree.

use std::ffi::CStr;

use rustix::fs::RenameFlags;

use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, rename_over, retry};

/// Renames `old` relative to `from` to `new` relative to `to`. With `only_new` it is an error if
/// `new` exists already. A link is renamed itself.
///
/// Price: one `renameatx_np`, or `renameat` unless `only_new`.
///
/// # Errors
/// The kernel's number: `EEXIST` if `only_new`, `ENOTSUP` where the file system knows no
/// `only_new`, `ENOENT`, `EXDEV` for another file system, `EINVAL` for a directory into itself,
/// `EISDIR`, `ENOTDIR`, `ENOTEMPTY`, `EBUSY`, `EACCES`, …
#[doc(alias = "renameatx_np")]
#[doc(alias = "renameat")]
pub fn rename(
    from: At<'_>,
    old: &CStr,
    to: At<'_>,
    new: &CStr,
    only_new: bool,
) -> Result<(), Errno> {
    if only_new {
        return retry(Call::RenameatxNp, || {
            rustix::fs::renameat_with(from, old, to, new, RenameFlags::NOREPLACE)
        });
    }
    rename_over(from, old, to, new)
}
