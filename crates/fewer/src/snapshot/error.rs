//! Why a snapshot cannot be used.

use std::fmt;
use std::path::Path;

use crate::error::{Action, Errno, Error};
use crate::escape::escaped;

/// Why the bytes of a file are not used as a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// They do not begin as a snapshot does.
    NotASnapshot,
    /// They are a snapshot of another version of the format.
    Version(u32),
    /// They are fewer or more than the snapshot says that it has.
    Length,
    /// They are not those that were written.
    Checksum,
    /// What they say contradicts itself, though the checksum is right.
    Inconsistent,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::NotASnapshot => f.write_str("it is not a snapshot"),
            Defect::Version(version) => {
                write!(f, "it is a snapshot of version {version}; this program reads version ")?;
                super::VERSION.fmt(f)
            }
            Defect::Length => f.write_str("it is not whole"),
            Defect::Checksum => f.write_str("its checksum is wrong"),
            Defect::Inconsistent => f.write_str("it contradicts itself"),
        }
    }
}

impl std::error::Error for Defect {}

/// A snapshot that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// The kernel's answer.
    Kernel(Error),
    /// The file was read, and is no snapshot that can be used.
    Defect(Defect, Box<[u8]>),
}

impl SnapshotError {
    /// Why the file cannot be used, if it could be read.
    #[must_use]
    pub fn defect(&self) -> Option<Defect> {
        match self {
            SnapshotError::Kernel(_) => None,
            SnapshotError::Defect(defect, _) => Some(*defect),
        }
    }

    /// The path of the snapshot.
    #[must_use]
    pub fn path(&self) -> &Path {
        use sys::OsStrExt;
        match self {
            SnapshotError::Kernel(error) => error.path(),
            SnapshotError::Defect(_, path) => Path::new(std::ffi::OsStr::from_bytes(path)),
        }
    }

    /// The kernel's number; `EBADMSG` for a file that could be read, and is not used.
    #[must_use]
    pub fn errno(&self) -> Errno {
        match self {
            SnapshotError::Kernel(error) => error.errno(),
            SnapshotError::Defect(..) => Errno::BADMSG,
        }
    }

    /// What failed.
    #[must_use]
    pub fn action(&self) -> Action {
        match self {
            SnapshotError::Kernel(error) => error.action(),
            SnapshotError::Defect(..) => Action::READ_SNAPSHOT,
        }
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::Kernel(error) => error.fmt(f),
            SnapshotError::Defect(defect, path) => {
                write!(f, "cannot use snapshot '{}': {defect}", escaped(path))
            }
        }
    }
}

impl std::error::Error for SnapshotError {}

impl From<Error> for SnapshotError {
    fn from(error: Error) -> SnapshotError {
        SnapshotError::Kernel(error)
    }
}
