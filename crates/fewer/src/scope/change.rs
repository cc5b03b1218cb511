//! Changes to a tree, one name at a time: one call each.

use std::path::Path;

use sys::{Descriptor, OsStrExt};

use super::Scope;
use crate::error::{Action, Errno, Error};
use crate::path::{c_string, in_pieces};

/// The bits of permissions.
const PERMISSION_BITS: u32 = 0o7777;

impl Scope {
    /// Sets the twelve permission bits of the file at the path, links followed.
    ///
    /// Price: one `fchmodat`.
    ///
    /// # Errors
    /// The kernel's number with the path: `EPERM` for another user's file, `ENOENT`, `EROFS`, …;
    /// `EINVAL` for more than twelve bits.
    pub fn set_permissions(&self, path: impl AsRef<Path>, bits: u32) -> Result<(), Error> {
        self.with(Action::SET_PERMISSIONS, path.as_ref(), |at, name| {
            sys::set_permissions(at, name, permissions(bits)?)
        })
    }

    /// Makes a symbolic link at `path` with the target `target`, whatever that is: the kernel
    /// resolves a link from the directory that it lies in, not from this scope.
    ///
    /// Price: one `symlinkat`.
    ///
    /// # Errors
    /// The kernel's number with `path`: `EEXIST`, `ENOENT` also for an empty target,
    /// `ENAMETOOLONG` for a target of 4,096 bytes or more, `EACCES`, …; `EINVAL` for a NUL.
    pub fn make_symlink(
        &self,
        path: impl AsRef<Path>,
        target: impl AsRef<Path>,
    ) -> Result<(), Error> {
        let target = target.as_ref().as_os_str().as_bytes();
        self.with(Action::MAKE_SYMLINK, path.as_ref(), |at, name| {
            sys::make_symlink(at, name, &c_string(target)?)
        })
    }

    /// Makes `path` another name of the file `target`; if that is a link, of the link itself. Both
    /// are relative to this scope.
    ///
    /// Price: one `linkat`.
    ///
    /// # Errors
    /// The kernel's number with `path`, also if the error is about `target`: `EEXIST`, `ENOENT`,
    /// `EPERM` for a directory, `EXDEV` for another file system, `EMLINK`, `EACCES`, …
    pub fn make_hard_link(
        &self,
        path: impl AsRef<Path>,
        target: impl AsRef<Path>,
    ) -> Result<(), Error> {
        let target = target.as_ref().as_os_str().as_bytes();
        self.with(Action::MAKE_HARD_LINK, path.as_ref(), |at, name| {
            in_pieces(self.at(), target, |from, rest| {
                sys::make_hard_link(at, name, from, &c_string(rest)?)
            })
        })
    }

    /// Makes a directory. The umask takes bits off `bits`; a directory never gets set-user-id and
    /// set-group-id from them.
    ///
    /// Price: one `mkdirat`.
    ///
    /// # Errors
    /// The kernel's number with the path: `EEXIST`, `ENOENT` for one above it that is not there,
    /// `EACCES`, …; `EINVAL` for more than twelve bits.
    pub fn make_directory(&self, path: impl AsRef<Path>, bits: u32) -> Result<(), Error> {
        self.with(Action::MAKE_DIRECTORY, path.as_ref(), |at, name| {
            sys::make_directory(at, name, permissions(bits)?)
        })
    }

    /// Makes a file that must not be there yet, open for reading and writing. The umask takes bits
    /// off `bits`.
    ///
    /// Price: one `openat`; one `close` later.
    ///
    /// # Errors
    /// The kernel's number with the path: `EEXIST` also for a link that leads nowhere, `ENOENT`,
    /// `EACCES`, …; `EINVAL` for more than twelve bits.
    pub fn create(&self, path: impl AsRef<Path>, bits: u32) -> Result<Descriptor, Error> {
        let make =
            |at: sys::At<'_>, name: &std::ffi::CStr| sys::create(at, name, permissions(bits)?);
        self.with(Action::CREATE, path.as_ref(), make)
    }

    /// Removes a name, which must not be a directory. A link is removed itself.
    ///
    /// Price: one `unlinkat`.
    ///
    /// # Errors
    /// The kernel's number with the path: `EISDIR` for a directory, `ENOENT`, `EACCES`, …
    pub fn remove_file(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.with(Action::REMOVE, path.as_ref(), sys::remove_file)
    }

    /// Removes an empty directory.
    ///
    /// Price: one `unlinkat`.
    ///
    /// # Errors
    /// The kernel's number with the path: `ENOTEMPTY`, `ENOTDIR`, `EBUSY` where something is
    /// mounted, `EINVAL` for a path that ends in `.`, …
    pub fn remove_directory(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.with(Action::REMOVE_DIRECTORY, path.as_ref(), sys::remove_directory)
    }
}

/// The kernel ignores bits that it does not know; the caller would get something else.
pub(super) fn permissions(bits: u32) -> Result<u32, Errno> {
    if bits & !PERMISSION_BITS == 0 { Ok(bits) } else { Err(Errno::INVAL) }
}
