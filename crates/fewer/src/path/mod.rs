//! Paths as bytes: joined as text, resolved on disk, or longer than the kernel takes at once.
//!
//! | module | what is in it |
//! |---|---|
//! | here | a path as the kernel takes it |
//! | `lexical` | paths joined as text, without a look at the disk |
//! | `canonical` | a path without links in it |
//! | `long` | paths of more than `PATH_MAX` bytes |

mod canonical;
pub(crate) mod lexical;
mod long;

use std::ffi::CString;

pub use canonical::canonical;
pub(crate) use long::in_pieces;

use crate::error::Errno;

/// A path with the NUL at its end that system calls need.
///
/// # Errors
/// `EINVAL` if there is a NUL in it.
pub(crate) fn c_string(path: &[u8]) -> Result<CString, Errno> {
    CString::new(path).map_err(|_| Errno::INVAL)
}
