//! inotify: waits until files change.

use std::ffi::CStr;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};

use super::{Descriptor, read, retry};
use crate::Errno;
use crate::counter::Call;

/// What is watched of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The bytes of a file, and whether it loses a name.
    Contents,
    /// The names in a directory.
    Names,
}

/// Makes a watcher, which watches nothing yet.
///
/// Price: one `inotify_init1`; one `close` later.
///
/// # Errors
/// The kernel's number: `EMFILE` if this user has too many.
#[doc(alias = "inotify_init1")]
pub fn new_watcher() -> Result<Descriptor, Errno> {
    retry(Call::InotifyInit1, || inotify::init(CreateFlags::CLOEXEC)).map(Descriptor::new)
}

/// Watches the file or directory at a path; links are followed.
///
/// Price: one `inotify_add_watch`.
///
/// # Errors
/// The kernel's number: `ENOSPC` if this user watches too many, `ENOENT`, `EACCES`, …
#[doc(alias = "inotify_add_watch")]
pub fn add_watch(watcher: &Descriptor, path: &CStr, what: Watched) -> Result<(), Errno> {
    let flags = match what {
        Watched::Contents => WatchFlags::MODIFY | WatchFlags::ATTRIB | WatchFlags::MOVE_SELF,
        Watched::Names => {
            WatchFlags::CREATE | WatchFlags::DELETE | WatchFlags::MOVED_FROM | WatchFlags::MOVED_TO
        }
    };
    retry(Call::InotifyAddWatch, || inotify::add_watch(watcher, path, flags)).map(drop)
}

/// Waits until something that is watched has changed. Whether more than the bytes of files has.
///
/// Price: one `read`.
///
/// # Errors
/// The kernel's number.
pub fn wait_for_change(watcher: &Descriptor) -> Result<bool, Errno> {
    let mut block = [0; 4096];
    let filled = read(watcher, &mut block)?;
    let mut rest = &block[..filled];
    let mut names = false;
    // struct inotify_event: descriptor, mask, cookie, length of the name, 4 bytes each; the name.
    while let Some((header, behind)) = rest.split_first_chunk::<16>() {
        let word = |at: usize| u32::from_ne_bytes([0, 1, 2, 3].map(|byte| header[at + byte]));
        names |= word(4) & ReadFlags::MODIFY.bits() == 0;
        rest = behind.get(word(12) as usize..).unwrap_or_default();
    }
    Ok(names)
}
