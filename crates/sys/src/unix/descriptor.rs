//! A descriptor that is closed, and counted as closed, when dropped.

use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd, RawFd};
#[cfg(target_os = "macos")]
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::counter::{Call, count};
#[cfg(target_os = "macos")]
use crate::macos_formats::reader::ReadState;

/// An open file that belongs to other code, whatever the system calls it.
pub type BorrowedFile<'f> = BorrowedFd<'f>;

/// An open file, whatever the system calls it; [`Descriptor`] counts how it is closed.
pub type OwnedFile = OwnedFd;

/// An open file as C has it: the number of a descriptor.
pub type RawFile = RawFd;

/// No open file, as C has it.
pub const NO_FILE: RawFile = -1;

/// An open file, for C. Free.
#[must_use]
pub fn raw_file(file: BorrowedFile<'_>) -> RawFile {
    file.as_raw_fd()
}

/// Hands an open file over to C, which closes it, uncounted. Free.
#[must_use]
pub fn into_raw_file(file: Descriptor) -> RawFile {
    OwnedFd::from(file).into_raw_fd()
}

/// Whether C has no open file there. Free.
#[must_use]
pub fn is_no_file(raw: RawFile) -> bool {
    raw < 0
}

/// What has an open file: the same trait on every system.
pub trait AsFile {
    /// The open file. Free.
    fn as_file(&self) -> BorrowedFile<'_>;
}

impl<T: AsFd> AsFile for T {
    #[inline]
    fn as_file(&self) -> BorrowedFile<'_> {
        self.as_fd()
    }
}

/// Implements the standard library's trait for what has an open file, for a type with a function
/// that returns it: [`AsFd`].
#[macro_export]
macro_rules! lend_file {
    ($(#[$($attribute:tt)*])* $type:ty: |$it:ident| $file:expr) => {
        impl ::std::os::fd::AsFd for $type {
            $(#[$($attribute)*])*
            fn as_fd(&self) -> $crate::BorrowedFile<'_> {
                let $it = self;
                $file
            }
        }
    };
}

/// What a name is relative to: an open directory, or the starting directory [`CWD`].
pub type At<'a> = BorrowedFd<'a>;

/// The working directory of the process. Using it costs no call.
pub const CWD: At<'static> = rustix::fs::CWD;

/// Standard input.
pub const STDIN: BorrowedFd<'static> = standard(0);
/// Standard output.
pub const STDOUT: BorrowedFd<'static> = standard(1);
/// Standard error.
pub const STDERR: BorrowedFd<'static> = standard(2);

const fn standard(number: i32) -> BorrowedFd<'static> {
    // SAFETY: 0, 1 and 2 are not -1, the one forbidden value. Nothing in this workspace closes them
    // (only `Descriptor` closes, and it owns what it opened itself); if the parent process gave
    // this one none of them, something else is open there before `main` (see `closed`).
    unsafe { BorrowedFd::borrow_raw(number) }
}

/// An open file. Dropping it costs one `close`.
#[derive(Debug)]
pub struct Descriptor {
    file: OwnedFd,
    /// How far it has been read, if it is a directory: the kernel does not say it.
    #[cfg(target_os = "macos")]
    read_state: Mutex<ReadState>,
}

impl Descriptor {
    pub(crate) fn new(file: OwnedFd) -> Descriptor {
        Descriptor {
            file,
            #[cfg(target_os = "macos")]
            read_state: Mutex::default(),
        }
    }

    #[cfg(target_os = "macos")]
    pub(crate) fn read_state(&self) -> MutexGuard<'_, ReadState> {
        self.read_state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<OwnedFd> for Descriptor {
    fn from(fd: OwnedFd) -> Descriptor {
        Descriptor::new(fd)
    }
}

impl From<Descriptor> for OwnedFd {
    /// For a caller that closes it by other means, uncounted.
    fn from(descriptor: Descriptor) -> OwnedFd {
        let kept = ManuallyDrop::new(descriptor);
        #[cfg(target_os = "macos")]
        // SAFETY: the state is neither used nor dropped any more.
        drop(unsafe { std::ptr::read(&raw const kept.read_state) });
        // SAFETY: `kept` is neither used nor dropped any more.
        unsafe { std::ptr::read(&raw const kept.file) }
    }
}

impl AsFd for Descriptor {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        count(Call::Close); // the call itself is made when the inner value drops, right after
    }
}
