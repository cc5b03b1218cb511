//! The identity of this process.

use crate::errno::Errno;

/// Is not supported: no signal comes of a parent's end here.
///
/// # Errors
/// Always `EOPNOTSUPP`.
pub fn end_with_parent(_parent: i32) -> Result<bool, Errno> {
    Err(Errno::OPNOTSUPP)
}

/// The number of this process.
///
/// Price: one `getpid`, which is not counted.
#[doc(alias = "getpid")]
#[must_use]
pub fn own_number() -> i32 {
    // SAFETY: takes nothing.
    unsafe { libc::getpid() }
}
