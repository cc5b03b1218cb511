//! Puts the directories of a snapshot in order: goes down from each root, as a sorted walk does.

use std::collections::HashMap;

use sys::Kind;

use super::block::{Decoder, Head};
use super::bytes::Reader;
use super::error::Defect;
use super::format::Position;
use super::record::Records;
use super::{DirectoryId, Level, Snapshot};

/// The directories that were put in order so far.
pub(super) struct Assembly<'r> {
    level: Level,
    base: Option<&'r Snapshot>,
    /// Of each directory of the base whether it is kept.
    kept: Vec<bool>,
    /// The bytes of the directories that were read, by path.
    recorded: HashMap<&'r [u8], &'r [u8]>,
    pub(super) index: Vec<Position>,
    pub(super) data: Vec<u8>,
    pub(super) entries: u64,
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
        let mut kept = vec![false; base.map_or(0, Snapshot::directory_count)];
        for id in records.iter().flat_map(|records| &records.kept) {
            if let Some(kept) = kept.get_mut(id.0 as usize) {
                *kept = true;
            }
        }
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
        let mut stack = vec![self.add(&mut path, before)?];
        while let Some(open) = stack.last_mut() {
            if let Some(before) = open.take(&mut path) {
                let below = self.add(&mut path, before)?;
                stack.push(below);
            } else {
                self.index[open.id].end = self.index.len() as u32;
                stack.pop();
            }
        }
        Ok(first)
    }

    /// Adds the directory at the path, and a slash to the path.
    fn add(&mut self, path: &mut Vec<u8>, before: Option<DirectoryId>) -> Result<Open, Defect> {
        let id = self.index.len();
        self.index.push(Position { start: self.data.len() as u64, end: 0 });
        let base = self.base.zip(before);
        let kept = base.filter(|(_, id)| self.kept[id.0 as usize]);
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
            let mut entries = directory.entries()?;
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
            let mut decoder = Decoder::new(&head, bytes, self.level);
            while let Some(entry) = decoder.next() {
                if entry.kind == Kind::Directory {
                    open.push(&decoder.name, before.find(&decoder.name));
                }
            }
        }
        Ok(open)
    }
}
