//! Snapshots: what a walk found, kept in a file, so that the next one need not ask again.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Snapshot`]: the whole of it; what it keeps of an entry |
//! | `roots` | [`Root`]: the paths that the walk began at |
//! | `directory` | [`Directory`]: one directory, its entries in order |
//! | `stamp` | [`Stamp`]: what tells one state of a directory from another |
//! | `record` | [`DirectoryRecord`], [`Records`]: what each thread of a walk writes down |
//! | `builder` | [`SnapshotBuilder`]: a snapshot from these, and from the one before |
//! | `assembly` | puts directories in order |
//! | `changes` | [`Changes`]: what is different between two snapshots |
//! | `file` | read, and written beside and renamed |
//! | `format` | the sections of the bytes |
//! | `block` | the bytes of one directory |
//! | `decoder` | decodes the entries of one directory |
//! | `names` | names in fewer bytes |
//! | `bytes` | numbers and times in bytes |
//! | `guard` | when the times of a directory prove that its names are still the same |
//! | `error` | [`SnapshotError`], [`Defect`] |
//!
//! The directories are in the order of a sorted walk: each before those below it, and those of one
//! directory by the bytes of their names. So a walk that goes down finds each directory of the
//! snapshot by going down beside it, and looks for no path.
//!
//! Nothing is decoded before it is needed: reading a snapshot costs reading the file and its
//! checksum. The file is read and not mapped. If another process cuts a mapped file off, the
//! kernel ends the reader with `SIGBUS`, and memory that changes under a reference is undefined in
//! Rust. docs/snapshot.md says what reading costs.

mod assembly;
mod block;
mod builder;
pub mod bytes;
mod changes;
mod decoder;
mod directory;
mod error;
mod file;
mod format;
mod guard;
mod names;
mod record;
mod roots;
mod stamp;

pub use builder::SnapshotBuilder;
pub use changes::{Change, ChangeKind, Changes, Wanted};
pub use directory::{ChildDirectories, Directory, Entries, SnapshotEntry};
pub(crate) use directory::{EntryBuffer, Lines};
pub use error::{Defect, SnapshotError};
pub use record::{DirectoryRecord, Records};
pub use roots::Root;
pub use stamp::{EntryStat, Stamp};

use std::sync::Arc;

use format::{Parts, Preamble, Sections};

/// The version of the format, which readers of another one refuse.
const VERSION: u32 = 2;

/// What a snapshot keeps of each entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Level {
    /// Name, kind and inode, as the directory's own record has them.
    #[default]
    Names,
    /// Size, permissions and times as well.
    Stat,
}

impl Level {
    fn of_number(number: u8) -> Option<Level> {
        [Level::Names, Level::Stat].into_iter().find(|level| *level as u8 == number)
    }
}

/// The number of a directory in its snapshot: it means nothing in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirectoryId(pub(crate) u32);

/// The file system that a device number stood for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSystemId {
    /// As [`Stamp::device`].
    pub device: u64,
    /// The number that the file system has for itself (`f_fsid`), whatever device it is on.
    pub id: u64,
}

/// What a walk found: the directories below its roots, with the names in each.
///
/// Price: [`read`](Snapshot::read) states its own; everything else makes no call.
/// A clone shares the bytes.
#[derive(Clone, Debug)]
pub struct Snapshot {
    bytes: Arc<Vec<u8>>,
    sections: Sections,
    preamble: Preamble,
}

impl Snapshot {
    /// The snapshot in the bytes of a file.
    ///
    /// # Errors
    /// Why they are none. Bytes with a right checksum that contradict themselves further on are
    /// found where they are used.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Snapshot, Defect> {
        let (sections, preamble) = format::parse(&bytes)?;
        Ok(Snapshot { bytes: Arc::new(bytes), sections, preamble })
    }

    /// The checksum is known to be right.
    fn from_parts(parts: &Parts) -> Result<Snapshot, Defect> {
        let bytes = parts.to_bytes();
        let (sections, preamble) = format::sections(&bytes).ok_or(Defect::Inconsistent)?;
        Ok(Snapshot { bytes: Arc::new(bytes), sections, preamble })
    }

    /// Whether the other one is a clone of this one.
    fn is_clone_of(&self, other: &Snapshot) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes)
    }

    /// Gives bytes the length and the checksum that those of a snapshot have: for tests with
    /// snapshots that contradict themselves.
    pub fn seal(bytes: &mut [u8]) {
        format::seal(bytes);
    }

    /// The bytes of the file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What is kept of each entry.
    #[must_use]
    pub fn level(&self) -> Level {
        self.sections.level
    }

    /// How many directories were found, those included that were not read.
    #[must_use]
    pub fn directory_count(&self) -> usize {
        self.sections.directories as usize
    }

    /// How many entries there are in all directories, without the roots.
    #[must_use]
    pub fn entry_count(&self) -> u64 {
        self.sections.entries
    }

    /// What the program that made it wrote down with it, such as the filters of the walk.
    #[must_use]
    pub fn options(&self) -> &[u8] {
        &self.preamble.options
    }

    /// The number that the file system on a device has for itself, if it was written down.
    #[must_use]
    pub fn file_system(&self, device: u64) -> Option<u64> {
        let known = self.preamble.file_systems.iter().find(|known| known.device == device);
        known.map(|known| known.id)
    }

    /// A directory; `None` if what the snapshot has of it contradicts itself.
    #[inline]
    #[must_use]
    pub fn directory(&self, id: DirectoryId) -> Option<Directory<'_>> {
        Directory::new(self, id)
    }

    /// The directory of that number, if it was read.
    #[inline]
    fn known(&self, id: u32) -> Option<DirectoryId> {
        let (_, block) = self.sections.block(&self.bytes, id)?;
        (!block.is_empty()).then_some(DirectoryId(id))
    }
}
