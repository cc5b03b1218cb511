//! A handle that is closed, and counted as closed, when dropped.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::os::windows::io::{
    AsHandle, AsRawHandle, BorrowedHandle, IntoRawHandle, OwnedHandle, RawHandle,
};
use std::ptr::without_provenance_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Console::GetStdHandle;

use crate::counter::{Call, count};

/// What a name is relative to: an open directory, or the starting directory [`CWD`].
pub type At<'a> = BorrowedHandle<'a>;

/// The working directory of the process. Using it costs no call.
pub const CWD: At<'static> = constant(0);

/// Standard input.
pub const STDIN: BorrowedFile<'static> = constant(-10);
/// Standard output.
pub const STDOUT: BorrowedFile<'static> = constant(-11);
/// Standard error.
pub const STDERR: BorrowedFile<'static> = constant(-12);

/// The three numbers of `GetStdHandle` stand for its answers (see [`handle_of`]), and a handle of
/// nothing for the working directory, as in the kernel's own calls.
const fn constant(number: isize) -> BorrowedHandle<'static> {
    // SAFETY: these are no handles of open objects (those are multiples of 4, and what stands for
    // the process and its thread is -1 to -6), so nothing can close them; this crate alone looks
    // at the number.
    unsafe { BorrowedHandle::borrow_raw(without_provenance_mut::<c_void>(number as usize)) }
}

/// The handle itself, also of what stands for a standard one.
pub(super) fn handle_of(file: BorrowedHandle<'_>) -> HANDLE {
    let raw: RawHandle = file.as_raw_handle();
    match raw.addr() as isize {
        // SAFETY: takes a number.
        number @ -12..=-10 => unsafe { GetStdHandle(number as u32) },
        _ => raw,
    }
}

/// An open file that belongs to other code, whatever the system calls it.
pub type BorrowedFile<'f> = BorrowedHandle<'f>;

/// An open file, whatever the system calls it; [`Descriptor`] counts how it is closed.
pub type OwnedFile = OwnedHandle;

/// An open file as C has it: a `HANDLE`.
pub type RawFile = RawHandle;

/// No open file, as C has it.
pub const NO_FILE: RawFile = INVALID_HANDLE_VALUE;

/// An open file, for C. Free.
#[must_use]
pub fn raw_file(file: BorrowedFile<'_>) -> RawFile {
    file.as_raw_handle()
}

/// Hands an open file over to C, which closes it, uncounted. Free.
#[must_use]
pub fn into_raw_file(file: Descriptor) -> RawFile {
    OwnedHandle::from(file).into_raw_handle()
}

/// Whether C has no open file there. Free.
#[must_use]
pub fn is_no_file(raw: RawFile) -> bool {
    raw.is_null() || raw == NO_FILE
}

/// What has an open file: the same trait on every system.
pub trait AsFile {
    /// The open file. Free.
    fn as_file(&self) -> BorrowedFile<'_>;
}

impl<T: AsHandle> AsFile for T {
    #[inline]
    fn as_file(&self) -> BorrowedFile<'_> {
        self.as_handle()
    }
}

/// Implements the standard library's trait for what has an open file, for a type with a function
/// that returns it: [`AsHandle`].
#[macro_export]
macro_rules! lend_file {
    ($(#[$($attribute:tt)*])* $type:ty: |$it:ident| $file:expr) => {
        impl ::std::os::windows::io::AsHandle for $type {
            $(#[$($attribute)*])*
            fn as_handle(&self) -> $crate::BorrowedFile<'_> {
                let $it = self;
                $file
            }
        }
    };
}

/// An open file. Dropping it costs one `NtClose`.
#[derive(Debug)]
pub struct Descriptor {
    handle: OwnedHandle,
    /// Whether the next reading of a directory begins with its first entry.
    from_start: AtomicBool,
    /// How many records of the directory have been read.
    records: AtomicUsize,
}

impl Descriptor {
    pub(super) fn new(handle: OwnedHandle) -> Descriptor {
        Descriptor { handle, from_start: AtomicBool::new(true), records: AtomicUsize::new(0) }
    }

    /// Lets the next reading of the directory begin with its first entry.
    pub(super) fn read_from_start(&self) {
        self.from_start.store(true, Relaxed);
        self.records.store(0, Relaxed);
    }

    /// Counts records that were read, and returns how many there were before.
    pub(super) fn add_records(&self, records: usize) -> usize {
        self.records.fetch_add(records, Relaxed)
    }

    /// Whether this reading of the directory is to begin with its first entry.
    pub(super) fn takes_from_start(&self) -> bool {
        self.from_start.swap(false, Relaxed)
    }
}

impl From<OwnedHandle> for Descriptor {
    fn from(handle: OwnedHandle) -> Descriptor {
        Descriptor::new(handle)
    }
}

impl From<Descriptor> for OwnedHandle {
    /// For a caller that closes it by other means, uncounted.
    fn from(descriptor: Descriptor) -> OwnedHandle {
        let kept = ManuallyDrop::new(descriptor);
        // SAFETY: `kept` is neither used nor dropped any more.
        unsafe { std::ptr::read(&raw const kept.handle) }
    }
}

impl AsHandle for Descriptor {
    fn as_handle(&self) -> BorrowedHandle<'_> {
        self.handle.as_handle()
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        count(Call::Close); // the call itself is made when the inner value drops, right after
    }
}
