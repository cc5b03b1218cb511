//! Snapshots, and what is different between two of them.

use std::ffi::c_char;
use std::sync::Arc;

use fewer::snapshot::{Change, Changes, Level, SnapshotError, Wanted};
use fewer::{Scope, Snapshot};

use crate::boundary::{
    append, borrow, borrow_mut, close, functions, hand_out, path, put, put_or_zeros, writable,
};
use crate::error::Failed;
use crate::scope::scope_or_start;
use crate::walk::WalkHandle;

/// `fewer_snapshot`
pub struct SnapshotHandle {
    pub(crate) snapshot: Arc<Snapshot>,
    /// Which changes the walk that made it is about.
    pub(crate) wanted: Arc<Wanted>,
}

/// `fewer_snapshot_facts`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SnapshotFacts {
    pub(crate) entries: u64,
    pub(crate) directories: u64,
    pub(crate) bytes: u64,
    pub(crate) has_stat: u32,
    pub(crate) reserved: u32,
}

/// `fewer_change`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct CChange {
    pub(crate) path: u32,
    pub(crate) path_length: u32,
    pub(crate) from: u32,
    pub(crate) from_length: u32,
    pub(crate) change: u32,
    pub(crate) kind: u32,
}

/// `fewer_change_batch`
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ChangeBatch {
    pub(crate) bytes: *const c_char,
    pub(crate) bytes_length: usize,
    pub(crate) changes: *const CChange,
    pub(crate) changes_count: usize,
}

/// `fewer_changes`: the changes, and the memory of the batch.
pub struct ChangesHandle {
    changes: Changes,
    wanted: Arc<Wanted>,
    bytes: Vec<u8>,
    records: Vec<CChange>,
}

/// A batch has so many changes, or so many bytes, and one more.
const CHANGES_PER_BATCH: usize = 1024;
const BYTES_PER_BATCH: usize = 128 << 10;

impl From<SnapshotError> for Failed {
    #[cold]
    fn from(error: SnapshotError) -> Failed {
        let path = error.path().as_os_str().as_encoded_bytes();
        let number = error.errno().raw_os_error();
        Failed::new(number, error.to_string(), error.action(), path)
    }
}

impl ChangesHandle {
    fn new(changes: Changes, wanted: Arc<Wanted>) -> ChangesHandle {
        ChangesHandle { changes, wanted, bytes: Vec::new(), records: Vec::new() }
    }

    fn next(&mut self) -> Option<ChangeBatch> {
        self.bytes.clear();
        self.records.clear();
        while self.records.len() < CHANGES_PER_BATCH && self.bytes.len() < BYTES_PER_BATCH {
            let Some(change) = self.changes.next() else { break };
            if let Some(change) = self.wanted.change(change) {
                self.push(&change);
            }
        }
        (!self.records.is_empty()).then_some(ChangeBatch {
            bytes: self.bytes.as_ptr().cast(),
            bytes_length: self.bytes.len(),
            changes: self.records.as_ptr(),
            changes_count: self.records.len(),
        })
    }

    fn push(&mut self, change: &Change) {
        let (path, path_length) = append(&mut self.bytes, &change.path);
        let before = change.from.as_deref();
        let (from, from_length) = before.map_or((0, 0), |from| append(&mut self.bytes, from));
        let (change, kind) = (change.kind as u32, change.entry as u32);
        self.records.push(CChange { path, path_length, from, from_length, change, kind });
    }
}

functions! {
    fn fewer_snapshot_read(at: *const c_char, length: usize, handle: *mut *mut SnapshotHandle) {
        writable(handle)?;
        let snapshot = Snapshot::read(path(at, length)?)?;
        hand_out(handle, SnapshotHandle { snapshot: Arc::new(snapshot), wanted: Arc::default() })
    }

    fn fewer_snapshot_walk(
        handle: *const SnapshotHandle, scope: *const Scope, threads: u32,
        walk: *mut *mut WalkHandle
    ) {
        hand_out(walk, WalkHandle::again(borrow(handle)?, &scope_or_start(scope), threads)?)
    }

    fn fewer_snapshot_write(handle: *const SnapshotHandle, at: *const c_char, length: usize) {
        Ok(borrow(handle)?.snapshot.write(path(at, length)?)?)
    }

    fn fewer_snapshot_facts_of(handle: *const SnapshotHandle, facts: *mut SnapshotFacts) {
        let snapshot = &borrow(handle)?.snapshot;
        put(facts, SnapshotFacts {
            entries: snapshot.entry_count(),
            directories: snapshot.directory_count() as u64,
            bytes: snapshot.as_bytes().len() as u64,
            has_stat: u32::from(snapshot.level() == Level::Stat),
            reserved: 0,
        })
    }

    fn fewer_changes_open(
        old: *const SnapshotHandle, new: *const SnapshotHandle, handle: *mut *mut ChangesHandle
    ) {
        writable(handle)?;
        let (old, new) = (borrow(old)?, borrow(new)?);
        let changes = Changes::between(&old.snapshot, &new.snapshot);
        let changes = changes.map_err(|defect| Failed::of_defect(defect, "compare snapshots"))?;
        hand_out(handle, ChangesHandle::new(changes, Arc::clone(&new.wanted)))
    }

    fn fewer_changes_next(handle: *mut ChangesHandle, batch: *mut ChangeBatch) {
        writable(batch)?;
        put_or_zeros(batch, borrow_mut(handle)?.next())
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_snapshot_close(handle: *mut SnapshotHandle) {
    // SAFETY: it came from here.
    unsafe { close(handle) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fewer_changes_close(handle: *mut ChangesHandle) {
    // SAFETY: it came from fewer_changes_open.
    unsafe { close(handle) };
}
