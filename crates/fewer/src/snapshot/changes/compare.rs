//! Goes down two snapshots side by side.

use std::cmp::Ordering;

use sys::Kind;

use super::union::{Link, Side, Union};
use crate::snapshot::directory::{Cursor, Directory, Listed};
use crate::snapshot::error::Defect;
use crate::snapshot::{DirectoryId, EntryStat, Root, Snapshot};

/// The entries that differ.
pub(super) fn compare(old: &Snapshot, new: &Snapshot) -> Result<Union, Defect> {
    let mut comparison = Comparison { old, new, union: Union::default(), frames: Vec::new() };
    let mut paths: Vec<&[u8]> = old.roots().chain(new.roots()).map(|root| root.path).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        comparison.compare_root(path)?;
    }
    Ok(comparison.union)
}

struct Comparison<'s> {
    old: &'s Snapshot,
    new: &'s Snapshot,
    union: Union,
    frames: Vec<Frame<'s>>,
}

/// A directory that is gone through, or two.
struct Frame<'s> {
    /// The node of it, once there is one.
    node: Option<usize>,
    name: FrameName,
    /// Whether it is the same directory in both snapshots.
    is_same: bool,
    work: Work<'s>,
}

enum FrameName {
    Known(Box<[u8]>),
    /// Which of the directories of the one above it is.
    Ordinal(usize),
}

enum Work<'s> {
    /// The bytes are the same: only its directories have to be looked at.
    Directories {
        old: Directory<'s>,
        new: Directory<'s>,
        /// The next one in each snapshot, and how many came before.
        next: [u32; 2],
        ordinal: usize,
        /// Where its entries are decoded to get names, and how many directories were passed there.
        names: Option<(Cursor<'s>, usize)>,
    },
    /// The entries are merged.
    Entries { old: Option<Cursor<'s>>, new: Option<Cursor<'s>> },
}

/// An entry at the same path in both snapshots, or in one.
type Sides<T> = (Option<T>, Option<T>);

impl<'s> Comparison<'s> {
    fn compare_root(&mut self, path: &[u8]) -> Result<(), Defect> {
        let find = |snapshot: &'s Snapshot| {
            let mut roots = snapshot.roots();
            roots.find(|root| root.path == path && root.kind != Kind::Unknown)
        };
        let (old, new) = (find(self.old), find(self.new));
        let listed = |root: Root<'_>| {
            let Root { kind, inode, directory, stat, .. } = root;
            (Listed { kind, inode, directory }, stat)
        };
        let device = |snapshot: &'s Snapshot, root: Option<Root<'_>>| {
            let directory = snapshot.directory(root?.directory?)?;
            Some(directory.stamp().device)
        };
        let devices = [device(self.old, old), device(self.new, new)].map(Option::unwrap_or_default);
        // What the caller names is the same as long as it is of the same kind.
        let is_same = old.map(|root| root.kind) == new.map(|root| root.kind);
        self.compare_entry(path, is_same, devices, (old.map(listed), new.map(listed)))?;
        while self.step()? {}
        Ok(())
    }

    /// Takes the next step in the deepest directory; false if there is none left.
    fn step(&mut self) -> Result<bool, Defect> {
        let Some(frame) = self.frames.last_mut() else { return Ok(false) };
        match &mut frame.work {
            Work::Directories { old, new, next, ordinal, .. } => {
                let [Some(old_child), Some(new_child)] =
                    [old.child(&mut next[0])?, new.child(&mut next[1])?]
                else {
                    self.frames.pop();
                    return Ok(true);
                };
                let name = FrameName::Ordinal(*ordinal);
                *ordinal += 1;
                let [old, new] = [self.old.known(old_child), self.new.known(new_child)];
                if let (Some(old), Some(new)) = (old, new) {
                    self.enter_both(name, None, old, new)?;
                }
            }
            Work::Entries { old, new } => {
                let order = match (&*old, &*new) {
                    (Some(old), Some(new)) => old.name().cmp(new.name()),
                    (Some(_), None) => Ordering::Less,
                    (None, Some(_)) => Ordering::Greater,
                    (None, None) => {
                        self.frames.pop();
                        return Ok(true);
                    }
                };
                let devices =
                    [&*old, &*new].map(|cursor| cursor.as_ref().map_or(0, Cursor::device));
                let (is_same, mut name) = (frame.is_same, Vec::new());
                let mut take = |cursor: &mut Option<Cursor<'s>>| {
                    let taken = cursor.as_mut()?;
                    name.clear();
                    name.extend_from_slice(taken.name());
                    let entry = (taken.entry(), taken.stat());
                    if !taken.advance() {
                        *cursor = None;
                    }
                    Some(entry)
                };
                let old = if order.is_le() { take(old) } else { None };
                let new = if order.is_ge() { take(new) } else { None };
                let is_same = is_same
                    && old.zip(new).is_some_and(|(old, new)| {
                        old.0.kind == new.0.kind && old.0.inode == new.0.inode
                    });
                self.compare_entry(&name, is_same, devices, (old, new))?;
            }
        }
        Ok(true)
    }

    /// Compares what is at the same path, and enters it.
    fn compare_entry(
        &mut self,
        name: &[u8],
        is_same: bool,
        devices: [u64; 2],
        (old, new): Sides<(Listed, Option<EntryStat>)>,
    ) -> Result<(), Defect> {
        let directory = |listed: Option<(Listed, _)>| listed?.0.directory;
        let (old_directory, new_directory) = (directory(old), directory(new));
        let old = old.map(|listed| side(self.old, devices[0], listed));
        let new = new.map(|listed| side(self.new, devices[1], listed));
        let differs = old.as_ref().zip(new.as_ref()).is_some_and(|(old, new)| old.differs(new));
        let mut node = None;
        if !is_same || differs {
            let parent = self.deepest_node()?;
            let index = self.union.push(parent, name, old, new);
            if is_same {
                self.union.link(index, index, Link::Same);
            }
            node = Some(index);
        }
        let name = FrameName::Known(name.into());
        match (old_directory, new_directory) {
            (None, None) => {}
            (Some(old), Some(new)) if is_same => self.enter_both(name, node, old, new)?,
            // Of one of them it is not known what is in it.
            _ if is_same => {}
            (old, new) => {
                let old = old.map(|id| entries(self.old, id)).transpose()?.flatten();
                let new = new.map(|id| entries(self.new, id)).transpose()?.flatten();
                self.frames.push(Frame { node, name, is_same, work: Work::Entries { old, new } });
            }
        }
        Ok(())
    }

    /// Enters a directory that is the same one in both snapshots.
    fn enter_both(
        &mut self,
        name: FrameName,
        node: Option<usize>,
        old: DirectoryId,
        new: DirectoryId,
    ) -> Result<(), Defect> {
        let (old, new) = (directory(self.old, old)?, directory(self.new, new)?);
        let work = if old.has_bytes_of(&new) {
            if !new.has_directories() {
                return Ok(());
            }
            let next = [old.first_child(), new.first_child()];
            Work::Directories { old, new, next, ordinal: 0, names: None }
        } else {
            Work::Entries { old: Cursor::new(old)?, new: Cursor::new(new)? }
        };
        self.frames.push(Frame { node, name, is_same: true, work });
        Ok(())
    }

    /// The node of the deepest directory, which is made if there is none, as are those above it.
    fn deepest_node(&mut self) -> Result<Option<usize>, Defect> {
        let known = self.frames.iter().rposition(|frame| frame.node.is_some());
        let mut parent = known.and_then(|at| self.frames[at].node);
        for at in known.map_or(0, |known| known + 1)..self.frames.len() {
            let name = match &self.frames[at].name {
                FrameName::Known(name) => name.clone(),
                FrameName::Ordinal(ordinal) => {
                    let ordinal = *ordinal;
                    let above = at.checked_sub(1).and_then(|above| self.frames.get_mut(above));
                    above.ok_or(Defect::Inconsistent)?.directory_name(ordinal)?
                }
            };
            parent = Some(self.union.push(parent, &name, None, None));
            self.frames[at].node = parent;
        }
        Ok(parent)
    }
}

impl Frame<'_> {
    /// The name of one of its directories, which comes after all whose names were wanted before.
    fn directory_name(&mut self, ordinal: usize) -> Result<Box<[u8]>, Defect> {
        let Work::Directories { new, names, .. } = &mut self.work else {
            return Err(Defect::Inconsistent);
        };
        if names.is_none() {
            *names = Cursor::new(*new)?.map(|cursor| (cursor, 0));
        }
        let (cursor, passed) = names.as_mut().ok_or(Defect::Inconsistent)?;
        loop {
            if cursor.entry().kind == Kind::Directory {
                if *passed == ordinal {
                    return Ok(cursor.name().into());
                }
                *passed += 1;
            }
            if !cursor.advance() {
                return Err(Defect::Inconsistent);
            }
        }
    }
}

fn directory(snapshot: &Snapshot, id: DirectoryId) -> Result<Directory<'_>, Defect> {
    snapshot.directory(id).ok_or(Defect::Inconsistent)
}

fn entries(snapshot: &Snapshot, id: DirectoryId) -> Result<Option<Cursor<'_>>, Defect> {
    Cursor::new(directory(snapshot, id)?)
}

fn side(snapshot: &Snapshot, device: u64, (listed, stat): (Listed, Option<EntryStat>)) -> Side {
    let Listed { kind, inode, directory } = listed;
    let directory = directory.and_then(|id| snapshot.directory(id));
    let created = directory.and_then(|directory| directory.stamp().created);
    Side { kind, device, inode, created, stat, link: Link::None }
}
