//! A directory at a time, on the thread that asks, which has a say in what is entered.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::Kind;

use super::Walk;
use super::listing::{Item, Listing};
use super::output::Output;
use super::record::{Batch, Scribe};
use super::shared::Shared;
use super::worker::Worker;
use crate::error::Errno;

/// The directories of a walk, one at a time, each with all its entries; what is below it is entered
/// afterwards, and may be chosen before. Made by [`Walk::directories`].
pub struct Directories {
    worker: Worker<Scribe>,
    batch: Batch,
    /// What became of the items of the listing that the batch shows.
    shown: Vec<Shown>,
    /// Which of them each entry of the batch is.
    items: Vec<usize>,
    /// A root that was shown, to be entered.
    root: Option<Item>,
    /// How many bytes a batch may have: offsets into them have 32 bits.
    most_bytes: usize,
}

/// One item of a listing.
#[derive(Clone, Copy)]
struct Shown {
    item: Item,
    enter: bool,
}

/// What was written stays with the scout until the directory is done.
struct Stay;

impl Output for Stay {
    fn deliver(&mut self, _out: &mut Vec<u8>) -> bool {
        true
    }
}

impl Walk {
    /// The walk, a directory at a time, on the calling thread. Each root comes by itself before it
    /// is entered. Nothing is read ahead, so what lies below a directory can still be kept out of
    /// the walk ([`Directories::prune`]), put in another order, or added to
    /// ([`Directories::enter`]), until the next one is asked for. Of a directory whose paths take
    /// 4 GiB or more, as many entries come as the offsets of a batch can reach, and a failure
    /// (`EOVERFLOW`).
    ///
    /// Price: that of the walk. Memory: the names of the directories on the way down.
    ///
    /// ```
    /// use fewer::Walk;
    ///
    /// let mut directories = Walk::new("src").directories();
    /// let mut seen = Vec::new();
    /// while let Some(directory) = directories.next() {
    ///     seen.extend(directory.directory_path().map(<[u8]>::to_vec));
    ///     let walk = directory.entries().iter().position(|it| directory.name(it) == b"walk");
    ///     if let Some(walk) = walk {
    ///         directories.prune(walk);
    ///     }
    /// }
    /// assert!(seen.contains(&b"src/lines".to_vec()) && !seen.contains(&b"src/walk".to_vec()));
    /// ```
    #[must_use]
    pub fn directories(&self) -> Directories {
        let shared = Arc::new(Shared::new(Walk { by_directory: true, ..self.clone() }));
        let mut worker = Worker::new(shared, Scribe::new(self.targets));
        worker.scout.stack = worker.start().stack;
        Directories {
            worker,
            batch: Batch::default(),
            shown: Vec::new(),
            items: Vec::new(),
            root: None,
            most_bytes: u32::MAX as usize,
        }
    }
}

impl Directories {
    /// The next directory with its entries, in its own order or sorted; or a root by itself; or
    /// what became of a directory that could not be opened. Lent until the next call; `None` when
    /// the walk is over.
    #[allow(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> Option<&Batch> {
        self.settle();
        self.worker.scout.out = self.batch.fill(Vec::new());
        while self.worker.scout.out.is_empty() {
            self.advance()?;
        }
        self.batch.fill(std::mem::take(&mut self.worker.scout.out));
        Some(&self.batch)
    }

    /// Does not enter the directory that the entry `index` of the last batch is; false if there is
    /// no such entry.
    pub fn prune(&mut self, index: usize) -> bool {
        if self.batch.directory().is_none() && index < self.batch.entries().len() {
            self.root = None;
            return true;
        }
        let Some(shown) = self.items.get(index).and_then(|&item| self.shown.get_mut(item)) else {
            return false;
        };
        shown.enter = false;
        true
    }

    /// Enters just what has these names, in this order, instead of all directories of the last
    /// batch. What it shows to be none is passed over; what it does not show is asked for by one
    /// `statx`. After a root it does nothing.
    pub fn enter<N: AsRef<[u8]>>(&mut self, names: impl IntoIterator<Item = N>) {
        let scout = &self.worker.scout;
        let (Some(frame), Some(place)) = (scout.stack.frames.last(), self.batch.directory()) else {
            return;
        };
        let shown = self.shown.iter().map(|shown| shown.item);
        let known: HashMap<&[u8], Item> =
            shown.map(|item| (frame.listing.name(item), item)).collect();
        let mut listing = Listing::default();
        if (place.depth as usize) < scout.shared.walk.max_depth {
            for name in names {
                let name = name.as_ref();
                let found = match known.get(name) {
                    Some(item) => Some(item.found),
                    None => scout.added(&frame.dir, name),
                };
                if let Some(found) = found.filter(|found| found.kind == Kind::Directory) {
                    listing.push(name, found);
                }
            }
        }
        drop(known);
        self.shown.clear();
        self.items.clear();
        self.set_listing(listing);
    }

    /// Makes the decisions about the last batch what is left to do.
    fn settle(&mut self) {
        if self.shown.is_empty() {
            return;
        }
        let mut listing = Listing::default();
        if let Some(frame) = self.worker.scout.stack.frames.last() {
            for shown in self.shown.iter().filter(|shown| shown.enter) {
                listing.push(frame.listing.name(shown.item), shown.item.found);
            }
        }
        self.shown.clear();
        self.set_listing(listing);
    }

    fn set_listing(&mut self, listing: Listing) {
        let stack = &mut self.worker.scout.stack;
        let Some(mut frame) = stack.pop() else { return };
        (frame.next, frame.end, frame.directories) = (0, listing.len(), listing.len());
        frame.listing = Arc::new(listing);
        frame.visited = true;
        stack.push(frame);
    }

    /// Writes down the next root or directory, if that is what comes next; `None` if all is done.
    fn advance(&mut self) -> Option<()> {
        self.items.clear();
        let scout = &mut self.worker.scout;
        if let Some(item) = self.root.take() {
            scout.point_at(item);
            self.show(item);
            return Some(());
        }
        let frame = scout.stack.frames.last_mut()?;
        let is_root = frame.depth == 0;
        let Some(mut item) = frame.take() else {
            self.worker.leave();
            return Some(());
        };
        scout.point_at(item);
        if !is_root {
            self.show(item);
        } else if scout.look_at_item(&mut item, &mut Stay) && item.found.kind == Kind::Directory {
            self.root = Some(item);
        }
        Some(())
    }

    /// Enters the directory that the path points at, and looks at all that is in it.
    fn show(&mut self, item: Item) {
        let length = self.worker.scout.stack.path.len();
        if !self.worker.enter_whole(item) {
            return;
        }
        let scout = &mut self.worker.scout;
        let Some(frame) = scout.stack.frames.last() else { return };
        let listing = Arc::clone(&frame.listing);
        Scribe::directory(&scout.stack.path[..length], frame.depth - 1, &mut scout.out);
        for index in 0..listing.len() {
            let mut item = listing.get(index);
            let before = scout.visitor.entries;
            scout.point_at(item);
            if Scribe::most_for(&scout.stack.path) > self.most_bytes.saturating_sub(scout.out.len())
            {
                // What is left is neither shown nor entered.
                scout.report_at(length, Errno::OVERFLOW, "list all that is in directory");
                break;
            }
            let enter = scout.look_at_item(&mut item, &mut Stay);
            let enter = enter && item.found.kind == Kind::Directory;
            self.shown.push(Shown { item, enter });
            if scout.visitor.entries > before {
                self.items.push(index);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_into_a_batch_is_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..100 {
            std::fs::create_dir(folder.path().join(format!("{number:0>50}"))).unwrap();
        }
        let mut directories = Walk::new(folder.path()).directories();
        directories.most_bytes = 4 << 10;
        assert!(directories.next().unwrap().directory().is_none(), "the root by itself");
        let batch = directories.next().unwrap();
        let (shown, bytes) = (batch.entries().len(), batch.bytes().len());
        assert!((1..100).contains(&shown) && bytes <= 4 << 10, "{shown} in {bytes} bytes");
        assert_eq!(batch.failures().len(), 1);
        let failure = batch.failures()[0];
        assert_eq!(failure.number, Errno::OVERFLOW.raw_os_error());
        assert_eq!(failure.before as usize, shown);
        let text = String::from_utf8_lossy(batch.failure(&failure).1).into_owned();
        assert!(text.starts_with("cannot list all that is in directory '"), "{text}");
        let mut entered = 0;
        while let Some(batch) = directories.next() {
            assert!(batch.directory().is_some() && batch.failures().is_empty());
            entered += 1;
        }
        assert_eq!(entered, shown, "what was shown is entered, and nothing else");
    }
}
