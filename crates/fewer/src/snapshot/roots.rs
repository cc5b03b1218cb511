//! The roots of a snapshot.

use sys::Kind;

use super::block::{kind_of, put_stat, read_stat};
use super::bytes::{Reader, put_number, put_text};
use super::stamp::EntryStat;
use super::{DirectoryId, Level, Snapshot};

/// A path that the walk began at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root<'s> {
    /// The path as the caller of the walk wrote it.
    pub path: &'s [u8],
    /// What it is.
    pub kind: Kind,
    /// Its inode number.
    pub inode: u64,
    /// What is kept of it at the level [`Level::Stat`].
    pub stat: Option<EntryStat>,
    /// The directory, if it is one that was read.
    pub directory: Option<DirectoryId>,
}

/// A root as it is in the snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredRoot {
    pub(super) path: Vec<u8>,
    pub(super) kind: Kind,
    pub(super) inode: u64,
    pub(super) stat: Option<EntryStat>,
    /// The number of its directory.
    pub(super) directory: Option<u32>,
}

impl StoredRoot {
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        put_text(out, &self.path);
        out.push(self.kind as u8);
        put_number(out, self.inode);
        // One more than the number, so that 0 says that there is none.
        put_number(out, self.directory.map_or(0, |id| u64::from(id) + 1));
        if let Some(stat) = &self.stat {
            put_stat(out, stat);
        }
    }

    pub(super) fn read(bytes: &mut Reader<'_>, level: Level) -> Option<StoredRoot> {
        let path = bytes.text()?.to_vec();
        let kind = kind_of(bytes.byte().filter(|kind| usize::from(*kind) < Kind::ALL.len())?);
        let (inode, directory) = (bytes.number()?, bytes.number()?);
        let directory = match directory.checked_sub(1) {
            Some(id) => Some(u32::try_from(id).ok()?),
            None => None,
        };
        let stat = match level {
            Level::Names => None,
            Level::Stat => Some(read_stat(bytes)?),
        };
        (!path.contains(&0)).then_some(StoredRoot { path, kind, inode, stat, directory })
    }
}

impl Snapshot {
    /// The paths that the walk began at, in the order of the caller. Price: no call.
    pub fn roots(&self) -> impl ExactSizeIterator<Item = Root<'_>> {
        self.preamble.roots.iter().map(|root| Root {
            path: &root.path,
            kind: root.kind,
            inode: root.inode,
            stat: root.stat,
            directory: root.directory.and_then(|id| self.known(id)),
        })
    }
}
