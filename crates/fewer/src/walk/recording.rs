//! What the workers of a walk write down for a snapshot.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sys::Kind;

use super::open_dir::{FileSystems, Mounted};
use crate::snapshot::{
    Defect, EntryStat, FileSystemId, Level, Records, Snapshot, SnapshotBuilder, Wanted,
};

/// What a walk writes down ([`Walk::record`](super::Walk::record)), to make a [`Snapshot`] of.
///
/// Every directory that the walk enters is written down whole, whatever the filter shows of it. So
/// a snapshot serves any later walk, with other filters, too.
#[derive(Debug)]
pub struct Recording {
    level: Level,
    options: Option<Vec<u8>>,
    /// The snapshot that unchanged directories are taken over from.
    base: OnceLock<Arc<Snapshot>>,
    /// The paths of the walk's roots.
    roots: OnceLock<Vec<Box<[u8]>>>,
    written: Mutex<Written>,
}

#[derive(Debug, Default)]
struct Written {
    records: Vec<Records>,
    found: Vec<FoundRoot>,
    mounted: Vec<Mounted>,
    /// The paths that ignore files or the filter left out, in directories that were read though the
    /// snapshot before knows them or the one above: names that are there, and names that were.
    left_out: Vec<Vec<u8>>,
}

/// A root that is there.
#[derive(Clone, Debug)]
pub(super) struct FoundRoot {
    pub(super) path: Vec<u8>,
    pub(super) kind: Kind,
    pub(super) inode: u64,
    pub(super) stat: Option<EntryStat>,
}

impl Recording {
    /// Nothing is written down so far.
    #[must_use]
    pub fn new(level: Level) -> Recording {
        let (base, roots, written) = (OnceLock::new(), OnceLock::new(), Mutex::default());
        Recording { level, options: None, base, roots, written }
    }

    /// What the snapshot says of how it was made; by default what the one before says.
    #[must_use]
    pub fn options(mut self, options: &[u8]) -> Recording {
        self.options = Some(options.to_vec());
        self
    }

    /// The snapshot, once the walk is over. If the walk had one [before](super::Walk::since), bytes
    /// of unchanged directories are taken over from it.
    ///
    /// Price: no call.
    ///
    /// # Errors
    /// As [`SnapshotBuilder::finish`].
    pub fn finish(&self) -> Result<Snapshot, Defect> {
        let Written { records, found, mounted, .. } = std::mem::take(&mut *self.written());
        let mut builder = match self.base.get() {
            Some(base) => SnapshotBuilder::since(Arc::clone(base)),
            None => SnapshotBuilder::new(self.level),
        };
        if let Some(options) = &self.options {
            builder = builder.options(options);
        }
        for Mounted { device, id, .. } in mounted {
            builder.set_file_system(FileSystemId { device, id });
        }
        for path in self.roots.get().into_iter().flatten() {
            if let Some(root) = found.iter().find(|root| *root.path == **path) {
                builder.add_root(path, root.kind, root.inode, root.stat);
            }
        }
        records.into_iter().for_each(|records| builder.add(records));
        builder.finish()
    }

    /// Which changes since the snapshot before the walk is about: not those of what ignore files or
    /// its filter leave out. It is to be called before [`finish`](Recording::finish).
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        let left_out = std::mem::take(&mut self.written().left_out);
        Wanted::new(self.roots.get().cloned().unwrap_or_default(), left_out)
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn level(&self) -> Level {
        self.level
    }

    /// Says which walk is written down, and which snapshot it has from before. False if unchanged
    /// directories cannot be taken over from that one as they are.
    pub(super) fn begin(&self, roots: &[Box<[u8]>], base: Option<&Arc<Snapshot>>) -> bool {
        self.roots.get_or_init(|| roots.to_vec());
        let Some(base) = base else { return false };
        let same_level = self.level == Level::Names && base.level() == Level::Names;
        same_level && Arc::ptr_eq(self.base.get_or_init(|| Arc::clone(base)), base)
    }

    /// Takes what one worker has written down.
    pub(super) fn add(
        &self,
        records: Records,
        found: Vec<FoundRoot>,
        left_out: Vec<Vec<u8>>,
        on: &FileSystems,
    ) {
        let mut written = self.written();
        written.records.push(records);
        written.found.extend(found);
        written.left_out.extend(left_out);
        written.mounted.extend(on.all());
    }
}
