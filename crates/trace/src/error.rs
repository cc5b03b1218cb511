//! What can go wrong while a program is watched, or a recording read.

use std::fmt;

/// The kernel refused something, or a text is not what it should be.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The kernel's refusal: its number, what was being done, to which path.
    System(fewer::Error),
    /// No process can be traced here.
    NoTracing {
        /// The program or the process, for the message.
        name: Box<[u8]>,
    },
    /// What is to be watched is not there.
    Missing {
        /// What was looked for: "running systemd unit".
        kind: &'static str,
        /// Its name, for the message.
        name: Box<[u8]>,
        /// Where it was looked for, without a full stop.
        why: &'static str,
    },
    /// Something cannot be done by this program, or by this user.
    Unsupported {
        /// What was to be watched, or how.
        what: &'static str,
        /// What is missing, without a full stop.
        why: String,
    },
    /// A file that cannot be understood.
    Format {
        /// Its path, for the message.
        path: Box<[u8]>,
        /// The line, from 1; 0 if it is about the whole.
        line: u64,
        /// What is wrong, without a full stop.
        why: String,
    },
}

impl Error {
    /// The kernel refused to do `action` ("run", "read") with `path`.
    #[must_use]
    pub fn new(errno: fewer::Errno, action: &'static str, path: &[u8]) -> Error {
        Error::System(fewer::Error::new(errno, action, path))
    }

    /// The kernel's number, if it was the kernel.
    #[must_use]
    pub fn errno(&self) -> Option<fewer::Errno> {
        match self {
            Error::System(error) => Some(error.errno()),
            Error::NoTracing { .. }
            | Error::Missing { .. }
            | Error::Unsupported { .. }
            | Error::Format { .. } => None,
        }
    }
}

impl From<fewer::Error> for Error {
    fn from(error: fewer::Error) -> Error {
        Error::System(error)
    }
}

impl From<fewer::LineError> for Error {
    fn from(error: fewer::LineError) -> Error {
        match error {
            fewer::LineError::Failed(error) => Error::System(error),
            fewer::LineError::NotUtf8 { path, number, offset, .. } => {
                let why = format!("not UTF-8 at byte {offset}");
                Error::Format { path, line: number, why }
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::System(error) => error.fmt(f),
            Error::NoTracing { name } => {
                let name = fewer::present::escaped(name);
                write!(
                    f,
                    "cannot trace '{name}': the kernel here, or what emulates it, lacks ptrace"
                )
            }
            Error::Missing { kind, name, why } => {
                write!(f, "there is no {kind} '{}': {why}", fewer::present::escaped(name))
            }
            Error::Unsupported { what, why } => write!(f, "cannot watch {what}: {why}"),
            Error::Format { path, line, why } => {
                let path = fewer::present::escaped(path);
                match line {
                    0 => write!(f, "'{path}': {why}"),
                    _ => write!(f, "'{path}', line {line}: {why}"),
                }
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::System(error) => Some(error),
            Error::NoTracing { .. }
            | Error::Missing { .. }
            | Error::Unsupported { .. }
            | Error::Format { .. } => None,
        }
    }
}
