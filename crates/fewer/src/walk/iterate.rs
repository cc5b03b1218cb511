//! The same steps as a plain iterator, on the calling thread.

use std::collections::VecDeque;
use std::sync::Arc;

use super::listing::ListingItem;
use super::output::Output;
use super::shared::Shared;
use super::worker::Worker;
use super::{Answer, Item, Visitor, Walk};
use crate::{Error, OwnedEntry};

/// The entries of a walk, one after the other, on the calling thread. Made by [`Walk::iter`].
///
/// Price: that of the walk; entries are owned, so each costs an allocation. With
/// [`Order::Any`](super::Order::Any) it reads a block of a directory at a time and keeps at most
/// the entries of one block.
pub struct Iter {
    worker: Worker<Collect>,
    /// The directory at the worker's current path, which is entered next.
    directory: Option<ListingItem>,
}

/// Keeps visited entries until the iterator returns them.
#[derive(Default)]
struct Collect(VecDeque<Result<OwnedEntry, Error>>);

impl Visitor for Collect {
    fn visit(&mut self, item: Item<'_>, _out: &mut Vec<u8>) -> Answer {
        self.0.push_back(item.map(|entry| entry.to_owned()));
        Answer::Continue
    }
}

/// An iterator returns entries, not bytes.
struct Nowhere;

impl Output for Nowhere {
    fn deliver(&mut self, out: &mut Vec<u8>) -> bool {
        out.clear();
        true
    }
}

impl Iter {
    pub(crate) fn new(walk: Walk) -> Iter {
        let mut worker = Worker::new(Arc::new(Shared::new(walk)), Collect::default());
        worker.inspector.stack = worker.start().stack;
        Iter { worker, directory: None }
    }

    /// Does not enter `entry`, a directory that [`next`](Iterator::next) has just returned. False
    /// if that changes nothing: it is no directory, is not entered anyway, or it is too late, as an
    /// entry of another directory was handed over after it.
    ///
    /// Price: no call; none is made for what lies below either. It looks for the name among the
    /// directories of the block that was read.
    ///
    /// ```
    /// use fewer::Walk;
    ///
    /// let mut entries = Walk::new("src").iter();
    /// let mut files = 0;
    /// while let Some(entry) = entries.next() {
    ///     let entry = entry?;
    ///     if entry.name() == "walk" {
    ///         entries.prune(&entry);
    ///     }
    ///     assert!(!entry.path().ends_with("walk/mod.rs"));
    ///     files += usize::from(entry.is_file());
    /// }
    /// assert!(files > 10);
    /// # Ok::<(), fewer::Error>(())
    /// ```
    pub fn prune(&mut self, entry: &OwnedEntry) -> bool {
        let stack = &mut self.worker.inspector.stack;
        let path = entry.path_bytes();
        if self.directory.is_some() {
            return stack.path == path && self.directory.take().is_some();
        }
        // Its directory was read and is gone through next: it is one of those that wait there.
        let Some(frame) = stack.frames.last_mut() else { return false };
        let above = stack.path.get(..frame.path_length);
        match above.and_then(|above| path.strip_prefix(above)) {
            Some(name) if frame.is_next_visited() && frame.depth == entry.depth() => {
                frame.forget(name)
            }
            _ => false,
        }
    }
}

impl Iterator for Iter {
    type Item = Result<OwnedEntry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.worker.inspector.visitor.0.pop_front() {
                return Some(item);
            }
            match self.directory.take() {
                Some(directory) => self.worker.enter(directory, &mut Nowhere),
                None => self.directory = self.worker.step_before_entering(&mut Nowhere)?,
            }
        }
    }
}
