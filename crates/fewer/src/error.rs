//! Errors: the kernel's number as it is, the action that failed, and its path.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use sys::OsStrExt;

pub use sys::Errno;

pub use crate::action::Action;
use crate::escape::escaped;

/// A failed action on one path. An error never ends a walk: it is delivered like an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    errno: Errno,
    action: Action,
    path: Box<[u8]>,
}

impl Error {
    /// An error of `action` (a verb in its plain form: "open directory") on `path`.
    #[must_use]
    pub fn new(errno: Errno, action: impl Into<Action>, path: &[u8]) -> Error {
        Error { errno, action: action.into(), path: path.into() }
    }

    /// The kernel's number; its `Display` has the C library's words: "Permission denied".
    #[must_use]
    pub fn errno(&self) -> Errno {
        self.errno
    }

    /// The action that failed: [`Action::OPEN_DIRECTORY`].
    #[must_use]
    pub fn action(&self) -> Action {
        self.action
    }

    /// The path of the action, spelled as the walk spells it.
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.path))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} '{}': {}", self.action, escaped(&self.path), self.errno)
    }
}

impl std::error::Error for Error {}

impl From<Error> for std::io::Error {
    /// Keeps the number, and so the `kind`; action and path are lost.
    fn from(error: Error) -> std::io::Error {
        error.errno.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_has_action_path_and_reason() {
        let error = Error::new(Errno::ACCESS, Action::OPEN_DIRECTORY, b"a\nb\xff");
        assert_eq!(error.to_string(), "cannot open directory 'a\\nb\\xff': Permission denied");
    }
}
