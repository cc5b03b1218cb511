//! Which of the old entries is which of the new ones.
//!
//! Directories come first: what is below one that was renamed is compared with what was below it
//! before. Then each entry at its own path, then all others by device and inode.

use std::collections::HashMap;

use sys::{Kind, Time};

use super::union::{Link, Side, Union};

/// What a renamed entry keeps.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    kind: Kind,
    device: u64,
    inode: u64,
    created: Option<Time>,
    contents: Option<(u64, Time)>,
}

impl Identity {
    /// None if the file system gives no inode numbers.
    fn of(side: &Side) -> Option<Identity> {
        let Side { kind, device, inode, created, .. } = *side;
        let stat = side.stat.filter(|_| kind != Kind::Directory);
        let contents = stat.map(|stat| (stat.size, stat.modified));
        (inode != 0).then_some(Identity { kind, device, inode, created, contents })
    }
}

/// Links the entries of both snapshots.
pub(super) fn pair(union: &mut Union) {
    let children = children(union);
    let is_directory = |side: &Side| side.kind == Kind::Directory;
    let same = |old: &Side, new: &Side| old.kind == new.kind && old.inode == new.inode;
    let replaced = |old: &Side, new: &Side| is_directory(old) && is_directory(new);
    let mut pairing = Pairing { union, children };

    let mut known = pairing.known(is_directory);
    for index in 0..pairing.union.nodes.len() {
        if pairing.is_open(index, is_directory) && !pairing.link_in_place(index, Link::Same, same) {
            pairing.link_by_identity(index, &mut known);
        }
    }
    for index in 0..pairing.union.nodes.len() {
        if pairing.is_open(index, |_| true) && !pairing.link_in_place(index, Link::Same, same) {
            pairing.link_in_place(index, Link::Replaced, replaced);
        }
    }
    let mut known = pairing.known(|side| !is_directory(side));
    for index in 0..pairing.union.nodes.len() {
        if pairing.is_open(index, |side| !is_directory(side)) {
            pairing.link_by_identity(index, &mut known);
        }
    }
    for index in 0..pairing.union.nodes.len() {
        if pairing.is_open(index, |_| true) {
            pairing.link_in_place(index, Link::Replaced, |_, _| true);
        }
    }
}

/// The nodes with an old entry, by parent and name.
type Children = HashMap<(usize, Box<[u8]>), usize>;

/// Only of directories that an entry may have left, which is below.
fn children(union: &Union) -> Children {
    let mut children = Children::new();
    for (index, node) in union.nodes.iter().enumerate() {
        if let (Some(parent), Some(_)) = (node.parent, &node.old)
            && union.nodes[parent].old.is_some()
        {
            children.insert((parent, union.name(index).into()), index);
        }
    }
    children
}

struct Pairing<'u> {
    union: &'u mut Union,
    children: Children,
}

impl Pairing<'_> {
    /// Whether the node has a new entry of that sort which is not linked.
    fn is_open(&self, index: usize, is: impl Fn(&Side) -> bool) -> bool {
        let new = self.union.nodes[index].new.as_ref();
        new.is_some_and(|new| new.link == Link::None && is(new))
    }

    /// Where the entry at a path would have been before: below what its parent was.
    fn before(&self, index: usize) -> Option<usize> {
        let Some(parent) = self.union.nodes[index].parent else { return Some(index) };
        let new = self.union.nodes[parent].new.as_ref();
        match new.and_then(|new| new.link.index()) {
            Some(before) if before != parent => {
                self.children.get(&(before, self.union.name(index).into())).copied()
            }
            _ => Some(index),
        }
    }

    /// Links the new entry at a path with the old one that was there, if they fit.
    fn link_in_place(
        &mut self,
        index: usize,
        link: fn(usize) -> Link,
        fits: impl Fn(&Side, &Side) -> bool,
    ) -> bool {
        let Some(before) = self.before(index) else { return false };
        let nodes = &self.union.nodes;
        let (Some(old), Some(new)) = (&nodes[before].old, &nodes[index].new) else { return false };
        if old.link != Link::None || !fits(old, new) {
            return false;
        }
        self.union.link(before, index, link);
        true
    }

    /// The old entries of a sort that are not linked, by identity, the last path first.
    fn known(&self, is: impl Fn(&Side) -> bool) -> HashMap<Identity, Vec<usize>> {
        let mut known: HashMap<Identity, Vec<usize>> = HashMap::new();
        for (index, node) in self.union.nodes.iter().enumerate().rev() {
            let open = node.old.as_ref().filter(|old| old.link == Link::None && is(old));
            if let Some(identity) = open.and_then(Identity::of) {
                known.entry(identity).or_default().push(index);
            }
        }
        known
    }

    /// Links the new entry at a path with the first old one that is the same.
    fn link_by_identity(&mut self, index: usize, known: &mut HashMap<Identity, Vec<usize>>) {
        let new = self.union.nodes[index].new.as_ref();
        let identity = new.and_then(Identity::of);
        let Some(olds) = identity.and_then(|identity| known.get_mut(&identity)) else { return };
        while let Some(old) = olds.pop() {
            let side = self.union.nodes[old].old.as_ref();
            if side.is_some_and(|side| side.link == Link::None) {
                let link = if old == index { Link::Same } else { Link::Renamed };
                return self.union.link(old, index, link);
            }
        }
    }
}
