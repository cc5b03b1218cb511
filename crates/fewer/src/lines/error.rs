//! Errors of reading lines.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use sys::OsStrExt;

use crate::error::{Errno, Error};
use crate::escape::escaped;

/// Why there are no more lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineError {
    /// A call failed.
    Failed(Error),
    /// With [`Check::Strict`](super::Check::Strict): a line is not UTF-8.
    NotUtf8 {
        /// The input's name in messages.
        path: Box<[u8]>,
        /// The line, from 1.
        number: u64,
        /// The offset of the first bad byte in the input.
        offset: u64,
        /// The offset of the first bad byte in the line.
        column: u64,
    },
}

impl LineError {
    /// The kernel's number; `EILSEQ` for a line that is not UTF-8.
    #[must_use]
    pub fn errno(&self) -> Errno {
        match self {
            LineError::Failed(error) => error.errno(),
            LineError::NotUtf8 { .. } => Errno::ILSEQ,
        }
    }

    /// The path of the input, or its other name.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            LineError::Failed(error) => error.path(),
            LineError::NotUtf8 { path, .. } => Path::new(OsStr::from_bytes(path)),
        }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::Failed(error) => error.fmt(f),
            LineError::NotUtf8 { path, number, offset, .. } => {
                let name = escaped(path);
                write!(f, "line {number} of '{name}' is not UTF-8 at byte {offset}")
            }
        }
    }
}

impl std::error::Error for LineError {}

impl From<Error> for LineError {
    fn from(error: Error) -> LineError {
        LineError::Failed(error)
    }
}

impl From<LineError> for std::io::Error {
    /// Keeps the number, and so the `kind`; action and path are lost.
    fn from(error: LineError) -> std::io::Error {
        error.errno().into()
    }
}
