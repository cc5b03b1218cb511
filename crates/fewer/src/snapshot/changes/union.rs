//! The entries that differ, of both snapshots in one tree.

use std::ops::Range;

use sys::{Kind, Time};

use crate::snapshot::EntryStat;

/// The entries that differ, and the directories above them, in the order of a sorted walk. An entry
/// of either snapshot is at its own path.
#[derive(Clone, Debug, Default)]
pub(super) struct Union {
    pub(super) nodes: Vec<Node>,
    names: Vec<u8>,
}

/// A path, and what has it in each snapshot if that is not the same.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: Option<usize>,
    name: Range<usize>,
    pub(super) old: Option<Side>,
    pub(super) new: Option<Side>,
}

/// An entry of one of the snapshots.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) kind: Kind,
    pub(super) device: u64,
    pub(super) inode: u64,
    /// When it was made, if it is a directory that was read.
    pub(super) created: Option<Time>,
    pub(super) stat: Option<EntryStat>,
    pub(super) link: Link,
}

/// What an entry of one snapshot is in the other: the index of the node that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// Nothing.
    None,
    /// The same entry at another path.
    Renamed(usize),
    /// The same entry at the same path, or below a directory that was renamed.
    Same(usize),
    /// Another entry that has, or had, its path.
    Replaced(usize),
}

impl Link {
    /// The index of the node.
    pub(super) fn index(self) -> Option<usize> {
        match self {
            Link::None => None,
            Link::Renamed(index) | Link::Same(index) | Link::Replaced(index) => Some(index),
        }
    }
}

impl Side {
    /// Whether the same entry is different now.
    pub(super) fn differs(&self, new: &Side) -> bool {
        let (Some(a), Some(b)) = (&self.stat, &new.stat) else { return false };
        let is_directory = new.kind == Kind::Directory;
        let contents = |stat: &EntryStat| (!is_directory).then_some((stat.size, stat.modified));
        self.inode != new.inode || a.permissions != b.permissions || contents(a) != contents(b)
    }
}

impl Union {
    /// Adds a path that comes after all others, and returns its index.
    pub(super) fn push(
        &mut self,
        parent: Option<usize>,
        name: &[u8],
        old: Option<Side>,
        new: Option<Side>,
    ) -> usize {
        let start = self.names.len();
        self.names.extend_from_slice(name);
        self.nodes.push(Node { parent, name: start..self.names.len(), old, new });
        self.nodes.len() - 1
    }

    /// Says that the old entry of one path and the new one of another, or of the same, belong
    /// together.
    pub(super) fn link(&mut self, old: usize, new: usize, link: fn(usize) -> Link) {
        if let Some(side) = &mut self.nodes[old].old {
            side.link = link(new);
        }
        if let Some(side) = &mut self.nodes[new].new {
            side.link = link(old);
        }
    }

    pub(super) fn name(&self, index: usize) -> &[u8] {
        &self.names[self.nodes[index].name.clone()]
    }

    /// The whole path.
    pub(super) fn path(&self, index: usize) -> Box<[u8]> {
        let above = std::iter::successors(Some(index), |&index| self.nodes[index].parent);
        let mut names: Vec<&[u8]> = above.map(|index| self.name(index)).collect();
        let mut path = names.pop().unwrap_or_default().to_vec();
        for name in names.iter().rev() {
            if path.last() != Some(&b'/') {
                path.push(b'/');
            }
            path.extend_from_slice(name);
        }
        path.into()
    }
}
