//! Changes to a tree.

use std::ffi::CStr;

use crate::Errno;
use crate::unix::{At, rename_over, rename_to_new};

/// Renames `old` relative to `from` to `new` relative to `to`. With `only_new` it is an error if
/// `new` exists already. A link is renamed itself.
///
/// Price: one `renameat`; with `only_new` one `linkat` and one `unlinkat`, for a directory one
/// `linkat`, `mkdirat` and `renameat`.
///
/// # Errors
/// The kernel's number: `EEXIST` if `only_new`, `ENOENT`, `EXDEV` for another file system, `EINVAL`
/// for a directory into itself, `EISDIR`, `ENOTDIR`, `ENOTEMPTY`, `EBUSY`, `EACCES`, …
#[doc(alias = "renameat")]
pub fn rename(
    from: At<'_>,
    old: &CStr,
    to: At<'_>,
    new: &CStr,
    only_new: bool,
) -> Result<(), Errno> {
    match only_new {
        true => rename_to_new(from, old, to, new),
        false => rename_over(from, old, to, new),
    }
}
