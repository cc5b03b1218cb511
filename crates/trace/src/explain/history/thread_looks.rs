//! What a thread has just looked at: chains of components, and searches along a list of places.

use fewer::path::base_name;

use crate::bytes::parent;
use crate::explain::history::questions::{Key, Question};
use crate::{Call, PathId, Registry};

/// Steps of a chain, and places of a search, that are kept; a longer one is reported in pieces.
const MOST_STEPS: usize = 256;
/// Calls that may lie between two misses of one search.
const PATIENCE: u64 = 16;
/// Searches of a thread that go on at once.
const MOST_SEARCHES: usize = 4;
/// Fewer places are no search.
const FEWEST_PLACES: usize = 3;
/// Fewer components in a row are no chain.
const FEWEST_COMPONENTS: usize = 3;
/// Looks at one file in a row that may belong to an opening of it.
const MOST_IN_A_ROW: usize = 8;
/// An opening comes right after a look if it is one of the next so many calls of the process:
/// `getcwd` may lie between.
const RIGHT_AFTER: u64 = 3;

/// What a thread has just looked at.
#[derive(Debug, Default)]
pub(crate) struct ThreadLooks {
    chain: Vec<Step>,
    /// Searches for different names: a loader asks for a library, and whether the place is there.
    searches: Vec<Vec<Miss>>,
    /// The look before the chain.
    pub(crate) before: Option<Key>,
}

/// A look at a component.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// What was asked.
    pub(crate) key: Key,
    /// The call.
    pub(crate) call: Call,
    /// Whether it had been asked before.
    pub(crate) is_again: bool,
    /// Whether it asked for the first time and heard that the path is no link.
    pub(crate) is_no_link: bool,
    /// When, in calls of the process.
    pub(crate) at: u64,
    /// The look before.
    pub(crate) before: Option<Key>,
}

/// A look that found nothing.
#[derive(Debug)]
pub(crate) struct Miss {
    /// What was asked.
    pub(crate) key: Key,
    /// The call.
    pub(crate) call: Call,
    /// When, in calls of the process.
    pub(crate) at: u64,
}

/// A chain of looks that has ended.
#[derive(Debug)]
pub(crate) enum Chain {
    /// One component after the other, down a path.
    Components(Vec<Step>),
    /// Looks that have nothing to do with each other.
    Loose(Vec<Step>),
}

/// A search that has ended.
#[derive(Debug)]
pub(crate) enum Search {
    /// One name in several places.
    Places(Vec<Miss>),
    /// Misses that have nothing to do with each other.
    Loose(Vec<Miss>),
}

impl ThreadLooks {
    /// A look at a path. Returns the chain that this look ends.
    pub(crate) fn step(&mut self, mut step: Step, registry: &Registry) -> Option<Chain> {
        let goes_on = self.chain.len() < MOST_STEPS
            && self.chain.last().is_some_and(|last| {
                let path = registry.path(step.key.file());
                parent(path) == Some(registry.path(last.key.file()))
            });
        step.before = self.before.replace(step.key);
        let ended = if self.is_in_a_row(step.key) {
            None
        } else if goes_on {
            self.end_row()
        } else {
            self.end_chain()
        };
        self.chain.push(step);
        ended
    }

    /// Whether the chain so far is of looks at this one file.
    fn is_in_a_row(&self, key: Key) -> bool {
        let is_same = |step: &Step| step.key.file() == key.file();
        !self.chain.is_empty() && self.chain.len() < MOST_IN_A_ROW && self.chain.iter().all(is_same)
    }

    /// The way goes on down from the last of several looks at one file: the others end.
    fn end_row(&mut self) -> Option<Chain> {
        if !self.is_row() {
            return None;
        }
        let last = self.chain.pop()?;
        let ended = self.end_chain();
        self.chain.push(last);
        ended
    }

    /// Takes out the looks that the thread made right before it opened this file, as far as it had
    /// asked before: they may belong to what is done with the file next.
    pub(crate) fn take_before(&mut self, file: PathId, now: u64) -> Vec<Step> {
        let mut taken = Vec::new();
        if self.is_way() {
            return taken;
        }
        let mut next = now;
        for step in self.chain.iter_mut().rev() {
            if step.key.file() != file || next.saturating_sub(step.at) > RIGHT_AFTER {
                break;
            }
            next = step.at;
            if step.is_again {
                taken.push(step.clone());
                step.is_again = false;
            }
        }
        // A row begins anew behind the opening.
        if self.is_row() {
            let last = self.chain.pop();
            self.chain.retain(|step| step.is_again);
            self.chain.extend(last);
        }
        taken.reverse();
        taken
    }

    /// Whether the chain is of several looks at one file.
    fn is_row(&self) -> bool {
        matches!(&*self.chain, [first, second, ..] if first.key.file() == second.key.file())
    }

    /// Whether the chain is a way down a path.
    fn is_way(&self) -> bool {
        self.chain.len() >= FEWEST_COMPONENTS && !self.is_row()
    }

    /// Whether a look at this file is the next one down a path, from the root on, of which all was
    /// asked before.
    pub(crate) fn leads_to(&self, file: PathId, registry: &Registry) -> bool {
        let path_of = |step: &Step| registry.path(step.key.file());
        let [first, .., last] = &*self.chain else { return false };
        !self.is_row()
            && parent(registry.path(file)) == Some(path_of(last))
            && parent(path_of(first)) == Some(b"/")
            && self.chain.iter().all(|step| step.is_again)
    }

    /// The looks at each part of the way from the root to this file, if they are the last that the
    /// process did, `now` calls after its start: a shell looks so where it is to go.
    pub(crate) fn take_way_to(&mut self, file: PathId, now: u64, registry: &Registry) -> Vec<Call> {
        let is_below_root = |step: &Step| parent(registry.path(step.key.file())) == Some(b"/");
        let is_way = self.chain.first().is_some_and(is_below_root)
            && self.chain.last().is_some_and(|last| last.key.file() == file && last.at + 1 == now)
            && self.chain.iter().all(|step| step.key.question() == Question::Stat);
        let way = if is_way { std::mem::take(&mut self.chain) } else { Vec::new() };
        way.into_iter().map(|step| step.call).collect()
    }

    /// Something else came.
    pub(crate) fn end_chain(&mut self) -> Option<Chain> {
        if !self.chain.iter().any(|step| step.is_again) {
            self.chain.clear();
            return None;
        }
        let is_way = self.is_way();
        let chain = std::mem::take(&mut self.chain);
        Some(if is_way { Chain::Components(chain) } else { Chain::Loose(chain) })
    }

    /// A look that found nothing. Returns the searches that have ended.
    pub(crate) fn miss(&mut self, miss: Miss, registry: &Registry) -> Vec<Search> {
        if let Some(search) = self.searches.iter_mut().find(|it| is_at_folder(it, &miss, registry))
        {
            // What the search goes on with is the look before.
            search.insert(search.len() - 1, miss);
            return Vec::new();
        }
        let mut ended = Vec::new();
        let stale = |search: &Vec<Miss>| {
            search.len() >= MOST_STEPS
                || search.last().is_none_or(|last| miss.at - last.at > PATIENCE)
        };
        while let Some(place) = self.searches.iter().position(stale) {
            ended.push(Search::of(self.searches.remove(place), registry));
        }
        match self.search(miss.key, registry) {
            Some(place) => self.searches[place].push(miss),
            None => {
                if self.searches.len() == MOST_SEARCHES {
                    ended.push(Search::of(self.searches.remove(0), registry));
                }
                self.searches.push(vec![miss]);
            }
        }
        ended
    }

    /// A look that found something. Returns the search that this ends.
    pub(crate) fn found(&mut self, key: Key, registry: &Registry) -> Option<Search> {
        let place = self.search(key, registry)?;
        Some(Search::of(self.searches.remove(place), registry))
    }

    /// The thread ended.
    pub(crate) fn end_searches(&mut self, registry: &Registry) -> Vec<Search> {
        let searches = std::mem::take(&mut self.searches);
        searches.into_iter().map(|search| Search::of(search, registry)).collect()
    }

    /// The search for this name that is going on.
    fn search(&self, key: Key, registry: &Registry) -> Option<usize> {
        if self.searches.is_empty() {
            return None;
        }
        let stem_of = |key: Key| stem(registry.path(key.file()));
        let wanted = stem_of(key);
        self.searches
            .iter()
            .position(|search| search.last().is_some_and(|last| stem_of(last.key) == wanted))
    }
}

impl Search {
    fn of(misses: Vec<Miss>, registry: &Registry) -> Search {
        let mut places: Vec<_> =
            misses.iter().map(|miss| parent(registry.path(miss.key.file()))).collect();
        places.dedup();
        if misses.iter().any(|miss| is_marker(base_name(registry.path(miss.key.file()))))
            || leads_up(&places) && !misses.iter().any(|miss| is_of_modules(miss, registry))
        {
            return Search::Loose(misses);
        }
        places.sort_unstable();
        places.dedup();
        if places.len() >= FEWEST_PLACES { Search::Places(misses) } else { Search::Loose(misses) }
    }
}

/// Whether a loader asks for the folder in which it has just missed what it looks for.
fn is_at_folder(search: &[Miss], miss: &Miss, registry: &Registry) -> bool {
    let path = |miss: &Miss| registry.path(miss.key.file());
    search
        .last()
        .is_some_and(|last| last.at + 1 == miss.at && parent(path(last)) == Some(path(miss)))
}

/// Whether a file says something about the directory that it lies in, or stands at the root of a
/// project: looking for it in one directory after the other is no search.
fn is_marker(name: &[u8]) -> bool {
    const MARKERS: &[&str] = &[
        "Cargo.toml", "Makefile", "go.mod", "package.json", "pyproject.toml", "pyvenv.cfg",
        "rust-toolchain", "rust-toolchain.toml", "setup.cfg", "tsconfig.json",
    ];
    name.starts_with(b".") || MARKERS.iter().any(|marker| marker.as_bytes() == name)
}

/// Whether it is a folder of modules: that is searched for on the way up, for each module anew.
fn is_of_modules(miss: &Miss, registry: &Registry) -> bool {
    base_name(registry.path(miss.key.file())) == b"node_modules"
}

/// Whether each place is the parent of the one before it: a root is looked for on the way up.
fn leads_up(places: &[Option<&[u8]>]) -> bool {
    places.windows(2).all(|pair| pair[0].is_some_and(|below| parent(below) == pair[1]))
}

/// The last name of a path up to its first full stop: `x.so` and `x.py` are looked for together.
fn stem(path: &[u8]) -> &[u8] {
    let name = base_name(path);
    let end = memchr::memchr(b'.', name.get(1..).unwrap_or_default());
    end.map_or(name, |end| &name[..=end])
}
