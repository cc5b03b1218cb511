//! How many requests there were, and what a store takes for them.

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
}

impl Cost {
    pub(super) fn add_bucket(&mut self, store: Store, outcome: &Outcome) {
        self.outcome.keys += outcome.keys;
        self.outcome.requests += outcome.requests;
        self.outcome.repeated += outcome.repeated;
        self.outcome.slowed += outcome.slowed;
        self.cents += outcome.requests as f64 / 1000.0 * store.cents_for_1000_requests();
        if outcome.requests > 0 && !self.stores.contains(&store) {
            self.stores.push(store);
        }
    }

    pub(super) fn add_tree(&mut self, outcome: &hdfs::Outcome) {
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
        if self.tree_outcome.calls > 0 {
            report::name_node_calls(&self.tree_outcome, json);
        }
    }
}
