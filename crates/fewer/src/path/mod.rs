//! Paths as bytes: joined as text, resolved on disk, or longer than the kernel takes at once.
//!
//! | module | what is in it |
//! |---|---|
//! | here | a path as the kernel takes it |
//! | `lexical` | paths joined as text, without a look at the disk |
//! | `canonical` | a path without links in it |
//! | `part` | the parts of a path that placeholders name |
//! | `program` | where a program is: the search of `PATH` |
//! | `long` | paths of more than `PATH_MAX` bytes |

mod canonical;
pub(crate) mod lexical;
mod long;
mod part;
mod program;

use std::ffi::CString;

pub use canonical::canonical;
pub use lexical::{
    absolute, base_name, has_parent, is_plain_absolute, join, push, without_trailing_slashes,
};
pub(crate) use long::{PIECE_BYTES, in_pieces};
pub use part::PathPart;
pub(crate) use part::extension;
pub(crate) use program::has_separator;
pub use program::{DEFAULT_PATH, find_program, program_paths, search_path};

use crate::error::Errno;

/// A path with the NUL at its end that system calls need.
///
/// # Errors
/// `EINVAL` if there is a NUL in it.
pub(crate) fn c_string(path: &[u8]) -> Result<CString, Errno> {
    CString::new(path).map_err(|_| Errno::INVAL)
}
