//! The directories of a tree that are still to be handed over, in their order: not read yet, being
//! read ahead, or read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sys::Kind;

use super::Listing;
use crate::error::Error;
use crate::identity::Identity;
use crate::walk::Dir;

/// How many directories are held open for pending ones below them; of more, those that are needed
/// last are closed, and the pending ones below them are opened by their path.
const MOST_HELD: usize = 128;

/// So many directories are read ahead at most, and no more are begun when these have so many rows.
const MOST_AHEAD: usize = 512;
pub(super) const MOST_ROWS_AHEAD: usize = 32 << 10;

/// A directory to be listed.
pub(super) struct Pending {
    pub(super) path: Vec<u8>,
    /// The offset of its name in the path.
    pub(super) name: usize,
    /// Its parent, if that is held open.
    pub(super) parent: Option<Arc<Parent>>,
    pub(super) above: Option<Arc<Ancestor>>,
}

/// A directory that is held open for those below it.
pub(super) struct Parent {
    pub(super) dir: Dir,
    /// How many of these are not begun.
    pending: AtomicUsize,
}

/// The directories above the current one; only kept if links are followed.
pub(super) struct Ancestor {
    pub(super) identity: Identity,
    pub(super) above: Option<Arc<Ancestor>>,
}

impl Pending {
    pub(super) fn is_root(&self) -> bool {
        self.name == 0
    }

    /// The directories of a list, the last one first.
    pub(super) fn below(
        path: &[u8],
        listing: &Listing,
        dir: Dir,
        above: Option<&Arc<Ancestor>>,
    ) -> Vec<Pending> {
        let parent = Arc::new(Parent { dir, pending: AtomicUsize::new(0) });
        let mut below = Vec::new();
        for place in (0..listing.len()).rev() {
            let row = listing.row(place);
            if row.kind() == Kind::Directory && !matches!(row.name_bytes(), b"." | b"..") {
                let (path, name) = joined(path, row.name_bytes());
                let (parent, above) = (Some(Arc::clone(&parent)), above.cloned());
                below.push(Pending { path, name, parent, above });
            }
        }
        parent.pending.store(below.len(), Relaxed);
        below
    }
}

impl Drop for Ancestor {
    /// One after the other: a path of any length must not be a recursion of that depth.
    fn drop(&mut self) {
        let mut rest = self.above.take();
        while let Some(mut above) = rest.and_then(Arc::into_inner) {
            rest = above.above.take();
        }
    }
}

/// The list of a directory.
pub(super) struct Listed {
    pub(super) path: Vec<u8>,
    pub(super) listing: Result<Listing, Error>,
}

impl Listed {
    /// As how many rows it counts while it waits.
    fn rows(&self) -> usize {
        self.listing.as_ref().map_or(0, Listing::len)
    }
}

/// A directory in the order.
enum Position {
    Unread(Pending),
    /// By the thread with this number.
    BeingRead(usize),
    Listed(Box<Listed>),
}

/// What comes next in the order.
pub(super) enum Next {
    Unread(Pending),
    Listed(Box<Listed>),
}

/// What comes next is being read by the thread with this number.
pub(super) struct BeingRead(pub(super) usize);

/// All pending directories.
#[derive(Default)]
pub(super) struct Positions {
    /// The next one is at the end.
    positions: Vec<Position>,
    /// How many directories are held open for those that are pending.
    held: usize,
    /// How many are being read ahead, and how many have been.
    being_read: usize,
    listed: usize,
    /// How many rows these have so far.
    pub(super) rows: usize,
}

impl Positions {
    /// Takes the next directory; `None` if there is none any more.
    pub(super) fn take(&mut self) -> Result<Option<Next>, BeingRead> {
        let next = match self.positions.pop() {
            None => return Ok(None),
            Some(Position::BeingRead(number)) => {
                self.positions.push(Position::BeingRead(number));
                return Err(BeingRead(number));
            }
            Some(Position::Unread(pending)) => {
                self.begin(&pending);
                Next::Unread(pending)
            }
            Some(Position::Listed(listed)) => {
                self.listed -= 1;
                self.rows -= listed.rows();
                Next::Listed(listed)
            }
        };
        Ok(Some(next))
    }

    /// Takes the first one that is not being read, for the thread with this number.
    pub(super) fn take_ahead(&mut self, number: usize) -> Option<Pending> {
        if self.being_read + self.listed >= MOST_AHEAD || self.rows >= MOST_ROWS_AHEAD {
            return None;
        }
        let place = self.positions.iter_mut().rev().find(|it| matches!(it, Position::Unread(_)))?;
        let Position::Unread(pending) = std::mem::replace(place, Position::BeingRead(number))
        else {
            return None;
        };
        self.being_read += 1;
        self.begin(&pending);
        Some(pending)
    }

    /// Whether there is any that is not being read.
    pub(super) fn has_unread(&self) -> bool {
        self.positions.iter().any(|place| matches!(place, Position::Unread(_)))
    }

    pub(super) fn being_read(&self) -> usize {
        self.being_read
    }

    /// One less is pending in the parent of a directory, which holds it itself until it is open.
    fn begin(&mut self, pending: &Pending) {
        let parent = pending.parent.as_ref();
        let is_last = parent.is_some_and(|parent| parent.pending.fetch_sub(1, Relaxed) == 1);
        self.held -= usize::from(is_last);
    }

    /// Puts directories before all others.
    pub(super) fn add(&mut self, below: Vec<Pending>) {
        self.insert(self.positions.len(), below);
    }

    /// Puts the list of a directory in its place, and those below it behind it.
    pub(super) fn put(&mut self, number: usize, listed: Listed, below: Vec<Pending>) {
        if let Some(index) = self.index_of(number) {
            self.rows += listed.rows();
            self.positions[index] = Position::Listed(Box::new(listed));
            (self.being_read, self.listed) = (self.being_read - 1, self.listed + 1);
            self.insert(index, below);
        }
    }

    /// Puts a directory back that could not be read ahead. It will be opened by its path.
    pub(super) fn give_back(&mut self, number: usize, pending: Pending) {
        if let Some(index) = self.index_of(number) {
            self.positions[index] = Position::Unread(Pending { parent: None, ..pending });
            self.being_read -= 1;
        }
    }

    fn index_of(&self, number: usize) -> Option<usize> {
        let is_it = |place: &Position| matches!(place, Position::BeingRead(by) if *by == number);
        self.positions.iter().rposition(is_it)
    }

    fn insert(&mut self, index: usize, below: Vec<Pending>) {
        if !below.is_empty() {
            self.positions.splice(index..index, below.into_iter().map(Position::Unread));
            self.held += 1;
            if self.held > MOST_HELD {
                self.close_last();
            }
        }
    }

    /// Closes the directory that will be needed last, also if it is the parent of `next`. False if
    /// none is held open for those that are pending.
    pub(super) fn release_one(&mut self, next: &mut Pending) -> bool {
        match self.close_last() {
            Some(closed) => {
                if next.parent.as_ref().is_some_and(|parent| Arc::ptr_eq(parent, &closed)) {
                    next.parent = None;
                }
                true
            }
            None => next.parent.take().is_some(),
        }
    }

    /// Closes the directory that will be needed last.
    fn close_last(&mut self) -> Option<Arc<Parent>> {
        let mut held = self.positions.iter_mut().filter_map(|place| match place {
            Position::Unread(pending) if pending.parent.is_some() => Some(&mut pending.parent),
            _ => None,
        });
        let last = held.next().and_then(Option::take)?;
        for parent in held {
            match parent {
                Some(other) if Arc::ptr_eq(other, &last) => *parent = None,
                _ => break,
            }
        }
        self.held -= 1;
        Some(last)
    }
}

/// The path of `name` in the directory at `path`, and where in it the name begins.
fn joined(path: &[u8], name: &[u8]) -> (Vec<u8>, usize) {
    let mut joined = Vec::with_capacity(path.len() + 1 + name.len());
    let end = path.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
    joined.extend_from_slice(&path[..end]);
    joined.push(b'/');
    let start = joined.len();
    joined.extend_from_slice(name);
    (joined, start)
}
