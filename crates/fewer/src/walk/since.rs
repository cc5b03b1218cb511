//! A snapshot in use by walks, and how far it went.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::{SnapshotFilters, Walk};
use crate::snapshot::Snapshot;

/// A snapshot that walks take unchanged directories from ([`Walk::since`](super::Walk::since)), and
/// how many these were.
#[derive(Debug)]
pub struct Since {
    snapshot: Arc<Snapshot>,
    unchanged: AtomicUsize,
    unproven: AtomicUsize,
    /// How many unchanged directories may still be opened to shorten the way to those below.
    openings: AtomicUsize,
}

/// Opening a directory and closing it are two calls: if one of so many is opened, there are 1.004
/// calls a directory.
const DIRECTORIES_PER_OPENING: usize = 512;

impl Since {
    /// Nothing was taken from the snapshot so far.
    #[must_use]
    pub fn new(snapshot: Arc<Snapshot>) -> Since {
        let openings = AtomicUsize::new(snapshot.directory_count() / DIRECTORIES_PER_OPENING);
        let (unchanged, unproven) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Since { snapshot, unchanged, unproven, openings }
    }

    /// The snapshot.
    #[must_use]
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// A walk since the snapshot with the filters that it was made with: through these of its
    /// roots, or all if there are none. `None` if the filters are of another version of this
    /// library.
    #[must_use]
    pub fn walk(self: &Arc<Since>, roots: &[impl AsRef<Path>]) -> Option<Walk> {
        let filters = SnapshotFilters::of_text(self.snapshot.options())?;
        let given = roots.iter().map(|root| root.as_ref().as_os_str().as_encoded_bytes().into());
        let roots: Vec<Box<[u8]>> = match roots.is_empty() {
            true => self.snapshot.roots().map(|root| root.path.into()).collect(),
            false => given.collect(),
        };
        filters.on(Walk { roots, ..Walk::new("") }.since(self)).ok()
    }

    /// How many directories were taken from it, once the walk is over.
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.unchanged.load(Relaxed)
    }

    /// How many directories were read though the snapshot knows them, because their file system may
    /// change them without a trace: NFS, FUSE, overlay, FAT, 9p, proc and the like.
    #[must_use]
    pub fn unproven(&self) -> usize {
        self.unproven.load(Relaxed)
    }

    /// Whether one more unchanged directory may be opened: then it is counted.
    pub(super) fn may_open(&self) -> bool {
        self.openings.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    /// Adds what one worker has counted.
    pub(super) fn count(&self, unchanged: usize, unproven: usize) {
        self.unchanged.fetch_add(unchanged, Relaxed);
        self.unproven.fetch_add(unproven, Relaxed);
    }
}
