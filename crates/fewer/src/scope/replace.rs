//! Names, times and new files: one call each.

use std::path::Path;

use sys::{Access, Descriptor, OsStrExt, SetTime};

use super::Scope;
use super::change::permissions;
use crate::error::{Action, Error};
use crate::path::{c_string, in_pieces};

impl Scope {
    /// Renames `old` to `new`, and replaces a file that has that name; a link is renamed itself.
    /// Both are relative to this scope. Two names of one file stay as they are.
    ///
    /// Price: one `renameat2`.
    ///
    /// # Errors
    /// The kernel's number with `new`, also if the error is about `old`: `ENOENT`, `EXDEV` for
    /// another file system, `EINVAL` for a directory into itself, `EISDIR`, `ENOTDIR`, `ENOTEMPTY`,
    /// …
    pub fn rename(&self, old: impl AsRef<Path>, new: impl AsRef<Path>) -> Result<(), Error> {
        self.rename_if(old.as_ref(), new.as_ref(), false)
    }

    /// As [`rename`](Scope::rename), but only if nothing has the name `new`.
    ///
    /// Price: one `renameat2`.
    ///
    /// # Errors
    /// As [`rename`](Scope::rename); `EEXIST` if the name exists. `EINVAL` also where the file
    /// system cannot do this in one step.
    pub fn rename_to_new(&self, old: impl AsRef<Path>, new: impl AsRef<Path>) -> Result<(), Error> {
        self.rename_if(old.as_ref(), new.as_ref(), true)
    }

    fn rename_if(&self, old: &Path, new: &Path, only_new: bool) -> Result<(), Error> {
        self.with(Action::RENAME, new, |to, new| {
            in_pieces(self.at(), old.as_os_str().as_bytes(), |from, old| {
                sys::rename(from, &c_string(old)?, to, new, only_new)
            })
        })
    }

    /// Makes a file that must not be there yet, and leaves it closed. The umask takes bits off
    /// `bits`.
    ///
    /// Price: one `mknodat`.
    ///
    /// # Errors
    /// The kernel's number with the path: `EEXIST` also for a link that leads nowhere, `ENOENT`,
    /// `EACCES`, …; `EINVAL` for more than twelve bits.
    pub fn make_file(&self, path: impl AsRef<Path>, bits: u32) -> Result<(), Error> {
        self.with(Action::CREATE, path.as_ref(), |at, name| {
            sys::make_file(at, name, permissions(bits)?)
        })
    }

    /// Opens the file for writing, and makes it if it is not there; links are followed, and a FIFO
    /// without a reader is not waited for. The umask takes bits off `bits`.
    ///
    /// Price: one `openat`; one `close` later.
    ///
    /// # Errors
    /// The kernel's number with the path: `EISDIR`, `EACCES`, `ENXIO` for a FIFO without a reader,
    /// …; `EINVAL` for more than twelve bits.
    pub fn open_or_make(&self, path: impl AsRef<Path>, bits: u32) -> Result<Descriptor, Error> {
        self.with(Action::OPEN, path.as_ref(), |at, name| {
            sys::open_or_make(at, name, permissions(bits)?)
        })
    }

    /// Opens the file, which must be there, for writing, and empties it; links are followed. A
    /// device or a FIFO stays as it is.
    ///
    /// Price: one `openat`; one `close` later.
    ///
    /// # Errors
    /// The kernel's number with the path: `ENOENT`, `EISDIR`, `EACCES`, `ETXTBSY`, …
    pub fn open_emptied(&self, path: impl AsRef<Path>) -> Result<Descriptor, Error> {
        self.with(Action::OPEN, path.as_ref(), sys::open_emptied)
    }

    /// Sets the access and modification times of the file at the path; links are followed.
    ///
    /// Price: one `utimensat`.
    ///
    /// # Errors
    /// The kernel's number with the path: `ENOENT`; `EACCES` if both times are to be set to now and
    /// the file may not be written; `EPERM` if a user who does not own the file wants any other
    /// change; `EROFS`, …
    pub fn set_times(
        &self,
        path: impl AsRef<Path>,
        accessed: SetTime,
        modified: SetTime,
    ) -> Result<(), Error> {
        self.with(Action::SET_TIMES, path.as_ref(), |at, name| {
            sys::set_times(at, name, true, accessed, modified)
        })
    }

    /// Checks whether this process has a permission for the file at the path; the effective user
    /// counts.
    ///
    /// Price: one `faccessat2`.
    ///
    /// # Errors
    /// The kernel's number with the path: `EACCES` if not, `EROFS`, `ENOENT`, …
    pub fn may_use(&self, path: impl AsRef<Path>, how: Access) -> Result<(), Error> {
        self.with(Action::ACCESS, path.as_ref(), |at, name| sys::access_to_use(at, name, how))
    }
}
