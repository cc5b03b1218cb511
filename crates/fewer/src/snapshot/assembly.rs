//! Puts the directories of a snapshot in order: goes down from each root, as a sorted walk does.

use std::collections::HashMap;

use sys::Kind;

use super::block::Head;
use super::bytes::Reader;
use super::decoder::for_each_directory;
use super::directory::EntryBuffer;
use super::error::Defect;
use super::format::Position;
use super::record::Records;
use super::{DirectoryId, Level, Snapshot};

/// The directories that were put in order so far.
pub(super) struct Assembly<'r> {
    level: Level,
    base: Option<&'r Snapshot>,
    kept: Kept,
    /// The bytes of the directories that were read, by path.
    recorded: HashMap<&'r [u8], &'r [u8]>,
    pub(super) index: Vec<Position>,
    pub(super) data: Vec<u8>,
    pub(super) entries: u64,
}

/// Which directories of the base are kept.
struct Kept {
    is_kept: Vec<bool>,
    /// Of each directory, and of the end, how many before it are kept.
    before: Vec<u32>,
}

impl Kept {
    fn new(directories: usize, records: &[Records]) -> Kept {
        let mut is_kept = vec![false; directories];
        for id in records.iter().flat_map(|records| &records.kept) {
            if let Some(kept) = is_kept.get_mut(id.0 as usize) {
                *kept = true;
            }
        }
        let mut count = 0;
        let mut before = Vec::with_capacity(directories + 1);
        for kept in &is_kept {
            before.push(count);
            count += u32::from(*kept);
        }
        before.push(count);
        Kept { is_kept, before }
    }

    /// Whether all directories of a range are kept.
    fn has_all(&self, first: u32, end: u32) -> bool {
        let [first_before, end_before] = [first, end].map(|id| self.before.get(id as usize));
        first_before.zip(end_before).is_some_and(|(first_before, end_before)| {
            end_before.checked_sub(*first_before) == end.checked_sub(first)
        })
    }
}

/// Whether all of the base is kept, and nothing else was found.
pub(super) fn keeps_all(base: &Snapshot, records: &[Records]) -> bool {
    let directories = base.directory_count();
    let kept = Kept::new(directories, records).is_kept;
    let is_unread = |id: usize| base.known(id as u32).is_none();
    records.iter().all(Records::is_unchanged)
        && (0..directories).all(|id| kept[id] || is_unread(id))
}

/// A directory whose own directories are being added.
#[derive(Default)]
struct Open {
    id: usize,
    path_length: usize,
    names: Vec<u8>,
    /// Of each directory in it where its name ends, and which it was in the base.
    children: Vec<(usize, Option<DirectoryId>)>,
    /// How many of them were added, and where the name of the next one starts.
    next: usize,
    start: usize,
}

impl Open {
    fn push(&mut self, name: &[u8], before: Option<DirectoryId>) {
        self.names.extend_from_slice(name);
        self.children.push((self.names.len(), before));
    }

    /// Takes the next of its directories, and makes `path` that of it.
    fn take(&mut self, path: &mut Vec<u8>) -> Option<Option<DirectoryId>> {
        let (end, before) = *self.children.get(self.next)?;
        path.truncate(self.path_length);
        path.extend_from_slice(&self.names[self.start..end]);
        self.start = end;
        self.next += 1;
        Some(before)
    }
}

impl<'r> Assembly<'r> {
    pub(super) fn new(
        level: Level,
        base: Option<&'r Snapshot>,
        records: &'r [Records],
    ) -> Assembly<'r> {
        let kept = Kept::new(base.map_or(0, Snapshot::directory_count), records);
        let recorded: HashMap<_, _> = records.iter().flat_map(Records::blocks).collect();
        let bytes = records.iter().map(|records| records.blocks.len()).sum();
        let (index, data) = (Vec::with_capacity(recorded.len()), Vec::with_capacity(bytes));
        Assembly { level, base, kept, recorded, index, data, entries: 0 }
    }

    /// Adds the directory of a root and all below it. `before` is what it was in the base.
    pub(super) fn add_tree(
        &mut self,
        root: &[u8],
        before: Option<DirectoryId>,
    ) -> Result<u32, Defect> {
        let mut path = root.to_vec();
        let first = self.index.len() as u32;
        if self.keep_tree(before)? {
            return Ok(first);
        }
        let mut stack = vec![self.add(&mut path, before)?];
        while let Some(open) = stack.last_mut() {
            if let Some(before) = open.take(&mut path) {
                if self.keep_tree(before)? {
                    continue;
                }
                let below = self.add(&mut path, before)?;
                stack.push(below);
            } else {
                self.index[open.id].end = self.index.len() as u32;
                stack.pop();
            }
        }
        Ok(first)
    }

    /// Adds a directory and all below it as they are in the base, if all of them are kept.
    fn keep_tree(&mut self, before: Option<DirectoryId>) -> Result<bool, Defect> {
        let Some((base, id)) = self.base.zip(before) else { return Ok(false) };
        let sections = &base.sections;
        let end = sections.position(&base.bytes, id.0).ok_or(Defect::Inconsistent)?.end;
        if end <= id.0 || !self.kept.has_all(id.0, end) {
            return Ok(false);
        }
        let first = self.index.len() as u32;
        for number in id.0..end {
            let (position, block) =
                sections.block(&base.bytes, number).ok_or(Defect::Inconsistent)?;
            let head = Head::read(&mut Reader(block)).ok_or(Defect::Inconsistent)?;
            self.entries = self.entries.saturating_add(head.entries);
            let below = position.end.checked_sub(id.0).filter(|_| position.end <= end);
            let after = below.and_then(|below| first.checked_add(below));
            let (start, end) = (self.data.len() as u64, after.ok_or(Defect::Inconsistent)?);
            self.index.push(Position { start, end });
            self.data.extend_from_slice(block);
        }
        Ok(true)
    }

    /// Adds the directory at the path, and a slash to the path.
    fn add(&mut self, path: &mut Vec<u8>, before: Option<DirectoryId>) -> Result<Open, Defect> {
        let id = self.index.len();
        self.index.push(Position { start: self.data.len() as u64, end: 0 });
        let base = self.base.zip(before);
        let kept = base.filter(|(_, id)| self.kept.is_kept[id.0 as usize]);
        let mut open = match kept {
            Some((base, id)) => self.keep(base, id)?,
            None => self.put_recorded(path, base)?,
        };
        if path.last() != Some(&b'/') {
            path.push(b'/');
        }
        open.id = id;
        open.path_length = path.len();
        Ok(open)
    }

    /// Adds a directory as it is in the base.
    fn keep(&mut self, base: &Snapshot, id: DirectoryId) -> Result<Open, Defect> {
        let mut open = Open::default();
        let directory = base.directory(id).ok_or(Defect::Inconsistent)?;
        self.data.extend_from_slice(directory.block);
        self.entries += directory.head.entries;
        if directory.head.directories > 0 {
            let mut entries = directory.entries_in(EntryBuffer::default(), true)?;
            while let Some(entry) = entries.next() {
                if entry.kind == Kind::Directory {
                    open.push(entry.name, entry.directory);
                }
            }
        }
        Ok(open)
    }

    /// Adds a directory as a thread has written it down, or as one that was not read.
    fn put_recorded(
        &mut self,
        path: &[u8],
        base: Option<(&Snapshot, DirectoryId)>,
    ) -> Result<Open, Defect> {
        let mut open = Open::default();
        let Some(block) = self.recorded.get(path).copied() else { return Ok(open) };
        self.data.extend_from_slice(block);
        let mut bytes = Reader(block);
        let head = Head::read(&mut bytes).ok_or(Defect::Inconsistent)?;
        self.entries += head.entries;
        if head.directories > 0 {
            let before = base.and_then(|(base, id)| base.directory(id)?.directories().ok());
            let before = before.unwrap_or_default();
            for_each_directory(&head, bytes, self.level, |name| {
                open.push(name, before.find(name));
            })
            .ok_or(Defect::Inconsistent)?;
        }
        Ok(open)
    }
}
