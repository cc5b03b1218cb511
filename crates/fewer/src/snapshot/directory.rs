//! One directory of a snapshot, and its entries.

use sys::Kind;

use super::block::{Decoded, Decoder, Head};
use super::bytes::Reader;
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
        let (place, block) = snapshot.sections.block(&snapshot.bytes, id.0)?;
        let mut bytes = Reader(block);
        let head = Head::read(&mut bytes)?;
        Some(Directory { snapshot, id, end: place.end, head, bytes })
    }

    /// Its place in the snapshot.
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

    /// Its entries, in the order of their names as bytes. They are all looked at first: those that
    /// follow have proper names and lead to directories further on in the snapshot.
    ///
    /// # Errors
    /// [`Defect::Inconsistent`] if it is not so.
    pub fn entries(&self) -> Result<Entries<'s>, Defect> {
        let decoder = Decoder::new(&self.head, self.bytes, self.snapshot.sections.level);
        let mut entries = Entries { directory: *self, decoder, next: self.id.0 + 1 };
        let mut directories = 0;
        while let Some(entry) = entries.decoder.next() {
            if entry.kind == Kind::Directory {
                directories += 1;
                entries.skip_directory().ok_or(Defect::Inconsistent)?;
            }
        }
        let is_whole = entries.decoder.is_done()
            && entries.next == self.end
            && directories == self.head.directories;
        if !is_whole {
            return Err(Defect::Inconsistent);
        }
        entries.next = self.id.0 + 1;
        entries.decoder.restart(&self.head, self.bytes);
        Ok(entries)
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
        let mut entries = self.entries()?;
        while let Some(entry) = entries.next() {
            if let Some(id) = entry.directory {
                found.names.extend_from_slice(entry.name);
                found.ends.push((found.names.len(), id));
            }
        }
        Ok(found)
    }
}

/// The entries of a directory of a snapshot.
#[derive(Clone, Debug)]
pub struct Entries<'s> {
    directory: Directory<'s>,
    decoder: Decoder<'s>,
    /// The number of the next directory among them.
    next: u32,
}

impl Entries<'_> {
    /// The next entry.
    #[allow(clippy::should_implement_trait, reason = "the entry borrows the name from here")]
    #[inline]
    pub fn next(&mut self) -> Option<SnapshotEntry<'_>> {
        let Decoded { kind, inode, stat } = self.decoder.next()?;
        let directory = if kind == Kind::Directory {
            let id = self.skip_directory()?;
            self.directory.snapshot.known(id)
        } else {
            None
        };
        Some(SnapshotEntry { name: &self.decoder.name, kind, inode, directory, stat })
    }

    /// The number of the next directory among the entries. All that is below it comes before the
    /// one after it, and is below this one as well; so numbers only grow, and nothing goes round.
    #[inline]
    fn skip_directory(&mut self) -> Option<u32> {
        let Directory { snapshot, end, .. } = self.directory;
        let id = self.next;
        let after = snapshot.sections.position(&snapshot.bytes, id)?.end;
        if after <= id || after > end {
            return None;
        }
        self.next = after;
        Some(id)
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
