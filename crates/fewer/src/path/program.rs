//! Where a program is: the search of `PATH`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

pub use sys::DEFAULT_PATH;
use sys::{Access, CWD, Fields, Kind, OsStrExt, OsStringExt};

use super::{c_string, lexical};
use crate::error::{Action, Errno, Error};

/// The `PATH` of this process, or [`DEFAULT_PATH`].
///
/// Price: none.
#[must_use]
pub fn search_path() -> Vec<u8> {
    std::env::var_os("PATH").map_or_else(|| DEFAULT_PATH.to_vec(), OsString::into_vec)
}

/// The paths by which the program `name` is looked for, in turn: the name in each directory of the
/// search path `path`, where an empty one is the working directory; a name with a slash in it is
/// its only path. On Windows with each of the extensions that can be run, and the working directory
/// is never searched.
///
/// Price: none.
pub fn program_paths(name: &[u8], path: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let directories = match has_separator(name) {
        true => vec![Vec::new()],
        false => sys::search_directories(path),
    };
    let names = if name.is_empty() { Vec::new() } else { sys::program_names(name) };
    directories.into_iter().flat_map(move |directory| {
        let slash: &[u8] = if directory.is_empty() { b"" } else { b"/" };
        names.clone().into_iter().map(move |name| [&directory, slash, &name].concat())
    })
}

/// Whether a program is named by its path, rather than looked for.
pub(crate) fn has_separator(name: &[u8]) -> bool {
    sys::root_length(name) > 0 || name.iter().any(|byte| sys::is_separator(*byte))
}

/// The path of the program `name`: the first of its [`program_paths`] in [`search_path`] that is a
/// file which this process may run. Relative paths are relative to `folder`, or to the working
/// directory. A name with a slash in it is taken as it is.
///
/// Price: one `statx` for each directory in which it is looked for; for each file that is found one
/// `faccessat2`. None for a name with a slash.
///
/// # Errors
/// `ENOENT` with the name if there is none, `EACCES` if there is one that may not be run.
pub fn find_program(folder: Option<&Path>, name: impl AsRef<OsStr>) -> Result<PathBuf, Error> {
    let name = name.as_ref().as_bytes();
    if has_separator(name) {
        return Ok(PathBuf::from(OsStr::from_bytes(name)));
    }
    let mut errno = Errno::NOENT;
    let path = search_path();
    for candidate in program_paths(name, &path).filter(|_| !name.is_empty()) {
        match may_run(folder, &candidate) {
            Ok(()) => return Ok(PathBuf::from(OsString::from_vec(candidate))),
            Err(Errno::ACCESS) => errno = Errno::ACCESS,
            Err(_) => {}
        }
    }
    Err(Error::new(errno, Action::RUN, name))
}

/// Whether it is a file that this process may run.
fn may_run(folder: Option<&Path>, path: &[u8]) -> Result<(), Errno> {
    let mut there = match folder {
        Some(folder) if sys::root_length(path) == 0 => folder.as_os_str().as_bytes().to_vec(),
        _ => Vec::new(),
    };
    lexical::push(&mut there, path);
    let there = c_string(&there)?;
    match sys::stat(CWD, &there, true, Fields::KIND)?.kind() {
        Kind::File => sys::access_to_use(CWD, &there, Access::Execute).map_err(|_| Errno::ACCESS),
        _ => Err(Errno::ACCESS),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn paths(name: &str, path: &str) -> Vec<String> {
        let paths = program_paths(name.as_bytes(), path.as_bytes());
        paths.map(|path| String::from_utf8(path).unwrap()).collect()
    }

    #[test]
    fn an_empty_directory_is_the_working_one() {
        assert_eq!(paths("ls", "/bin:/usr/bin"), ["/bin/ls", "/usr/bin/ls"]);
        assert_eq!(paths("ls", ":/bin:"), ["ls", "/bin/ls", "ls"]);
        assert_eq!(paths("ls", ""), ["ls"]);
        assert_eq!(paths("./ls", "/bin:/usr/bin"), ["./ls"]);
    }

    #[test]
    fn a_program_is_a_file_that_may_be_run() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let look = |name: &str| may_run(Some(folder.path()), name.as_bytes());
        assert_eq!(look("file"), Err(Errno::ACCESS));
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
        assert_eq!(
            (look("file"), look("."), look("none")),
            (Ok(()), Err(Errno::ACCESS), Err(Errno::NOENT))
        );
        assert_eq!(may_run(None, file.as_os_str().as_bytes()), Ok(()));
    }

    #[test]
    fn the_shell_is_found_and_what_is_no_name_is_not() {
        assert!(find_program(None, "sh").unwrap().ends_with("sh"));
        assert_eq!(find_program(None, "a/b").unwrap(), Path::new("a/b"));
        for name in ["", "no such program"] {
            assert_eq!(find_program(None, name).unwrap_err().errno(), Errno::NOENT);
        }
    }
}
