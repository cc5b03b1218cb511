//! Why a manifest cannot be used.

use std::fmt;
use std::path::{Path, PathBuf};

use fewer::Errno;
use fewer::present::escaped;
use sys::OsStrExt;

/// Why a manifest cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManifestError {
    /// An action on the file failed.
    Failed(fewer::Error),
    /// The file is no manifest: what is wrong with it.
    Defect(PathBuf, &'static str),
    /// The file is a manifest of something else: of what, and what was expected.
    Other(PathBuf, String, String),
}

impl ManifestError {
    pub(super) fn failed(action: &'static str, errno: Errno, path: &Path) -> ManifestError {
        ManifestError::Failed(fewer::Error::new(errno, action, path.as_os_str().as_bytes()))
    }

    /// The kernel's number, if it is the kernel that refused.
    #[must_use]
    pub fn errno(&self) -> Option<Errno> {
        match self {
            ManifestError::Failed(error) => Some(error.errno()),
            _ => None,
        }
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |path: &Path| escaped(path.as_os_str().as_bytes());
        match self {
            ManifestError::Failed(error) => error.fmt(f),
            ManifestError::Defect(path, defect) => {
                write!(f, "cannot use manifest '{}': {defect}", name(path))
            }
            ManifestError::Other(path, was, is) => write!(
                f,
                "'{}' is the manifest of another listing: of {}, and not of {}",
                name(path),
                escaped(was.as_bytes()),
                escaped(is.as_bytes())
            ),
        }
    }
}

impl std::error::Error for ManifestError {}
