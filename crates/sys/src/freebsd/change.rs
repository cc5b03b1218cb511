//! Changes to a tree.

use std::ffi::CStr;

use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, make_hard_link, remove_file, retry};

/// Renames `old` relative to `from` to `new` relative to `to`. With `only_new` it is an error if
/// `new` exists already; then it must not be a directory. A link is renamed itself.
///
/// Price: one `renameat`; with `only_new` one `linkat` and one `unlinkat`.
///
/// # Errors
/// The kernel's number: `EEXIST` if `only_new`, `EPERM` for a directory then, `ENOENT`, `EXDEV` for
/// another file system, `EINVAL` for a directory into itself, `EISDIR`, `ENOTDIR`, `ENOTEMPTY`,
/// `EBUSY`, `EACCES`, …
#[doc(alias = "renameat")]
pub fn rename(
    from: At<'_>,
    old: &CStr,
    to: At<'_>,
    new: &CStr,
    only_new: bool,
) -> Result<(), Errno> {
    if only_new {
        make_hard_link(to, new, from, old)?;
        return remove_file(from, old);
    }
    retry(Call::Renameat, || rustix::fs::renameat(from, old, to, new))
}
