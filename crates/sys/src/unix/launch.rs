//! A child that is to be started, as C takes it, and its number.

use std::ffi::{CStr, CString, c_char, c_int};

use rustix::process::Pid;

use super::SignalMask;

/// The number of a child that has been started. The caller has to wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process(Pid);

impl Process {
    pub(super) fn new(id: Pid) -> Process {
        Process(id)
    }

    pub(crate) fn pid(self) -> Pid {
        self.0
    }

    /// The number.
    #[must_use]
    pub fn id(self) -> u32 {
        self.0.as_raw_nonzero().get().unsigned_abs()
    }
}

/// A child to be started, in the words of C.
pub(super) struct Launch<'a> {
    pub(super) program: &'a CStr,
    pub(super) search: bool,
    /// Ends with a null pointer, as the environment.
    pub(super) arguments: &'a [*mut c_char],
    pub(super) environment: &'a [*mut c_char],
    /// What the child does before it runs the program, in order.
    pub(super) steps: &'a [Step],
    /// The signals that get their default action in the child.
    pub(super) default_signals: &'a [c_int],
    /// The signals that it blocks; those that this thread blocks if `None`.
    pub(super) mask: Option<SignalMask>,
}

/// A step of a child to its program. Descriptors are plain numbers; the caller holds them.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// Goes into the directory.
    Enter(c_int),
    /// The open file gets the second number, and is inherited.
    Put(c_int, c_int),
    Close(c_int),
    /// The number gets /dev/null.
    OpenNull(c_int),
}

/// /dev/null, and how it is opened for a standard stream.
pub(super) fn null(number: c_int) -> (&'static CStr, c_int) {
    (c"/dev/null", if number == 0 { libc::O_RDONLY } else { libc::O_WRONLY })
}

/// A list of strings as C takes it, with a null pointer at the end.
pub(super) fn pointers(strings: &[CString]) -> Vec<*mut c_char> {
    let strings = strings.iter().map(|string| string.as_ptr().cast_mut());
    strings.chain([std::ptr::null_mut()]).collect()
}
