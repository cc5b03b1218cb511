//! A permission that is asked about.

/// A permission that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To read the file.
    Read,
    /// To write it.
    Write,
    /// To execute it, or to search it if it is a directory.
    Execute,
}
