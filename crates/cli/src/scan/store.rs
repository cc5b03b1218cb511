//! Units of addresses: ranges of keys, directories of HDFS.

use std::ffi::OsStr;
use std::path::Path;

use fewer::scan::{MOST_UNITS, Tree, Unit};
use fewer::{Answer, Entry, Filter};
use stores::hdfs::{self, Found};
use stores::{Error, KeyRange, Location, Object};
use sys::OsStrExt;
use tables::Row;
use tables::unit::Range;

use super::part::Part;
use super::{Left, Request, tree};
use crate::flags::store::about_files;
use crate::store::{self, Cost, Entries, Visitor};
use crate::walk::filter;

/// Scans a unit of addresses; `None` if the roots are none.
pub(super) fn scan(request: &Request<'_>, part: &mut Part<'_>) -> Option<Result<Left, String>> {
    let roots = store::addresses(request.flags)?;
    part.set_of_store();
    Some(roots.and_then(|_| Scan::new(request, part)?.run()))
}

/// A scan of addresses under way.
pub(super) struct Scan<'s, 'f> {
    pub(super) request: &'s Request<'s>,
    pub(super) rows: Rows<'s, 'f>,
    /// The roots as their stores print them.
    pub(super) roots: Vec<Vec<u8>>,
    pub(super) deepest: usize,
    /// How many keys or entries came so far.
    pub(super) found: u64,
    pub(super) cost: Cost,
}

impl<'s, 'f> Scan<'s, 'f> {
    fn new(request: &'s Request<'s>, part: &'s mut Part<'f>) -> Result<Scan<'s, 'f>, String> {
        let flags = request.flags;
        if let Some(flag) = about_files(flags) {
            return Err(store::is_about_files(&format!("--{flag}")));
        }
        store::refuse_flags(flags, &request.roots)?;
        let roots = request.roots.iter().map(|root| printed(root));
        let roots: Vec<Vec<u8>> = roots.collect::<Result<_, _>>()?;
        let filter = filter::from_flags(flags)?;
        let own = address_of_output(part, &roots)?;
        let rows = Rows { filter, part, own, most_keys: u64::MAX, failure: String::new() };
        let deepest = flags.get_one("max-depth").copied().unwrap_or(usize::MAX);
        Ok(Scan { request, rows, roots, deepest, found: 0, cost: Cost::default() })
    }

    fn run(mut self) -> Result<Left, String> {
        let unit = &self.request.unit.unit;
        if unit.slice.is_some() {
            return Err("the unit is a slice of a directory, and its root an address".to_owned());
        }
        let (mut left, mut trees, mut prefixes) = (Left::new(), Vec::new(), Vec::new());
        // None is listed before all are known to be of this scan.
        let of_unit = unit.trees.iter().map(|tree| self.tree(tree));
        for (tree, root) in of_unit.collect::<Result<Vec<_>, _>>()? {
            if store::is_tree(path(&tree.path)) {
                trees.extend(self.directory(tree, &root, unit.has_roots)?);
            } else if location(&tree)?.store().lists_ranges() {
                left.extend(self.ranges(tree, &root)?);
            } else {
                prefixes.push((tree, root));
            }
        }
        trees.extend(self.prefixes(prefixes)?);
        if self.request.flags.get_flag("calls") {
            self.cost.print(false);
        }
        trees.sort_by_key(|tree| tree.depth);
        left.extend(Unit::share_out(trees).into_iter().map(|unit| (unit, Vec::new())));
        Ok(left)
    }

    /// A tree of the unit as its store prints it, and the root that it lies below.
    fn tree(&self, tree: &Tree) -> Result<(Tree, Vec<u8>), String> {
        let address = path(&tree.path);
        let is_directory = store::is_tree(address);
        // What is no address is below no root.
        let printed = printed(address).unwrap_or_else(|_| tree.path.clone());
        let tree = Tree { path: printed, ..*tree };
        let begins = |root: &[u8], path: &[u8]| path.starts_with(root);
        let is_below = if is_directory { tree::is_below } else { begins };
        let root = self.request.root_of(&tree, &self.roots, is_below)?.to_vec();
        let has_ranges = !is_directory && location(&tree)?.store().lists_ranges();
        match has_ranges || self.request.unit.ranges.is_empty() {
            true => Ok((tree, root)),
            false => Err("the unit has ranges of keys, and its root has none".to_owned()),
        }
    }

    /// How many more keys are wanted.
    pub(super) fn wanted(&self) -> u64 {
        let budget = if self.request.unit.single { 1 } else { self.request.budget };
        (budget as u64).saturating_sub(self.found)
    }

    /// Lists ranges of the keys of a bucket; returns what is left of them.
    fn ranges(&mut self, tree: Tree, root: &[u8]) -> Result<Left, String> {
        let (location, root) = (location(&tree)?, store::location(path(root))?);
        let given = self.request.unit.ranges.iter();
        let given: Vec<_> = given.map(|(after, end)| range(after, end.as_deref())).collect();
        if !KeyRange::are_disjoint(&given) {
            return Err(format!("the ranges of unit {} overlap", self.request.unit.id));
        }
        self.rows.most_keys = self.wanted();
        let left = if self.rows.most_keys > 0 {
            let given = if given.is_empty() { vec![KeyRange::ALL] } else { given };
            let list = store::list(self.request.flags, &location);
            let list = list.shares(MOST_UNITS).in_ranges().ranges(given);
            let (cost, rows) = (&mut self.cost, &mut self.rows);
            let (outcome, error) = store::visit_bucket(&list, &root, self.deepest, rows, cost);
            error.map_or(Ok(()), Err)?;
            self.found += outcome.keys;
            outcome.left.into_iter().map(|range| (range.after, range.end)).collect()
        } else if given.is_empty() {
            return Ok(vec![(unit_of(tree), Vec::new())]);
        } else {
            self.request.unit.ranges.clone()
        };
        Ok(dealt(&left).map(|ranges| (unit_of(tree.clone()), ranges)).collect())
    }

    /// Walks a directory of HDFS; returns the directories that are left.
    fn directory(&mut self, tree: Tree, root: &[u8], has_roots: bool) -> Result<Vec<Tree>, String> {
        let root = store::address(path(root))?;
        if self.wanted() == 0 {
            return Ok(vec![tree]);
        }
        let address = store::address(path(&tree.path))?;
        let deepest = self.deepest.saturating_sub(tree.depth);
        let mut seen = Directories {
            most: self.wanted(),
            entries: Entries::new(&root, self.deepest, &mut self.rows),
            shows_root: has_roots && tree.depth == 0,
            seen: 0,
        };
        let outcome = store::tree(self.request.flags, &address).max_depth(deepest).run(&mut seen);
        self.found += seen.seen.max(1);
        self.cost.add_tree(&outcome);
        if outcome.is_lost {
            return Err(std::mem::take(&mut self.rows.failure));
        }
        let left = outcome.left.into_iter();
        let below = |it: hdfs::NotListed| Tree { depth: tree.depth + it.depth, path: it.address };
        Ok(left.map(below).collect())
    }
}

/// An address as its store prints it.
fn printed(path: &Path) -> Result<Vec<u8>, String> {
    Ok(match store::is_tree(path) {
        true => path.as_os_str().as_bytes().to_vec(),
        false => store::location(path)?.address().into_bytes(),
    })
}

/// What the addresses of parts begin with, if there are any.
fn address_of_output(part: &Part<'_>, roots: &[Vec<u8>]) -> Result<Option<Vec<u8>>, String> {
    let (folder, is_address) = part.folder();
    if !is_address {
        return Ok(None);
    }
    let mut own = printed(folder)?;
    if own.last() != Some(&b'/') {
        own.push(b'/');
    }
    match roots.iter().any(|root| own == *root || own.strip_suffix(b"/") == Some(root)) {
        true => {
            let name = store::shown(folder);
            Err(format!("'{name}' is a root and --out: the scan would find itself"))
        }
        false => Ok(Some(own)),
    }
}

pub(super) fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

pub(super) fn location(tree: &Tree) -> Result<Location, String> {
    store::location(path(&tree.path))
}

fn range(after: &[u8], end: Option<&[u8]>) -> KeyRange {
    KeyRange { after: after.to_vec(), end: end.map(<[u8]>::to_vec) }
}

fn unit_of(tree: Tree) -> Unit {
    Unit { trees: vec![tree], slice: None, has_roots: true }
}

/// Ranges, dealt out to some units.
fn dealt(ranges: &[Range]) -> impl Iterator<Item = Vec<Range>> {
    let units = ranges.len().min(MOST_UNITS);
    (0..units).map(move |unit| ranges.iter().skip(unit).step_by(units).cloned().collect())
}

/// Writes what is found as rows.
pub(super) struct Rows<'p, 'f> {
    filter: Filter,
    part: &'p mut Part<'f>,
    /// What is below this are parts of the scan.
    own: Option<Vec<u8>>,
    pub(super) most_keys: u64,
    /// The last message of something that could not be listed.
    failure: String,
}

impl Visitor for Rows<'_, '_> {
    fn filter(&self) -> &Filter {
        &self.filter
    }

    fn most_keys(&self) -> u64 {
        self.most_keys
    }

    fn entry(&mut self, entry: Entry<'_>, object: Option<&Object<'_>>) -> Answer {
        if self.own.as_ref().is_some_and(|own| entry.path_bytes().starts_with(own)) {
            return Answer::Continue;
        }
        store::with_row(&entry, object, |row| self.part.push(row))
    }

    fn failed(&mut self, address: &[u8], message: &str) {
        message.clone_into(&mut self.failure);
        // If it cannot be written, that is reported at its end.
        let _ = self.part.push(&Row::failure(address, message));
    }

    fn between_pages(&mut self, _: &dyn Fn() -> Vec<KeyRange>) -> Answer {
        self.part.answer()
    }
}

/// A tree of HDFS, as far as the budget goes.
struct Directories<'d, V> {
    entries: Entries<'d, V>,
    shows_root: bool,
    seen: u64,
    most: u64,
}

impl<V: Visitor> hdfs::Visitor for Directories<'_, V> {
    fn enters(&mut self, directory: &Found<'_>) -> bool {
        self.entries.enters(directory)
    }

    fn has_enough(&self) -> bool {
        self.seen >= self.most
    }

    fn between_calls(&mut self) -> Answer {
        self.entries.between_calls()
    }

    fn visit(&mut self, item: Result<Found<'_>, Error>) -> Answer {
        if let Ok(found) = &item {
            if found.depth == 0 && !self.shows_root {
                return Answer::Continue;
            }
            self.seen += 1;
        }
        self.entries.visit(item)
    }
}
