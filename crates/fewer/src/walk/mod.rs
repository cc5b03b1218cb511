//! Enumerate a tree: 3 calls a directory, none an entry.
//!
//! | module | what is in it |
//! |---|---|
//! | `Walk` (here) | the options of a walk |
//! | `visit` | what a visitor is and may answer |
//! | `iterate` | the walk as an iterator on the calling thread |
//! | `batches` | the walk as batches of entries; threads read ahead in a large tree |
//! | `directories` | the walk as one directory at a time; the caller chooses which are entered |
//! | `record` | entries as records in a batch |
//! | `run` | the walk with visitors: on one thread while it is small, then on several |
//! | `scheduler` | how threads share the work, and the order of their output |
//! | `worker` | one step of a walk: read a directory, enter one, come back |
//! | `inspector` | shows entries to the visitor, for a worker |
//! | `resolve` | kinds, links and loops, where the directory's record does not say |
//! | `release` | closes and reopens directories where there are too few descriptors |
//! | `stack` | the directories from the root to where the walk is, and how to split that in two |
//! | `listing` | the names of one directory, and what is known of each |
//! | `open_dir` | one open directory: where it is, and what its file system promises |
//! | `mounts` | which directories are mount points, without a call for each |
//! | `ignored` | what git would ignore |
//! | `since`, `recording` | the snapshot that a walk begins with, and the one that it makes |
//! | `snapshot_filters` | which directories are entered for a snapshot, as text in it |
//! | `reuse` | directories that a snapshot knows: taken from it if they did not change |
//! | `slice` | slices of a large directory, and what a walk that ended early has left |
//! | `shared` | what all workers of a walk share |
//! | `pace` | whether looking at an entry takes long |
//! | `output` | where the bytes go that visitors write |
//!
//! # The journey of an entry
//!
//! 1. `sys::open_dir` opens a directory relative to its parent, which is held open.
//!    `sys::read_entries` lets `getdents64` fill the worker's block of 256 KiB. `Entries` borrows
//!    each name from the block, and reads off the last record whether the directory ends there, on
//!    file systems that mark that.
//! 2. `worker` takes each entry. `inspector` appends its name to the worker's only path buffer,
//!    asks the filter, and shows the visitor an `Entry`. Names of directories go into a `Listing`;
//!    they are entered when the block is done. Nothing has been allocated so far.
//! 3. The worker goes down depth-first, with a `Stack` of `Frame`s: an open directory, its listing,
//!    and what is left to do. A directory without directories is never pushed: it is opened, read
//!    and closed, which are 3 calls.
//! 4. The visitor appends bytes to the worker's output, which goes to the sink in blocks of 128
//!    KiB (since a snapshot: 256 KiB).
//!
//! A walk begins on one thread, and starts others when it has read 400 directories and there are
//! more. A worker without work sleeps. A worker with work reads one shared number per step; if
//! another waits, it splits its stack in two at the shallowest directory and offers the rear part.
//! The two parts follow each other in the order of the walk, so for `Order::Sorted` the pieces form
//! a list: the output of the first is delivered at once, that of the others waits in a window of 12
//! MiB. When half of the window is full only pieces near the front are offered; a worker whose
//! piece overfills it pauses the piece until the front gets there.
//!
//! `batches` and `directories` are for callers that ask for entries instead of being called with
//! them. The visitor of `batches` writes each entry as a record into the worker's output; blocks of
//! records go into a queue unchanged, and the calling thread only makes the table of their offsets.
//! While the queue is empty it walks, too; the others wait when 16 blocks are in the queue.
//! `directories` reads one directory at a time on one thread, and nothing ahead: what is below can
//! still be left out, ordered anew, or added to.
//!
//! Memory does not grow with the tree: a worker holds its path down (a listing of at most one block
//! for each directory on it, or all names of these directories if sorted or with ignore files), one
//! block and its output.

mod batches;
mod directories;
mod ignored;
mod inspector;
mod iterate;
mod listing;
mod mounts;
mod open_dir;
mod output;
mod pace;
mod record;
mod recording;
mod release;
mod resolve;
mod reuse;
mod run;
mod scheduler;
mod shared;
mod since;
mod slice;
mod snapshot_filters;
mod stack;
mod visit;
mod worker;

use std::path::Path;
use std::sync::Arc;

pub use batches::Batches;
pub use directories::Directories;
#[cfg(target_os = "linux")]
pub(crate) use ignored::{Loader, Rules, UserRules};
pub use iterate::Iter;
#[cfg(target_os = "linux")]
pub(crate) use listing::{EntryInfo, Listing};
pub(crate) use open_dir::{Dir, FileSystems, ReachedBy};
pub use record::{Batch, BatchDirectory, Failure, Record};
pub use recording::Recording;
pub use since::Since;
pub use slice::{Remaining, Slice};
pub use snapshot_filters::SnapshotFilters;
pub use visit::{Answer, Item, Visitor};

use crate::filter::Filter;
pub use crate::kinds::Kinds;
use crate::scope::Scope;
use sys::Fields;

/// The order in which entries are visited and the output of visitors is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Each directory before its entries; otherwise as they come. The cheapest.
    #[default]
    Any,
    /// Depth-first, the names of each directory in byte order: the same sequence at every run
    /// and with any number of threads. A directory's names are held while it is worked on.
    Sorted,
}

/// The options of a walk over one or more trees. [`visit`](Walk::visit) walks in parallel,
/// [`iter`](Walk::iter) on the calling thread.
///
/// Price on Linux: per directory 3 calls (`openat`, `getdents64`, `close`), and one `getdents64`
/// more per further 256 KiB of entries, or on file systems that do not mark the end of a
/// directory; per entry 0. Per root one `statx`, per device one `fstatfs`; once, if there is
/// anything to go down to, the mount table (about 5 calls). Threads start only when the tree turns
/// out not to be small.
#[derive(Clone, Debug)]
pub struct Walk {
    pub(crate) roots: Vec<Box<[u8]>>,
    pub(crate) scope: Scope,
    pub(crate) order: Order,
    pub(crate) follow: bool,
    pub(crate) one_file_system: bool,
    pub(crate) gitignore: bool,
    pub(crate) max_depth: usize,
    pub(crate) max_results: Option<usize>,
    pub(crate) filter: Filter,
    pub(crate) threads: Option<usize>,
    pub(crate) max_threads: usize,
    pub(crate) targets: bool,
    pub(crate) fields: Option<Fields>,
    pub(crate) stats_entries: bool,
    pub(crate) by_directory: bool,
    pub(crate) block_bytes: usize,
    pub(crate) since: Option<Arc<Since>>,
    pub(crate) recording: Option<Arc<Recording>>,
    pub(crate) errors_only: bool,
}

impl Walk {
    /// A walk over the tree at `root`, which is visited itself, at depth 0. A link given as root
    /// is not followed unless it ends in `/`.
    pub fn new(root: impl AsRef<Path>) -> Walk {
        Walk {
            roots: Vec::new(),
            scope: Scope::start(),
            order: Order::Any,
            follow: false,
            one_file_system: false,
            gitignore: false,
            max_depth: usize::MAX,
            max_results: None,
            filter: Filter::new(),
            threads: None,
            max_threads: crate::concurrency::MAX_THREADS,
            targets: false,
            fields: None,
            stats_entries: false,
            by_directory: false,
            block_bytes: 256 << 10,
            since: None,
            recording: None,
            errors_only: false,
        }
        .add_root(root)
    }

    /// One more tree, after the others.
    #[must_use]
    pub fn add_root(mut self, root: impl AsRef<Path>) -> Walk {
        self.roots.push(root.as_ref().as_os_str().as_encoded_bytes().into());
        self
    }

    crate::setters::setters! {
        /// The scope that roots are relative to; by default the process's working directory. The
        /// walk, its iterator and every [`OwnedEntry`](crate::OwnedEntry) hold a clone.
        ///
        /// Price: none.
        within(scope: &Scope) => scope = scope.clone();
        /// The order; by default [`Order::Any`].
        order(order: Order) => order = order;
        /// Whether a link stands for what it points to. A link that leads to a directory it lies in
        /// is an error item (`ELOOP`); one that points nowhere is visited as a link.
        ///
        /// Price: one `statx` per link, one per directory above a link to a directory, and below
        /// such a link one per directory that holds directories.
        follow(yes: bool) => follow = yes;
        /// Whether to stay on the file system of each root. A mount point is visited, not entered.
        ///
        /// Price: one `statx` per mount point; on btrfs, overlay, network and FUSE file systems one
        /// per directory.
        one_file_system(yes: bool) => one_file_system = yes;
        /// Whether to leave out what git would ignore: `.gitignore` files on the way (those above a
        /// root too, up to the top of its repository), `.git/info/exclude`, the excludes that git's
        /// configuration names, be it the machine's, the user's, the repository's or from
        /// `GIT_CONFIG_…` in the environment, and `.git` itself. `GIT_DIR` and `GIT_WORK_TREE` name
        /// the repository of the roots. Of a root that lies in an ignored directory, nothing is
        /// left. `.gitignore` files count outside a repository as well. Tracked files count as
        /// others: the index is not read.
        ///
        /// Price: open, read and close of each ignore file, which is found among the names already
        /// read; for each repository three `statx`, and the same of its configuration; a few calls
        /// per root for what lies above it.
        gitignore(yes: bool) => gitignore = yes;
        /// Directories at this depth are not entered.
        max_depth(depth: usize) => max_depth = depth;
        /// Ends the walk after so many entries; with [`Order::Sorted`] they are the first ones, and
        /// one thread walks. Errors do not count.
        ///
        /// Price: less than that of the walk: no directory is opened after the last of them.
        max_results(results: usize) => max_results = Some(results);
        /// Visits only entries that the filter accepts.
        ///
        /// Price: see [`Filter`].
        filter(filter: Filter) => filter = filter;
        /// How many threads to use, the calling one included. By default that is found out while
        /// they work: as many as the process may use processors, and more, up to
        /// [`max_threads`](Walk::max_threads), while storage has to be waited for and more
        /// directories are read per second with more threads. 0 counts as 1, more than 256 as 256.
        threads(threads: usize) => threads = Some(threads.clamp(1, 256));
        /// The most threads to use where the number is not given; by default 64. 0 counts as 1,
        /// more than 256 as 256.
        max_threads(threads: usize) => max_threads = threads.clamp(1, 256);
        /// Whether to find out the kind of the target of a link that is not followed: see
        /// [`Record::target`]. Only for [`batches`](Walk::batches) and
        /// [`directories`](Walk::directories).
        ///
        /// Price: one `statx` per link.
        targets(yes: bool) => targets = yes;
        /// Requests these fields of every entry, of the target of a link if the walk follows links:
        /// see [`Batch::stat`]. Only for [`batches`](Walk::batches) and
        /// [`directories`](Walk::directories).
        ///
        /// Price: one `statx` per entry; on Windows none, as the directory's record has them.
        stat(fields: Fields) => fields = Some(fields);
        /// Says that the visitor makes calls for entries, such as [`Entry::stat`]. Where they take
        /// long, threads share the entries of one directory; a filter that makes calls is known.
        ///
        /// Price: none.
        ///
        /// [`Entry::stat`]: crate::Entry::stat
        stats_entries(yes: bool) => stats_entries = yes;
        /// Takes directories that did not change from a snapshot, instead of opening and reading
        /// them; the entries are those of a walk without it. `docs/snapshot.md` says what proves
        /// that a directory did not change, and where nothing does.
        ///
        /// Price: one `statx` for each directory that the snapshot knows. It is opened if something
        /// needs it: a filter that stats an entry, an ignore file, a directory in it that changed;
        /// and one of 512, if much lies below it.
        since(snapshot: &Arc<Since>) => since = Some(Arc::clone(snapshot));
        /// Writes down what is found, for a snapshot; all of it that was read, whatever the filter
        /// shows. A walk writes into a recording of its own.
        ///
        /// Price: one `statx` for each directory that is read; for [`Level::Stat`] also one for
        /// each entry.
        ///
        /// [`Level::Stat`]: crate::snapshot::Level::Stat
        record(recording: &Arc<Recording>) => recording = Some(Arc::clone(recording));
        /// Whether to visit errors only, and no entries: for a walk for the sake of what it writes
        /// down. The filter still decides which directories are entered.
        ///
        /// Price: less than that of the walk: of a directory that a snapshot knows, only the names
        /// of directories are looked at.
        errors_only(yes: bool) => errors_only = yes;
        /// How many bytes of entries one read may take; by default 256 KiB. For tests and
        /// measurements.
        #[doc(hidden)]
        block_bytes(bytes: usize) => block_bytes = bytes;
    }

    /// The walk as an iterator on the calling thread.
    #[must_use]
    pub fn iter(&self) -> Iter {
        Iter::new(self.clone())
    }

    /// Whether a directory's names are held and gone through one by one, rather than visited as
    /// they come in.
    pub(crate) fn holds_names(&self) -> bool {
        self.order == Order::Sorted || self.gitignore || self.by_directory || self.leaves_out()
    }

    /// Whether looking at entries needs calls.
    pub(crate) fn asks_about_entries(&self) -> bool {
        self.stats_entries || self.targets || self.fields.is_some() || self.filter.makes_calls()
    }

    /// The fields that every entry will be asked for, as far as that is known: a directory may be
    /// read with them.
    pub(crate) fn wanted_fields(&self) -> Fields {
        match self.stats_entries {
            true => Fields::ALL,
            false => {
                let filtered = self.filter.fields().unwrap_or(Fields::NONE);
                filtered | self.fields.unwrap_or(Fields::NONE)
            }
        }
    }

    /// Whether it is compared with a snapshot what is left out on purpose.
    pub(crate) fn leaves_out(&self) -> bool {
        let compares = self.since.is_some() && self.recording.is_some();
        compares && (self.gitignore || self.filter.may_prune())
    }
}

impl IntoIterator for Walk {
    type Item = <Iter as Iterator>::Item;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        Iter::new(self)
    }
}

impl IntoIterator for &Walk {
    type Item = <Iter as Iterator>::Item;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}
