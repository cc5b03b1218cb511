//! The directories whose file systems are marked as a whole.
//!
//! An event has the handle of its directory. That of each directory of the trees is asked for when
//! it is opened to be read (one `name_to_handle_at`, in place of `inotify_add_watch`), so an event
//! costs no call, and one of a directory that is not of the trees one look into a table. To open
//! handles instead would cost two calls for each event, most of which are of other directories.
//!
//! The kernel does not tell by fanotify that a file system is unmounted. So inotify watches the
//! first directory of each mount for that, and each root, as no directory of the trees tells that a
//! root is gone.

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

use sys::{
    Descriptor, DirectoryHandle, DirectoryKey, Fields, FileSystemEvents, Happened, WatchEvent,
    WatchNumber,
};

use super::{SourceEvent, WatchId};
use crate::error::Errno;

/// A marked file system: the number that is in its events, and its device. Copies of one disk have
/// the same number, so only one of them is watched by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Marked {
    number: u64,
    device: u64,
}

/// What is known of a directory.
pub(super) enum Found {
    Known(u64),
    New(DirectoryHandle),
}

#[derive(Debug)]
pub(super) struct Fanotify {
    group: Descriptor,
    /// Can be read when there are events of fanotify or inotify.
    either: Descriptor,
    /// The file system of each mount; none if it cannot be watched as a whole.
    mounts: HashMap<u64, Option<u64>>,
    marked: Vec<Marked>,
    by_key: HashMap<Arc<DirectoryKey>, u64>,
    keys: HashMap<u64, Arc<DirectoryKey>>,
    /// The directories that inotify watches for being moved, removed or unmounted.
    guards: HashMap<WatchNumber, u64>,
    last: u64,
}

impl Fanotify {
    /// Price: one `fanotify_init`, one `epoll_create1`, two `epoll_ctl`.
    pub(super) fn new(inotify: &Descriptor) -> Result<Fanotify, Errno> {
        let group = sys::new_file_system_watcher()?;
        let either = sys::either_readable(&group, inotify)?;
        Ok(Fanotify {
            group,
            either,
            mounts: HashMap::new(),
            marked: Vec::new(),
            by_key: HashMap::new(),
            keys: HashMap::new(),
            guards: HashMap::new(),
            last: 0,
        })
    }

    /// Whether no directory is watched.
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(super) fn group(&self) -> &Descriptor {
        &self.group
    }

    pub(super) fn either(&self) -> BorrowedFd<'_> {
        self.either.as_fd()
    }

    /// The number of a directory, or its handle, if it is not known.
    ///
    /// Price: one `name_to_handle_at`.
    pub(super) fn find(&self, dir: &Descriptor) -> Result<Found, Errno> {
        let mut handle = sys::directory_handle(dir)?;
        let file_system = self.mounts.get(&handle.mount).copied().flatten();
        let known = file_system.and_then(|number| self.by_key.get(handle.key(number)));
        Ok(known.map_or(Found::New(handle), |number| Found::Known(*number)))
    }

    /// Watches a directory that is not known; `None` if its file system cannot be watched as a
    /// whole.
    ///
    /// Price: for the first directory of a mount two `fstatfs`, a `statx`, a `fanotify_mark` and an
    /// `inotify_add_watch`; for another root the last of them.
    pub(super) fn add(
        &mut self,
        mut handle: DirectoryHandle,
        dir: &Descriptor,
        is_root: bool,
        guard: impl Fn() -> Result<WatchNumber, Errno>,
    ) -> Result<Option<u64>, Errno> {
        let is_first = !self.mounts.contains_key(&handle.mount);
        if is_first {
            let file_system = self.mark(dir);
            self.mounts.insert(handle.mount, file_system);
        }
        let Some(Some(file_system)) = self.mounts.get(&handle.mount) else { return Ok(None) };
        let key = handle.key(*file_system);
        // It may be known from another mount.
        let known = self.by_key.get(key).copied();
        let number = known.unwrap_or(self.last + 1);
        if is_first || is_root && known.is_none() {
            match guard() {
                Ok(guard) => drop(self.guards.insert(guard, number)),
                // It is watched without a guard: that it is unmounted is not told, nor what happens
                // there if it is mounted again.
                Err(Errno::NOSPC) if !is_root => {}
                Err(errno) => return Err(errno),
            }
        }
        if known.is_some() {
            return Ok(known);
        }
        self.last = number;
        let key: Arc<DirectoryKey> = key.into();
        self.by_key.insert(Arc::clone(&key), number);
        self.keys.insert(number, key);
        Ok(Some(number))
    }

    /// Marks the file system of a directory; its number, or none if it cannot be watched. Those
    /// with subvolumes cannot, nor those that are not known to be one device for each mount: their
    /// directories may have another identity than their events.
    fn mark(&mut self, dir: &Descriptor) -> Option<u64> {
        let file_system = sys::filesystem(dir).ok()?;
        if !(file_system.is_one_device() && file_system.stamps_changes()) {
            return None;
        }
        let number = sys::filesystem_id(dir).ok()?;
        let device = sys::stat_descriptor(dir, Fields::INODE).ok()?.device();
        let marked = Marked { number, device };
        if self.marked.iter().any(|other| other.number == number && *other != marked) {
            return None;
        }
        sys::watch_file_system(&self.group, dir).ok()?;
        if !self.marked.contains(&marked) {
            self.marked.push(marked);
        }
        Some(number)
    }

    /// Forgets a directory; its watch of inotify, if it has one: then the next directory of the
    /// file system gets one in its place.
    pub(super) fn forget(&mut self, number: u64) -> Option<WatchNumber> {
        let key = self.keys.remove(&number)?;
        self.by_key.remove(&key);
        let guard = *self.guards.iter().find(|(_, guarded)| **guarded == number)?.0;
        self.guards.remove(&guard);
        self.forget_mounts(&key);
        Some(guard)
    }

    /// Forgets which mounts are of the file system that a key is of.
    fn forget_mounts(&mut self, key: &DirectoryKey) {
        let is_it = |number: u64| key.starts_with(&sys::file_system_key(number));
        self.mounts.retain(|_, number| !number.is_some_and(is_it));
    }

    /// The events in a block, without those of other directories.
    pub(super) fn events(&self, block: &[u8]) -> impl Iterator<Item = SourceEvent> {
        FileSystemEvents::parse(block).filter_map(|event| {
            let dir = self.by_key.get(event.dir).copied().map(WatchId::Fanotify);
            let counts = dir.is_some() || event.happened.any_of(Happened::OVERFLOW);
            let (happened, name) = (event.happened, event.name);
            counts.then(|| SourceEvent { dir, happened, name: name.into() })
        })
    }

    /// The directory that an event of inotify is about, if it is one that is watched here.
    pub(super) fn guard_event(&mut self, event: &WatchEvent<'_>) -> Option<u64> {
        let number = *self.guards.get(&event.watch)?;
        if event.happened.any_of(Happened::UNMOUNTED) {
            self.unmounted(number);
        }
        if event.happened.any_of(Happened::ENDED) {
            self.forget(number);
            self.guards.remove(&event.watch);
        }
        Some(number)
    }

    /// Forgets all directories of a file system that is gone: what is mounted later may have the
    /// same ones, with other names in them.
    fn unmounted(&mut self, number: u64) {
        let Some(key) = self.keys.get(&number).cloned() else { return };
        let Some(file_system) = key.first_chunk::<8>() else { return };
        self.by_key.retain(|key, _| !key.starts_with(file_system));
        self.keys.retain(|_, key| !key.starts_with(file_system));
        self.marked.retain(|marked| sys::file_system_key(marked.number) != *file_system);
        self.forget_mounts(&key);
    }
}
