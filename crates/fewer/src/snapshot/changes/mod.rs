//! What is different between two snapshots.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Changes`]: the differences, one after the other |
//! | `union` | the entries that differ, of both snapshots in one tree |
//! | `compare` | goes down both snapshots side by side |
//! | `pairing` | which of the old entries is which of the new ones |
//! | `wanted` | which changes a walk is about |

mod compare;
mod pairing;
mod union;
mod wanted;

use std::collections::VecDeque;

use sys::Kind;

use super::error::Defect;
use super::{Level, Snapshot};
use union::{Link, Node, Union};
pub use wanted::Wanted;

/// What happened to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// It is gone. Its path is the one that it had.
    Removed,
    /// It has another path: the device and the inode are the same. What is in a directory comes
    /// along, and is listed only if it has changed itself.
    Renamed,
    /// It is new.
    Added,
    /// Under the same name there is something of another kind; or, at [`Level::Stat`], its size,
    /// its time of modification, its permissions or its inode are others. Of a directory, size and
    /// time do not count.
    Changed,
}

impl ChangeKind {
    /// All of them, each at the index of its number.
    pub const ALL: [ChangeKind; 4] =
        [ChangeKind::Removed, ChangeKind::Renamed, ChangeKind::Added, ChangeKind::Changed];

    /// The name: `removed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["removed", "renamed", "added", "changed"][self as usize]
    }
}

/// One difference between two snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// What it is now, or was if it is gone.
    pub entry: Kind,
    /// The path of it now, or before if it is gone.
    pub path: Box<[u8]>,
    /// Of a renamed entry the path before.
    pub from: Option<Box<[u8]>>,
}

impl Change {
    /// The change as it is without the paths that are not wanted, if anything is left of it: what
    /// is renamed to or from such a path has come or gone.
    #[must_use]
    pub fn filtered(self, is_wanted: impl Fn(&[u8]) -> bool) -> Option<Change> {
        let Change { kind, entry, path, from } = self;
        let to = is_wanted(&path);
        let (kind, path, from) = match from {
            Some(from) => match (is_wanted(&from), to) {
                (true, true) => (kind, path, Some(from)),
                (true, false) => (ChangeKind::Removed, from, None),
                (false, true) => (ChangeKind::Added, path, None),
                (false, false) => return None,
            },
            None if to => (kind, path, None),
            None => return None,
        };
        Some(Change { kind, entry, path, from })
    }
}

/// The differences between two snapshots, in the order of their paths, as a sorted walk has them.
///
/// A new tree follows from the old one by them: first what was removed goes, then what was renamed
/// gets its new path, all at once, then comes what was added. A path that is there before and after
/// may have lines nevertheless: `a` renamed to `b`, and another `a` added.
///
/// Renamed is what vanished at one path and appeared at another with the same device, inode and
/// kind; a directory also with the same time of creation, and at [`Level::Stat`] any other entry
/// with the same size and time of modification. Without these the inode of a removed file may be
/// that of a new one. A further hard link is added.
///
/// Nothing is said of what is below a directory that was not read for one of the snapshots.
///
/// Price: no call. A directory whose bytes are the same in both snapshots is not decoded.
#[derive(Clone, Debug)]
pub struct Changes {
    union: Union,
    has_stats: bool,
    next: usize,
    queue: VecDeque<Change>,
}

impl Changes {
    /// From `old` to `new`. Roots with the same path are compared.
    ///
    /// # Errors
    /// [`Defect::Inconsistent`] if a snapshot contradicts itself.
    pub fn between(old: &Snapshot, new: &Snapshot) -> Result<Changes, Defect> {
        let mut union = match old.is_clone_of(new) {
            true => Union::default(),
            false => compare::compare(old, new)?,
        };
        pairing::pair(&mut union);
        let has_stats = old.level() == Level::Stat && new.level() == Level::Stat;
        Ok(Changes { union, has_stats, next: 0, queue: VecDeque::new() })
    }

    /// Queues the changes at one path.
    fn queue(&mut self, index: usize) {
        let Changes { union, has_stats, queue, .. } = self;
        let node = &union.nodes[index];
        let mut add = |kind, entry, from: Option<usize>| {
            let from = from.map(|from| union.path(from));
            queue.push_back(Change { kind, entry, path: union.path(index), from });
        };
        let Node { old, new, .. } = node;
        if let Some(old) = old.as_ref().filter(|old| old.link == Link::None) {
            add(ChangeKind::Removed, old.kind, None);
        }
        let Some(new) = new else { return };
        let before = |from: usize| union.nodes[from].old.as_ref();
        match new.link {
            Link::None => add(ChangeKind::Added, new.kind, None),
            Link::Renamed(from) => {
                add(ChangeKind::Renamed, new.kind, Some(from));
                if before(from).is_some_and(|old| old.differs(new)) {
                    add(ChangeKind::Changed, new.kind, None);
                }
            }
            Link::Same(from) => {
                if before(from).is_some_and(|old| old.differs(new)) {
                    add(ChangeKind::Changed, new.kind, None);
                }
            }
            Link::Replaced(from) => {
                if *has_stats || before(from).is_some_and(|old| old.kind != new.kind) {
                    add(ChangeKind::Changed, new.kind, None);
                }
            }
        }
    }
}

impl Iterator for Changes {
    type Item = Change;

    fn next(&mut self) -> Option<Change> {
        while self.queue.is_empty() && self.next < self.union.nodes.len() {
            self.queue(self.next);
            self.next += 1;
        }
        self.queue.pop_front()
    }
}
