//! A snapshot from what the threads of a walk have written down.

use std::sync::Arc;

use sys::Kind;

use super::assembly::{Assembly, keeps_all};
use super::error::Defect;
use super::format::{Parts, Preamble};
use super::record::Records;
use super::roots::StoredRoot;
use super::stamp::EntryStat;
use super::{FileSystemId, Level, Snapshot};

/// Makes a snapshot. Price: no call.
#[derive(Debug, Default)]
pub struct SnapshotBuilder {
    level: Level,
    base: Option<Arc<Snapshot>>,
    records: Vec<Records>,
    preamble: Preamble,
}

impl SnapshotBuilder {
    /// A snapshot of that level, without roots.
    #[must_use]
    pub fn new(level: Level) -> SnapshotBuilder {
        SnapshotBuilder { level, ..SnapshotBuilder::default() }
    }

    /// A snapshot of the same level and with the same options as `base`, of which directories can
    /// be [kept](Records::keep). Their bytes are taken over as they are.
    #[must_use]
    pub fn since(base: Arc<Snapshot>) -> SnapshotBuilder {
        let mut builder = SnapshotBuilder::new(base.level());
        builder.preamble.options = base.preamble.options.clone();
        builder.preamble.file_systems = base.preamble.file_systems.clone();
        builder.base = Some(base);
        builder
    }

    /// Records of the level of this snapshot, for a thread.
    #[must_use]
    pub fn records(&self) -> Records {
        Records::new(self.level)
    }

    /// Writes down what another program that uses the snapshot should know, such as the filters of
    /// the walk.
    #[must_use]
    pub fn options(mut self, options: &[u8]) -> SnapshotBuilder {
        self.preamble.options = options.to_vec();
        self
    }

    /// Adds a root, in the order of the caller of the walk.
    pub fn add_root(&mut self, path: &[u8], kind: Kind, inode: u64, stat: Option<EntryStat>) {
        let stat = match self.level {
            Level::Names => None,
            Level::Stat => Some(stat.unwrap_or(EntryStat::NONE)),
        };
        let path = path.to_vec();
        self.preamble.roots.push(StoredRoot { path, kind, inode, stat, directory: None });
    }

    /// Says which file system is on a device.
    pub fn set_file_system(&mut self, file_system: FileSystemId) {
        let known = &mut self.preamble.file_systems;
        match known.iter_mut().find(|other| other.device == file_system.device) {
            Some(other) => *other = file_system,
            None => known.push(file_system),
        }
    }

    /// Adds what a thread has written down, in any order.
    pub fn add(&mut self, records: Records) {
        self.records.push(records);
    }

    /// The snapshot: of each root the directories that lead on from it. A directory that no thread
    /// has added is one that was not read.
    ///
    /// # Errors
    /// [`Defect::Inconsistent`] if a directory that was kept is so in the snapshot before;
    /// [`Defect::Length`] for more than four billion directories or a terabyte.
    pub fn finish(mut self) -> Result<Snapshot, Defect> {
        let records = std::mem::take(&mut self.records);
        let mut roots = std::mem::take(&mut self.preamble.roots);
        let base = self.base.take();
        if let Some(base) = base.as_deref()
            && roots_are_those_of(&roots, base)
            && self.preamble.options == base.preamble.options
            && self.preamble.file_systems == base.preamble.file_systems
            && keeps_all(base, &records)
        {
            return Ok(base.clone());
        }
        let mut assembly = Assembly::new(self.level, base.as_deref(), &records);
        for root in roots.iter_mut().filter(|root| root.kind == Kind::Directory) {
            let before = base
                .as_deref()
                .and_then(|base| base.roots().find(|before| before.path == root.path)?.directory);
            root.directory = Some(assembly.add_tree(&root.path, before)?);
        }
        self.preamble.roots = roots;
        let Assembly { index, data, entries, .. } = assembly;
        if index.len() >= u32::MAX as usize || data.len() as u64 >= 1 << 40 {
            return Err(Defect::Length);
        }
        let preamble = self.preamble;
        Snapshot::from_parts(&Parts { level: self.level, entries, preamble, index, data })
    }
}

/// Whether the roots are the same ones, and those that are directories were found in the snapshot.
fn roots_are_those_of(roots: &[StoredRoot], base: &Snapshot) -> bool {
    let before = &base.preamble.roots;
    roots.len() == before.len()
        && roots.iter().zip(before).all(|(root, before)| {
            let directory = before.directory.filter(|_| root.kind == Kind::Directory);
            StoredRoot { directory, ..root.clone() } == *before
        })
}
