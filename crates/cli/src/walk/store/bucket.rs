//! Keys of a bucket.

use std::num::NonZero;
use std::path::Path;

use fewer::Answer;
use fewer::object::{Object, Objects};
use stores::{KeyRange, List, Location, Outcome, Store, Visitor};
use sys::OsStrExt;

use super::checkpoints::Checkpoints;
use super::{BLOCK_BYTES, Came, Listing, deepest, utf8};
use crate::flags::store;
use crate::walk::Tally;

/// What is left of a listing that ends with a table has so many ranges.
const SHARES: usize = 4;

impl Listing<'_> {
    pub(super) fn list(&mut self, path: &Path) -> Came {
        let before = self.outcome.keys;
        let listed = utf8(path).and_then(|address| self.list_bucket(address));
        let Err(message) = listed else { return Came::All };
        self.fail(path.as_os_str().as_bytes(), &message);
        if self.outcome.keys == before { Came::Nothing } else { Came::Some }
    }

    fn list_bucket(&mut self, address: &str) -> Result<(), String> {
        let location = Location::parse(address).map_err(|error| error.to_string())?;
        let deepest = deepest(self.flags);
        let mut list = List::new(location.clone())
            .overrides(store::overrides(self.flags))
            .sorted(self.flags.get_flag("sort"))
            .one_level(deepest == Some(1));
        if let Some(requests) = self.flags.get_one::<u16>("threads").copied() {
            list = list.requests(NonZero::new(requests.into()).unwrap_or(NonZero::<usize>::MIN));
        }
        self.checkpoints = Checkpoints::open(self.flags, &location, &list)?;
        if let Some(checkpoints) = &self.checkpoints {
            // Whoever writes tables one by one may have others write some of them.
            let shares = if self.table.is_some() { SHARES } else { 1 };
            list = list.shares(shares).in_ranges().ranges(checkpoints.left().to_vec());
            self.printer.tally = Tally::of_counts(checkpoints.counts());
        }
        let mut objects = Found {
            objects: Objects::below(location.address().as_bytes()),
            front: location.front().len(),
            address: location.front().into_bytes(),
            deepest: deepest.unwrap_or(usize::MAX),
            listing: self,
        };
        let listed = list.visit(&mut objects);
        let (outcome, error) = match listed {
            Ok(outcome) => (outcome, None),
            Err(failed) => (*failed.outcome, Some(failed.error.to_string())),
        };
        self.write();
        self.count(location.store(), &outcome);
        self.save(outcome.left);
        error.map_or(Ok(()), Err)
    }

    fn count(&mut self, store: Store, outcome: &Outcome) {
        self.outcome.keys += outcome.keys;
        self.outcome.requests += outcome.requests;
        self.outcome.repeated += outcome.repeated;
        self.outcome.slowed += outcome.slowed;
        self.cents += outcome.requests as f64 / 1000.0 * store.cents_for_1000_requests();
        if outcome.requests > 0 && !self.stores.contains(&store) {
            self.stores.push(store);
        }
    }

    /// At the end of a listing: the checkpoint has what is left.
    fn save(&mut self, left: Vec<KeyRange>) {
        let Some(checkpoints) = &mut self.checkpoints else { return };
        let is_written = self.refused.is_none();
        if is_written {
            checkpoints.written(left);
        }
        // The table comes first.
        let is_time = self.table.is_none() && checkpoints.failed().is_none();
        if is_time && !checkpoints.left().is_empty() {
            checkpoints.save(self.printer.tally.counts(), is_written);
        }
    }
}

/// What is done with what is found at an address.
struct Found<'l, 'w> {
    objects: Objects,
    /// The address of the last object, and how much of it is that of the bucket.
    address: Vec<u8>,
    front: usize,
    deepest: usize,
    listing: &'l mut Listing<'w>,
}

impl Visitor for Found<'_, '_> {
    fn object(&mut self, found: stores::Object<'_>) -> Answer {
        self.address.truncate(self.front);
        self.address.extend_from_slice(found.key);
        let object = Object::new(&self.address, found.size, found.modified);
        let entry = self.objects.entry(&self.address, &object);
        self.listing.entry(&self.objects, entry, Some(&found), self.deepest)
    }

    fn between_pages(&mut self, left: &dyn Fn() -> Vec<KeyRange>) -> Answer {
        let listing = &mut *self.listing;
        let Some(checkpoints) = &listing.checkpoints else { return Answer::Continue };
        let is_end = sys::noted_end().is_some();
        if listing.table.is_some() {
            return if is_end { Answer::Stop } else { Answer::Continue };
        }
        let is_due = checkpoints.is_due();
        if listing.out.len() < BLOCK_BYTES && !is_due && !is_end {
            return Answer::Continue;
        }
        if listing.write() == Answer::Stop {
            return Answer::Stop;
        }
        let Some(checkpoints) = &mut listing.checkpoints else { return Answer::Continue };
        checkpoints.written(left());
        let is_saved = !is_due || checkpoints.save(listing.printer.tally.counts(), false);
        if is_end || !is_saved { Answer::Stop } else { Answer::Continue }
    }
}
