//! What one worker of the walk has counted, by the directories that have rows.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use sys::{Kind, Stat};

use super::roots::{stem, up};
use super::{Context, Event, Links, Space};
use crate::entry::Entry;
use crate::walk::{Answer, Item};

/// How many bytes of a [`Key`] are the number of the starting point.
const ROOT_BYTES: usize = 4;

/// Which row: the number of the starting point, most significant byte first, and the path. So keys
/// are in the order of the rows.
pub(super) type Key = Arc<[u8]>;

/// The starting point, and the path, in a key.
pub(super) fn split(key: &[u8]) -> (usize, &[u8]) {
    let (root, path) = key.split_at(ROOT_BYTES);
    (root.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)), path)
}

/// What is counted for one row, without the rows below it.
#[derive(Debug)]
pub(super) struct Count {
    pub(super) depth: usize,
    pub(super) kind: Kind,
    pub(super) space: Space,
}

/// What a worker has counted.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) by_key: HashMap<Key, usize>,
    pub(super) counts: Vec<Count>,
    pub(super) links: Links<Key>,
}

/// Counts what one worker visits.
pub(super) struct Collector<'m> {
    context: &'m Context<'m>,
    counted: Counts,
    /// The row that the last entry counted for, as long as it was not the entry's own.
    current: Option<(Key, usize)>,
    key: Vec<u8>,
    unreported: (usize, usize),
}

impl<'m> Collector<'m> {
    pub(super) fn new(context: &'m Context<'m>) -> Collector<'m> {
        let (current, key) = (None, Vec::new());
        Collector { context, counted: Counts::default(), current, key, unreported: (0, 0) }
    }

    /// With the starting points that no walk is needed for.
    pub(super) fn with_plain_files(context: &'m Context<'m>) -> Collector<'m> {
        let mut collector = Collector::new(context);
        for (root, it) in context.roots.all.iter().enumerate().filter(|(_, it)| !it.is_walked) {
            let (key, row) = collector.row(root, &it.path, 0, it.stat.kind());
            collector.count(&key, row, &it.stat);
        }
        collector
    }

    pub(super) fn into_counts(self) -> Counts {
        self.counted
    }

    /// Counts an entry, or reports an error.
    pub(super) fn add(&mut self, item: Item<'_>) -> Answer {
        match item {
            Ok(entry) => self.add_entry(&entry),
            Err(error) => (self.context.watch)(Event::Failed(error)),
        }
    }

    fn add_entry(&mut self, entry: &Entry<'_>) -> Answer {
        let context = self.context;
        if entry.depth() == 0 {
            return self.add_root(entry);
        }
        let stat = match entry.stat(context.fields) {
            Ok(stat) => stat,
            Err(error) => return (context.watch)(Event::Failed(error)),
        };
        let Some((key, row)) = self.row_around(entry) else { return Answer::Continue };
        let (root, _) = split(&key);
        let is_elsewhere = stat.device() != context.roots.all[root].stat.device();
        let other = context.other_root(root, &stat);
        if (context.options.walk.one_file_system && is_elsewhere)
            || other.is_some_and(|other| other < root)
        {
            self.current = Some((key, row));
            return Answer::Prune;
        }
        if let Some(other) = other {
            context.inner[other].store(true, Relaxed);
        }
        let options = context.options;
        if entry.depth() <= options.depth && (entry.is_dir() || options.files) {
            let (key, row) = self.row(root, entry.path_bytes(), entry.depth(), entry.kind());
            self.count(&key, row, &stat);
        } else {
            self.count(&key, row, &stat);
        }
        self.current = Some((key, row));
        self.report(entry.is_dir())
    }

    fn add_root(&mut self, entry: &Entry<'_>) -> Answer {
        let path = entry.path_bytes();
        let Some(root) = self.context.roots.of_path(path) else { return Answer::Prune };
        let stat = &self.context.roots.all[root].stat;
        let path = if stat.is_dir() { stem(path) } else { path };
        let (key, row) = self.row(root, path, 0, stat.kind());
        self.count(&key, row, stat);
        self.report(entry.is_dir())
    }

    /// The row of the deepest directory above an entry that has one.
    fn row_around(&mut self, entry: &Entry<'_>) -> Option<(Key, usize)> {
        if let Some((key, row)) = self.current.take()
            && self.is_around(&key, row, entry)
        {
            return Some((key, row));
        }
        let above = entry.depth() - 1;
        let depth = above.min(self.context.options.depth);
        let path = entry.path_bytes();
        let stem = up(&path[..path.len() - entry.name_bytes().len() - 1], above - depth);
        let root = self.context.roots.above(stem, depth)?;
        Some(self.row(root, stem, depth, Kind::Directory))
    }

    /// Whether a row is that of the deepest directory above an entry that has one.
    fn is_around(&self, key: &Key, row: usize, entry: &Entry<'_>) -> bool {
        let (_, stem) = split(key);
        let depth = self.counted.counts[row].depth;
        let Some(rest) = entry.path_bytes().strip_prefix(stem) else { return false };
        if rest.first() != Some(&b'/') {
            return false;
        }
        let is_parent = rest.len() == entry.name_bytes().len() + 1;
        let is_above = is_parent || (depth == self.context.options.depth && entry.depth() > depth);
        // Where one starting point lies in another, a path alone does not say below which it is.
        let levels = || rest.iter().filter(|&&byte| byte == b'/').count();
        is_above && (self.context.roots.all.len() < 2 || levels() == entry.depth() - depth)
    }

    /// The row of a path, which is there from now on.
    fn row(&mut self, root: usize, path: &[u8], depth: usize, kind: Kind) -> (Key, usize) {
        let Counts { by_key, counts, .. } = &mut self.counted;
        self.key.clear();
        self.key.extend_from_slice(&(root as u32).to_be_bytes());
        self.key.extend_from_slice(path);
        if let Some((key, row)) = by_key.get_key_value(&self.key[..]) {
            return (Arc::clone(key), *row);
        }
        let (key, row) = (Key::from(&self.key[..]), counts.len());
        counts.push(Count { depth, kind, space: Space::default() });
        by_key.insert(Arc::clone(&key), row);
        (key, row)
    }

    fn count(&mut self, key: &Key, row: usize, stat: &Stat) {
        let (Counts { counts, links, .. }, space) = (&mut self.counted, Space::of(stat));
        match self.context.options.counted_once(stat) {
            Some(shared) => links.add(shared, Arc::clone(key), space),
            None => counts[row].space += space,
        }
    }

    fn report(&mut self, is_directory: bool) -> Answer {
        match Event::counted(&mut self.unreported, is_directory) {
            Some(event) => (self.context.watch)(event),
            None => Answer::Continue,
        }
    }
}
