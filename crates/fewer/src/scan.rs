//! A walk in units, for several processes or machines.
//!
//! A [`Unit`] is some sub-trees, or a slice of the names of one large directory. A process scans it
//! until it has shown as many entries as its budget allows, stops between two directories, and
//! makes units of what is left: whoever has the most to do gives the most away, and nobody has to
//! know beforehand where a tree is large. Each entry of the tree is in exactly one unit, as long as
//! it stays where it is.
//!
//! ```
//! use fewer::scan::Unit;
//! use fewer::Walk;
//!
//! let walk = Walk::new("src");
//! let (mut units, mut entries) = (vec![Unit::first(&walk)], 0);
//! while let Some(unit) = units.pop() {
//!     let mut scan = walk.scan(unit, 10); // on any machine that sees the tree
//!     while let Some((batch, _)) = scan.next() {
//!         entries += batch.entries().len();
//!     }
//!     units.extend(scan.left());
//! }
//! assert_eq!(entries, Walk::new("src").iter().count());
//! ```

use std::collections::BTreeMap;

use sys::Fields;

use crate::path::c_string;
use crate::walk::{Batch, Directories, Remaining, Slice, Walk};

/// What is left of a unit becomes so many units at most, besides the slices of large directories.
/// So there are never more units than some for each budget that was used up.
pub const MOST_UNITS: usize = 4;

/// Where to scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The directories whose entries belong to the unit, with all that is below them.
    pub trees: Vec<Tree>,
    /// Of the only tree, only the names in this slice and what is below those.
    pub slice: Option<Slice>,
    /// Whether the trees themselves belong to it: only for roots of the scan.
    pub has_roots: bool,
}

/// A directory that a unit begins at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tree {
    /// Steps below the root of the scan.
    pub depth: usize,
    /// Its path, which begins with that of the root.
    pub path: Vec<u8>,
}

impl Unit {
    /// The whole walk as one unit.
    #[must_use]
    pub fn first(walk: &Walk) -> Unit {
        let trees = walk.roots.iter().map(|root| Tree { depth: 0, path: root.to_vec() });
        Unit { trees: trees.collect(), slice: None, has_roots: true }
    }

    /// Units of directories that are left of one, four at most, and fewer if there are fewer trees.
    #[must_use]
    pub fn share_out(trees: Vec<Tree>) -> Vec<Unit> {
        let mut shares = vec![Vec::new(); trees.len().min(MOST_UNITS)];
        for (number, tree) in trees.into_iter().enumerate() {
            shares[number % MOST_UNITS].push(tree);
        }
        shares.into_iter().map(Unit::of_trees).collect()
    }

    fn of_trees(trees: Vec<Tree>) -> Unit {
        Unit { trees, slice: None, has_roots: false }
    }
}

impl Walk {
    /// Scans a unit of this walk, on the calling thread, until `budget` entries were shown: then it
    /// ends between two directories. A directory of more names than the budget is not shown, but
    /// cut into slices. Filters, depths and what is entered are those of the walk;
    /// [`follow`](Walk::follow) and [`gitignore`](Walk::gitignore) know only what lies in the unit
    /// and are not for scans, nor is [`Filter::min_depth`](crate::Filter::min_depth).
    ///
    /// Price: that of the walk, and a `statx` for each tree of the unit; a directory that is cut
    /// into slices is read once more for each of them. With
    /// [`one_file_system`](Walk::one_file_system) two `statx` for each tree that is left.
    #[must_use]
    pub fn scan(&self, unit: Unit, budget: usize) -> Scan {
        let mut depths: BTreeMap<usize, Vec<Box<[u8]>>> = BTreeMap::new();
        for Tree { depth, path } in unit.trees {
            depths.entry(depth).or_default().push(path.into());
        }
        Scan {
            walk: self.clone(),
            slice: unit.slice,
            has_roots: unit.has_roots,
            budget: budget.max(1),
            most_names: budget.max(1),
            waiting: depths,
            current: None,
            shown: 0,
            remaining: Vec::new(),
        }
    }
}

/// The scan of a unit. Made by [`Walk::scan`].
pub struct Scan {
    walk: Walk,
    slice: Option<Slice>,
    has_roots: bool,
    budget: usize,
    most_names: usize,
    /// The trees that are not being walked yet, by their depths.
    waiting: BTreeMap<usize, Vec<Box<[u8]>>>,
    current: Option<Current>,
    shown: usize,
    remaining: Vec<Remaining>,
}

/// The walk over the trees of one depth.
struct Current {
    depth: usize,
    directories: Directories,
}

impl Scan {
    /// Cuts directories of more names than this into slices, instead of those of more than the
    /// budget: with a budget of 1 a unit is one directory.
    #[must_use]
    pub fn most_names(self, most: usize) -> Scan {
        Scan { most_names: most.max(1), ..self }
    }

    /// The next directory with its entries, or a failure, and the depth to add to those in it.
    /// Borrowed until the next call; `None` when the unit is done or the budget used up.
    #[allow(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> Option<(&Batch, usize)> {
        while self.shown < self.budget && (self.current.is_some() || self.start_next()) {
            if self.advance() {
                let current = self.current.as_ref()?;
                return Some((current.directories.batch(), current.depth));
            }
        }
        None
    }

    /// Ends it: units of all that was not shown. None if all was.
    #[must_use]
    pub fn left(mut self) -> Vec<Unit> {
        self.end_current();
        for (depth, paths) in std::mem::take(&mut self.waiting) {
            let is_shown = depth > 0 || !self.has_roots;
            let of = |path: Box<[u8]>| Remaining { path: path.into(), depth, is_shown, names: 0 };
            self.remaining.extend(paths.into_iter().map(of));
        }
        // Those near the root first, so that each unit gets some of them: much may be below.
        self.remaining.sort_by_key(|directory| directory.depth);
        if self.walk.one_file_system {
            let walk = self.walk.clone();
            self.remaining.retain(|directory| directory.depth == 0 || !is_mount(&walk, directory));
        }
        let (large, others): (Vec<_>, Vec<_>) =
            self.remaining.into_iter().partition(|directory| directory.names > 0);
        let (shown, roots): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|directory| directory.is_shown);
        let roots = Unit::share_out(trees(roots)).into_iter();
        let roots = roots.map(|unit| Unit { has_roots: true, ..unit });
        let slices = large.into_iter().flat_map(|directory| slices(&directory, self.most_names));
        roots.chain(Unit::share_out(trees(shown))).chain(slices).collect()
    }

    /// Begins with the trees of the next depth; false if there are none.
    fn start_next(&mut self) -> bool {
        let Some((depth, roots)) = self.waiting.pop_first() else { return false };
        let walk = self.walk.clone();
        let max_depth = walk.max_depth.saturating_sub(depth);
        let mut directories = Walk { roots, max_depth, ..walk }.directories();
        directories = match self.slice {
            Some(slice) => directories.slice(slice),
            None => directories,
        };
        let directories = directories.most_names(self.most_names);
        self.current = Some(Current { depth, directories });
        true
    }

    /// Takes the next directory; false if there is nothing to show.
    fn advance(&mut self) -> bool {
        let Some(Current { depth, directories }) = &mut self.current else { return false };
        if !directories.fill_next() {
            self.end_current();
            return false;
        }
        let batch = directories.batch();
        let is_root = batch.directory().is_none() && !batch.entries().is_empty();
        if is_root {
            return self.has_roots && *depth == 0;
        }
        self.shown += 1 + batch.entries().len();
        true
    }

    fn end_current(&mut self) {
        let Some(Current { depth, directories }) = self.current.take() else { return };
        let left = directories.remaining().into_iter();
        self.remaining.extend(left.map(|it| Remaining { depth: it.depth + depth, ..it }));
    }
}

fn trees(directories: Vec<Remaining>) -> Vec<Tree> {
    let tree = |Remaining { path, depth, .. }| Tree { depth, path };
    directories.into_iter().map(tree).collect()
}

/// Whether a directory is on another file system than the one that it lies in. As the root of a
/// unit it would be entered.
fn is_mount(walk: &Walk, directory: &Remaining) -> bool {
    let device = |path: &[u8]| {
        let stat = sys::stat(walk.scope.at(), &c_string(path).ok()?, false, Fields::NONE).ok()?;
        Some(stat.device())
    };
    let above = [directory.path.as_slice(), b"/.."].concat();
    match (device(&directory.path), device(&above)) {
        (Some(own), Some(above)) => own != above,
        _ => false,
    }
}

/// A unit for each slice of a directory that is too large for one.
fn slices(directory: &Remaining, most_names: usize) -> Vec<Unit> {
    let of = u32::try_from(directory.names.div_ceil(most_names)).unwrap_or(u32::MAX);
    let tree = Tree { depth: directory.depth, path: directory.path.clone() };
    let unit = |slice| Unit { slice: Some(slice), ..Unit::of_trees(vec![tree.clone()]) };
    (0..of).filter_map(|index| Slice::new(index, of)).map(unit).collect()
}
