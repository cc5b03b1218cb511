//! Opens a path only to look at it.

use std::ffi::CStr;

use rustix::fs::{Mode, OFlags, openat};

use crate::Errno;
use crate::counter::Call;
use crate::unix::{At, Descriptor, retry};

/// Opens the directory `name` relative to `at`, following links, only for names relative to it: it
/// cannot be read, and no permission to read it is needed (before macOS 12 it is). A name that ends
/// in `/.` makes the kernel check that the directory may be searched, as for a working directory.
///
/// Price: one `openat`.
///
/// # Errors
/// As [`open_dir`](crate::open_dir).
#[doc(alias = "openat")]
pub fn open_place(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    let search = OFlags::from_bits_retain(libc::O_SEARCH.cast_unsigned());
    let flags = search | OFlags::DIRECTORY | OFlags::CLOEXEC;
    retry(Call::Openat, || openat(at, name, flags, Mode::empty())).map(Descriptor::new)
}

/// Opens `name` relative to `at`, whatever its kind, links followed, only to look at its metadata.
/// It does not wait, but needs the permission to read the file.
///
/// Price: one `openat`.
///
/// # Errors
/// The kernel's number: `ENOENT`, `ENOTDIR`, `EACCES`, `ELOOP`, `ENXIO` for a socket, …
#[doc(alias = "openat")]
pub fn open_path(at: At<'_>, name: &CStr) -> Result<Descriptor, Errno> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    retry(Call::Openat, || openat(at, name, flags, Mode::empty())).map(Descriptor::new)
}
