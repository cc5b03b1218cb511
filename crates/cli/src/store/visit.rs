//! Everything at an address, shown to a visitor.

use fewer::object::{Object, Objects};
use fewer::{Answer, Entry, Filter, Kind, Time};
use stores::hdfs::{Address, Found, Tree};
use stores::{Error, Inventory, KeyRange, List, Location, Outcome, hdfs};

use super::{Came, Cost};

/// What is done with what is found at an address.
pub(crate) trait Visitor {
    /// Which entries it is shown.
    fn filter(&self) -> &Filter;

    /// After so many keys of a bucket, shown or not, it wants no more.
    fn most_keys(&self) -> u64 {
        u64::MAX
    }

    /// An entry. In a bucket it is what this object stands for.
    fn entry(&mut self, entry: Entry<'_>, object: Option<&stores::Object<'_>>) -> Answer;

    /// There is no more of an address.
    fn failed(&mut self, address: &[u8], message: &str);

    /// As that of a listing; called while HDFS does not answer, too.
    fn between_pages(&mut self, left: &dyn Fn() -> Vec<KeyRange>) -> Answer {
        let _ = left;
        Answer::Continue
    }
}

/// Lists a bucket down to a level; returns what the listing came to, and what went wrong.
pub(crate) fn visit_bucket(
    list: &List,
    location: &Location,
    deepest: usize,
    visitor: &mut impl Visitor,
    cost: &mut Cost,
) -> (Outcome, Option<String>) {
    let mut keys = Keys::new(location, deepest, visitor);
    let listed = list.clone().one_level(deepest == 1).visit(&mut keys);
    let (outcome, error) = match listed {
        Ok(outcome) => (outcome, None),
        Err(failed) => (*failed.outcome, Some(failed.error.to_string())),
    };
    cost.add_bucket(location.store(), &outcome);
    (outcome, error)
}

/// Reads an inventory in place of the listing; returns how many keys it has, and what went wrong.
pub(crate) fn visit_inventory(
    inventory: &Inventory,
    location: &Location,
    deepest: usize,
    visitor: &mut impl Visitor,
    cost: &mut Cost,
) -> (u64, Option<String>) {
    let read = inventory.visit(location, &mut Keys::new(location, deepest, visitor));
    match read {
        Ok(outcome) => {
            cost.add_inventory(outcome.requests, inventory.created());
            (outcome.keys, None)
        }
        Err(failed) => {
            cost.add_inventory(failed.outcome.requests, inventory.created());
            (failed.outcome.keys, Some(failed.error.to_string()))
        }
    }
}

/// Walks a tree of HDFS down to a level.
pub(crate) fn visit_tree(
    tree: &Tree,
    address: &Address,
    deepest: usize,
    visitor: &mut impl Visitor,
    cost: &mut Cost,
) -> Came {
    let mut entries = Entries::new(address, deepest, visitor);
    let outcome = tree.clone().max_depth(deepest).run(&mut entries);
    cost.add_tree(&outcome);
    Came::of(outcome.entries, entries.has_failed)
}

/// Shows the objects of a bucket.
pub(crate) struct Keys<'v, V> {
    objects: Objects,
    /// The address of the last object, and how much of it is that of the bucket.
    address: Vec<u8>,
    front: usize,
    deepest: usize,
    /// How many keys are still wanted.
    left: u64,
    visitor: &'v mut V,
}

impl<'v, V: Visitor> Keys<'v, V> {
    /// Depths are those below a location.
    pub(crate) fn new(location: &Location, deepest: usize, visitor: &'v mut V) -> Keys<'v, V> {
        let left = visitor.most_keys();
        let objects = Objects::below(location.address().as_bytes());
        let front = location.front();
        Keys { objects, front: front.len(), address: front.into_bytes(), deepest, left, visitor }
    }

    /// Whether what is in a folder may be shown: it is neither hidden nor excluded.
    pub(crate) fn enters(&self, folder: &[u8]) -> bool {
        let object = Object::new(folder, 0, Time { seconds: 0, nanoseconds: 0 });
        self.objects.enters(self.visitor.filter(), &self.objects.entry(folder, &object))
    }
}

impl<V: Visitor> stores::Visitor for Keys<'_, V> {
    fn object(&mut self, found: stores::Object<'_>) -> Answer {
        self.address.truncate(self.front);
        self.address.extend_from_slice(found.key);
        let object = Object::new(&self.address, found.size, found.modified);
        let entry = self.objects.entry(&self.address, &object);
        self.left -= 1;
        let answer = match is_shown(&self.objects, &entry, self.deepest, self.visitor) {
            true => self.visitor.entry(entry, Some(&found)),
            false => Answer::Continue,
        };
        if self.left == 0 { Answer::Stop } else { answer }
    }

    fn enters(&mut self, collection: &[u8]) -> bool {
        self.address.truncate(self.front);
        self.address.extend_from_slice(collection);
        let object = Object::new(&self.address, 0, Time { seconds: 0, nanoseconds: 0 });
        let entry = self.objects.entry(&self.address, &object);
        entry.depth() < self.deepest && self.objects.enters(self.visitor.filter(), &entry)
    }

    fn failed(&mut self, error: &Error) -> Answer {
        self.visitor.failed(error.address().as_bytes(), &error.to_string());
        Answer::Continue
    }

    fn between_pages(&mut self, left: &dyn Fn() -> Vec<KeyRange>) -> Answer {
        self.visitor.between_pages(left)
    }
}

/// Shows the entries of a tree.
pub(crate) struct Entries<'v, V> {
    objects: Objects,
    deepest: usize,
    visitor: &'v mut V,
    has_failed: bool,
}

impl<'v, V: Visitor> Entries<'v, V> {
    /// Depths are those below an address.
    pub(crate) fn new(address: &Address, deepest: usize, visitor: &'v mut V) -> Entries<'v, V> {
        let objects = Objects::in_tree(address.as_str().as_bytes());
        Entries { objects, deepest, visitor, has_failed: false }
    }
}

impl<V: Visitor> hdfs::Visitor for Entries<'_, V> {
    fn enters(&mut self, directory: &Found<'_>) -> bool {
        let object = object(directory);
        let entry = self.objects.entry(directory.address, &object);
        self.objects.enters(self.visitor.filter(), &entry)
    }

    fn between_calls(&mut self) -> Answer {
        self.visitor.between_pages(&Vec::new)
    }

    fn visit(&mut self, item: Result<Found<'_>, Error>) -> Answer {
        match item {
            Ok(found) => {
                let object = object(&found);
                let entry = self.objects.entry(found.address, &object);
                match is_shown(&self.objects, &entry, self.deepest, self.visitor) {
                    true => self.visitor.entry(entry, None),
                    false => Answer::Continue,
                }
            }
            Err(error) => {
                self.has_failed = true;
                self.visitor.failed(error.address().as_bytes(), &error.to_string());
                Answer::Continue
            }
        }
    }
}

fn is_shown(objects: &Objects, entry: &Entry<'_>, deepest: usize, to: &impl Visitor) -> bool {
    entry.depth() <= deepest && objects.accept(to.filter(), entry).unwrap_or(false)
}

fn object(found: &Found<'_>) -> Object {
    let kind = if found.is_directory { Kind::Directory } else { Kind::File };
    Object::in_tree(kind, found.size, found.modified, found.permissions)
}
