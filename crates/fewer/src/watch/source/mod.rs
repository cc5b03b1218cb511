//! Where events come from: inotify, with a watch for each directory, and fanotify, with a mark for
//! each file system. What is above takes an event as `SourceEvent` and asks no further.
//!
//! Both may be in use in one watch: what fanotify cannot watch (a file system without handles, or
//! of which a part has another identity) is watched by inotify, and what inotify cannot take any
//! more by fanotify. A directory is known to one of them only.

mod fanotify;

use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use fanotify::{Fanotify, Found};
use sys::{Descriptor, Happened, WatchEvents, WatchNumber, Watched};

use crate::error::Errno;
use crate::path::c_string;

/// So much is read of a queue at once: some hundreds of events.
const BLOCK_BYTES: usize = 64 << 10;
/// The largest event: of fanotify, with the longest handle, and the longest name with its NUL.
const EVENT_BYTES: usize = 24 + 4 + 16 + 128 + 256;

/// What tells a watched directory from all others. One that moves keeps it, and none gets that of
/// an earlier one again soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum WatchId {
    Inotify(WatchNumber),
    Fanotify(u64),
}

/// One event.
#[derive(Debug)]
pub(super) struct SourceEvent {
    /// The directory; none for lost events.
    pub(super) dir: Option<WatchId>,
    pub(super) happened: Happened,
    /// The name in the directory; empty if it is about the directory itself.
    pub(super) name: Box<[u8]>,
}

/// When fanotify is used, if the kernel allows it at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UseOfFanotify {
    Never,
    /// Where inotify takes no more directories.
    BeyondLimit,
    /// Where a file system can be watched as a whole.
    Preferred,
}

/// The source of events.
#[derive(Debug)]
pub(super) struct Source {
    inotify: Descriptor,
    fanotify: Option<Fanotify>,
    uses: UseOfFanotify,
    /// Whether it has begun, so that the caller may wait for its descriptor.
    has_begun: bool,
    block: Vec<u8>,
}

impl Source {
    /// A source that watches nothing yet.
    ///
    /// Price: one `inotify_init1`. fanotify is begun when it is needed.
    pub(super) fn new(prefers_fanotify: bool) -> Result<Source, Errno> {
        let uses =
            if prefers_fanotify { UseOfFanotify::Preferred } else { UseOfFanotify::BeyondLimit };
        let (inotify, block) = (sys::new_watcher(true)?, vec![0; BLOCK_BYTES]);
        Ok(Source { inotify, fanotify: None, uses, has_begun: false, block })
    }

    /// Notes that the first trees were read: the descriptor stays the same from now on.
    pub(super) fn begin(&mut self) {
        self.has_begun = true;
    }

    /// Watches an open directory, whatever path it has by now; a root also for being moved or
    /// removed itself. One that is watched already keeps its number.
    ///
    /// Price: one `inotify_add_watch`, or one `name_to_handle_at`; both for a directory on a file
    /// system that fanotify cannot watch, and beyond the limit of inotify.
    pub(super) fn watch(
        &mut self,
        dir: &Descriptor,
        path: &[u8],
        is_root: bool,
    ) -> Result<WatchId, Errno> {
        let prefers = self.uses == UseOfFanotify::Preferred;
        let mut found = None;
        if prefers || self.fanotify.is_some() {
            found = self.find(dir);
        }
        if !prefers && !matches!(found, Some(Found::Known(_))) {
            match watch_by_inotify(&self.inotify, dir, path, Watched::Entries) {
                Err(Errno::NOSPC) => found = found.or_else(|| self.find(dir)),
                done => return done.map(WatchId::Inotify),
            }
        }
        let number = match (found, &mut self.fanotify) {
            (Some(Found::Known(number)), _) => Some(number),
            (Some(Found::New(handle)), Some(fanotify)) => {
                let guard = || watch_by_inotify(&self.inotify, dir, path, Watched::Itself);
                fanotify.add(handle, dir, is_root, guard)?
            }
            _ => None,
        };
        match number {
            Some(number) => Ok(WatchId::Fanotify(number)),
            None if prefers => {
                watch_by_inotify(&self.inotify, dir, path, Watched::Entries).map(WatchId::Inotify)
            }
            None => Err(Errno::NOSPC),
        }
    }

    /// What fanotify knows of a directory; `None` if it cannot watch it. Begins it, if that may be.
    fn find(&mut self, dir: &Descriptor) -> Option<Found> {
        if self.fanotify.is_none() && !self.has_begun && self.uses != UseOfFanotify::Never {
            self.fanotify = Fanotify::new(&self.inotify).ok();
        }
        let found =
            self.fanotify.as_ref().map(|fanotify| (fanotify.find(dir), fanotify.is_empty()));
        // Before Linux 6.12 it is so for all directories.
        if matches!(found, None | Some((Err(Errno::INVAL), true))) {
            (self.fanotify, self.uses) = (None, UseOfFanotify::Never);
        }
        found?.0.ok()
    }

    /// Ends the watch of a directory; it may just have ended. If it is watched again, it gets
    /// another number.
    ///
    /// Price: one `inotify_rm_watch`, where it is watched by inotify.
    pub(super) fn unwatch(&mut self, watch: WatchId) {
        let ended = match (watch, &mut self.fanotify) {
            (WatchId::Inotify(number), _) => Some(number),
            (WatchId::Fanotify(number), Some(fanotify)) => fanotify.forget(number),
            (WatchId::Fanotify(_), None) => None,
        };
        if let Some(ended) = ended {
            let _ = sys::remove_watch(&self.inotify, ended);
        }
    }

    /// Takes what is in the queues, without what is told of directories that are not watched.
    ///
    /// Price: one `read` for each 64 KiB of events; with fanotify one more.
    pub(super) fn take(&mut self) -> Result<Vec<SourceEvent>, Errno> {
        let mut events = Vec::new();
        if let Some(fanotify) = &mut self.fanotify {
            let group = fanotify.group();
            while let Some(filled) = read(group, &mut self.block)? {
                events.extend(fanotify.events(&self.block[..filled]));
                if filled + EVENT_BYTES <= self.block.len() {
                    break;
                }
            }
        }
        while let Some(filled) = read(&self.inotify, &mut self.block)? {
            for event in WatchEvents::parse(&self.block[..filled]) {
                let guarded =
                    self.fanotify.as_mut().and_then(|fanotify| fanotify.guard_event(&event));
                let dir = match guarded {
                    Some(number) => Some(WatchId::Fanotify(number)),
                    None => (event.watch >= 0).then_some(WatchId::Inotify(event.watch)),
                };
                let (mut happened, name) = (event.happened, event.name.into());
                if event.name.is_empty() && self.fanotify.is_none() {
                    // The directory above, which is watched as well, tells it with the name; not
                    // so by fanotify.
                    happened = happened.without(Happened::METADATA);
                }
                events.push(SourceEvent { dir, happened, name });
            }
            if filled + EVENT_BYTES <= self.block.len() {
                break;
            }
        }
        Ok(events)
    }
}

impl AsFd for Source {
    /// What can be read when there are events.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fanotify.as_ref().map_or(self.inotify.as_fd(), Fanotify::either)
    }
}

/// Reads a block of a queue; `None` if it is empty.
fn read(queue: &Descriptor, block: &mut [u8]) -> Result<Option<usize>, Errno> {
    match sys::read(queue, block) {
        Err(Errno::AGAIN) => Ok(None),
        done => done.map(Some),
    }
}

/// Watches an open directory by its descriptor; where there is no /proc, the one at the path.
fn watch_by_inotify(
    inotify: &Descriptor,
    dir: &Descriptor,
    path: &[u8],
    what: Watched,
) -> Result<WatchNumber, Errno> {
    let itself = format!("/proc/self/fd/{}", dir.as_fd().as_raw_fd());
    let watch = |path: &[u8]| sys::add_watch(inotify, &c_string(path)?, what);
    match watch(itself.as_bytes()) {
        Err(Errno::NOENT | Errno::NOTDIR) => watch(path),
        done => done,
    }
}
