//! The starting points: what they are, and which of them are the same.

use std::collections::HashMap;

use sys::Stat;

use super::{DiskUsage, Fields};
use crate::error::{Action, Error};
use crate::identity::Identity;
use crate::path::c_string;

/// A starting point.
#[derive(Debug)]
pub(super) struct Root {
    /// As the caller wrote it.
    pub(super) path: Box<[u8]>,
    pub(super) stat: Stat,
    /// Whether the walk takes it: anything but a file that no filter is asked about.
    pub(super) is_walked: bool,
}

/// The starting points that are there, each file or directory once.
#[derive(Debug, Default)]
pub(super) struct Roots {
    pub(super) all: Vec<Root>,
    pub(super) by_identity: HashMap<Identity, usize>,
    by_path: HashMap<Box<[u8]>, usize>,
    /// Directories, by what stands in front of the `/` before the names in them.
    by_stem: HashMap<Box<[u8]>, usize>,
}

impl Roots {
    /// Price: one `statx` each.
    pub(super) fn find(options: &DiskUsage, fields: Fields) -> (Roots, Vec<Error>) {
        let (mut roots, mut failed) = (Roots::default(), Vec::new());
        let asks_filter = !options.walk.filter.is_trivial() || options.walk.gitignore;
        for path in &options.walk.roots {
            let at = options.walk.scope.at();
            match c_string(path).and_then(|name| sys::stat(at, &name, false, fields)) {
                Ok(stat) => {
                    let is_walked = stat.is_dir() || asks_filter;
                    roots.add(Root { path: path.clone(), stat, is_walked }, options.count_links);
                }
                Err(errno) => failed.push(Error::new(errno, Action::ACCESS, path)),
            }
        }
        (roots, failed)
    }

    /// Adds a starting point, unless it is there by this path, or by another one that counts.
    fn add(&mut self, root: Root, count_links: bool) {
        let (index, identity) = (self.all.len(), Identity::in_stat(&root.stat));
        let stem: Box<[u8]> = stem(&root.path).into();
        let known = self.by_path.contains_key(&root.path)
            || (root.stat.is_dir() && self.by_stem.contains_key(&stem))
            || (!count_links && self.by_identity.contains_key(&identity));
        if known {
            return;
        }
        self.by_identity.insert(identity, index);
        self.by_path.insert(root.path.clone(), index);
        if root.stat.is_dir() {
            self.by_stem.insert(stem, index);
        }
        self.all.push(root);
    }

    /// The starting point of that path.
    pub(super) fn of_path(&self, path: &[u8]) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The starting point that is `levels` above the directory whose names stand behind `stem`.
    pub(super) fn above(&self, stem: &[u8], levels: usize) -> Option<usize> {
        self.by_stem.get(up(stem, levels)).copied()
    }
}

/// What stands in front of the `/` before the names in a starting point.
pub(super) fn stem(path: &[u8]) -> &[u8] {
    path.strip_suffix(b"/").unwrap_or(path)
}

/// A path without its last names.
pub(super) fn up(path: &[u8], levels: usize) -> &[u8] {
    (0..levels).fold(path, |path, _| {
        path.iter().rposition(|&byte| byte == b'/').map_or(b"" as &[u8], |slash| &path[..slash])
    })
}
