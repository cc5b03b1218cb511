//! One step of a walk: visit an entry, enter a directory, read more of one, or leave it.

use std::sync::Arc;

use sys::{Buffer, Kind};

use super::ignored::Rules;
use super::inspector::Inspector;
use super::listing::{EntryInfo, EntryRecord, Listing, ListingItem};
use super::open_dir::{Dir, ReachedBy};
use super::output::Output;
use super::pace::Pace;
use super::reuse::{Snapshots, Unchanged};
use super::scheduler::Work;
use super::shared::Shared;
use super::since::Since;
use super::stack::{Frame, Share, Stack};
use super::{Order, Visitor};
use crate::descriptors;
use crate::error::{Action, Errno};

/// After so many entries of a directory, the directories among them are entered before the next
/// block is read: so a directory of any size is walked in bounded memory.
const ENTRIES_PER_ROUND: usize = 4096;

/// When a worker's stack holds more names than this, further directories are read in small blocks,
/// so that memory stays bounded in a tree that is wide at every level.
const MANY_NAMES: usize = 1 << 16;
const SMALL_BLOCK_BYTES: usize = 2 << 10;

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// There is more to do.
    More,
    /// This worker's part is done.
    Done,
    /// The whole walk is over.
    Stopped,
}

/// A directory that was opened and read.
struct Opened {
    dir: Dir,
    listing: Arc<Listing>,
    unread: Unread,
    rules: Option<Arc<Rules>>,
}

/// How far a directory was read.
#[derive(Clone, Copy)]
struct Unread {
    /// The position of the entries that were not read, if there may be any.
    more: Option<i64>,
    /// The names before this one were shown to the visitor.
    first_unvisited: usize,
}

/// Does a part of a walk, on one thread.
pub(crate) struct Worker<V> {
    pub(crate) inspector: Inspector<V>,
    block: Buffer,
    spare: Vec<Arc<Listing>>,
    /// How many directories of the stack may be held open; found out when the stack gets deep.
    held_limit: Option<usize>,
    /// How many directories it has read.
    pub(crate) directories: usize,
    /// How many entries it has looked at that took long.
    slow_entries: usize,
    pace: Pace,
    /// What it takes from a snapshot and writes down for one, if anything.
    snapshots: Option<Box<Snapshots>>,
}

impl<V: Visitor> Worker<V> {
    pub(crate) fn new(shared: Arc<Shared>, visitor: V) -> Worker<V> {
        Worker {
            block: Buffer::new(shared.walk.block_bytes).wanting(shared.walk.wanted_fields()),
            pace: Pace::new(shared.walk.asks_about_entries()),
            snapshots: Snapshots::new(&shared),
            inspector: Inspector::new(shared, visitor),
            spare: Vec::new(),
            held_limit: None,
            directories: 0,
            slow_entries: 0,
        }
    }

    /// How much it has done: directories, and entries that took long.
    #[inline]
    pub(crate) fn done(&self) -> usize {
        self.directories + self.slow_entries
    }

    /// The whole walk as a piece of work: its only frame has the roots as names.
    pub(crate) fn start(&self) -> Work {
        let mut listing = Listing::default();
        for root in &self.inspector.shared.walk.roots {
            listing.push(root, EntryInfo::of_kind(Kind::Unknown));
        }
        let mut stack = Stack::default();
        stack.push(Frame {
            dir: Arc::new(Dir::of_scope(&self.inspector.shared.walk.scope)),
            next: 0,
            end: listing.len(),
            work: listing.len(),
            listing: Arc::new(listing),
            more: None,
            first_unvisited: 0,
            is_slow: false,
            depth: 0,
            path_length: 0,
            through_link: false,
            rules: None,
        });
        Work { stack, piece: 0 }
    }

    /// Takes the next step.
    #[inline]
    pub(crate) fn step(&mut self, output: &mut impl Output) -> Step {
        match self.step_before_entering(output) {
            None => return Step::Done,
            Some(Some(directory)) => self.enter(directory, output),
            Some(None) => {}
        }
        if self.inspector.stopped { Step::Stopped } else { Step::More }
    }

    /// A step, but for the directory at the current path that it leads to: that is returned, and
    /// is to be [entered](Worker::enter) next. `None` if this worker's part is done.
    #[inline]
    pub(super) fn step_before_entering(
        &mut self,
        output: &mut impl Output,
    ) -> Option<Option<ListingItem>> {
        let frame = self.inspector.stack.frames.last_mut()?;
        let visited = frame.is_next_visited();
        if let Some(item) = frame.take() {
            return Some(self.show(item, visited, output));
        }
        if frame.more.is_some() {
            self.read_on(output);
        } else {
            self.leave();
        }
        Some(None)
    }

    /// Splits off part of the work for another worker, if there is enough for two.
    pub(crate) fn split(&mut self, share: Share) -> Option<Stack> {
        self.inspector.stack.split(share, self.inspector.shared.walk.follow)
    }

    /// Shows the visitor an item unless that is done. Returns it if it is to be entered.
    fn show(
        &mut self,
        mut item: ListingItem,
        visited: bool,
        output: &mut impl Output,
    ) -> Option<ListingItem> {
        self.inspector.set_path_to(item);
        let enter = visited || self.visit_item(&mut item, output);
        self.note_root(item);
        (enter && item.info.kind == Kind::Directory).then_some(item)
    }

    /// Shows the visitor the item at the current path, and notes how long that takes.
    #[inline]
    fn visit_item(&mut self, item: &mut ListingItem, output: &mut impl Output) -> bool {
        let begun = self.pace.begin();
        let enter = self.inspector.visit_item(item, output);
        self.pace.end(begun);
        if self.pace.is_slow()
            && let Some(frame) = self.inspector.stack.frames.last_mut()
        {
            frame.set_slow();
            self.slow_entries += 1;
        }
        enter
    }

    /// Writes the item at the current path down, if it is a root.
    pub(super) fn note_root(&mut self, item: ListingItem) {
        if let Some(snapshots) = &mut self.snapshots
            && self.inspector.stack.frames.last().is_some_and(|frame| frame.depth == 0)
        {
            snapshots.found_root(&self.inspector.stack.path, item);
        }
    }

    /// Opens the directory at the current path, reads it, and pushes it onto the stack unless there
    /// is nothing left to do in it.
    pub(super) fn enter(&mut self, item: ListingItem, output: &mut impl Output) {
        let Some(opened) = self.open_and_read(item, output) else { return };
        if opened.listing.len() == 0 && opened.unread.more.is_none() {
            return self.keep(opened.listing);
        }
        self.push(opened);
    }

    /// Opens the directory at the current path, reads its names, and pushes it onto the stack.
    /// False if it is not entered; a failure has been shown to the visitor.
    pub(super) fn enter_whole(&mut self, item: ListingItem) -> bool {
        struct NoOutput; // names are held, so nothing is visited yet
        impl Output for NoOutput {
            fn deliver(&mut self, _out: &mut Vec<u8>) -> bool {
                true
            }
        }
        let opened = self.open_and_read(item, &mut NoOutput);
        opened.map(|opened| self.push(opened)).is_some()
    }

    fn open_and_read(&mut self, item: ListingItem, output: &mut impl Output) -> Option<Opened> {
        // Taken out, so that what is borrowed from the snapshot does not hold the worker.
        let mut snapshots = self.snapshots.take();
        let since = snapshots.as_deref_mut().and_then(|snapshots| snapshots.since.take());
        let opened = self.open_or_take(item, snapshots.as_deref_mut(), since.as_deref(), output);
        if let Some(snapshots) = &mut snapshots {
            snapshots.since = since;
        }
        self.snapshots = snapshots;
        opened
    }

    /// Takes the directory at the current path from the snapshot if it did not change, and
    /// otherwise opens and reads it.
    fn open_or_take(
        &mut self,
        item: ListingItem,
        mut snapshots: Option<&mut Snapshots>,
        since: Option<&Since>,
        output: &mut impl Output,
    ) -> Option<Opened> {
        let known = since.zip(snapshots.as_deref_mut());
        let unchanged =
            known.and_then(|(since, it)| it.unchanged(since, item, &mut self.inspector));
        let (dir, mut unchanged) = match unchanged {
            Some((dir, unchanged)) => (dir, Some(unchanged)),
            None => (self.open_or_report(item)?, None),
        };
        if self.inspector.is_mount_loop(&dir) {
            self.inspector.report(Errno::LOOP, Action::ENTER_MOUNT_LOOP);
            return None;
        }
        self.directories += 1;
        if let (Some(snapshots), None) = (snapshots.as_deref_mut(), &unchanged) {
            unchanged = snapshots.opened(since, item, &dir, &self.inspector);
        }
        let mut listing = self.spare.pop().unwrap_or_default();
        let names = Arc::get_mut(&mut listing)?;
        let path_length = self.inspector.stack.path.len();
        self.inspector.push_slash();
        self.inspector.below_link = self.is_below_link(item);
        let is_unchanged = unchanged.is_some();
        let unread = match (unchanged, snapshots.as_deref_mut()) {
            (Some(unchanged), Some(snapshots)) => {
                let again = snapshots.take(&self.inspector.stack.path[..path_length], &unchanged);
                let recorder = if again { Some(&mut *snapshots) } else { None };
                let Unchanged { entries, .. } = unchanged;
                let buffer = self.inspector.take_unchanged(&dir, entries, recorder, names, output);
                snapshots.reclaim(buffer);
                let hold = self.inspector.shared.walk.holds_names();
                Unread { more: None, first_unvisited: if hold { 0 } else { usize::MAX } }
            }
            (_, snapshots) => self.read(&dir, snapshots, names, output),
        };
        let rules = self.inspector.rules_in(&dir, names);
        if let (Some(since), Some(snapshots), false) = (since, snapshots, is_unchanged) {
            self.inspector.note_left_out(snapshots, since, (&dir, names), rules.as_deref());
        }
        Some(Opened { dir, listing, unread, rules })
    }

    /// Opens the directory at the current path; `None` if it is on another file system and the walk
    /// stays on one, or if it cannot be opened, which is shown to the visitor.
    fn open_or_report(&mut self, item: ListingItem) -> Option<Dir> {
        self.open(item).unwrap_or_else(|errno| {
            self.inspector.report(errno, Action::OPEN_DIRECTORY);
            None
        })
    }

    /// Whether a link was followed to this directory or to one above it. A root does not count.
    fn is_below_link(&self, item: ListingItem) -> bool {
        let above = self.inspector.stack.frames.last();
        above.is_some_and(|frame| {
            frame.through_link || (frame.depth > 0 && item.info.link_target.is_some())
        })
    }

    fn open(&mut self, item: ListingItem) -> Result<Option<Dir>, Errno> {
        self.inspector.open_deepest()?;
        loop {
            let inspector = &self.inspector;
            let Some(frame) = inspector.stack.frames.last() else { return Err(Errno::BADF) };
            let way = match item.info.link_target {
                Some(identity) => {
                    ReachedBy::RootOrLink { identity, follow: inspector.shared.walk.follow }
                }
                None => ReachedBy::Name,
            };
            match frame.dir.open(frame.listing.c_name(item), way, &inspector.shared.file_systems) {
                // There are no descriptors left: close some of ours, as long as there are any.
                Err(Errno::MFILE | Errno::NFILE) if self.inspector.release_half() => {
                    self.held_limit = Some(self.inspector.stack.held());
                }
                done => return done,
            }
        }
    }

    /// Reads the directory's entries into `names`, and shows them to the visitor unless names are
    /// held first, or looking at an entry takes long: then they are kept for the steps to come,
    /// which threads can share.
    fn read(
        &mut self,
        dir: &Dir,
        mut snapshots: Option<&mut Snapshots>,
        names: &mut Listing,
        output: &mut impl Output,
    ) -> Unread {
        let Worker { block, inspector, pace, .. } = self;
        let hold = inspector.shared.walk.holds_names();
        let use_small_block = !hold && inspector.stack.names > MANY_NAMES;
        block.limit_fill(if use_small_block { SMALL_BLOCK_BYTES } else { usize::MAX });
        let here = inspector.current_dir();
        let (mut entries_read, mut whole) = (0, false);
        let watch_pace = !hold && snapshots.is_none();
        let mut first_unvisited = if hold { 0 } else { usize::MAX };
        let more = loop {
            let Some(descriptor) = dir.descriptor() else { break None };
            if watch_pace && pace.is_slow() {
                first_unvisited = first_unvisited.min(names.len());
            }
            let mut entries = match sys::read_entries(descriptor, block, dir.file_system()) {
                Ok(entries) => entries,
                // Removed since it was opened: it has no entries any more.
                Err(Errno::NOENT) => break None,
                Err(errno) => {
                    inspector.report_at(here.path_length, errno, Action::READ_DIRECTORY);
                    break None;
                }
            };
            for raw in entries.by_ref() {
                entries_read += 1;
                let known = snapshots.as_deref_mut().and_then(|it| it.read(dir.at(), &raw));
                let (name, sys::RawEntry { kind, inode, metadata, .. }) = (raw.name(), raw);
                let entry = EntryRecord { name, kind, inode, metadata, known };
                if first_unvisited < usize::MAX {
                    inspector.keep(dir, here, entry, names);
                    continue;
                }
                let begun = if watch_pace { pace.begin() } else { None };
                inspector.visit_now(dir, here, entry, names, output);
                if begun.is_some() {
                    pace.end(begun);
                    if pace.is_slow() {
                        first_unvisited = names.len();
                    }
                }
            }
            if entries.is_malformed() {
                inspector.report_at(here.path_length, Errno::IO, Action::READ_DIRECTORY);
                break None;
            }
            whole = entries.ended();
            if whole || inspector.stopped {
                break None;
            }
            // What is compared with a snapshot, or written down for one, is read at once.
            if !hold
                && snapshots.is_none()
                && (use_small_block || entries_read >= ENTRIES_PER_ROUND)
            {
                break Some(entries.position());
            }
        };
        if let Some(snapshots) = snapshots {
            snapshots.done(whole);
        }
        inspector.stack.path.truncate(here.path_length);
        if inspector.shared.walk.order == Order::Sorted {
            names.sort();
        }
        Unread { more, first_unvisited }
    }

    /// Reads more entries of the deepest directory of the stack.
    fn read_on(&mut self, output: &mut impl Output) {
        let Some(mut frame) = self.inspector.stack.pop() else { return };
        let mut listing = self.spare.pop().unwrap_or_default();
        self.inspector.stack.path.truncate(frame.path_length);
        self.inspector.below_link = frame.through_link;
        if let Some(names) = Arc::get_mut(&mut listing) {
            let unread = self.read(&frame.dir, None, names, output);
            (frame.more, frame.first_unvisited) = (unread.more, unread.first_unvisited);
        }
        let done = std::mem::replace(&mut frame.listing, listing);
        self.keep(done);
        frame.next = 0;
        frame.end = frame.listing.len();
        frame.is_slow = self.pace.is_slow();
        frame.count_work();
        self.inspector.stack.push(frame);
    }

    /// Pushes a directory onto the stack.
    fn push(&mut self, opened: Opened) {
        let Opened { dir, listing, unread: Unread { more, first_unvisited }, rules } = opened;
        let here = self.inspector.current_dir();
        let mut frame = Frame {
            dir: Arc::new(dir),
            next: 0,
            end: listing.len(),
            work: listing.len(),
            listing,
            more,
            first_unvisited,
            is_slow: self.pace.is_slow(),
            depth: here.depth,
            path_length: here.path_length,
            through_link: self.inspector.below_link,
            rules,
        };
        if first_unvisited < usize::MAX {
            frame.count_work(); // not all are directories
        }
        self.inspector.stack.push(frame);
        if self.inspector.stack.held() > self.held_limit.unwrap_or(descriptors::HELD_WITHOUT_ASKING)
        {
            let limit =
                *self.held_limit.get_or_insert_with(|| self.inspector.shared.descriptors_to_hold());
            self.inspector.release_down_to(limit);
        }
    }

    /// From now on holds no more descriptors than this worker's share.
    pub(crate) fn share_descriptors(&mut self) {
        let part = self.inspector.shared.descriptors_each();
        let limit = self.held_limit.map_or(part, |limit| limit.min(part));
        self.held_limit = Some(limit);
        self.inspector.release_down_to(limit);
    }

    /// Leaves the deepest directory.
    pub(super) fn leave(&mut self) {
        if let Some(done) = self.inspector.leave() {
            self.keep(done.listing);
        }
    }

    /// Keeps the memory of a listing for a later directory, if no other worker uses it.
    fn keep(&mut self, mut listing: Arc<Listing>) {
        if let Some(names) = Arc::get_mut(&mut listing) {
            names.clear();
            self.spare.push(listing);
        }
    }
}
