//! Changes in trees as they happen.
//!
//! | module | what is in it |
//! |---|---|
//! | here | the options of a watch, and the watcher: waits, takes events, tells changes |
//! | `tree` | the watched directories, and what the caller was told of them |
//! | `truth` | the names that something has happened to |
//! | `look` | looks at names, reads directories |
//! | `ignore_rules` | what git would ignore |
//! | `recording` | the trees as a snapshot: what changed since one, and a new one |
//! | `source` | where events come from: inotify, fanotify |
//! | `settle` | from what was told and what was found to changes |
//!
//! # How nothing is missed
//!
//! An event is a hint and no more: it says which name to look at. What is told are the differences
//! between what was told before and what was found, so events that came twice, were merged or
//! undone change nothing. A directory is watched before it is read, by its open descriptor, so what
//! happens later is an event, and what happened before is read; events that were waiting when a
//! new directory had been read belong to the same batch. A directory keeps the number of its watch
//! when it is moved, which is how it is known again. If events are lost, all directories are read
//! again.

mod ignore_rules;
mod look;
mod recording;
mod settle;
mod source;
mod tree;
mod truth;

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use look::{Looker, entry};
use settle::settle;
use source::{Source, SourceEvent};
use sys::{Happened, Kind, Time};
use tree::{Child, DirId, Position, Slot};

use crate::error::{Action, Errno, Error};
use crate::filter::Filter;
use crate::late_dir::LateDir;
use crate::scope::Scope;
use crate::snapshot::{Change, ChangeKind, Snapshot};

/// What was being done, where it has no name of its own. It is not among the numbers of C, which
/// has no such function.
const WATCH: &str = "watch";

/// New directories are read so many times in a batch, if ever more come meanwhile.
const ROUNDS: usize = 16;
/// By so much the clock that stamps files may be behind: two ticks.
const CLOCK_GRAIN: Duration = Duration::from_millis(20);

/// The options of a watch over one or more trees; [`start`](Watch::start) begins it.
#[derive(Clone, Debug)]
pub struct Watch {
    roots: Vec<Box<[u8]>>,
    scope: Scope,
    top: Arc<LateDir>,
    filter: Filter,
    max_depth: usize,
    gitignore: bool,
    window: Duration,
    one_file_system: bool,
    fanotify: bool,
    since: Option<Arc<Snapshot>>,
}

impl Watch {
    /// A watch over the tree at `root`, a directory or a link to one.
    pub fn new(root: impl AsRef<Path>) -> Watch {
        Watch {
            roots: Vec::new(),
            scope: Scope::start(),
            top: Arc::new(LateDir::of_scope(&Scope::start())),
            filter: Filter::new(),
            max_depth: usize::MAX,
            gitignore: false,
            window: Duration::from_millis(50),
            one_file_system: false,
            fanotify: false,
            since: None,
        }
        .add_root(root)
    }

    /// One more tree, after the others.
    #[must_use]
    pub fn add_root(mut self, root: impl AsRef<Path>) -> Watch {
        self.roots.push(root.as_ref().as_os_str().as_encoded_bytes().into());
        self
    }

    crate::setters::setters! {
        /// Tells only of entries that the filter accepts. Its conditions on names, kinds and depths
        /// count, those that need a `statx` do not: what is gone has no size. A renamed entry of
        /// which only the old name is accepted is told as removed, the other way as added.
        filter(filter: Filter) => filter = filter;
        /// Directories at this depth are not watched, only told.
        max_depth(depth: usize) => max_depth = depth;
        /// Whether to leave out what git would ignore, as
        /// [`Walk::gitignore`](crate::Walk::gitignore) does. If a `.gitignore` changes, the
        /// directories below are read again, and what is ignored by now is told as removed, what is
        /// not any more as added. What else git's configuration says is read once.
        gitignore(yes: bool) => gitignore = yes;
        /// How long events are collected from the first one on, before changes are told; by default
        /// 50 ms. What is undone meanwhile is not told.
        window(time: Duration) => window = time;
        /// Whether directories on other file systems than the one above them are not watched, only
        /// told. Price: two `statx` a directory.
        one_file_system(yes: bool) => one_file_system = yes;
        /// Whether file systems are watched as a whole (fanotify), where the kernel allows that to
        /// this process and the file system is one that is known to bear it (ext2 to ext4, xfs,
        /// f2fs, tmpfs); else each directory is (inotify). Without it this is done only for
        /// directories beyond the limit of inotify that are there from the beginning. It begins
        /// sooner and has no limit of directories, but what happens anywhere on these file systems
        /// wakes it. Needs `CAP_SYS_ADMIN` and Linux 6.12.
        fanotify(yes: bool) => fanotify = yes;
    }

    /// Begins with a snapshot: the first changes are those since it was made, as
    /// [`Changes`](crate::snapshot::Changes) has them, and what comes then goes on from there. The
    /// directories are watched before they are compared, so nothing is lost between, and nothing
    /// comes twice. The roots and the filter should be those of the snapshot; what the filter
    /// leaves out is not told. Sizes and times in the snapshot are not looked at.
    ///
    /// Price: one `statx` a directory, two `fstatfs` a file system.
    #[must_use]
    pub fn since(mut self, snapshot: &Arc<Snapshot>) -> Watch {
        self.since = Some(Arc::clone(snapshot));
        self
    }

    /// Watches the trees. What is there now is known, and not told. Roots and directories that
    /// cannot be watched are [errors](Watcher::take_errors); the rest is watched.
    ///
    /// Price: one `inotify_init1`; for each root one `fstatfs`; for each directory `openat`,
    /// `inotify_add_watch`, two `getdents64` and `close`. With [`fanotify`](Watch::fanotify)
    /// `name_to_handle_at` in place of `inotify_add_watch`, which only roots and the first
    /// directory of a mount need as well; for each mount `fanotify_mark`, `statx` and two
    /// `fstatfs`; one `fanotify_init`, one `epoll_create1` and two `epoll_ctl`.
    ///
    /// # Errors
    /// The kernel's number: `EMFILE` if this user has too many watchers; `EBADMSG` if the snapshot
    /// contradicts itself.
    pub fn start(&self) -> Result<Watcher, Error> {
        let source =
            Source::new(self.fanotify).map_err(|errno| Error::new(errno, WATCH, &self.roots[0]))?;
        let since = now();
        let mut looker = Looker::new(source, self.clone());
        for root in &self.roots {
            looker.add_root(root);
        }
        looker.silent = false;
        looker.source.begin();
        let since_snapshot = looker.changes_since_snapshot();
        let first = since_snapshot.map_err(|_| Error::new(Errno::BADMSG, WATCH, &self.roots[0]))?;
        Ok(Watcher {
            looker,
            changes: Vec::new(),
            first,
            overflow: false,
            new_rules: Vec::new(),
            since,
        })
    }
}

/// Trees that are watched, as long as it lives.
///
/// Price: nothing while nothing happens. For each batch of changes one `ppoll` that waits, one
/// `clock_nanosleep` that collects, and one `read` for each 64 KiB of events; for each directory
/// in which something has happened `openat`, `inotify_add_watch` (which says whether it is still
/// the same), `close`, and a `statx` for each name, or `getdents64` if there are many; for each new
/// directory the price of [`Watch::start`], and a `read`. If events were lost, each directory is
/// read again, with a `statx` for each file.
///
/// Memory: all names of the trees, about 100 bytes for each: without them, what is gone after
/// events were lost could not be told.
#[derive(Debug)]
pub struct Watcher {
    looker: Looker,
    changes: Vec<Change>,
    /// The changes since the snapshot that it began with, until they are told.
    first: Option<Vec<Change>>,
    /// Whether events were lost.
    overflow: bool,
    /// Directories whose `.gitignore` has changed.
    new_rules: Vec<DirId>,
    /// When the events were last taken.
    since: Time,
}

impl Watcher {
    /// Waits until something may have changed, at most for `at_most`; whether it may have.
    ///
    /// Price: one `ppoll`.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn wait(&self, at_most: Option<Duration>) -> Result<bool, Error> {
        sys::wait_readable(&self.looker.source, at_most)
            .map_err(|errno| Error::new(errno, Action::WAIT, b"changes"))
    }

    /// The next changes; `None` when `at_most` is over, or no root is left. There may be none of
    /// them, if there are [errors](Watcher::take_errors) instead.
    ///
    /// Price: see [`Watcher`].
    ///
    /// # Errors
    /// The kernel's number, if events cannot be read.
    pub fn next(&mut self, at_most: Option<Duration>) -> Result<Option<&[Change]>, Error> {
        let end = at_most.map(|time| Instant::now() + time);
        while !self.is_over() {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if self.first.is_none() && !self.wait(left)? {
                return Ok(None);
            }
            self.collect()?;
            if !self.changes.is_empty() || !self.looker.errors.is_empty() {
                return Ok(Some(&self.changes));
            }
            // Events of which nothing is told may come for ever.
            if end.is_some_and(|end| Instant::now() >= end) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The changes that have happened, for a caller that waits by other means until
    /// [the watcher](Watcher::as_fd) can be read; at first, without waiting, those since
    /// [the snapshot](Watch::since). They can be made one after the other: what they
    /// make of the entries that were there is what is there now.
    ///
    /// Price: see [`Watcher`].
    ///
    /// # Errors
    /// The kernel's number, if events cannot be read.
    pub fn changes(&mut self) -> Result<&[Change], Error> {
        self.collect()?;
        Ok(&self.changes)
    }

    /// What could not be watched or looked at since this was last asked. Free. A root that is gone
    /// is `ENOENT`; a directory that is watched under another path `EEXIST`; `ENOSPC` is the limit
    /// of watches, which is an error once: see [`unwatched`](Watcher::unwatched).
    pub fn take_errors(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.looker.errors)
    }

    /// How many directories are not watched, because this user watches as many as it may. Free.
    #[must_use]
    pub fn unwatched(&self) -> u64 {
        self.looker.unwatched
    }

    /// The roots on file systems of other machines or programs (NFS, SMB, FUSE, 9p …), which do not
    /// tell what others than this machine change. Free.
    #[must_use]
    pub fn deaf_roots(&self) -> &[Box<[u8]>] {
        &self.looker.deaf_roots
    }

    /// Whether no root is left, so that nothing will be told any more. Free, but for the number of
    /// roots.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !self.looker.tree.has_root()
    }

    /// The trees as the caller was told of them, as a snapshot with the options of the one that it
    /// [began with](Watch::since), and the last changes, which are to be told before the snapshot
    /// is written. With both, a later watch or [`Changes`](crate::snapshot::Changes) since the new
    /// snapshot goes on where this watch ends. A directory that has changed just now, or has names
    /// that the filter leaves out, is one to be read again.
    ///
    /// `None` if it did not begin with a snapshot, or not all roots and directories are watched.
    ///
    /// Price: for each directory in which something has happened since the last time `openat`,
    /// `inotify_add_watch`, `statx` and `close`; then as [`changes`](Watcher::changes).
    ///
    /// # Errors
    /// The kernel's number, if events cannot be read; `EBADMSG` if it would be too large.
    pub fn snapshot(&mut self) -> Result<(&[Change], Option<Snapshot>), Error> {
        self.looker.mark_touched();
        let first = self.first.take().unwrap_or_default();
        self.settle(Duration::ZERO)?;
        self.changes.splice(..0, first);
        let snapshot = self.looker.snapshot(self.overflow);
        let snapshot =
            snapshot.map_err(|_| Error::new(Errno::BADMSG, Action::WRITE_SNAPSHOT, b"changes"))?;
        Ok((&self.changes, snapshot))
    }

    fn collect(&mut self) -> Result<(), Error> {
        if let Some(first) = self.first.take() {
            self.changes = first;
            return Ok(());
        }
        self.settle(self.looker.options.window)
    }

    /// Collects events for that long, and finds what has changed.
    fn settle(&mut self, window: Duration) -> Result<(), Error> {
        self.changes.clear();
        if !window.is_zero() {
            let _ = sys::sleep(window);
        }
        self.looker.since = self.since;
        self.take_events()?;
        for round in 0.. {
            for (slot, happened) in std::mem::take(&mut self.looker.later) {
                self.looker.truth.happened(&slot, happened);
            }
            if std::mem::take(&mut self.overflow) {
                self.read_all_again();
            }
            for id in std::mem::take(&mut self.new_rules) {
                self.looker.read_again(id);
            }
            self.looker.look();
            let has_read = std::mem::take(&mut self.looker.has_read);
            let go_on = (has_read || !self.looker.later.is_empty()) && round < ROUNDS;
            if !go_on || !self.take_events()? {
                break;
            }
        }
        let options = &self.looker.options;
        let shows = |path: &[u8], child: Child, depth: usize| {
            let name = crate::path::base_name(path).len();
            options.filter.accepts_unasked(&entry(options, path, name, child, depth))
        };
        let trivial = options.filter.is_trivial();
        let (tree, truth) = (&mut self.looker.tree, &mut self.looker.truth);
        let shows: Option<settle::Shows<'_>> = if trivial { None } else { Some(&shows) };
        let settled = settle(tree, truth, shows);
        self.changes.extend(settled.changes);
        self.overflow = !settled.whole;
        for id in settled.dead {
            let watch = self.looker.tree.get(id).map(|node| node.watch);
            let is_watched = watch.is_some_and(|it| self.looker.tree.of_watch(it) == Some(id));
            if let Some(watch) = watch.filter(|_| is_watched) {
                self.looker.source.unwatch(watch);
            }
            self.looker.ignored.forget(id);
            if let Some(Position::Root(path)) = self.looker.tree.remove(id).map(|node| node.told) {
                self.looker.errors.push(Error::new(Errno::NOENT, WATCH, &path));
                let (kind, entry) = (ChangeKind::Removed, Kind::Directory);
                self.changes.push(Change { kind, entry, path, from: None });
            }
        }
        Ok(())
    }

    /// Takes what is in the queues; whether there was anything.
    fn take_events(&mut self) -> Result<bool, Error> {
        let start = now();
        let events = self.looker.source.take();
        let events = events.map_err(|errno| Error::new(errno, Action::READ, b"changes"))?;
        let any = !events.is_empty();
        events.into_iter().for_each(|event| self.note(event));
        self.since = start;
        Ok(any)
    }

    fn note(&mut self, event: SourceEvent) {
        let SourceEvent { dir: watch, happened, name } = event;
        self.overflow |= happened.any_of(Happened::OVERFLOW);
        let looker = &mut self.looker;
        let known = watch.and_then(|watch| Some((watch, looker.tree.of_watch(watch)?)));
        let Some((watch, dir)) = known else { return };
        looker.touch(dir);
        if looker.options.gitignore && *name == *b".gitignore" {
            self.new_rules.push(dir);
        }
        if !name.is_empty() {
            return looker.truth.happened(&Slot { dir, name }, happened);
        }
        if happened.any_of(Happened::ENDED) {
            looker.tree.end_watch(watch);
        }
        let Some(node) = looker.tree.get(dir) else { return };
        match node.place.clone() {
            // A source that tells it of the directory itself does not tell it of the name.
            Position::Below(slot) if happened.any_of(Happened::METADATA) => {
                looker.truth.happened(&slot, happened);
            }
            _ if !happened.any_of(Happened::ITSELF | Happened::ENDED) => {}
            Position::Root(_) if looker.is_root_gone(dir) => {
                looker.tree.set_place(dir, Position::Nowhere);
            }
            Position::Below(slot) => looker.truth.happened(&slot, Happened::ITSELF),
            _ => {}
        }
    }

    /// Reads all directories again, as events were lost.
    fn read_all_again(&mut self) {
        for id in self.looker.tree.ids() {
            let node = self.looker.tree.get(id);
            if node.is_some_and(|node| matches!(node.place, Position::Root(_))) {
                self.looker.read_again(id);
            }
        }
    }
}

impl AsFd for Watcher {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.looker.source.as_fd()
    }
}

/// The time, less what the clock that stamps files may be behind.
fn now() -> Time {
    Time::from(SystemTime::now() - CLOCK_GRAIN)
}
