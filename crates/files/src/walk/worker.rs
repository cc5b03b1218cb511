//! One step of a walk: look at an entry, go down into a directory, read on, or come back.

use std::sync::Arc;

use kernel::{Buffer, Kind};

use super::held::{Dir, Terrain, Way};
use super::ignored::{Rules, UserRules};
use super::scout::Scout;
use super::stack::{Found, Frame, Item, Listing, Share, Stack};
use super::{Order, Visitor, Walk};
use crate::error::Errno;

/// When this many directories of one block wait to be entered, they are, before the next block
/// is read: a directory of any size is walked in bounded memory.
const WAITING: usize = 4096;

/// When a worker's way down holds more names than this, further directories are read in small
/// blocks, so that it stays bounded on a tree that is wide at every level.
const PLENTY: usize = 1 << 16;
const SCARCE_BYTES: usize = 2 << 10;

/// What all workers of one walk share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) walk: Walk,
    pub(crate) terrain: Terrain,
    pub(crate) user_rules: UserRules,
}

/// Where a worker's bytes go.
pub(crate) trait Outlet {
    /// Takes the bytes, leaving `out` empty; false if the walk is over.
    fn deliver(&mut self, out: &mut Vec<u8>) -> bool;
}

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

    /// Starts at the top: the roots are the items of a directory that is none.
    pub(crate) fn start(&mut self) {
        let mut listing = Listing::default();
        for root in &self.scout.shared.walk.roots {
            listing.push(root, Found { kind: Kind::Unknown, inode: 0, elsewhere: None });
        }
        self.scout.stack.push(Frame {
            dir: Arc::new(Dir::start()),
            next: 0,
            end: listing.len(),
            directories: listing.len(),
            listing: Arc::new(listing),
            more: false,
            visited: false,
            depth: 0,
            path_length: 0,
            identity: None,
            rules: None,
        });
    }

    /// Takes the next step.
    pub(crate) fn step(&mut self, outlet: &mut impl Outlet) -> Step {
        let Some(frame) = self.scout.stack.frames.last_mut() else { return Step::Done };
        if let Some(item) = frame.take() {
            let visited = frame.visited;
            self.item(item, visited, outlet);
        } else if frame.more {
            self.read_on(outlet);
        } else {
            self.leave();
        }
        if self.scout.stopped { Step::Stopped } else { Step::More }
    }

    /// Gives away part of the work, if there is enough for two.
    pub(crate) fn split(&mut self, share: Share) -> Option<Stack> {
        if self.scout.shared.walk.follow {
            self.scout.identify_frames();
        }
        self.scout.stack.split(share)
    }

    fn item(&mut self, mut item: Item, visited: bool, outlet: &mut impl Outlet) {
        self.scout.point_at(item);
        if !visited && !self.scout.look_at_item(&mut item, outlet) {
            return;
        }
        if item.found.kind == Kind::Directory {
            self.enter(item, outlet);
        }
    }

    /// Opens the directory that the path points at, and reads it.
    fn enter(&mut self, item: Item, outlet: &mut impl Outlet) {
        if item.found.elsewhere.is_some() && self.scout.is_loop(item.found) {
            return self.scout.report(Errno::LOOP, "follow link");
        }
        let dir = match self.open(item) {
            Ok(Some(dir)) => dir,
            Ok(None) => return, // on another file system
            Err(errno) => return self.scout.report(errno, "open directory"),
        };
        self.directories += 1;
        let mut listing = self.spare.pop().unwrap_or_default();
        let Some(names) = Arc::get_mut(&mut listing) else { return };
        self.scout.push_slash();
        let more = self.read(&dir, names, outlet);
        let rules = self.scout.rules_in(&dir, names);
        self.push(dir, listing, more, rules);
    }

    fn open(&mut self, item: Item) -> Result<Option<Dir>, Errno> {
        loop {
            let scout = &self.scout;
            let Some(frame) = scout.stack.frames.last() else { return Err(Errno::BADF) };
            let way = match item.found.elsewhere {
                Some(device) => {
                    Way::Elsewhere { device, follow: frame.depth > 0 || scout.shared.walk.follow }
                }
                None => Way::Below,
            };
            match frame.dir.open(frame.listing.c_name(item), way, &scout.shared.terrain) {
                // Somebody else has the descriptors: make do with fewer, as long as some are held.
                Err(Errno::MFILE | Errno::NFILE) if scout.stack.held() > 2 => {
                    let limit = (scout.stack.held() / 2).max(2);
                    self.held_limit = Some(limit);
                    self.scout.release_down_to(limit);
                }
                done => return done,
            }
        }
    }

    /// Reads the directory's entries into `names`, and shows them to the visitor unless they are
    /// to be held; true if there are more to read once these are done.
    fn read(&mut self, dir: &Dir, names: &mut Listing, outlet: &mut impl Outlet) -> bool {
        let Worker { block, scout, .. } = self;
        let Some(descriptor) = dir.descriptor() else { return false };
        let hold = scout.shared.walk.holds_names();
        let scarce = !hold && scout.stack.names > PLENTY;
        block.lend_at_most(if scarce { SCARCE_BYTES } else { usize::MAX });
        let here = scout.here();
        let more = loop {
            let mut entries = match kernel::read_entries(descriptor, block, dir.on()) {
                Ok(entries) => entries,
                Err(errno) => {
                    scout.report_at(here.path_length, errno, "read directory");
                    break false;
                }
            };
            if hold {
                entries.by_ref().for_each(|raw| scout.hold(dir, here, raw, names));
            } else {
                entries.by_ref().for_each(|raw| scout.meet(dir, here, raw, names, outlet));
            }
            if entries.is_malformed() {
                scout.report_at(here.path_length, Errno::IO, "read directory");
                break false;
            }
            if entries.ended() || scout.stopped {
                break false;
            }
            if !hold && names.len() >= if scarce { 1 } else { WAITING } {
                break true;
            }
        };
        scout.stack.path.truncate(here.path_length);
        if scout.shared.walk.order == Order::Sorted {
            names.sort();
        }
        more
    }

    /// Reads the next entries of the directory that the walk is in.
    fn read_on(&mut self, outlet: &mut impl Outlet) {
        let Some(mut frame) = self.scout.stack.pop() else { return };
        let mut listing = self.spare.pop().unwrap_or_default();
        self.scout.stack.path.truncate(frame.path_length);
        if let Some(names) = Arc::get_mut(&mut listing) {
            frame.more = self.read(&frame.dir, names, outlet);
        }
        let done = std::mem::replace(&mut frame.listing, listing);
        self.keep(done);
        frame.next = 0;
        frame.end = frame.listing.len();
        frame.directories = frame.end;
        self.scout.stack.push(frame);
    }

    /// Puts a directory on the way down, unless there is nothing left to do in it.
    fn push(&mut self, dir: Dir, listing: Arc<Listing>, more: bool, rules: Option<Arc<Rules>>) {
        if listing.len() == 0 && !more {
            return self.keep(listing);
        }
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
            identity: None,
            rules,
        });
        if self.scout.stack.held() > FREE_TO_HOLD {
            let limit = *self.held_limit.get_or_insert_with(|| self.scout.shared.held_limit());
            self.scout.release_down_to(limit);
        }
    }

    fn leave(&mut self) {
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
const FREE_TO_HOLD: usize = 48;

impl Shared {
    pub(crate) fn new(walk: Walk) -> Shared {
        Shared { terrain: Terrain::of(&walk), walk, user_rules: UserRules::default() }
    }

    /// How many descriptors of its way down one worker may hold: all of them together half of
    /// what the process may have open.
    fn held_limit(&self) -> usize {
        let limit = kernel::descriptor_limit().map_or(usize::MAX, |limit| limit as usize);
        let workers = self.walk.threads.unwrap_or_else(kernel::processors);
        (limit / 2 / workers).clamp(4, 4096)
    }
}
