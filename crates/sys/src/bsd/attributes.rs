//! Extended attributes.

use std::ffi::CStr;

use crate::Errno;
use crate::unix::At;

/// No names: the lists of access rights that listings mark are no extended attributes here, and
/// what else there is has no mark.
///
/// Price: none.
///
/// # Errors
/// None.
pub fn attribute_names(_at: At<'_>, _name: &CStr, _follow: bool) -> Result<Vec<u8>, Errno> {
    Ok(Vec::new())
}
