//! From what the caller was told and what was found to the changes that lead from one to the other,
//! in an order in which they can be made one after the other. Makes no call.

use std::collections::{HashMap, HashSet};

use sys::{Happened, Kind};

use super::tree::{Child, DirId, Slot, TOLD, Tree};
use super::truth::{Seen, Truth};
use crate::snapshot::{Change, ChangeKind};

/// Whether the caller wants to hear of an entry, by its path, what it is, and its depth.
pub(super) type Shows<'s> = &'s dyn Fn(&[u8], Child, usize) -> bool;

/// What was settled.
pub(super) struct Settled {
    pub(super) changes: Vec<Change>,
    /// Directories that are nowhere any more.
    pub(super) dead: Vec<DirId>,
    /// Whether all was told that was found.
    pub(super) whole: bool,
}

/// Tells the caller what was found. With `shows` each entry of a renamed directory is told that it
/// wants; without it the directory alone.
pub(super) fn settle(tree: &mut Tree, truth: &mut Truth, shows: Option<Shows<'_>>) -> Settled {
    let dead = tree.take_lost();
    for &id in &dead {
        let names = tree.get(id).map(|node| node.children.keys().cloned().collect::<Vec<_>>());
        for name in names.into_iter().flatten() {
            truth.found(&Slot { dir: id, name }, None);
        }
    }
    let gone: HashSet<DirId> = dead.iter().copied().collect();
    let mut differences = Differences::default();
    for (slot, mut seen) in truth.take() {
        if gone.contains(&slot.dir) {
            seen.found = None;
        }
        differences.add(tree, slot, seen);
    }
    let mut steps = differences.pair(tree);
    let mut reporter = Reporter { tree, shows, leaving: HashSet::new(), changes: Vec::new() };
    let whole = reporter.take(&mut steps);
    debug_assert!(whole, "steps that nothing leads to");
    Settled { changes: reporter.changes, dead, whole }
}

/// A name that leads to something else than the caller was told.
struct Difference {
    slot: Slot,
    child: Child,
    happened: Happened,
}

/// What differs between what the caller was told and what was found.
#[derive(Default)]
struct Differences {
    gone: Vec<Difference>,
    come: Vec<Difference>,
    changed: Vec<(Slot, Child)>,
    /// The same as before, but now watched, or not any more.
    noted: Vec<(Slot, Child)>,
}

impl Differences {
    fn add(&mut self, tree: &Tree, slot: Slot, seen: Seen) {
        let happened = seen.happened;
        let told = tree.reported(&slot);
        if let (Some(told), Some(found)) = (told, seen.found)
            && told.is_same(&found)
        {
            let anew = happened.any_of(Happened::CREATED)
                && happened.any_of(Happened::REMOVED | Happened::MOVED_AWAY);
            if anew || happened.any_of(Happened::CONTENTS | Happened::METADATA) {
                self.changed.push((slot.clone(), found));
            }
            if told != found {
                self.noted.push((slot, found));
            }
            return;
        }
        if let Some(child) = told {
            self.gone.push(Difference { slot: slot.clone(), child, happened });
        }
        if let Some(child) = seen.found {
            self.come.push(Difference { slot, child, happened });
        }
    }

    /// Finds what is gone at one name and has come at another: a directory that has kept its watch,
    /// or a file of the same inode, provided that an event says that the one was moved away, and
    /// none says that the other was created (the number may have been given to a new file).
    fn pair(self, tree: &Tree) -> Steps {
        let mut by_child: HashMap<Key, Vec<usize>> = HashMap::new();
        for (place, gone) in self.gone.iter().enumerate().rev() {
            if gone.child.dir.is_some() || gone.happened.any_of(Happened::MOVED_AWAY) {
                by_child.entry(key(&gone.child)).or_default().push(place);
            }
        }
        let mut steps = Steps { noted: self.noted, changes: self.changed, ..Steps::default() };
        let mut paired = HashSet::new();
        let mut unpaired = Vec::new();
        for come in self.come {
            let (child, happened) = (come.child, come.happened);
            let may = child.dir.is_some()
                || happened.any_of(Happened::MOVED_HERE)
                || !happened.any_of(Happened::CREATED);
            let from = may.then(|| by_child.get_mut(&key(&child)).and_then(Vec::pop)).flatten();
            let Some(from) = from else {
                unpaired.push(come);
                continue;
            };
            paired.insert(from);
            let gone = &self.gone[from];
            if (happened | gone.happened).any_of(Happened::CONTENTS | Happened::METADATA) {
                steps.changes.push((come.slot.clone(), child));
            }
            let from = gone.slot.clone();
            steps.renames.push(Rename { from, to: come.slot, child, replaces: false });
        }
        let gone = self.gone.into_iter().enumerate();
        let mut gone: HashMap<Slot, Child> = gone
            .filter(|(place, _)| !paired.contains(place))
            .map(|(_, gone)| {
                steps.removes.push(gone.slot.clone());
                (gone.slot, gone.child)
            })
            .collect();
        for rename in &mut steps.renames {
            let old = gone.get(&rename.to).filter(|old| old.kind != Kind::Directory);
            if old.is_some() && rename.child.kind != Kind::Directory {
                gone.remove(&rename.to);
                rename.replaces = true;
            }
        }
        for come in unpaired {
            let old = gone.get(&come.slot).filter(|old| old.kind == come.child.kind);
            if old.is_some() && come.child.kind != Kind::Directory {
                gone.remove(&come.slot);
                steps.noted.push((come.slot.clone(), come.child));
                steps.changes.push((come.slot, come.child));
            } else {
                steps.adds.push((come.slot, come.child));
            }
        }
        steps.removes.retain(|slot| gone.contains_key(slot));
        // What is below a directory first.
        let depth = |slot: &Slot| tree.upwards(slot.dir, TOLD).map_or(0, |all| all.len());
        steps.removes.sort_by_cached_key(|slot| std::cmp::Reverse(depth(slot)));
        steps
    }
}

/// What tells a file or a directory from others.
type Key = (Option<DirId>, Kind, u64);

fn key(child: &Child) -> Key {
    match child.dir {
        Some(dir) => (Some(dir), Kind::Directory, 0),
        None => (None, child.kind, child.inode),
    }
}

struct Rename {
    from: Slot,
    to: Slot,
    child: Child,
    /// Whether the file that has the name goes without a word of its own.
    replaces: bool,
}

/// What the caller is to be told.
#[derive(Default)]
struct Steps {
    noted: Vec<(Slot, Child)>,
    removes: Vec<Slot>,
    renames: Vec<Rename>,
    adds: Vec<(Slot, Child)>,
    changes: Vec<(Slot, Child)>,
}

impl Steps {
    fn len(&self) -> usize {
        self.removes.len() + self.renames.len() + self.adds.len()
    }

    /// Makes a rename a removal and an addition, of all that is below as well: what several
    /// directories have exchanged in a circle cannot be told by renames alone.
    fn break_circle(&mut self, tree: &Tree, leaving: &mut HashSet<DirId>) -> bool {
        let Some(Rename { from, to, child, replaces }) = self.renames.pop() else { return false };
        if replaces {
            self.removes.push(to.clone());
        }
        let removed: HashSet<&Slot> =
            self.removes.iter().chain(self.renames.iter().map(|rename| &rename.from)).collect();
        let below = child.dir.map(|dir| tree.told_below(dir)).unwrap_or_default();
        let below: Vec<Slot> = below.into_iter().filter(|slot| !removed.contains(slot)).collect();
        leaving.extend(child.dir);
        self.adds.push((to, child));
        for slot in below.iter().rev() {
            if let Some(child) = tree.reported(slot) {
                leaving.extend(child.dir);
                self.adds.push((slot.clone(), child));
            }
        }
        self.removes.extend(below);
        self.removes.push(from);
        true
    }
}

/// Tells the caller, one step after the other.
struct Reporter<'t> {
    tree: &'t mut Tree,
    shows: Option<Shows<'t>>,
    /// Directories that are told as removed before they are told as added: nothing is added to them
    /// meanwhile.
    leaving: HashSet<DirId>,
    changes: Vec<Change>,
}

impl Reporter<'_> {
    /// Takes each step as soon as it can be taken: a name is free, a directory is empty, the
    /// directory above is there.
    fn take(&mut self, steps: &mut Steps) -> bool {
        let (now_watched, not_watched): (Vec<_>, Vec<_>) = std::mem::take(&mut steps.noted)
            .into_iter()
            .partition(|(_, child)| child.dir.is_some());
        for (slot, child) in now_watched {
            self.tree.tell(&slot, child);
        }
        while steps.len() > 0 {
            let before = steps.len();
            steps.removes.retain(|slot| !self.remove(slot));
            steps.renames.retain(|rename| !self.rename(rename));
            steps.adds.retain(|(slot, child)| !self.add(slot, *child));
            if steps.len() == before && !steps.break_circle(self.tree, &mut self.leaving) {
                return false;
            }
        }
        for (slot, child) in not_watched {
            self.tree.tell(&slot, child);
        }
        for (slot, child) in std::mem::take(&mut steps.changes) {
            self.say(ChangeKind::Changed, &slot, child);
        }
        true
    }

    fn remove(&mut self, slot: &Slot) -> bool {
        let Some(child) = self.tree.reported(slot) else { return true };
        let below = child.dir.and_then(|dir| self.tree.get(dir));
        if below.is_some_and(|node| !node.children.is_empty()) {
            return false;
        }
        self.say(ChangeKind::Removed, slot, child);
        self.tree.untell(slot);
        if let Some(dir) = child.dir {
            self.leaving.remove(&dir);
        }
        true
    }

    fn add(&mut self, slot: &Slot, child: Child) -> bool {
        let leaves = child.dir.is_some_and(|dir| self.leaving.contains(&dir));
        if leaves || self.leaving.contains(&slot.dir) || self.tree.reported(slot).is_some() {
            return false;
        }
        if self.tree.path(slot.dir, TOLD).is_none() {
            return false;
        }
        self.tree.tell(slot, child);
        self.say(ChangeKind::Added, slot, child);
        true
    }

    fn rename(&mut self, rename: &Rename) -> bool {
        let Rename { from, to, child, replaces } = rename;
        let Some(above) = self.tree.upwards(to.dir, TOLD) else { return false };
        let inside_itself = child.dir.is_some_and(|dir| above.contains(&dir));
        if inside_itself
            || self.leaving.contains(&to.dir)
            || (self.tree.reported(to).is_some() && !replaces)
        {
            return false;
        }
        let mut moved = vec![from.clone()];
        if self.shows.is_some() {
            moved.extend(child.dir.into_iter().flat_map(|dir| self.tree.told_below(dir)));
            moved[1..].reverse();
        }
        let old: Vec<_> = moved.iter().map(|slot| self.tree.path_of(slot, TOLD)).collect();
        self.tree.untell(to);
        self.tree.untell(from);
        self.tree.tell(to, *child);
        moved[0] = to.clone();
        for (slot, old) in moved.iter().zip(old) {
            if let (Some(old), Some(child)) = (old, self.tree.reported(slot)) {
                self.say_renamed(old, slot, child);
            }
        }
        true
    }

    fn shows(&self, path: &[u8], child: Child, depth: usize) -> bool {
        self.shows.is_none_or(|shows| shows(path, child, depth))
    }

    fn say(&mut self, change: ChangeKind, slot: &Slot, child: Child) {
        let Some((path, depth)) = self.tree.path_of(slot, TOLD) else { return };
        if self.shows(&path, child, depth) {
            self.push(change, path, None, child);
        }
    }

    /// A name that the caller does not want to hear of is as good as none.
    fn say_renamed(&mut self, (old, old_depth): (Vec<u8>, usize), slot: &Slot, child: Child) {
        let Some((new, depth)) = self.tree.path_of(slot, TOLD) else { return };
        match (self.shows(&old, child, old_depth), self.shows(&new, child, depth)) {
            (true, true) => self.push(ChangeKind::Renamed, new, Some(old.into()), child),
            (true, false) => self.push(ChangeKind::Removed, old, None, child),
            (false, true) => self.push(ChangeKind::Added, new, None, child),
            (false, false) => {}
        }
    }

    fn push(&mut self, change: ChangeKind, path: Vec<u8>, from: Option<Box<[u8]>>, child: Child) {
        let path = path.into();
        self.changes.push(Change { kind: change, entry: child.kind, path, from });
    }
}
