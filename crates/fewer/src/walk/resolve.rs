//! The kind of an entry where its record in the directory does not say it: unknown kinds, links
//! that are followed, and the loops that these make.

use std::ffi::CStr;

use sys::{Fields, Kind, Stat};

use super::Visitor;
use super::inspector::Inspector;
use super::listing::{EntryInfo, EntryRecord};
use super::open_dir::Dir;
use crate::error::{Action, Errno};
use crate::identity::Identity;
use crate::path::c_string;

impl<V: Visitor> Inspector<V> {
    /// The kind of an entry: from the directory's record if that has it, otherwise from one
    /// `statx`; unknown if that fails. `None` for a link that makes a loop or cannot be followed.
    /// Errors have been shown to the visitor.
    #[inline]
    pub(crate) fn resolve(&mut self, dir: &Dir, raw: EntryRecord<'_>) -> Option<EntryInfo> {
        let EntryRecord { kind, inode, metadata, known, .. } = raw;
        let from_record = EntryInfo { kind, inode, metadata, link_target: None, known };
        match raw.kind {
            Kind::Unknown => self.resolve_by_stat(dir, raw, from_record),
            Kind::Symlink if self.shared.walk.follow => self.resolve_by_stat(dir, raw, from_record),
            Kind::Directory if self.below_link => self.resolve_by_stat(dir, raw, from_record),
            _ => Some(from_record),
        }
    }

    #[cold]
    fn resolve_by_stat(
        &mut self,
        dir: &Dir,
        raw: EntryRecord<'_>,
        from_record: EntryInfo,
    ) -> Option<EntryInfo> {
        let name = &*c_string(raw.name).ok()?;
        let path = &self.stack.path[..self.stack.path.len() - raw.name.len()];
        if let Err(errno) = dir.late.at_in(&self.shared.walk.scope, path) {
            self.report(errno, Action::STAT);
            return (raw.kind != Kind::Directory).then_some(from_record);
        }
        let mut resolved = from_record;
        if raw.kind == Kind::Unknown {
            match sys::stat(dir.at(), name, false, Fields::KIND) {
                Ok(stat) => resolved.kind = stat.kind(),
                // The name exists, even if its kind is not known.
                Err(errno) => {
                    self.report(errno, Action::STAT);
                    return Some(from_record);
                }
            }
        }
        let resolved = match resolved.kind {
            Kind::Symlink if self.shared.walk.follow => match follow(dir, name, resolved) {
                // Its path leads through a file: the entry is shown as a link, and the error too.
                Err(Errno::NOTDIR) => {
                    self.report(Errno::NOTDIR, Action::STAT);
                    Ok(resolved)
                }
                other => other,
            },
            _ => Ok(resolved),
        };
        match resolved {
            Ok(found) if self.is_loop(dir, name, found) => {
                self.report(Errno::LOOP, Action::ENTER);
                None
            }
            Ok(found) => Some(found),
            Err(errno) => {
                self.report(errno, Action::STAT);
                None
            }
        }
    }

    /// The kind of a name that was not in the directory when it was read; `None` for a link that is
    /// not followed. A name that is no directory is reported when it is opened.
    ///
    /// Price: one `statx`.
    pub(crate) fn resolve_added(&self, dir: &Dir, name: &[u8]) -> Option<EntryInfo> {
        let follow = self.shared.walk.follow;
        let missing = EntryInfo::of_kind(Kind::Directory);
        let Ok(name) = c_string(name) else { return Some(missing) };
        let length = self.stack.frames.last().map_or(0, |frame| frame.path_length);
        let path = &self.stack.path[..length];
        let Ok(at) = dir.late.at_in(&self.shared.walk.scope, path) else { return Some(missing) };
        match sys::stat(at, &name, follow, Fields::KIND | Fields::INODE) {
            Ok(stat) if stat.kind() == Kind::Directory => Some(with_identity(&stat)),
            Ok(stat) if stat.kind() == Kind::Symlink => None,
            _ => Some(missing),
        }
    }

    /// The kind of a root.
    pub(crate) fn resolve_root(&self, path: &CStr) -> Result<EntryInfo, Errno> {
        let stat =
            sys::stat(self.shared.walk.scope.at(), path, false, Fields::KIND | Fields::INODE)?;
        if stat.kind() == Kind::Symlink {
            let link = EntryInfo { inode: stat.inode(), ..EntryInfo::of_kind(Kind::Symlink) };
            return match self.shared.walk.follow {
                true => follow(&Dir::of_scope(&self.shared.walk.scope), path, link),
                false => Ok(link),
            };
        }
        Ok(with_identity(&stat))
    }

    /// Whether it is a directory that the walk is in already, at any depth. It can only be reached
    /// again through a link, or below a directory that was reached through a link.
    ///
    /// Price: one `statx` for each directory on the way down, once.
    fn is_loop(&mut self, dir: &Dir, name: &CStr, found: EntryInfo) -> bool {
        if found.kind != Kind::Directory || !(self.below_link || found.link_target.is_some()) {
            return false;
        }
        let frames = self.stack.frames.iter().filter_map(|frame| frame.dir.identity());
        let mut above = frames.chain(dir.identity()).chain(self.stack.ancestors.iter().copied());
        match found.link_target {
            Some(there) => above.any(|identity| identity == there),
            // The device is only asked for if the inode is that of a directory above.
            None => above.any(|identity| {
                identity.inode == found.inode
                    && sys::stat(dir.at(), name, false, Fields::INODE)
                        .is_ok_and(|stat| stat.device() == identity.device)
            }),
        }
    }

    /// Whether the directory at the current path is mounted somewhere below itself, and the walk
    /// has come to that place.
    pub(crate) fn is_mount_loop(&self, dir: &Dir) -> bool {
        let depth = self.stack.frames.last().map_or(0, |frame| frame.depth);
        dir.is_mounted_below_itself(&self.shared.walk.scope, &self.stack.path, depth)
    }
}

fn with_identity(stat: &Stat) -> EntryInfo {
    let link_target = Some(Identity::in_stat(stat));
    EntryInfo { inode: stat.inode(), link_target, ..EntryInfo::of_kind(stat.kind()) }
}

/// The target of a link; the link itself if it leads nowhere.
fn follow(dir: &Dir, name: &CStr, link: EntryInfo) -> Result<EntryInfo, Errno> {
    match sys::stat(dir.at(), name, true, Fields::KIND | Fields::INODE) {
        Ok(stat) => Ok(with_identity(&stat)),
        Err(Errno::NOENT) => Ok(link),
        Err(errno) => Err(errno),
    }
}
