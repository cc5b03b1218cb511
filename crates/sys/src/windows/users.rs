//! Names of users and groups: files have owners of another kind here, which have no numbers.

use std::ffi::CStr;

/// Whether owners have numbers, and files with their names.
pub const OWNERS_HAVE_NUMBERS: bool = false;

/// Whether there are other sources of names than files.
pub const NAME_SERVICES: bool = false;

/// The name of a user: there is none.
///
/// Price: none.
#[must_use]
pub fn user_name(_id: u32) -> Option<Box<[u8]>> {
    None
}

/// The name of a group: there is none.
///
/// Price: none.
#[must_use]
pub fn group_name(_id: u32) -> Option<Box<[u8]>> {
    None
}

/// The number of a user: there is none.
///
/// Price: none.
#[must_use]
pub fn user_id(_name: &CStr) -> Option<u32> {
    None
}

/// The number of a group: there is none.
///
/// Price: none.
#[must_use]
pub fn group_id(_name: &CStr) -> Option<u32> {
    None
}
