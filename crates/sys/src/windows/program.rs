//! Where programs are looked for, and what their variables are called.

use std::ffi::{OsStr, OsString};

use super::{OsStrExt, OsStringExt};
use crate::windows_formats::command_line;

/// Where programs are looked for where there is no `PATH`: nowhere.
pub const DEFAULT_PATH: &[u8] = b"";

/// The extensions where there is no `PATHEXT`.
const DEFAULT_EXTENSIONS: &[u8] = b".COM;.EXE;.BAT;.CMD";

/// The directories of a search path. The directory that a process is in is none.
///
/// Price: none.
#[must_use]
pub fn search_directories(path: &[u8]) -> Vec<Vec<u8>> {
    command_line::search_directories(path)
}

/// The names by which a program is looked for in a directory: with the extensions of `PATHEXT` that
/// Windows runs by themselves, and as it is.
///
/// Price: none.
#[must_use]
pub fn program_names(name: &[u8]) -> Vec<Vec<u8>> {
    let extensions = std::env::var_os("PATHEXT");
    let extensions = extensions.as_deref().map_or(DEFAULT_EXTENSIONS, OsStrExt::as_bytes);
    command_line::program_names(name, extensions)
}

/// The name of a variable as it is compared: `Path` is `PATH`. Free.
#[must_use]
pub fn variable_key(name: &OsStr) -> OsString {
    OsStringExt::from_vec(command_line::variable_key(name.as_bytes()))
}
