//! A snapshot in use by walks, and how far it went.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::snapshot::Snapshot;

/// A snapshot that walks take unchanged directories from ([`Walk::since`](super::Walk::since)), and
/// how many these were.
#[derive(Debug)]
pub struct Since {
    snapshot: Arc<Snapshot>,
    unchanged: AtomicUsize,
    unproven: AtomicUsize,
}

impl Since {
    /// Nothing was taken from the snapshot so far.
    #[must_use]
    pub fn new(snapshot: Arc<Snapshot>) -> Since {
        Since { snapshot, unchanged: AtomicUsize::new(0), unproven: AtomicUsize::new(0) }
    }

    /// The snapshot.
    #[must_use]
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
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

    /// Adds what one worker has counted.
    pub(super) fn count(&self, unchanged: usize, unproven: usize) {
        self.unchanged.fetch_add(unchanged, Relaxed);
        self.unproven.fetch_add(unproven, Relaxed);
    }
}
