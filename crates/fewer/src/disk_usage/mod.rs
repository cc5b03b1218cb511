//! How much space trees take, directory by directory: one `statx` an entry.
//!
//! | module | what is in it |
//! |---|---|
//! | `DiskUsage` (here) | the options, and what is reported while it is measured |
//! | `roots` | the starting points: each file is counted below the first that holds it |
//! | `space` | what one thing takes, and what several take together |
//! | `links` | files with several names, which are counted once |
//! | `collector` | what one worker of the walk has counted, by shown directory |
//! | `rows` | what all workers have counted, as rows |
//!
//! Memory does not grow with the tree: it holds the directories that are shown, and each file that
//! has several names.

mod collector;
mod links;
mod roots;
mod rows;
mod space;

use std::sync::atomic::AtomicBool;

use collector::Collector;
pub(crate) use links::Links;
use roots::Roots;
pub use rows::Row;
pub use space::Space;
use sys::{Fields, Stat};

use crate::error::Error;
use crate::identity::Identity;
use crate::walk::{Answer, Order, Walk};

/// What each entry is asked for: device and inode say which of several names stand for one file.
const FIELDS: [Fields; 4] = [Fields::SIZE, Fields::ALLOCATED, Fields::LINKS, Fields::INODE];

/// How much space trees take, as `du` counts it.
///
/// A file with several names is counted once, below the first starting point that holds it, and
/// there in the directory whose path comes first in byte order. A starting point that lies in an
/// earlier one, or is the same, has no row of its own; one that lies in a later one is left out
/// there. Links count as themselves.
///
/// Price: one `statx` an entry, and 3 calls a directory, as for the [`Walk`]; a starting point that
/// is a directory costs one `statx` more.
///
/// ```
/// use fewer::{Answer, DiskUsage, Walk};
///
/// let rows = DiskUsage::new(Walk::new("src")).depth(1).measure(|_event| Answer::Continue);
/// let whole = rows.iter().find(|row| row.depth() == 0).unwrap();
/// assert!(whole.space().size > 100_000 && rows.len() > 5);
/// ```
#[derive(Clone, Debug)]
pub struct DiskUsage {
    walk: Walk,
    depth: usize,
    files: bool,
    count_links: bool,
}

/// What is reported while the entries of trees are counted.
#[derive(Debug)]
pub enum Event {
    /// So many more entries were counted, and among them so many directories. Reported about once
    /// in 256 entries, and not for the last ones.
    Counted {
        /// All of them.
        entries: usize,
        /// The directories among them.
        directories: usize,
    },
    /// Something was not counted.
    Failed(Error),
}

/// After so many entries the progress is reported.
const ENTRIES_PER_REPORT: usize = 256;

impl Event {
    /// Counts an entry. The report, if there are enough since the last one.
    #[inline]
    pub(crate) fn counted(unreported: &mut (usize, usize), is_directory: bool) -> Option<Event> {
        unreported.0 += 1;
        unreported.1 += usize::from(is_directory);
        if unreported.0 < ENTRIES_PER_REPORT {
            return None;
        }
        let (entries, directories) = std::mem::take(unreported);
        Some(Event::Counted { entries, directories })
    }
}

/// What is called with what happens.
type Watcher<'m> = &'m (dyn Fn(Event) -> Answer + Sync);

/// What all workers share.
struct Context<'m> {
    options: &'m DiskUsage,
    roots: &'m Roots,
    fields: Fields,
    /// Whether a starting point was found to lie in an earlier one.
    inner: &'m [AtomicBool],
    watch: Watcher<'m>,
}

impl DiskUsage {
    /// Of the trees of a walk. Its filter says what is counted, and its other options what is
    /// entered; order, limit of results and [`follow`](Walk::follow) do not count. With
    /// [`one_file_system`](Walk::one_file_system) a mount point itself is not counted either, and
    /// that costs no call.
    #[must_use]
    pub fn new(walk: Walk) -> DiskUsage {
        DiskUsage { walk, depth: 0, files: false, count_links: false }
    }

    crate::setters::setters! {
        /// How many levels below a starting point have rows; by default 0, starting points alone.
        depth(levels: usize) => depth = levels;
        /// Whether files have rows, too.
        files(yes: bool) => files = yes;
        /// Whether a file counts once for each of its names, and for each starting point.
        count_links(yes: bool) => count_links = yes;
    }

    /// Measures, with several threads if the trees turn out not to be small. `watch` is told of
    /// errors and of the progress; if it answers [`Answer::Stop`] the rows are those so far.
    ///
    /// The rows are in the order of the starting points, and below each in byte order of the paths.
    pub fn measure(&self, watch: impl Fn(Event) -> Answer + Sync) -> Vec<Row> {
        self.measure_watched(&watch)
    }

    fn measure_watched(&self, watch: Watcher<'_>) -> Vec<Row> {
        let fields: Fields = FIELDS.into_iter().collect();
        let (roots, failed) = Roots::find(self, fields);
        if failed.into_iter().any(|error| watch(Event::Failed(error)) == Answer::Stop) {
            return Vec::new();
        }
        let inner: Vec<AtomicBool> = roots.all.iter().map(|_| AtomicBool::new(false)).collect();
        let context = Context { options: self, roots: &roots, fields, inner: &inner, watch };
        let mut collectors = vec![Collector::with_plain_files(&context)];
        if let Some(walk) = self.walk_of(&roots) {
            let walk = walk.stats_entries(true);
            collectors.extend(walk.fold(|| Collector::new(&context), Collector::add));
        }
        let counts = collectors.into_iter().map(Collector::into_counts).collect();
        rows::from_counts(counts, &roots, &inner)
    }

    /// The walk through the starting points that take one.
    fn walk_of(&self, roots: &Roots) -> Option<Walk> {
        let walked = roots.all.iter().filter(|root| root.is_walked);
        let walk = Walk {
            roots: walked.map(|root| root.path.clone()).collect(),
            order: Order::Any,
            follow: false,
            one_file_system: false,
            max_results: None,
            ..self.walk.clone()
        };
        (!walk.roots.is_empty()).then_some(walk)
    }

    /// What stands for the space of something that is counted once, however many names or clones
    /// it has; `None` if it counts as it is.
    fn counted_once(&self, stat: &Stat) -> Option<Identity> {
        if self.count_links { None } else { Identity::of_shared_space(stat) }
    }
}

impl Context<'_> {
    /// The other starting point that something found below the starting point `root` is.
    fn other_root(&self, root: usize, stat: &Stat) -> Option<usize> {
        if self.options.count_links || self.roots.all.len() < 2 {
            return None;
        }
        let other = *self.roots.by_identity.get(&Identity::in_stat(stat))?;
        (other != root).then_some(other)
    }
}
