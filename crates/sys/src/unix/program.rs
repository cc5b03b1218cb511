//! Paths and programs: where a root ends, where programs are looked for, what variables are called.

use std::ffi::{CStr, OsStr, OsString};

use crate::LastName;

/// Whether the byte stands between the names of a path. Free.
#[inline]
#[must_use]
pub const fn is_separator(byte: u8) -> bool {
    byte == b'/'
}

/// How many bytes of a path are its root: 1 for an absolute path, otherwise 0. Free.
#[inline]
#[must_use]
pub fn root_length(path: &[u8]) -> usize {
    usize::from(path.starts_with(b"/"))
}

/// What the last name of a path is; slashes behind it do not count. Free.
#[must_use]
pub fn last_name(path: &[u8]) -> LastName {
    let end = path.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
    match path[..end].rsplit(|&byte| byte == b'/').next() {
        None | Some(b"") => LastName::None,
        Some(b".") => LastName::Dot,
        Some(b"..") => LastName::Parent,
        Some(_) => LastName::Name,
    }
}

/// Where programs are looked for where there is no `PATH`, as the C library has it (`_CS_PATH`).
pub const DEFAULT_PATH: &[u8] = b"/bin:/usr/bin";

/// What runs a script without a `#!` line.
pub const SCRIPT_SHELL: Option<&CStr> = Some(c"/bin/sh");

/// Whether a child can be told to look for its program.
pub const START_SEARCHES: bool = true;

/// The directories of a search path; an empty one is the working directory.
///
/// Price: none.
#[must_use]
pub fn search_directories(path: &[u8]) -> Vec<Vec<u8>> {
    path.split(|&byte| byte == b':').map(<[u8]>::to_vec).collect()
}

/// The names by which a program is looked for in a directory: its own.
///
/// Price: none.
#[must_use]
pub fn program_names(name: &[u8]) -> Vec<Vec<u8>> {
    vec![name.to_vec()]
}

/// The name of a variable as it is compared: as it is. Free.
#[must_use]
pub fn variable_key(name: &OsStr) -> OsString {
    name.to_owned()
}
