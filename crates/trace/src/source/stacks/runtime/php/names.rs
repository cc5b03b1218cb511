//! What PHP's functions and files are called.

use crate::source::memory;

/// No text is longer.
const LONGEST: u64 = 1 << 12;

/// In a text (`zend_string`): its length, its characters.
const LENGTH: u64 = 16;
const CHARACTERS: u64 = 24;

/// In a class: its name.
const CLASS_NAME: u64 = 8;

fn word(process: libc::pid_t, at: u64) -> Option<u64> {
    memory::array(process, at).map(u64::from_ne_bytes)
}

/// The characters of a text.
pub(super) fn text(process: libc::pid_t, at: u64) -> Option<String> {
    let length = word(process, at.checked_add(LENGTH)?)?;
    let count = usize::try_from(length).ok().filter(|_| at != 0 && length <= LONGEST)?;
    let mut bytes = Vec::new();
    memory::ranges(process, &[(at.checked_add(CHARACTERS)?, count)], &mut bytes);
    (bytes.len() == count).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// The name of a function, with its class if it has one.
pub(super) fn function(process: libc::pid_t, name: u64, class: u64) -> Option<String> {
    let name = text(process, name)?;
    if class == 0 {
        return Some(name);
    }
    // A class that has no name in its source has one with a NUL, and the file behind that.
    let class = text(process, word(process, class.checked_add(CLASS_NAME)?)?)?;
    Some(format!("{}::{name}", class.split('\0').next().unwrap_or_default()))
}

/// The word that loads a file.
pub(super) fn loading(how: u32) -> &'static str {
    match how {
        1 => "eval",
        4 => "include_once",
        8 => "require",
        16 => "require_once",
        _ => "include",
    }
}
