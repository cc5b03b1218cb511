//! inotify: waits until files change, and says which.

use std::ffi::CStr;
use std::ops::BitOr;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};

use crate::Errno;
use crate::counter::Call;
use crate::unix::{Descriptor, read, retry};

/// What is watched of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The bytes of a file, and whether it loses a name.
    Contents,
    /// The names in a directory.
    Names,
    /// The names in a directory, the bytes and metadata of what they lead to, and whether the
    /// directory itself is moved or removed. Anything else is `ENOTDIR`.
    Entries,
    /// Whether a directory itself is moved or removed. Anything else is `ENOTDIR`.
    Itself,
}

/// The number of a watch. Each file or directory has one in a watcher, whatever path led to it, and
/// none gets the number of an earlier one again soon.
pub type WatchNumber = i32;

/// What an event says has happened: one or more of the constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Happened(u32);

impl Happened {
    /// Nothing.
    pub const NOTHING: Happened = Happened(0);
    /// A name was made.
    pub const CREATED: Happened = Happened(libc::IN_CREATE);
    /// A name was removed.
    pub const REMOVED: Happened = Happened(libc::IN_DELETE);
    /// A name was moved to another name, here or in another directory.
    pub const MOVED_AWAY: Happened = Happened(libc::IN_MOVED_FROM);
    /// Another name was moved to this one.
    pub const MOVED_HERE: Happened = Happened(libc::IN_MOVED_TO);
    /// Bytes were written, or cut off.
    pub const CONTENTS: Happened = Happened(libc::IN_MODIFY);
    /// Permissions, owner, times, links or attributes were set.
    pub const METADATA: Happened = Happened(libc::IN_ATTRIB);
    /// What is watched was itself removed or moved, or its file system is unmounted.
    pub const ITSELF: Happened =
        Happened(libc::IN_DELETE_SELF | libc::IN_MOVE_SELF | libc::IN_UNMOUNT);
    /// The file system of what is watched is unmounted.
    pub const UNMOUNTED: Happened = Happened(libc::IN_UNMOUNT);
    /// The watch has ended: its number means nothing any more.
    pub const ENDED: Happened = Happened(libc::IN_IGNORED);
    /// Events were lost, as too many waited.
    pub const OVERFLOW: Happened = Happened(libc::IN_Q_OVERFLOW);

    /// From the number that the kernel writes, in which other bits mean nothing here.
    pub(super) fn from_bits(bits: u32) -> Happened {
        Happened(bits)
    }

    /// These without `others`. Free.
    #[must_use]
    pub fn without(self, others: Happened) -> Happened {
        Happened(self.0 & !others.0)
    }

    /// Whether one of `others` is among these. Free.
    #[must_use]
    pub fn any_of(self, others: Happened) -> bool {
        self.0 & others.0 != 0
    }
}

impl BitOr for Happened {
    type Output = Happened;
    fn bitor(self, other: Happened) -> Happened {
        Happened(self.0 | other.0)
    }
}

/// One event, still inside the block.
#[derive(Clone, Copy, Debug)]
pub struct WatchEvent<'b> {
    /// The watch that it belongs to; -1 for lost events.
    pub watch: WatchNumber,
    /// What has happened.
    pub happened: Happened,
    /// The name in the watched directory; empty if it is about what is watched itself.
    pub name: &'b [u8],
}

/// The events of a block that a watcher filled. A block that is cut short ends early.
#[derive(Clone, Debug)]
pub struct WatchEvents<'b> {
    rest: &'b [u8],
}

impl<'b> WatchEvents<'b> {
    /// The events in bytes as the kernel writes them, whatever is in them.
    #[must_use]
    pub fn parse(bytes: &'b [u8]) -> WatchEvents<'b> {
        WatchEvents { rest: bytes }
    }
}

impl<'b> Iterator for WatchEvents<'b> {
    type Item = WatchEvent<'b>;

    fn next(&mut self) -> Option<WatchEvent<'b>> {
        // struct inotify_event: descriptor, mask, cookie, length of the name, 4 bytes each; then
        // the name with NULs behind it.
        let (header, behind) = self.rest.split_first_chunk::<16>()?;
        let word = |at: usize| u32::from_ne_bytes([0, 1, 2, 3].map(|byte| header[at + byte]));
        let Some((padded, rest)) = behind.split_at_checked(word(12) as usize) else {
            self.rest = &[];
            return None;
        };
        self.rest = rest;
        let end = padded.iter().position(|&byte| byte == 0).unwrap_or(padded.len());
        let happened = Happened(word(4));
        Some(WatchEvent { watch: word(0).cast_signed(), happened, name: &padded[..end] })
    }
}

/// Makes a watcher, which watches nothing yet. Reading from it waits for an event, unless it is
/// `at_once`: then it is `EAGAIN` if there is none.
///
/// Price: one `inotify_init1`; one `close` later.
///
/// # Errors
/// The kernel's number: `EMFILE` if this user has too many.
#[doc(alias = "inotify_init1")]
pub fn new_watcher(at_once: bool) -> Result<Descriptor, Errno> {
    let flags = if at_once { CreateFlags::NONBLOCK } else { CreateFlags::empty() };
    retry(Call::InotifyInit1, || inotify::init(flags | CreateFlags::CLOEXEC)).map(Descriptor::new)
}

/// Watches the file or directory at a path; links are followed. What is watched already keeps its
/// number.
///
/// Price: one `inotify_add_watch`.
///
/// # Errors
/// The kernel's number: `ENOSPC` if this user watches too many, `ENOENT`, `EACCES`, …
#[doc(alias = "inotify_add_watch")]
pub fn add_watch(watcher: &Descriptor, path: &CStr, what: Watched) -> Result<WatchNumber, Errno> {
    let names =
        WatchFlags::CREATE | WatchFlags::DELETE | WatchFlags::MOVED_FROM | WatchFlags::MOVED_TO;
    let itself = WatchFlags::DELETE_SELF | WatchFlags::MOVE_SELF;
    let flags = match what {
        Watched::Contents => WatchFlags::MODIFY | WatchFlags::ATTRIB | WatchFlags::MOVE_SELF,
        Watched::Names => names,
        Watched::Itself => itself | WatchFlags::ONLYDIR,
        Watched::Entries => {
            // MASK_ADD: without it the kernel takes all flags of a watch away for a moment when it
            // is asked for again, and what happens in that moment is lost.
            let rules = WatchFlags::ONLYDIR | WatchFlags::EXCL_UNLINK | WatchFlags::MASK_ADD;
            names | WatchFlags::MODIFY | WatchFlags::ATTRIB | itself | rules
        }
    };
    retry(Call::InotifyAddWatch, || inotify::add_watch(watcher, path, flags))
}

/// Ends a watch. Events of it may still come, the last of which says [`Happened::ENDED`].
///
/// Price: one `inotify_rm_watch`.
///
/// # Errors
/// The kernel's number: `EINVAL` for one that has ended already.
#[doc(alias = "inotify_rm_watch")]
pub fn remove_watch(watcher: &Descriptor, watch: WatchNumber) -> Result<(), Errno> {
    retry(Call::InotifyRmWatch, || inotify::remove_watch(watcher, watch))
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
    let bytes_only = Happened(ReadFlags::MODIFY.bits());
    Ok(WatchEvents::parse(&block[..filled]).any(|event| !event.happened.any_of(bytes_only)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn event(watch: i32, mask: u32, name: &[u8], padding: usize) -> Vec<u8> {
        let length = (name.len() + padding) as u32;
        let head = [watch.cast_unsigned(), mask, 7, length].map(u32::to_ne_bytes).concat();
        [&head[..], name, &vec![0; padding]].concat()
    }

    #[test]
    fn events_are_read_one_behind_the_other_and_a_torn_one_is_left() {
        let whole = [event(1, 0x100, b"name", 4), event(2, 0x400, b"", 0)].concat();
        for cut in 0..=whole.len() {
            let events: Vec<_> = WatchEvents::parse(&whole[..cut]).collect();
            let expected = if cut == whole.len() { 2 } else { usize::from(cut >= 24) };
            assert_eq!(events.len(), expected, "{cut}");
            if let [first, ..] = &events[..] {
                assert_eq!((first.watch, first.name), (1, &b"name"[..]));
                assert!(first.happened.any_of(Happened::CREATED));
            }
        }
        let itself = WatchEvents::parse(&whole).nth(1).unwrap();
        assert!(itself.happened.any_of(Happened::ITSELF) && itself.name.is_empty());
    }

    #[test]
    fn nothing_is_lost_while_a_watch_is_asked_for_again() {
        const FILES: usize = 5_000;
        let folder = tempfile::tempdir().unwrap();
        let path = std::ffi::CString::new(folder.path().to_str().unwrap()).unwrap();
        let watcher = new_watcher(true).unwrap();
        let watch = add_watch(&watcher, &path, Watched::Entries).unwrap();
        let mut block = vec![0; 1 << 16];
        let mut events = 0;
        std::thread::scope(|threads| {
            let maker = threads.spawn(|| {
                for number in 0..FILES {
                    std::fs::File::create(folder.path().join(number.to_string())).unwrap();
                }
            });
            loop {
                let is_over = maker.is_finished();
                assert_eq!(add_watch(&watcher, &path, Watched::Entries), Ok(watch));
                match read(&watcher, &mut block) {
                    Ok(filled) => events += WatchEvents::parse(&block[..filled]).count(),
                    Err(Errno::AGAIN) if is_over => break,
                    Err(errno) => assert_eq!(errno, Errno::AGAIN),
                }
            }
        });
        assert_eq!(events, FILES);
    }

    proptest! {
        #[test]
        fn any_bytes_at_all_end(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let names: usize = WatchEvents::parse(&bytes).map(|event| 16 + event.name.len()).sum();
            prop_assert!(names <= bytes.len());
        }
    }
}
