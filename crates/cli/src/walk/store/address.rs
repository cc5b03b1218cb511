//! One address: a bucket, perhaps from a checkpoint, or a tree of HDFS.

use std::path::Path;

use stores::{Inventory, KeyRange, Requests, without_secret};
use sys::OsStrExt;

use super::Listing;
use super::checkpoints::Checkpoints;
use crate::flags::store::overrides;
use crate::store::{self, Came, Cost, Visitor};
use crate::walk::Tally;

impl Listing<'_> {
    pub(super) fn list(&mut self, path: &Path, cost: &mut Cost) -> Came {
        let mut keys = 0;
        match self.list_bucket(path, cost, &mut keys) {
            Ok(()) => Came::All,
            Err(message) => {
                self.failed(&without_secret(path.as_os_str().as_bytes()), &message);
                Came::of(keys, true)
            }
        }
    }

    fn list_bucket(&mut self, path: &Path, cost: &mut Cost, keys: &mut u64) -> Result<(), String> {
        let location = store::location(path)?;
        if let Some(address) = self.flags.get_one::<String>("inventory") {
            let requests = Requests::default();
            let inventory = Inventory::open(address, &overrides(self.flags), &requests);
            cost.add_inventory(requests.sent(), None);
            let inventory = inventory.map_err(|error| error.to_string())?;
            let (found, error) =
                store::visit_inventory(&inventory, &location, self.deepest, self, cost);
            *keys = found;
            return error.map_or(Ok(()), Err);
        }
        let mut list = store::list(self.flags, &location).sorted(self.flags.get_flag("sort"));
        self.checkpoints = Checkpoints::open(self.flags, &location, &list)?;
        if let Some(checkpoints) = &self.checkpoints {
            list = list.in_ranges().ranges(checkpoints.left().to_vec());
            self.printer.tally = Tally::of_counts(checkpoints.counts());
        }
        let (outcome, error) = store::visit_bucket(&list, &location, self.deepest, self, cost);
        *keys = outcome.keys;
        self.write();
        self.save(outcome.left);
        error.map_or(Ok(()), Err)
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

    pub(super) fn walk(&mut self, path: &Path, cost: &mut Cost) -> Came {
        let address = match store::address(path) {
            Ok(address) => address,
            Err(message) => {
                self.failed(&without_secret(path.as_os_str().as_bytes()), &message);
                return Came::Nothing;
            }
        };
        let tree = store::tree(self.flags, &address).sorted(self.flags.get_flag("sort"));
        store::visit_tree(&tree, &address, self.deepest, self, cost)
    }
}
