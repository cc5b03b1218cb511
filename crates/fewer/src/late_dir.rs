//! A directory that entries are in: open, or opened when something needs it.

use std::sync::OnceLock;

use sys::{AsFile, At, Descriptor};

use crate::error::Errno;
use crate::identity::Identity;
use crate::path::{c_string, in_pieces};
use crate::scope::Scope;

/// A directory: open, or closed for a while, or not opened before something needs it, or a scope.
#[derive(Debug)]
pub(crate) struct LateDir {
    descriptor: OnceLock<Descriptor>,
    /// The scope that roots are relative to; unused in a directory that has, or had, a descriptor.
    scope: Scope,
    /// Which directory is to be opened when something needs it.
    late: Option<Identity>,
}

impl LateDir {
    /// A scope. No call.
    pub(crate) fn of_scope(scope: &Scope) -> LateDir {
        LateDir { descriptor: OnceLock::new(), scope: scope.clone(), late: None }
    }

    /// An open directory.
    pub(crate) fn open(descriptor: Descriptor) -> LateDir {
        LateDir { descriptor: descriptor.into(), scope: Scope::start(), late: None }
    }

    /// A directory that was not opened yet.
    pub(crate) fn unopened(identity: Identity) -> LateDir {
        LateDir { late: Some(identity), ..LateDir::of_scope(&Scope::start()) }
    }

    /// The same without its descriptor.
    pub(crate) fn closed(&self) -> LateDir {
        LateDir { late: self.late, ..LateDir::of_scope(&Scope::start()) }
    }

    /// The descriptor that names in this directory are relative to; it must be open.
    pub(crate) fn at(&self) -> At<'_> {
        debug_assert!(!self.is_unopened(), "opened before");
        self.descriptor().map_or_else(|| self.scope.at(), AsFile::as_file)
    }

    /// The same. If it was not opened so far, it is now, by its `path` from `scope`.
    ///
    /// Price: none, or once one `openat` and one `statx`, and two calls more for each 4000 bytes of
    /// the path.
    ///
    /// # Errors
    /// The kernel's number; `ENOENT` if another directory is there now.
    pub(crate) fn at_in(&self, scope: &Scope, path: &[u8]) -> Result<At<'_>, Errno> {
        if self.is_unopened() {
            let descriptor = open_path(scope.at(), path)?;
            if self.late != Some(Identity::of(&descriptor)?) {
                return Err(Errno::NOENT);
            }
            // Another worker may have opened it meanwhile: then this descriptor is closed.
            let _ = self.descriptor.set(descriptor);
        }
        Ok(self.at())
    }

    pub(crate) fn descriptor(&self) -> Option<&Descriptor> {
        self.descriptor.get()
    }

    /// Whether it is to be opened when something needs it, and nothing has.
    pub(crate) fn is_unopened(&self) -> bool {
        self.late.is_some() && self.descriptor().is_none()
    }

    /// Whether its descriptor was closed, or it never had one as it is a scope.
    pub(crate) fn is_closed(&self) -> bool {
        self.late.is_none() && self.descriptor().is_none()
    }
}

/// Opens a directory by a path of any length.
pub(crate) fn open_path(at: At<'_>, path: &[u8]) -> Result<Descriptor, Errno> {
    in_pieces(at, path, |at, rest| sys::open_dir(at, &c_string(rest)?, true))
}
