//! How many requests there were, and what a store takes for them.

use fewer::Time;
use stores::{Outcome, Store, hdfs};

use crate::report;

/// What the listings of all addresses came to.
#[derive(Default)]
pub(crate) struct Cost {
    /// Of buckets.
    outcome: Outcome,
    cents: f64,
    /// Those to which requests were sent.
    stores: Vec<Store>,
    tree_outcome: hdfs::Outcome,
    /// Requests for inventories, and when the last of these was made.
    inventory: Option<(u64, Option<Time>)>,
}

impl Cost {
    pub(crate) fn add_bucket(&mut self, store: Store, outcome: &Outcome) {
        let cents = outcome.requests as f64 / 1000.0 * store.cents_for_1000_requests();
        let stores = if outcome.requests > 0 { vec![store] } else { Vec::new() };
        self.add_listing(outcome, cents, stores);
    }

    fn add_listing(&mut self, outcome: &Outcome, cents: f64, stores: Vec<Store>) {
        self.outcome.keys += outcome.keys;
        self.outcome.requests += outcome.requests;
        self.outcome.repeated += outcome.repeated;
        self.outcome.slowed += outcome.slowed;
        self.cents += cents;
        for store in stores {
            if !self.stores.contains(&store) {
                self.stores.push(store);
            }
        }
    }

    /// Adds what other listings came to.
    #[cfg(feature = "ls")]
    pub(crate) fn add(&mut self, more: Cost) {
        self.add_listing(&more.outcome, more.cents, more.stores);
        self.add_tree(&more.tree_outcome);
    }

    /// Adds requests for an inventory, and when it was made if that is known by then.
    pub(crate) fn add_inventory(&mut self, requests: u64, created: Option<Time>) {
        let (before, last) = self.inventory.unwrap_or_default();
        self.inventory = Some((before + requests, created.or(last)));
    }

    pub(crate) fn add_tree(&mut self, outcome: &hdfs::Outcome) {
        self.tree_outcome.entries += outcome.entries;
        self.tree_outcome.calls += outcome.calls;
        self.tree_outcome.repeated += outcome.repeated;
        self.tree_outcome.slowed += outcome.slowed;
    }

    /// Prints it on standard error.
    pub(crate) fn print(&self, json: bool) {
        if self.outcome.requests > 0 {
            report::requests(&self.outcome, self.cents, &self.stores, json);
        }
        if let Some((requests, created)) = self.inventory {
            report::inventory_requests(requests, created, json);
        }
        if self.tree_outcome.calls > 0 {
            report::name_node_calls(&self.tree_outcome, json);
        }
    }
}
