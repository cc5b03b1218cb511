//! Files and directories of HDFS.

use std::num::NonZero;
use std::path::Path;

use fewer::object::{Object, Objects};
use fewer::{Answer, Kind};
use stores::Error;
use stores::hdfs::{Address, Found, Tree, Visitor};
use sys::OsStrExt;

use super::{Came, Listing, deepest, utf8};
use crate::flags::store;

impl Listing<'_> {
    pub(super) fn walk(&mut self, path: &Path) -> Came {
        let address = utf8(path)
            .and_then(|address| Address::parse(address).map_err(|error| error.to_string()));
        let address = match address {
            Ok(address) => address,
            Err(message) => {
                self.fail(path.as_os_str().as_bytes(), &message);
                return Came::Nothing;
            }
        };
        let deepest = deepest(self.flags).unwrap_or(usize::MAX);
        let objects = Objects::in_tree(address.as_str().as_bytes());
        let mut tree = Tree::new(address).sorted(self.flags.get_flag("sort")).max_depth(deepest);
        if let Some(calls) = self.flags.get_one::<u16>("threads").copied() {
            tree = tree.calls(NonZero::new(calls.into()).unwrap_or(NonZero::<usize>::MIN));
        }
        if let Some(timeout) = store::overrides(self.flags).timeout {
            tree = tree.timeout(timeout);
        }
        let mut printer = TreePrinter { listing: self, objects, deepest, failed: false };
        let outcome = tree.run(&mut printer);
        let failed = printer.failed;
        self.tree_outcome.entries += outcome.entries;
        self.tree_outcome.calls += outcome.calls;
        self.tree_outcome.repeated += outcome.repeated;
        self.tree_outcome.slowed += outcome.slowed;
        match (failed, outcome.entries) {
            (false, _) => Came::All,
            (true, 0) => Came::Nothing,
            (true, _) => Came::Some,
        }
    }
}

/// Prints the entries of one tree.
struct TreePrinter<'t, 'w> {
    listing: &'t mut Listing<'w>,
    objects: Objects,
    deepest: usize,
    failed: bool,
}

impl Visitor for TreePrinter<'_, '_> {
    fn enters(&mut self, directory: &Found<'_>) -> bool {
        let object = object(directory);
        let entry = self.objects.entry(directory.address, &object);
        self.objects.enters(&self.listing.filter, &entry)
    }

    fn visit(&mut self, item: Result<Found<'_>, Error>) -> Answer {
        match item {
            Ok(found) => {
                let object = object(&found);
                let entry = self.objects.entry(found.address, &object);
                self.listing.entry(&self.objects, entry, None, self.deepest)
            }
            Err(error) => {
                self.failed = true;
                self.listing.fail(error.address().as_bytes(), &error.to_string());
                Answer::Continue
            }
        }
    }
}

fn object(found: &Found<'_>) -> Object {
    let kind = if found.is_directory { Kind::Directory } else { Kind::File };
    Object::in_tree(kind, found.size, found.modified, found.permissions)
}
