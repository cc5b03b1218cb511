//! Changes to a tree.

use std::ffi::CStr;

use crate::Errno;
use crate::unix::{At, create};

/// Makes the file `name` relative to `at`, which must not be there yet, and leaves it closed. The
/// umask takes bits off `bits`.
///
/// Price: one `openat`, one `close`: `mknodat` makes no regular files here.
///
/// # Errors
/// As [`create`].
#[doc(alias = "openat")]
pub fn make_file(at: At<'_>, name: &CStr, bits: u32) -> Result<(), Errno> {
    create(at, name, bits).map(drop)
}
