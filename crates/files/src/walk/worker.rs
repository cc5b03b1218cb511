//! One step of a walk: look at an entry, go down into a directory, read on, or come back.

use std::sync::Arc;

use kernel::{Buffer, Kind};

use super::held::{Dir, Way};
use super::ignored::Rules;
use super::listing::{Found, Item, Listing};
use super::output::Output;
use super::scout::Scout;
use super::shared::Shared;
use super::stack::{Frame, Share, Stack};
use super::team::Job;
use super::{Order, Visitor};
use crate::error::Errno;

/// When this many entries of a directory were met, the directories among them are entered before
/// the next block is read: a directory of any size is walked in bounded memory.
const ENOUGH: usize = 4096;

/// When a worker's way down holds more names than this, further directories are read in small
/// blocks, so that it stays bounded on a tree that is wide at every level.
const PLENTY: usize = 1 << 16;
const SCARCE_BYTES: usize = 2 << 10;

/// What a step leads to.
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
    /// Where to read on, if there may be more.
    more: Option<i64>,
    rules: Option<Arc<Rules>>,
}

/// Does a part of a walk, on one thread.
pub(crate) struct Worker<V> {
    pub(crate) scout: Scout<V>,
    block: Buffer,
    spare: Vec<Arc<Listing>>,
    /// How many descriptors of the way down may be held; asked for when it gets long.
    held_limit: Option<usize>,
    /// How many directories it has read.
    pub(crate) directories: usize,
}

impl<V: Visitor> Worker<V> {
    pub(crate) fn new(shared: Arc<Shared>, visitor: V) -> Worker<V> {
        Worker {
            block: Buffer::new(shared.walk.block_bytes),
            scout: Scout::new(shared, visitor),
            spare: Vec::new(),
            held_limit: None,
            directories: 0,
        }
    }

    /// All there is to do: the roots are the items of a directory that is none.
    pub(crate) fn start(&self) -> Job {
        let mut listing = Listing::default();
        for root in &self.scout.shared.walk.roots {
            listing.push(root, Found { kind: Kind::Unknown, inode: 0, elsewhere: None });
        }
        let mut stack = Stack::default();
        stack.push(Frame {
            dir: Arc::new(Dir::start(&self.scout.shared.walk.scope)),
            next: 0,
            end: listing.len(),
            directories: listing.len(),
            listing: Arc::new(listing),
            more: None,
            visited: false,
            depth: 0,
            path_length: 0,
            through_link: false,
            rules: None,
        });
        Job { stack, place: 0 }
    }

    /// Takes the next step.
    pub(crate) fn step(&mut self, output: &mut impl Output) -> Step {
        let Some(frame) = self.scout.stack.frames.last_mut() else { return Step::Done };
        if let Some(item) = frame.take() {
            let visited = frame.visited;
            self.item(item, visited, output);
        } else if frame.more.is_some() {
            self.read_on(output);
        } else {
            self.leave();
        }
        if self.scout.stopped { Step::Stopped } else { Step::More }
    }

    /// Gives away part of the work, if there is enough for two.
    pub(crate) fn split(&mut self, share: Share) -> Option<Stack> {
        self.scout.stack.split(share, self.scout.shared.walk.follow)
    }

    fn item(&mut self, mut item: Item, visited: bool, output: &mut impl Output) {
        self.scout.point_at(item);
        if !visited && !self.scout.look_at_item(&mut item, output) {
            return;
        }
        if item.found.kind == Kind::Directory {
            self.enter(item, output);
        }
    }

    /// Opens the directory that the path points at, reads it, and puts it on the way down unless
    /// there is nothing left to do in it.
    fn enter(&mut self, item: Item, output: &mut impl Output) {
        let Some(opened) = self.take_in(item, output) else { return };
        if opened.listing.len() == 0 && opened.more.is_none() {
            return self.keep(opened.listing);
        }
        self.push(opened);
    }

    /// Opens the directory that the path points at, reads its names, and puts it on the way down.
    /// False if there is none, which has been reported if it is a failure.
    pub(super) fn enter_whole(&mut self, item: Item) -> bool {
        struct Nothing; // names are held, so nothing is visited yet
        impl Output for Nothing {
            fn deliver(&mut self, _out: &mut Vec<u8>) -> bool {
                true
            }
        }
        let opened = self.take_in(item, &mut Nothing);
        opened.map(|opened| self.push(opened)).is_some()
    }

    fn take_in(&mut self, item: Item, output: &mut impl Output) -> Option<Opened> {
        let dir = match self.open(item) {
            Ok(dir) => dir?, // none if on another file system
            Err(errno) => {
                self.scout.report(errno, "open directory");
                return None;
            }
        };
        if self.scout.leads_round(&dir) {
            self.scout.report(Errno::LOOP, "enter the loop of mounts at");
            return None;
        }
        self.directories += 1;
        let mut listing = self.spare.pop().unwrap_or_default();
        let names = Arc::get_mut(&mut listing)?;
        self.scout.push_slash();
        self.scout.below_link = self.is_below_link(item);
        let more = self.read(&dir, names, output);
        let rules = self.scout.rules_in(&dir, names);
        Some(Opened { dir, listing, more, rules })
    }

    /// Whether the way down to this directory goes through a link. A root does not count.
    fn is_below_link(&self, item: Item) -> bool {
        let above = self.scout.stack.frames.last();
        above.is_some_and(|frame| {
            frame.through_link || (frame.depth > 0 && item.found.elsewhere.is_some())
        })
    }

    fn open(&mut self, item: Item) -> Result<Option<Dir>, Errno> {
        loop {
            let scout = &self.scout;
            let Some(frame) = scout.stack.frames.last() else { return Err(Errno::BADF) };
            let way = match item.found.elsewhere {
                Some(identity) => Way::Elsewhere { identity, follow: scout.shared.walk.follow },
                None => Way::Below,
            };
            match frame.dir.open(frame.listing.c_name(item), way, &scout.shared.terrain) {
                // Somebody else has the descriptors: make do with fewer, as long as some are held.
                Err(Errno::MFILE | Errno::NFILE) if self.scout.release_half() => {
                    self.held_limit = Some(self.scout.stack.held());
                }
                done => return done,
            }
        }
    }

    /// Reads the directory's entries into `names`, and shows them to the visitor unless they are
    /// to be held. Back comes where to read on once these are done, if there may be more.
    fn read(&mut self, dir: &Dir, names: &mut Listing, output: &mut impl Output) -> Option<i64> {
        let Worker { block, scout, .. } = self;
        let descriptor = dir.descriptor()?;
        let hold = scout.shared.walk.holds_names();
        let scarce = !hold && scout.stack.names > PLENTY;
        block.lend_at_most(if scarce { SCARCE_BYTES } else { usize::MAX });
        let here = scout.here();
        let mut met = 0;
        let more = loop {
            let mut entries = match kernel::read_entries(descriptor, block, dir.on()) {
                Ok(entries) => entries,
                // Removed since it was opened: it has no entries any more.
                Err(Errno::NOENT) => break None,
                Err(errno) => {
                    scout.report_at(here.path_length, errno, "read directory");
                    break None;
                }
            };
            for raw in entries.by_ref() {
                met += 1;
                match hold {
                    true => scout.hold(dir, here, raw, names),
                    false => scout.meet(dir, here, raw, names, output),
                }
            }
            if entries.is_malformed() {
                scout.report_at(here.path_length, Errno::IO, "read directory");
                break None;
            }
            if entries.ended() || scout.stopped {
                break None;
            }
            if !hold && (scarce || met >= ENOUGH) {
                break Some(entries.position());
            }
        };
        scout.stack.path.truncate(here.path_length);
        if scout.shared.walk.order == Order::Sorted {
            names.sort();
        }
        more
    }

    /// Reads the next entries of the directory that the walk is in.
    fn read_on(&mut self, output: &mut impl Output) {
        let Some(mut frame) = self.scout.stack.pop() else { return };
        let mut listing = self.spare.pop().unwrap_or_default();
        self.scout.stack.path.truncate(frame.path_length);
        self.scout.below_link = frame.through_link;
        if let Some(names) = Arc::get_mut(&mut listing) {
            frame.more = self.read(&frame.dir, names, output);
        }
        let done = std::mem::replace(&mut frame.listing, listing);
        self.keep(done);
        frame.next = 0;
        frame.end = frame.listing.len();
        frame.directories = frame.end;
        self.scout.stack.push(frame);
    }

    /// Puts a directory on the way down.
    fn push(&mut self, opened: Opened) {
        let Opened { dir, listing, more, rules } = opened;
        let here = self.scout.here();
        let hold = self.scout.shared.walk.holds_names();
        self.scout.stack.push(Frame {
            dir: Arc::new(dir),
            next: 0,
            end: listing.len(),
            directories: if hold { listing.directories() } else { listing.len() },
            listing,
            more,
            visited: !hold,
            depth: here.depth,
            path_length: here.path_length,
            through_link: self.scout.below_link,
            rules,
        });
        if self.scout.stack.held() > self.held_limit.unwrap_or(FREE_TO_HOLD) {
            let limit = *self.held_limit.get_or_insert_with(|| self.scout.shared.to_hold());
            self.scout.release_down_to(limit);
        }
    }

    /// From now on leaves their part of the descriptors to the other workers.
    pub(crate) fn share_descriptors(&mut self) {
        let part = self.scout.shared.to_hold_each();
        let limit = self.held_limit.map_or(part, |limit| limit.min(part));
        self.held_limit = Some(limit);
        self.scout.release_down_to(limit);
    }

    /// Leaves the deepest directory.
    pub(super) fn leave(&mut self) {
        if let Some(done) = self.scout.leave() {
            self.keep(done.listing);
        }
    }

    /// Keeps the memory of a listing for a later directory, if nobody else uses it.
    fn keep(&mut self, mut listing: Arc<Listing>) {
        if let Some(names) = Arc::get_mut(&mut listing) {
            names.clear();
            self.spare.push(listing);
        }
    }
}

/// So many descriptors a worker holds without asking for the limit.
const FREE_TO_HOLD: usize = 16;
