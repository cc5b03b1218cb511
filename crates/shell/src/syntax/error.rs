//! Why a script cannot be read.

use std::fmt;

/// Why a script cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Where, from 1.
    pub line: u32,
    /// Whose fault it is.
    pub kind: ErrorKind,
    /// What the shell would say behind `name: line n: `.
    pub message: String,
}

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The script's: its shell would refuse it too.
    Syntax,
    /// Ours: its shell may run it.
    Unsupported,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Error {}

pub(super) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The same, found where its shell looks only when it comes there: it may run the rest.
    pub(super) fn found_early(self) -> Self {
        Self { kind: ErrorKind::Unsupported, ..self }
    }
}
