//! What all workers have counted, as rows.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use sys::{Kind, OsStrExt};

use super::collector::{Count, Counts, Key, split};
use super::roots::{Roots, up};
use super::{Links, Space};
use crate::compact;

/// A starting point, a directory below it, or a file, with all that is below.
#[derive(Clone, Debug)]
pub struct Row {
    path: Box<[u8]>,
    depth: usize,
    kind: Kind,
    space: Space,
}

impl Row {
    /// What was counted elsewhere: objects of a store, by folder. No call.
    #[cfg(feature = "stores")]
    #[must_use]
    pub fn new(path: &[u8], depth: usize, kind: Kind, space: Space) -> Row {
        Row { path: path.into(), depth, kind, space }
    }

    /// The starting point as the caller wrote it, and the path below it.
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.path))
    }

    /// The same as bytes.
    #[must_use]
    pub fn path_bytes(&self) -> &[u8] {
        &self.path
    }

    /// Steps below the starting point, which is at 0.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What it takes, together with all that is below it.
    #[must_use]
    pub fn space(&self) -> Space {
        self.space
    }
}

/// The rows, in the order of their keys. `inner` says which starting points lie in earlier ones.
pub(super) fn from_counts(all: Vec<Counts>, roots: &Roots, inner: &[AtomicBool]) -> Vec<Row> {
    let mut by_key = merge(all);
    add_to_directories_above(&mut by_key);
    let is_shown = |key: &Key, count: &Count| {
        // A name of a file that is counted below another name has no row.
        let is_counted = count.kind == Kind::Directory || count.space.entries > 0;
        is_counted && !inner[split(key).0].load(Relaxed)
    };
    let mut shown: Vec<(Key, Count)> =
        by_key.into_iter().filter(|(key, count)| is_shown(key, count)).collect();
    compact::sort_by(&mut shown, |(a, _), (b, _)| a.cmp(b));
    let row = |(key, Count { depth, kind, space }): (Key, Count)| {
        let (root, path) = split(&key);
        let path = if depth == 0 { &roots.all[root].path[..] } else { path };
        Row { path: path.into(), depth, kind, space }
    };
    shown.into_iter().map(row).collect()
}

fn merge(all: Vec<Counts>) -> HashMap<Key, Count> {
    let (mut by_key, mut all_links) = (HashMap::<Key, Count>::new(), Links::default());
    for Counts { by_key: rows, counts, links } in all {
        let mut counts: Vec<Option<Count>> = counts.into_iter().map(Some).collect();
        for (key, row) in rows {
            let Some(count) = counts[row].take() else { continue };
            match by_key.get_mut(&key) {
                Some(known) => known.space += count.space,
                None => drop(by_key.insert(key, count)),
            }
        }
        all_links.merge(links);
    }
    for (key, space) in all_links.into_first_names() {
        if let Some(count) = by_key.get_mut(&key) {
            count.space += space;
        }
    }
    by_key
}

/// Adds what each row takes to the one above it, the deepest first.
fn add_to_directories_above(by_key: &mut HashMap<Key, Count>) {
    let mut by_depth: Vec<Vec<Key>> = Vec::new();
    for (key, count) in &*by_key {
        if by_depth.len() <= count.depth {
            by_depth.resize_with(count.depth + 1, Vec::new);
        }
        by_depth[count.depth].push(Key::clone(key));
    }
    for depth in (1..by_depth.len()).rev() {
        for key in std::mem::take(&mut by_depth[depth]) {
            let Some(space) = by_key.get(&key).map(|count| count.space) else { continue };
            let above = up(&key, 1);
            if let Some(count) = by_key.get_mut(above) {
                count.space += space;
                continue;
            }
            // A directory that the filter does not count itself.
            let above = Key::from(above);
            let count = Count { depth: depth - 1, kind: Kind::Directory, space };
            by_key.insert(Key::clone(&above), count);
            by_depth[depth - 1].push(above);
        }
    }
}
