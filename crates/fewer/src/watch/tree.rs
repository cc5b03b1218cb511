//! What is known of the watched trees: which directories there are, and which entries the caller
//! has been told of.

use std::collections::{BTreeMap, HashMap, HashSet};

use sys::Kind;

use super::source::WatchId;
use crate::path::lexical::push;
use crate::snapshot::Stamp;

/// A directory of the trees, for as long as it is watched, whatever its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct DirId(u64);

/// A name, without slashes.
pub(super) type Name = Box<[u8]>;

/// A name in a directory, be there an entry or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot {
    pub(super) dir: DirId,
    pub(super) name: Name,
}

/// What a name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Child {
    pub(super) kind: Kind,
    pub(super) inode: u64,
    /// The directory that it is, if it is one that is watched.
    pub(super) dir: Option<DirId>,
}

impl Child {
    /// Whether it is the same file or directory.
    pub(super) fn is_same(&self, other: &Child) -> bool {
        match (self.dir, other.dir) {
            (Some(one), Some(other)) => one == other,
            _ => self.kind == other.kind && self.inode == other.inode,
        }
    }
}

/// Where a directory is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// It is where a tree begins, with the path that the caller wrote.
    Root(Name),
    /// Its entry in another directory.
    Below(Slot),
    /// Nowhere in the trees.
    Nowhere,
}

/// What a snapshot says of a directory beside its names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) stamp: Stamp,
    /// Whether it could have changed after that without another stamp.
    pub(super) is_racy: bool,
}

/// A watched directory.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) watch: WatchId,
    /// Where it is, as far as is known.
    pub(super) place: Position,
    /// Where the caller was told that it is.
    pub(super) told: Position,
    /// The entries that the caller was told of.
    pub(super) children: BTreeMap<Name, Child>,
    /// What a snapshot says of it beside its names, if there is to be one.
    pub(super) mark: Option<Mark>,
    /// Whether it may have names that the caller was not told of.
    pub(super) is_partial: bool,
}

/// The watched directories.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: HashMap<DirId, Node>,
    by_watch: HashMap<WatchId, DirId>,
    /// Which directory is at a name, as far as is known.
    by_place: HashMap<Slot, DirId>,
    last: u64,
    roots: usize,
    /// Whether a directory may be nowhere.
    has_lost: bool,
    /// Directories in which something has happened since they were marked.
    touched: HashSet<DirId>,
}

/// Which of a node's two places.
pub(super) type Which = fn(&Node) -> &Position;

/// Where it is.
pub(super) const ON_DISK: Which = |node| &node.place;
/// Where the caller was told that it is.
pub(super) const TOLD: Which = |node| &node.told;

impl Tree {
    /// A new directory, of which the caller was not told yet, unless it is a root.
    pub(super) fn add(&mut self, watch: WatchId, place: Position) -> DirId {
        self.last += 1;
        let id = DirId(self.last);
        let is_root = matches!(place, Position::Root(_));
        self.roots += usize::from(is_root);
        let told = if is_root { place.clone() } else { Position::Nowhere };
        let (nowhere, children) = (Position::Nowhere, BTreeMap::new());
        let (mark, is_partial) = (None, false);
        self.nodes.insert(id, Node { watch, place: nowhere, told, children, mark, is_partial });
        self.set_place(id, place);
        self.by_watch.insert(watch, id);
        id
    }

    pub(super) fn get(&self, id: DirId) -> Option<&Node> {
        self.nodes.get(&id)
    }

    /// Notes where a directory is; another one that was there is nowhere then.
    pub(super) fn set_place(&mut self, id: DirId, place: Position) {
        if let Position::Below(slot) = &place {
            self.vacate(slot, Some(id));
            self.by_place.insert(slot.clone(), id);
        }
        self.has_lost |= place == Position::Nowhere;
        let Some(node) = self.nodes.get_mut(&id) else { return };
        if let Position::Below(old) = std::mem::replace(&mut node.place, place)
            && node.place != Position::Below(old.clone())
        {
            self.by_place.remove(&old);
        }
    }

    /// Notes that no directory is at a name, but perhaps this one.
    pub(super) fn vacate(&mut self, slot: &Slot, but: Option<DirId>) {
        if let Some(&id) = self.by_place.get(slot)
            && Some(id) != but
        {
            self.set_place(id, Position::Nowhere);
        }
    }

    /// Whether a tree is left.
    pub(super) fn has_root(&self) -> bool {
        self.roots > 0
    }

    /// Notes that a watch has ended: its number means nothing any more.
    pub(super) fn end_watch(&mut self, watch: WatchId) {
        self.by_watch.remove(&watch);
    }

    /// The directories that no path leads to. None are left then, once they are removed.
    pub(super) fn take_lost(&mut self) -> Vec<DirId> {
        if !std::mem::take(&mut self.has_lost) {
            return Vec::new();
        }
        self.ids().into_iter().filter(|id| self.upwards(*id, ON_DISK).is_none()).collect()
    }

    pub(super) fn of_watch(&self, watch: WatchId) -> Option<DirId> {
        self.by_watch.get(&watch).copied()
    }

    /// All directories, in the order in which they were found.
    pub(super) fn ids(&self) -> Vec<DirId> {
        let mut ids: Vec<DirId> = self.nodes.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    pub(super) fn remove(&mut self, id: DirId) -> Option<Node> {
        let node = self.nodes.remove(&id)?;
        self.touched.remove(&id);
        self.roots -= usize::from(matches!(node.told, Position::Root(_)));
        if let Position::Below(slot) = &node.place
            && self.by_place.get(slot) == Some(&id)
        {
            self.by_place.remove(slot);
        }
        if self.of_watch(node.watch) == Some(id) {
            self.by_watch.remove(&node.watch);
        }
        Some(node)
    }

    /// Marks a directory, in which nothing has happened since.
    pub(super) fn mark(&mut self, id: DirId, mark: Option<Mark>) {
        self.touched.remove(&id);
        if let Some(node) = self.nodes.get_mut(&id) {
            node.mark = mark;
        }
    }

    /// Notes that something has happened in a directory.
    pub(super) fn touch(&mut self, id: DirId) {
        self.touched.insert(id);
    }

    /// The directories in which something has happened since they were marked.
    pub(super) fn touched(&self) -> &HashSet<DirId> {
        &self.touched
    }

    /// Notes whether a directory may have names that the caller is not told of.
    pub(super) fn set_partial(&mut self, id: DirId, is_partial: bool) {
        if let Some(node) = self.nodes.get_mut(&id) {
            node.is_partial = is_partial;
        }
    }

    /// What the caller was told of a name.
    pub(super) fn reported(&self, slot: &Slot) -> Option<Child> {
        self.nodes.get(&slot.dir)?.children.get(&slot.name).copied()
    }

    /// Notes that the caller is told of an entry.
    pub(super) fn tell(&mut self, slot: &Slot, child: Child) {
        let Some(node) = self.nodes.get_mut(&slot.dir) else { return };
        node.children.insert(slot.name.clone(), child);
        if let Some(below) = child.dir.and_then(|dir| self.nodes.get_mut(&dir)) {
            below.told = Position::Below(slot.clone());
        }
    }

    /// Notes an entry that was there from the beginning. A directory that was moved while the trees
    /// were read for the first time is at its last name only.
    pub(super) fn tell_at_first(&mut self, slot: &Slot, child: Child) {
        let before = child.dir.and_then(|dir| self.nodes.get(&dir)).map(|node| node.told.clone());
        if let Some(Position::Below(before)) = before {
            self.untell(&before);
        }
        self.tell(slot, child);
    }

    /// Notes that the caller is told that an entry is gone.
    pub(super) fn untell(&mut self, slot: &Slot) -> Option<Child> {
        let child = self.nodes.get_mut(&slot.dir)?.children.remove(&slot.name)?;
        if let Some(below) = child.dir.and_then(|dir| self.nodes.get_mut(&dir)) {
            below.told = Position::Nowhere;
        }
        Some(child)
    }

    /// The directories from this one up to its root, itself included; `None` if they lead to none.
    pub(super) fn upwards(&self, id: DirId, which: Which) -> Option<Vec<DirId>> {
        let mut all = vec![id];
        let mut here = id;
        loop {
            match which(self.nodes.get(&here)?) {
                Position::Root(_) => return Some(all),
                Position::Below(slot) => here = slot.dir,
                Position::Nowhere => return None,
            }
            // What was seen at different times may lead in a circle.
            if all.len() > self.nodes.len() {
                return None;
            }
            all.push(here);
        }
    }

    /// The path of a directory, and how many steps it is below its root.
    pub(super) fn path(&self, id: DirId, which: Which) -> Option<(Vec<u8>, usize)> {
        let upwards = self.upwards(id, which)?;
        let mut path = Vec::new();
        for id in upwards.iter().rev() {
            match which(self.nodes.get(id)?) {
                Position::Root(root) => path.extend_from_slice(root),
                Position::Below(slot) => push(&mut path, &slot.name),
                Position::Nowhere => return None,
            }
        }
        Some((path, upwards.len() - 1))
    }

    /// The path of a name, and how many steps it is below its root.
    pub(super) fn path_of(&self, slot: &Slot, which: Which) -> Option<(Vec<u8>, usize)> {
        let (mut path, depth) = self.path(slot.dir, which)?;
        push(&mut path, &slot.name);
        Some((path, depth + 1))
    }

    /// What the caller was told of below a directory, each entry behind what is below it.
    pub(super) fn told_below(&self, id: DirId) -> Vec<Slot> {
        let mut all = Vec::new();
        let mut waiting = vec![id];
        while let Some(dir) = waiting.pop() {
            let Some(node) = self.nodes.get(&dir) else { continue };
            for (name, child) in &node.children {
                all.push(Slot { dir, name: name.clone() });
                waiting.extend(child.dir);
            }
        }
        all.reverse();
        all
    }
}
