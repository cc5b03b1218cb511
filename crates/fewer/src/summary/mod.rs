//! What there is in trees, in numbers: one `statx` an entry.
//!
//! | module | what is in it |
//! |---|---|
//! | `Summary` (here) | the numbers, and how a walk makes them |
//! | `collector` | what one worker of the walk has found |
//! | `extremes` | the first of many, and the few largest |

mod collector;
mod extremes;

use collector::Collector;
pub use extremes::Extreme;
use sys::Time;

use crate::disk_usage::{Event, Space};
use crate::walk::{Answer, Walk};

/// What there is in the trees of a walk. Each name is an entry, but the space of a file with
/// several names is counted once, for the first extension of its names in byte order.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Directories. Their size is what the file system states.
    pub directories: Space,
    /// Regular files.
    pub files: Space,
    /// Symbolic links.
    pub links: Space,
    /// Everything else.
    pub other: Space,
    /// Of files, the largest size first.
    pub extensions: Vec<Extension>,
    /// The files of the largest sizes, the largest first; at most 10.
    pub largest: Vec<Extreme<u64>>,
    /// The entry with the most steps below its starting point.
    pub deepest: Option<Extreme<usize>>,
    /// The entry whose path has the most bytes.
    pub longest: Option<Extreme<usize>>,
    /// The file whose contents changed last.
    pub newest: Option<Extreme<Time>>,
    /// The file whose contents have not changed for the longest time.
    pub oldest: Option<Extreme<Time>>,
}

/// The files whose names end in the same.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extension {
    /// What is behind the last dot of the names; empty if there is none, or only one in front.
    /// After 65,536 different ones, `None` for the files of all others.
    pub name: Option<Box<[u8]>>,
    /// The files.
    pub space: Space,
}

impl Summary {
    /// Walks, with several threads if the trees turn out not to be small. `watch` is told of errors
    /// and of the progress; if it answers [`Answer::Stop`], the numbers are those so far.
    ///
    /// Price: one `statx` an entry besides the walk.
    ///
    /// ```
    /// use fewer::{Answer, Summary, Walk};
    ///
    /// let summary = Summary::of(&Walk::new("src"), |_event| Answer::Continue);
    /// assert_eq!(&**summary.extensions[0].name.as_ref().unwrap(), b"rs");
    /// assert!(summary.files.size > 100_000);
    /// ```
    #[must_use]
    pub fn of(walk: &Walk, watch: impl Fn(Event) -> Answer + Sync) -> Summary {
        let walk = walk.clone().stats_entries(true);
        let found = walk.fold(|| Collector::new(&watch), Collector::add);
        found.into_iter().reduce(Collector::plus).map(Collector::summary).unwrap_or_default()
    }

    /// Everything together.
    #[must_use]
    pub fn all(&self) -> Space {
        let mut all = self.directories;
        [self.files, self.links, self.other].into_iter().for_each(|space| all += space);
        all
    }
}
