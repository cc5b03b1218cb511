//! Visitors and their answers.

use crate::{Entry, Error};

/// What a visitor gets: an entry, or an error in its place.
pub type Item<'w> = Result<Entry<'w>, Error>;

/// What the walk does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Go on.
    Continue,
    /// Do not enter this directory; for anything else the same as `Continue`.
    Prune,
    /// End the walk. Other workers may still be visiting an entry.
    Stop,
}

/// Looks at entries. Each worker has its own visitor, so a visitor needs no locks.
///
/// Any closure `FnMut(Item<'_>, &mut Vec<u8>) -> Answer` is one.
pub trait Visitor {
    /// Looks at one entry, or error. Bytes appended to `out` reach the sink of the walk in blocks,
    /// those of one visit never torn apart, and with [`Order::Sorted`](crate::Order::Sorted) in
    /// the order of the walk, though visitors run at the same time.
    fn visit(&mut self, item: Item<'_>, out: &mut Vec<u8>) -> Answer;

    /// The byte behind each path, for a visitor that does nothing with an entry but to append its
    /// path and this byte to `out`, and never ends the walk or prunes. The entries of a directory
    /// that a snapshot knows are then written all at once, and not visited but
    /// [counted](Visitor::printed).
    fn line_end(&self) -> Option<u8> {
        None
    }

    /// So many entries, the directories among them included, were written without a visit.
    fn printed(&mut self, entries: usize, directories: usize) {
        let _ = (entries, directories);
    }
}

impl<F: FnMut(Item<'_>, &mut Vec<u8>) -> Answer> Visitor for F {
    fn visit(&mut self, item: Item<'_>, out: &mut Vec<u8>) -> Answer {
        self(item, out)
    }
}
