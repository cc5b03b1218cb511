//! The sizes of objects, summed by folder.

use std::collections::HashMap;

use fewer::disk_usage::{Row, Space};
use fewer::{Kind, compact};

/// The rows below an address: folders down to a level, and perhaps files. Nothing else is kept.
pub(super) struct Folders {
    /// By the path below the address.
    by_path: HashMap<Box<[u8]>, Count>,
    depth: usize,
    files: bool,
    /// In a bucket a folder is what keys begin with, and so its slash is part of its path: there
    /// may be an object of the same name.
    ends_in_slash: bool,
}

/// What is counted for one row, at first without the rows below it.
#[derive(Clone, Copy)]
struct Count {
    depth: usize,
    kind: Kind,
    space: Space,
}

impl Folders {
    /// With rows down to this level, and with those of files.
    pub(super) fn new(depth: usize, files: bool, ends_in_slash: bool) -> Folders {
        let root = Count { depth: 0, kind: Kind::Directory, space: Space::default() };
        let by_path = HashMap::from([(Box::default(), root)]);
        Folders { by_path, depth, files, ends_in_slash }
    }

    /// Counts what has this path below the address, and so many names in it.
    pub(super) fn add(&mut self, path: &[u8], depth: usize, kind: Kind, size: u64) {
        let space = Space { entries: 1, size, allocated: size };
        if depth == 0 {
            return self.count(b"", 0, kind, space);
        }
        let is_shown = depth <= self.depth && (kind == Kind::Directory || self.files);
        if is_shown {
            return self.count(path, depth, kind, space);
        }
        let above = (depth - 1).min(self.depth);
        let slash = usize::from(self.ends_in_slash);
        let folder = match above {
            0 => b"",
            above => match slashes(path).nth(above - 1) {
                Some(at) => &path[..at + slash],
                None => path,
            },
        };
        self.count(folder, above, Kind::Directory, space);
    }

    fn count(&mut self, path: &[u8], depth: usize, kind: Kind, space: Space) {
        match self.by_path.get_mut(path) {
            Some(count) => {
                count.kind = kind;
                count.space += space;
            }
            None => drop(self.by_path.insert(path.into(), Count { depth, kind, space })),
        }
    }

    /// The rows: the address as it was written, and what is below in the order of the paths, which
    /// `front` stands before.
    pub(super) fn into_rows(mut self, written: &[u8], front: &[u8]) -> Vec<Row> {
        self.add_to_folders_above();
        let mut counts: Vec<(Box<[u8]>, Count)> = self.by_path.into_iter().collect();
        compact::sort_by(&mut counts, |(a, _), (b, _)| a.cmp(b));
        let row = |(path, Count { depth, kind, space }): (Box<[u8]>, Count)| match depth {
            0 => Row::new(written, depth, kind, space),
            _ => Row::new(&[front, &path].concat(), depth, kind, space),
        };
        counts.into_iter().map(row).collect()
    }

    /// Adds what each row takes to the one above it, the deepest first.
    fn add_to_folders_above(&mut self) {
        let mut by_depth: Vec<Vec<Box<[u8]>>> = Vec::new();
        for (path, count) in &self.by_path {
            if by_depth.len() <= count.depth {
                by_depth.resize_with(count.depth + 1, Vec::new);
            }
            by_depth[count.depth].push(path.clone());
        }
        for depth in (1..by_depth.len()).rev() {
            for path in std::mem::take(&mut by_depth[depth]) {
                let Some(&Count { space, .. }) = self.by_path.get(&path) else { continue };
                let above = self.above(&path);
                if let Some(count) = self.by_path.get_mut(above) {
                    count.space += space;
                    continue;
                }
                // Of a folder in which there are only folders, nothing was counted so far.
                self.count(above, depth - 1, Kind::Directory, space);
                by_depth[depth - 1].push(above.into());
            }
        }
    }

    /// The path of the folder that something is in.
    fn above<'p>(&self, path: &'p [u8]) -> &'p [u8] {
        let names = match self.ends_in_slash {
            true => path.strip_suffix(b"/").unwrap_or(path),
            false => path,
        };
        let slash = names.iter().rposition(|&byte| byte == b'/');
        slash.map_or(b"", |at| &names[..at + usize::from(self.ends_in_slash)])
    }
}

/// Where the slashes are.
fn slashes(path: &[u8]) -> impl Iterator<Item = usize> {
    path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at)
}
