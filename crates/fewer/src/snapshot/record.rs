//! What a thread of a walk writes down for a snapshot.

use sys::Kind;

use super::block::{EntryData, Head, is_name, put_entry, put_head};
use super::stamp::{EntryStat, Stamp};
use super::{DirectoryId, Level};

/// A directory while it is read: its entries come in any order and in any number of rounds.
#[derive(Clone, Debug)]
pub struct DirectoryRecord {
    path: Vec<u8>,
    stamp: Stamp,
    racy: bool,
    names: Vec<u8>,
    entries: Vec<RecordedEntry>,
}

#[derive(Clone, Copy, Debug)]
struct RecordedEntry {
    start: usize,
    length: u32,
    data: EntryData,
}

impl DirectoryRecord {
    /// A directory at `path`, which is that of a root as it was written, or that of a directory
    /// with a slash (unless it ends with one) and a name behind it. `stamp` was taken before it was
    /// read. `racy` says that it has to be read again next time.
    #[must_use]
    pub fn new(path: &[u8], stamp: Stamp, racy: bool) -> DirectoryRecord {
        let path = path.to_vec();
        DirectoryRecord { path, stamp, racy, names: Vec::new(), entries: Vec::new() }
    }

    /// Has to be read again next time: a part of it is missing, or it changed meanwhile.
    pub fn set_racy(&mut self) {
        self.racy = true;
    }

    /// Adds an entry. What cannot be recorded, such as a name with a slash in it, which a damaged
    /// file system may have, makes the directory [racy](DirectoryRecord::set_racy).
    #[inline]
    pub fn push(&mut self, name: &[u8], kind: Kind, inode: u64, stat: Option<EntryStat>) {
        if !is_name(name) {
            return self.set_racy();
        }
        let (start, length) = (self.names.len(), name.len() as u32);
        self.names.extend_from_slice(name);
        let data = EntryData { kind, inode, stat };
        self.entries.push(RecordedEntry { start, length, data });
    }

    /// Appends its bytes.
    fn encode(&mut self, level: Level, out: &mut Vec<u8>) {
        let DirectoryRecord { names, entries, .. } = self;
        let name = |entry: &RecordedEntry| &names[entry.start..][..entry.length as usize];
        entries.sort_by(|a, b| name(a).cmp(name(b)));
        // A directory that changes while it is read may give a name twice.
        entries.dedup_by(|a, b| name(a) == name(b));
        let is_directory = |entry: &&RecordedEntry| entry.data.kind == Kind::Directory;
        let directories = entries.iter().filter(is_directory).count() as u32;
        let (stamp, racy, entries) = (self.stamp, self.racy, &self.entries);
        put_head(out, &Head { stamp, racy, entries: entries.len() as u64, directories });
        let mut before = [(&b""[..], stamp.inode); 2];
        for entry in entries {
            let mut data = entry.data;
            data.stat = match level {
                Level::Names => None,
                Level::Stat => Some(data.stat.unwrap_or(EntryStat::NONE)),
            };
            let before = &mut before[EntryData::sequence(data.kind)];
            put_entry(out, *before, name(entry), &data);
            *before = (name(entry), data.inode);
        }
    }
}

/// What one thread of a walk has written down.
#[derive(Clone, Debug, Default)]
pub struct Records {
    level: Level,
    pub(super) paths: Vec<u8>,
    pub(super) blocks: Vec<u8>,
    /// Where the path and the bytes of each directory end.
    pub(super) ends: Vec<(usize, usize)>,
    pub(super) kept: Vec<DirectoryId>,
}

impl Records {
    /// None yet, of a snapshot of that level.
    #[must_use]
    pub fn new(level: Level) -> Records {
        Records { level, ..Records::default() }
    }

    /// Adds a directory whose entries were all pushed.
    pub fn add(&mut self, mut directory: DirectoryRecord) {
        directory.encode(self.level, &mut self.blocks);
        self.paths.extend_from_slice(&directory.path);
        self.ends.push((self.paths.len(), self.blocks.len()));
    }

    /// Says that a directory is as it is in the snapshot that the
    /// [builder](super::SnapshotBuilder::since) has.
    #[inline]
    pub fn keep(&mut self, directory: DirectoryId) {
        self.kept.push(directory);
    }

    /// Whether no directory was read, only kept.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.ends.is_empty()
    }

    /// The path and the bytes of each directory.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let mut start = (0, 0);
        self.ends.iter().map(move |&end| {
            let from = std::mem::replace(&mut start, end);
            (&self.paths[from.0..end.0], &self.blocks[from.1..end.1])
        })
    }
}
