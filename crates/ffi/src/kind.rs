//! The names of kinds.

use std::ffi::{CStr, c_char, c_int};

use fewer::{Errno, Kind};

use crate::boundary::{answer, bytes, put};
use crate::error::Failed;

/// The name of each kind, at the place of its number.
const NAMES: [&CStr; 8] =
    [c"unknown", c"file", c"directory", c"symlink", c"fifo", c"socket", c"block", c"char"];

#[unsafe(no_mangle)]
pub extern "C" fn fewer_kind_name(kind: u32) -> *const c_char {
    NAMES.get(kind as usize).unwrap_or(&NAMES[0]).as_ptr()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_kind_number(
    name: *const c_char,
    length: usize,
    kind: *mut u32,
) -> c_int {
    // SAFETY: all of it is as the header says.
    unsafe {
        answer(std::ptr::null_mut(), || {
            let name = std::str::from_utf8(bytes(name, length)?).ok();
            let found = name.and_then(|name| name.parse::<Kind>().ok());
            let found = found.ok_or_else(|| Failed::of(Errno::INVAL, "read the name of a kind"))?;
            put(kind, found as u32)
        })
    }
}

#[test]
fn the_names_are_those_of_rust() {
    assert_eq!(NAMES.map(|name| name.to_str()), Kind::ALL.map(|kind| Ok(kind.name())));
}
