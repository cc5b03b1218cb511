//! One directory of a snapshot, and its entries.

use sys::Kind;

use super::block::{EntryData, Head};
use super::bytes::Reader;
use super::decoder::{Decoder, NameBuffer, NamePosition};
use super::error::Defect;
use super::stamp::{EntryStat, Stamp};
use super::{DirectoryId, Snapshot};

/// A directory of a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct Directory<'s> {
    snapshot: &'s Snapshot,
    pub(super) id: DirectoryId,
    end: u32,
    pub(super) head: Head,
    /// All of its bytes, and those of the entries.
    pub(super) block: &'s [u8],
    bytes: Reader<'s>,
}

/// An entry of a directory of a snapshot, valid until the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotEntry<'e> {
    /// The name: bytes without `/` and NUL, and neither `.` nor `..`.
    pub name: &'e [u8],
    /// What it was.
    pub kind: Kind,
    /// The inode number in the directory's own record.
    pub inode: u64,
    /// The directory, if it is one that was read.
    pub directory: Option<DirectoryId>,
    /// What is kept of it at the level [`Level::Stat`](super::Level::Stat).
    pub stat: Option<EntryStat>,
}

impl<'s> Directory<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, id: DirectoryId) -> Option<Directory<'s>> {
        let (position, block) = snapshot.sections.block(&snapshot.bytes, id.0)?;
        let mut bytes = Reader(block);
        let head = Head::read(&mut bytes)?;
        Some(Directory { snapshot, id, end: position.end, head, block, bytes })
    }

    /// Which one of the snapshot it is.
    #[must_use]
    pub fn id(&self) -> DirectoryId {
        self.id
    }

    /// What it was like before it was read.
    #[must_use]
    pub fn stamp(&self) -> &Stamp {
        &self.head.stamp
    }

    /// Whether it could have changed after it was read without a change of its stamp: then it has
    /// to be read again.
    #[must_use]
    pub fn is_racy(&self) -> bool {
        self.head.racy
    }

    /// Whether it has the same entries, whichever directories they lead to, and the same stamp.
    pub(super) fn has_bytes_of(&self, other: &Directory<'_>) -> bool {
        self.block == other.block
    }

    /// Whether there are directories in it.
    pub(super) fn has_directories(&self) -> bool {
        self.head.directories > 0
    }

    /// Where [`child`](Directory::child) begins.
    pub(super) fn first_child(&self) -> u32 {
        self.id.0 + 1
    }

    /// The directory in it that has the number `next`, which is then that of the one after it.
    pub(super) fn child(&self, next: &mut u32) -> Result<Option<u32>, Defect> {
        if *next == self.end {
            return Ok(None);
        }
        let id = *next;
        *next = after(self.snapshot, id, self.end).ok_or(Defect::Inconsistent)?;
        Ok(Some(id))
    }

    /// How many directories are below it.
    pub(crate) fn directories_below(&self) -> u32 {
        self.end.saturating_sub(self.id.0 + 1)
    }

    /// Its entries, in the order of their names as bytes. They are all looked at first: those that
    /// follow have proper names and lead to directories further on in the snapshot.
    ///
    /// # Errors
    /// [`Defect::Inconsistent`] if it is not so.
    pub fn entries(&self) -> Result<Entries<'s>, Defect> {
        self.entries_in(EntryBuffer::default(), false)
    }

    /// The same, decoded in a buffer that may come from [`Entries::into_buffer`]. If so wanted,
    /// entries that are known to be no directories are passed, without a look at their names.
    pub(crate) fn entries_in(
        &self,
        buffer: EntryBuffer,
        only_directories: bool,
    ) -> Result<Entries<'s>, Defect> {
        let decoder = Decoder::new(&self.head, self.bytes, self.snapshot.sections.level);
        let Directory { snapshot, end, head, .. } = *self;
        let (device, next_id, next) = (head.stamp.device, self.id.0 + 1, 0);
        let mut entries =
            Entries { snapshot, device, end, decoder, next_id, only_directories, buffer, next };
        entries.fill().ok_or(Defect::Inconsistent)?;
        // Mostly all are decoded by now. Otherwise all are looked at, and decoded once more.
        let is_held = entries.decoder.left() == 0;
        let mut directories = entries.buffer.directories();
        while entries.decoder.left() > 0 {
            entries.fill().ok_or(Defect::Inconsistent)?;
            directories += entries.buffer.directories();
        }
        if !self.is_whole(&entries.decoder, entries.next_id, directories) {
            return Err(Defect::Inconsistent);
        }
        if !is_held {
            entries.decoder = Decoder::new(&self.head, self.bytes, self.snapshot.sections.level);
            entries.next_id = next_id;
            entries.fill().ok_or(Defect::Inconsistent)?;
        }
        Ok(entries)
    }

    /// Whether all was decoded that it should have: so many directories, before one of this number.
    fn is_whole(&self, decoder: &Decoder<'_>, next_id: u32, directories: u64) -> bool {
        decoder.is_done() && next_id == self.end && directories == u64::from(self.head.directories)
    }

    /// All its entries as lines, which are their names behind `folder` and before `end`. `None` if
    /// they do not fit in a buffer, if the kind of one is not known, or if they are not as
    /// [`entries`](Directory::entries) has them.
    pub(crate) fn lines_in(
        &self,
        mut buffer: EntryBuffer,
        folder: &[u8],
        end: u8,
    ) -> Result<Lines, EntryBuffer> {
        buffer.names.begin_lines(folder, end);
        let is_whole = self.decode_lines(&mut buffer);
        buffer.names.end_lines();
        match is_whole {
            Some(true) => Ok(Lines { entries: self.head.entries as usize, buffer }),
            _ => Err(buffer),
        }
    }

    /// Decodes all entries, and keeps the directories among them. Whether these are all.
    fn decode_lines(&self, buffer: &mut EntryBuffer) -> Option<bool> {
        let EntryBuffer { names, entries, stats } = buffer;
        let mut decoder = Decoder::new(&self.head, self.bytes, self.snapshot.sections.level);
        decoder.clear(names);
        entries.clear();
        stats.clear();
        let mut next_id = self.first_child();
        while decoder.left() > 0 && names.has_room() {
            let (name, EntryData { kind, inode, .. }) = decoder.next(names)?;
            match kind {
                Kind::Directory => {
                    let directory = self.snapshot.known(next_id);
                    next_id = after(self.snapshot, next_id, self.end)?;
                    entries.push((name, Listed { kind, inode, directory }));
                }
                Kind::Unknown => return None,
                _ => {}
            }
        }
        Some(self.is_whole(&decoder, next_id, entries.len() as u64))
    }

    /// The names of its directories that were read, to look for.
    ///
    /// # Errors
    /// As [`entries`](Directory::entries).
    pub fn directories(&self) -> Result<ChildDirectories, Defect> {
        let mut found = ChildDirectories::default();
        if self.head.directories == 0 {
            return Ok(found);
        }
        let mut entries = self.entries_in(EntryBuffer::default(), true)?;
        while let Some(entry) = entries.next() {
            if let Some(id) = entry.directory {
                found.names.extend_from_slice(entry.name);
                found.ends.push((found.names.len(), id));
            }
        }
        Ok(found)
    }
}

/// The first directory that is not below the one of that number, in a directory that ends at `end`.
/// All that is below it comes before, and is below the other one as well; so numbers only grow, and
/// nothing goes round.
#[inline]
fn after(snapshot: &Snapshot, id: u32, end: u32) -> Option<u32> {
    let after = snapshot.sections.position(&snapshot.bytes, id)?.end;
    (after > id && after <= end).then_some(after)
}

/// The entries of a directory of a snapshot.
#[derive(Clone, Debug)]
pub struct Entries<'s> {
    snapshot: &'s Snapshot,
    /// The device of the directory, and the first directory that is not below it.
    device: u64,
    end: u32,
    decoder: Decoder<'s>,
    /// The number of the next directory that is decoded.
    next_id: u32,
    only_directories: bool,
    /// Those that were decoded last, and which of them comes next.
    buffer: EntryBuffer,
    next: usize,
}

/// Entries that were decoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntryBuffer {
    names: NameBuffer,
    entries: Vec<(NamePosition, Listed)>,
    /// Of each the stat, if these are kept.
    stats: Vec<EntryStat>,
}

impl EntryBuffer {
    fn directories(&self) -> u64 {
        self.entries.iter().filter(|(_, entry)| entry.kind == Kind::Directory).count() as u64
    }
}

impl Entries<'_> {
    /// The next entry.
    #[allow(clippy::should_implement_trait, reason = "the entry borrows the name from here")]
    #[inline]
    pub fn next(&mut self) -> Option<SnapshotEntry<'_>> {
        let at = self.advance()?;
        let (name, Listed { kind, inode, directory }) = self.buffer.entries[at];
        let (name, stat) = (self.buffer.names.get(name), self.stat(at));
        Some(SnapshotEntry { name, kind, inode, directory, stat })
    }

    /// The buffer that they were decoded in.
    pub(crate) fn into_buffer(self) -> EntryBuffer {
        self.buffer
    }

    /// Goes on to the next entry, and returns where it is in the buffer.
    #[inline]
    fn advance(&mut self) -> Option<usize> {
        if self.next == self.buffer.entries.len() {
            self.fill()?;
        }
        let at = self.next;
        self.next += 1;
        (at < self.buffer.entries.len()).then_some(at)
    }

    fn stat(&self, at: usize) -> Option<EntryStat> {
        self.buffer.stats.get(at).copied()
    }

    /// Decodes as many entries as there is room for; none at the end. `None` if what there is is
    /// none.
    fn fill(&mut self) -> Option<()> {
        let EntryBuffer { names, entries, stats } = &mut self.buffer;
        self.next = 0;
        entries.clear();
        stats.clear();
        self.decoder.clear(names);
        loop {
            if self.only_directories {
                self.decoder.skip_to_directory()?;
            }
            if self.decoder.left() == 0 || !names.has_room() {
                return Some(());
            }
            let (name, EntryData { kind, inode, stat }) = self.decoder.next(names)?;
            let directory = match kind {
                Kind::Directory => {
                    let id = self.next_id;
                    self.next_id = after(self.snapshot, id, self.end)?;
                    self.snapshot.known(id)
                }
                _ => None,
            };
            entries.push((name, Listed { kind, inode, directory }));
            stats.extend(stat);
        }
    }
}

/// All entries of a directory of a snapshot as lines.
#[derive(Debug)]
pub(crate) struct Lines {
    /// How many they are.
    pub(crate) entries: usize,
    buffer: EntryBuffer,
}

impl Lines {
    /// The lines.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.buffer.names.lines()
    }

    /// The directories among the entries.
    pub(crate) fn directories(&self) -> impl ExactSizeIterator<Item = SnapshotEntry<'_>> {
        self.buffer.entries.iter().map(|&(name, Listed { kind, inode, directory })| SnapshotEntry {
            name: self.buffer.names.get(name),
            kind,
            inode,
            directory,
            stat: None,
        })
    }

    /// The buffer that they were decoded in.
    pub(crate) fn into_buffer(self) -> EntryBuffer {
        self.buffer
    }
}

/// An entry but for its name and its stat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub(super) kind: Kind,
    pub(super) inode: u64,
    pub(super) directory: Option<DirectoryId>,
}

/// Stands at an entry of a directory.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'s> {
    entries: Entries<'s>,
    at: usize,
}

impl<'s> Cursor<'s> {
    /// At the first entry, if there is one.
    pub(super) fn new(directory: Directory<'s>) -> Result<Option<Cursor<'s>>, Defect> {
        let mut entries = directory.entries()?;
        Ok(entries.advance().map(|at| Cursor { entries, at }))
    }

    /// Goes on to the next entry; false if there is none.
    pub(super) fn advance(&mut self) -> bool {
        let next = self.entries.advance();
        next.map(|at| self.at = at).is_some()
    }

    pub(super) fn name(&self) -> &[u8] {
        self.entries.buffer.names.get(self.entries.buffer.entries[self.at].0)
    }

    pub(super) fn entry(&self) -> Listed {
        self.entries.buffer.entries[self.at].1
    }

    pub(super) fn stat(&self) -> Option<EntryStat> {
        self.entries.stat(self.at)
    }

    /// The device of the directory.
    pub(super) fn device(&self) -> u64 {
        self.entries.device
    }
}

/// The directories in a directory of a snapshot, by name.
#[derive(Clone, Debug, Default)]
pub struct ChildDirectories {
    names: Vec<u8>,
    /// Where each name ends, and the directory.
    ends: Vec<(usize, DirectoryId)>,
}

impl ChildDirectories {
    /// The directory of that name, found by halving.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<DirectoryId> {
        let places = self.ends.len();
        let (mut low, mut high) = (0, places);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.name(middle).cmp(name) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(self.ends[middle].1),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn name(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before].0);
        &self.names[start..self.ends[at].0]
    }
}
