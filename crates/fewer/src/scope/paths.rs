//! The logical and the physical path of a scope, found out when they are needed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sys::{AsFile, CWD, Fields, OsStringExt};

use super::Scope;
use super::find_path::find_path;
use crate::error::{Action, Errno, Error};
use crate::identity::Identity;
use crate::path::lexical;

impl Scope {
    /// The absolute path along the names by which the scope was entered, links among them included:
    /// `$PWD` for the starting directory, and what was entered from there. As `pwd -L` in POSIX it
    /// is only returned if it leads to this very directory at this moment; otherwise (`..` came out
    /// of a link, something was renamed, `$PWD` is wrong or has `.` or `..` in it) the result is
    /// the [physical path](Scope::physical).
    ///
    /// Price: two `statx`, the second time one for a directory that was entered; one `getcwd` more
    /// if `$PWD` does not say where an entered path began. If that path is wrong, up to one
    /// `getcwd` and one `statx` more, and what [`physical`](Scope::physical) costs.
    ///
    /// # Errors
    /// As [`physical`](Scope::physical).
    pub fn logical(&self) -> Result<PathBuf, Error> {
        let entered = self.entered_path();
        if sys::root_length(entered) > 0 {
            return self.if_here(entered.to_vec()).map_or_else(|| self.physical(), Ok);
        }
        let from = |start: Vec<u8>| lexical::join(start, entered);
        let pwd = std::env::var_os("PWD").map(OsString::into_vec);
        let pwd = pwd.filter(|path| lexical::is_plain_absolute(path));
        if let Some(path) = pwd.map(from).and_then(|path| self.if_here(path)) {
            return Ok(path);
        }
        if self.0.is_some()
            && let Ok(start) = Scope::start().physical()
            && let Some(path) = self.if_here(from(start.into_os_string().into_vec()))
        {
            return Ok(path);
        }
        self.physical()
    }

    /// The absolute path without links, from the root directory of the process, as the kernel
    /// knows it at this moment.
    ///
    /// Price: for the starting directory one `getcwd`; otherwise one `readlinkat` in /proc, and two
    /// `statx` to check that it leads here, one the second time. Where the path is too long for the
    /// kernel (4 KiB) or there is no /proc, about five calls for each directory up to one whose
    /// path the kernel knows.
    ///
    /// # Errors
    /// `ENOENT` if the directory has been removed, its file system has been unmounted, or another
    /// one has been mounted above it; `EACCES` if the path is too long and a directory on it may
    /// not be read.
    pub fn physical(&self) -> Result<PathBuf, Error> {
        let path = match &self.0 {
            None => sys::current_dir(),
            Some(entered) => sys::path_of(entered.directory.as_file()),
        };
        let path = match path {
            Ok(path) => self.only_if_true(path),
            Err(Errno::NAMETOOLONG) => find_path(self.at()),
            Err(_) if self.0.is_some() => find_path(self.at()),
            Err(errno) => Err(errno),
        };
        path.map(as_path)
            .map_err(|errno| Error::new(errno, Action::FIND_PATH, self.path_for_messages()))
    }

    /// The absolute path of the file, without `.`, `..` and links in it, as the kernel knows it;
    /// `None` if the kernel does not know it, or there is no /proc.
    ///
    /// Price: `openat`, `readlinkat`, `statx`, `close`, whatever the length of the path; and one
    /// more `statx` to check that it leads there.
    ///
    /// # Errors
    /// The kernel's number with the path: `ENOENT`, `ENOTDIR`, `EACCES`, `ELOOP`, …
    pub fn physical_of(&self, path: impl AsRef<Path>) -> Result<Option<Vec<u8>>, Error> {
        let file = self.with(Action::OPEN, path.as_ref(), sys::open_path)?;
        Ok(path_of(&file))
    }

    /// The kernel's answer for a descriptor may be an old path, with " (deleted)" behind it if the
    /// directory has been removed; and the path below a removed mount looks like any other. A name
    /// may end in " (deleted)" as well: only a `statx` can tell.
    fn only_if_true(&self, path: Vec<u8>) -> Result<Vec<u8>, Errno> {
        if sys::root_length(&path) == 0 {
            return Err(Errno::NOENT); // "(unreachable)/…"
        }
        if self.0.is_none() {
            return Ok(path); // getcwd(2) fails if there is no path
        }
        match Identity::at(CWD, &path) {
            Ok(found) if Some(found) == self.identity() => Ok(path),
            // It leads through a directory that this process may not search; the kernel's answer
            // does not depend on that.
            Err(Errno::ACCESS) if !self.is_removed() => Ok(path),
            _ => Err(Errno::NOENT),
        }
    }

    /// Whether its last name is gone.
    ///
    /// Price: one `statx`.
    fn is_removed(&self) -> bool {
        let stat = self.0.as_ref().map(|it| sys::stat_descriptor(&it.directory, Fields::LINKS));
        stat.is_some_and(|stat| stat.is_ok_and(|stat| stat.links() == 0))
    }

    fn if_here(&self, path: Vec<u8>) -> Option<PathBuf> {
        let found = Identity::at(CWD, &path).ok()?;
        (self.identity() == Some(found)).then(|| as_path(path))
    }

    /// The identity of the directory. For the starting one it costs a call each time: the process
    /// may change it.
    ///
    /// Price: one `statx`; of a directory that was entered, once.
    fn identity(&self) -> Option<Identity> {
        let Some(entered) = &self.0 else {
            let stat = sys::stat(CWD, c".", true, Fields::INODE).ok()?;
            return Some(Identity::in_stat(&stat));
        };
        if let Some(known) = entered.identity.get() {
            return Some(*known);
        }
        let found = Identity::of(&entered.directory).ok()?;
        Some(*entered.identity.get_or_init(|| found))
    }
}

fn as_path(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes))
}

/// The path of an open file as the kernel knows it, if that path leads to the same file.
///
/// Price: one `readlinkat` in /proc, two `statx`.
fn path_of(file: &sys::Descriptor) -> Option<Vec<u8>> {
    let path = sys::path_of(file.as_file()).ok()?;
    let found = (sys::root_length(&path) > 0).then(|| Identity::at(CWD, &path).ok())??;
    (Identity::of(file).ok()? == found).then_some(path)
}
