//! The same steps as a plain iterator, on the calling thread.

use std::collections::VecDeque;
use std::sync::Arc;

use super::output::Output;
use super::shared::Shared;
use super::worker::{Step, Worker};
use super::{Answer, Item, Visitor, Walk};
use crate::{Error, OwnedEntry};

/// The entries of a walk, one after the other, on the calling thread. Made by [`Walk::iter`].
///
/// Price: that of the walk; entries are owned, so each costs an allocation. With
/// [`Order::Any`](super::Order::Any) it reads a block of a directory at a time and keeps at most
/// the entries of one block.
pub struct Iter {
    worker: Worker<Collect>,
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
        Iter { worker }
    }
}

impl Iterator for Iter {
    type Item = Result<OwnedEntry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.worker.inspector.visitor.0.pop_front() {
                return Some(item);
            }
            if self.worker.step(&mut Nowhere) != Step::More {
                return self.worker.inspector.visitor.0.pop_front();
            }
        }
    }
}
