//! The trees as a snapshot: what has changed since the one that the watch began with, and a new one
//! of what the caller was told.
//!
//! A snapshot takes a directory's stamp as a proof that its names are those that are in it. So the
//! stamp is taken first, then all events are taken and told: what the caller was told of the
//! directory is by then at least as new as the stamp, and whatever happens later changes the stamp.
//! A directory in which something happened between is marked to be read again.

use std::sync::Arc;

use sys::{Descriptor, Fields, Kind, Time};

use super::look::Looker;
use super::tree::{DirId, Mark, Position, Slot, TOLD};
use crate::error::Errno;
use crate::snapshot::{
    Change, Changes, Defect, DirectoryRecord, FileSystemId, Level, Snapshot, SnapshotBuilder, Stamp,
};

impl Looker {
    /// Takes the stamp of an open directory, before it is read.
    pub(super) fn mark(&mut self, id: DirId, dir: &Descriptor) {
        if self.options.since.is_none() && !self.options.one_file_system {
            return;
        }
        let now = Time::now();
        let stat = sys::stat_descriptor(dir, Stamp::fields());
        let mark = stat.ok().map(|stat| {
            let stamp = Stamp::of(&stat);
            let on = self.file_systems.on_device(stamp.device, dir).on;
            Mark { stamp, is_racy: !on.stamps_changes() || stamp.is_racy(now) }
        });
        self.tree.mark(id, mark);
    }

    /// Takes the stamps of the directories in which something has happened.
    pub(super) fn mark_touched(&mut self) {
        let touched: Vec<DirId> = self.tree.touched().iter().copied().collect();
        for id in touched {
            if let Ok(dir) = self.open(id) {
                self.mark(id, &dir);
            }
        }
    }

    /// Notes that something has happened in a directory.
    pub(super) fn touch(&mut self, id: DirId) {
        if self.options.since.is_some() {
            self.tree.touch(id);
        }
    }

    /// Whether an open directory is on another file system than one that is watched.
    pub(super) fn is_elsewhere(&self, dir: &Descriptor, above: DirId) -> Result<bool, Errno> {
        let device = sys::stat_descriptor(dir, Fields::INODE)?.device();
        let above = self.tree.get(above).and_then(|node| node.mark);
        Ok(above.is_some_and(|above| above.stamp.device != device))
    }

    /// What has changed since the snapshot that the watch begins with; `None` without one.
    pub(super) fn changes_since_snapshot(&self) -> Result<Option<Vec<Change>>, Defect> {
        let Some(since) = self.options.since.as_ref().map(Arc::clone) else { return Ok(None) };
        let changes = Changes::between(&since, &self.build(&since, false)?)?;
        let roots: Vec<(&[u8], DirId)> =
            self.tree.ids().into_iter().filter_map(|id| Some((self.root_path(id)?, id))).collect();
        let wanted = |change: Change| {
            let kind = change.entry;
            change.filtered(|path| self.is_wanted(&roots, path, kind))
        };
        Ok(Some(changes.filter_map(wanted).collect()))
    }

    /// The path of a directory that is a root.
    fn root_path(&self, id: DirId) -> Option<&[u8]> {
        match &self.tree.get(id)?.told {
            Position::Root(path) => Some(path),
            _ => None,
        }
    }

    /// What the caller was told of, as a snapshot; `None` without one at the beginning, and if it
    /// lacks a part. `is_racy` says that all directories are to be read again.
    pub(super) fn snapshot(&self, is_racy: bool) -> Result<Option<Snapshot>, Defect> {
        match &self.options.since {
            Some(since) if self.unwatched == 0 && self.failed_roots.is_empty() => {
                self.build(since, is_racy || !self.later.is_empty()).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn build(&self, since: &Snapshot, is_racy: bool) -> Result<Snapshot, Defect> {
        let mut builder = SnapshotBuilder::new(Level::Names).options(since.options());
        for mounted in self.file_systems.all() {
            builder.set_file_system(FileSystemId { device: mounted.device, id: mounted.id });
        }
        let mut records = builder.records();
        for id in self.tree.ids() {
            let Some(node) = self.tree.get(id) else { continue };
            let (Some(mark), Some((path, _))) = (node.mark, self.tree.path(id, TOLD)) else {
                continue;
            };
            if let Position::Root(root) = &node.told {
                builder.add_root(root, Kind::Directory, mark.stamp.inode, None);
            }
            let touched = node.is_partial || self.tree.touched().contains(&id);
            let is_racy = is_racy || touched || mark.is_racy;
            let mut record = DirectoryRecord::new(&path, mark.stamp, is_racy);
            for (name, child) in &node.children {
                record.push(name, child.kind, child.inode, None);
            }
            records.add(record);
        }
        builder.add(records);
        builder.finish()
    }

    /// Whether a path is below a root that was asked for, and neither it nor a directory above it
    /// is left out. What is below a directory that is gone is not asked for.
    fn is_wanted(&self, roots: &[(&[u8], DirId)], path: &[u8], kind: Kind) -> bool {
        if !self.options.roots.iter().any(|root| below(path, root).is_some()) {
            return false;
        }
        let root = roots.iter().find_map(|&(root, id)| Some((below(path, root)?, id)));
        let Some((mut end, id)) = root else {
            // One that is there and cannot be watched is no change.
            let mut failed = self.failed_roots.iter();
            return failed.any(|(root, why)| *why == Errno::NOENT && below(path, root).is_some());
        };
        let (mut dir, mut depth) = (Some(id), 0);
        while let Some(here) = dir.filter(|_| end < path.len()) {
            let length = path[end..].iter().take_while(|&&byte| byte != b'/').count();
            let slot = Slot { dir: here, name: path[end..end + length].into() };
            end += length;
            depth += 1;
            let kind = if end == path.len() { kind } else { Kind::Directory };
            if self.is_left_out(&slot, &path[..end], kind, depth) {
                return false;
            }
            end += 1;
            dir = self.tree.reported(&slot).and_then(|child| child.dir);
        }
        true
    }
}

/// Where in a path the part below a root begins, if it is that of the root or one below it.
fn below(path: &[u8], root: &[u8]) -> Option<usize> {
    match path.strip_prefix(root)? {
        [] => Some(path.len()),
        [b'/', ..] if !root.ends_with(b"/") => Some(root.len() + 1),
        _ => root.ends_with(b"/").then_some(root.len()),
    }
}
