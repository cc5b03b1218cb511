//! A child to be started, and its streams.

use std::ffi::{CStr, CString};
#[cfg(unix)]
use std::os::fd::BorrowedFd as BorrowedFile;
#[cfg(windows)]
use std::os::windows::io::BorrowedHandle as BorrowedFile;

/// What a child gets as one of its three standard streams.
#[derive(Clone, Copy, Debug)]
pub enum Stream<'a> {
    /// The stream of this process.
    Inherit,
    /// The device that is empty and takes anything: /dev/null, NUL.
    Null,
    /// An open file.
    File(BorrowedFile<'a>),
}

/// A child to be started; `M` is a set of signals.
#[derive(Debug)]
pub struct Start<'a, M> {
    /// The program.
    pub program: &'a CStr,
    /// Whether the child looks for a program without a slash in this process's own PATH, where
    /// starting a child can do that ([`START_SEARCHES`](crate::START_SEARCHES)).
    pub search: bool,
    /// Its arguments, its own name first.
    pub arguments: &'a [CString],
    /// Its environment, each `NAME=VALUE`.
    pub environment: &'a [CString],
    /// The directory to start in; this process's own if `None`.
    pub directory: Option<BorrowedFile<'a>>,
    /// Standard input, output and error.
    pub streams: [Stream<'a>; 3],
    /// The signals that it blocks; those that this thread blocks if `None`.
    pub mask: Option<M>,
}
