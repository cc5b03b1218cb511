//! The walk, one directory at a time, on the calling thread, which chooses what is entered.

use std::collections::HashMap;
use std::sync::Arc;

use sys::Kind;

use super::listing::{Listing, ListingItem};
use super::output::Output;
use super::record::{Batch, RecordWriter};
use super::shared::Shared;
use super::slice::Slice;
use super::stack::Frame;
use super::worker::Worker;
use super::{Remaining, Walk};
use crate::error::{Action, Errno};

/// The directories of a walk, one at a time, each with all its entries. The directories below it
/// are entered afterwards; the caller may choose which. Made by [`Walk::directories`].
pub struct Directories {
    worker: Worker<RecordWriter>,
    batch: Batch,
    /// The items of the listing that the batch shows, and whether each is to be entered.
    shown: Vec<Shown>,
    /// Whether the caller may still choose among them.
    may_choose: bool,
    /// For each entry of the batch, which of them it is.
    items: Vec<usize>,
    /// A root that the caller has seen and that is entered next.
    root: Option<ListingItem>,
    /// How many bytes a batch may have: offsets into them have 32 bits.
    most_bytes: usize,
    /// The names of a root directory that are shown; without, all.
    slice: Option<Slice>,
    /// How many names a directory may have to be shown.
    most_names: usize,
    /// The directories that had more.
    set_aside: Vec<Remaining>,
}

/// One item of a listing.
#[derive(Clone, Copy)]
struct Shown {
    item: ListingItem,
    enter: bool,
}

/// Leaves the output with the inspector until the directory is done.
struct KeepOutput;

impl Output for KeepOutput {
    fn deliver(&mut self, _out: &mut Vec<u8>) -> bool {
        true
    }
}

impl Walk {
    /// The walk, a directory at a time, on the calling thread. Each root comes by itself before it
    /// is entered. Nothing is read ahead: until the next call, the caller can keep directories
    /// below this one out of the walk ([`Directories::prune`]), order them anew, or add some
    /// ([`Directories::enter`]). If the paths of a directory take 4 GiB or more, as many entries
    /// come as the offsets of a batch can reach, and a failure (`EOVERFLOW`).
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
        let mut worker = Worker::new(shared, RecordWriter::new(self));
        worker.inspector.stack = worker.start().stack;
        Directories {
            worker,
            batch: Batch::default(),
            shown: Vec::new(),
            may_choose: false,
            items: Vec::new(),
            root: None,
            most_bytes: u32::MAX as usize,
            slice: None,
            most_names: usize::MAX,
            set_aside: Vec::new(),
        }
    }
}

impl Directories {
    /// Shows of each root that is a directory only the names of this slice, and enters only those.
    ///
    /// Price: all names of the root are read; calls for entries are made for those of the slice.
    #[must_use]
    pub fn slice(self, slice: Slice) -> Directories {
        Directories { slice: Some(slice), ..self }
    }

    /// Neither shows nor enters a directory of more names than this, but sets it aside: see
    /// [`remaining`](Directories::remaining). A [slice](Directories::slice) of a root is shown
    /// however large it is.
    #[must_use]
    pub fn most_names(self, most: usize) -> Directories {
        Directories { most_names: most, ..self }
    }

    /// Ends the walk: the directories that were not entered yet and would have been, those near the
    /// roots first; then those set aside for having [too many names](Directories::most_names).
    /// Entries in them were not shown; they themselves were, except for roots that did not come
    /// yet.
    #[must_use]
    pub fn remaining(mut self) -> Vec<Remaining> {
        self.apply_choices();
        let stack = &self.worker.inspector.stack;
        let mut remaining = Vec::new();
        if let (Some(item), Some(frame)) = (self.root, stack.frames.first()) {
            remaining.push(Remaining { is_shown: true, ..Remaining::of(frame, &stack.path, item) });
        }
        for frame in &stack.frames {
            let items = (frame.next..frame.end).map(|index| frame.listing.get(index));
            remaining.extend(items.map(|item| Remaining::of(frame, &stack.path, item)));
        }
        remaining.append(&mut self.set_aside);
        remaining
    }

    /// The next directory with its entries, in its own order or sorted; or a root by itself; or the
    /// failure of a directory that could not be opened. Borrowed until the next call; `None` when
    /// the walk is over.
    #[allow(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> Option<&Batch> {
        self.fill_next().then_some(&self.batch)
    }

    /// Fills the [batch](Directories::batch) with what comes next; false when the walk is over.
    pub(crate) fn fill_next(&mut self) -> bool {
        self.apply_choices();
        self.worker.inspector.out = self.batch.fill(Vec::new());
        while self.worker.inspector.out.is_empty() {
            if self.advance().is_none() {
                return false;
            }
        }
        self.batch.fill(std::mem::take(&mut self.worker.inspector.out));
        true
    }

    /// The last batch.
    pub(crate) fn batch(&self) -> &Batch {
        &self.batch
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

    /// Enters exactly the directories with these names, in this order, instead of all directories
    /// of the last batch. Names that the batch shows to be no directories are skipped; a name that
    /// is not in the batch costs one `statx`. After a root it does nothing.
    pub fn enter<N: AsRef<[u8]>>(&mut self, names: impl IntoIterator<Item = N>) {
        let inspector = &self.worker.inspector;
        let (Some(frame), Some(place)) = (inspector.stack.frames.last(), self.batch.directory())
        else {
            return;
        };
        let shown = self.shown.iter().map(|shown| shown.item);
        let known: HashMap<&[u8], ListingItem> =
            shown.map(|item| (frame.listing.name(item), item)).collect();
        let mut listing = Listing::default();
        if (place.depth as usize) < inspector.shared.walk.max_depth {
            for name in names {
                let name = name.as_ref();
                let found = match known.get(name) {
                    Some(item) => Some(item.info),
                    None => inspector.resolve_added(&frame.dir, name),
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

    /// Leaves on the stack only those directories of the last batch that are to be entered.
    fn apply_choices(&mut self) {
        if !self.may_choose {
            return;
        }
        let mut listing = Listing::default();
        if let Some(frame) = self.worker.inspector.stack.frames.last() {
            for shown in self.shown.iter().filter(|shown| shown.enter) {
                listing.push(frame.listing.name(shown.item), shown.item.info);
            }
        }
        self.shown.clear();
        self.set_listing(listing);
    }

    fn set_listing(&mut self, listing: Listing) {
        self.may_choose = false;
        let stack = &mut self.worker.inspector.stack;
        let Some(mut frame) = stack.pop() else { return };
        (frame.next, frame.end, frame.work) = (0, listing.len(), listing.len());
        frame.listing = Arc::new(listing);
        frame.first_unvisited = usize::MAX;
        stack.push(frame);
    }

    /// Writes the next root or directory, if one comes next; `None` if all is done.
    fn advance(&mut self) -> Option<()> {
        self.items.clear();
        let inspector = &mut self.worker.inspector;
        if let Some(item) = self.root.take() {
            inspector.set_path_to(item);
            self.worker.note_root(item);
            self.show(item);
            return Some(());
        }
        let frame = inspector.stack.frames.last_mut()?;
        let is_root = frame.depth == 0;
        let Some(mut item) = frame.take() else {
            self.worker.leave();
            return Some(());
        };
        inspector.set_path_to(item);
        if !is_root {
            self.show(item);
        } else if inspector.visit_item(&mut item, &mut KeepOutput)
            && item.info.kind == Kind::Directory
        {
            self.root = Some(item);
        }
        Some(())
    }

    /// Enters the directory at the current path, and shows all its entries to the visitor.
    fn show(&mut self, item: ListingItem) {
        let length = self.worker.inspector.stack.path.len();
        if !self.worker.enter_whole(item) {
            return;
        }
        let inspector = &mut self.worker.inspector;
        let Some(frame) = inspector.stack.frames.last() else { return };
        let slice = self.slice.filter(|_| frame.depth == 1);
        if slice.is_none() && frame.listing.len() > self.most_names {
            let (path, depth) = (inspector.stack.path[..length].to_vec(), frame.depth - 1);
            let names = frame.listing.len();
            self.set_aside.push(Remaining { path, depth, is_shown: true, names });
            return self.worker.leave();
        }
        self.may_choose = true;
        let listing = Arc::clone(&frame.listing);
        RecordWriter::directory(
            &inspector.stack.path[..length],
            frame.depth - 1,
            &mut inspector.out,
        );
        for index in 0..listing.len() {
            let mut item = listing.get(index);
            if slice.is_some_and(|slice| !slice.has(listing.name(item))) {
                continue;
            }
            let before = inspector.visitor.entries;
            inspector.set_path_to(item);
            if RecordWriter::most_for(&inspector.stack.path)
                > self.most_bytes.saturating_sub(inspector.out.len())
            {
                // What is left is neither shown nor entered.
                inspector.report_at(length, Errno::OVERFLOW, Action::LIST_WHOLE_DIRECTORY);
                break;
            }
            let enter = inspector.visit_item(&mut item, &mut KeepOutput);
            let enter = enter && item.info.kind == Kind::Directory;
            self.shown.push(Shown { item, enter });
            if inspector.visitor.entries > before {
                self.items.push(index);
            }
        }
    }
}

impl Remaining {
    fn of(frame: &Frame, path: &[u8], item: ListingItem) -> Remaining {
        let path = [&path[..frame.path_length], frame.listing.name(item)].concat();
        Remaining { path, depth: frame.depth, is_shown: frame.depth > 0, names: 0 }
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
