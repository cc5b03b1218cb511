//! Units of a store that has no ranges: prefixes, listed level by level.

use std::collections::BTreeMap;

use fewer::Answer;
use fewer::scan::Tree;
use stores::{Error, Level, LevelVisitor, Location, Object};

use super::store::{Scan, location, path};
use crate::store::{self, Keys, Visitor};

/// A prefix of the unit, and the root that it lies below.
struct Start {
    tree: Tree,
    prefix: String,
    root: Location,
}

impl Scan<'_, '_> {
    /// Lists prefixes, each below its root; returns those that are left.
    pub(super) fn prefixes(&mut self, trees: Vec<(Tree, Vec<u8>)>) -> Result<Vec<Tree>, String> {
        let mut buckets: BTreeMap<String, (Location, Vec<Start>)> = BTreeMap::new();
        for (tree, root) in trees {
            let (root, bucket) = (store::location(path(&root))?, location(&tree)?);
            let prefix = bucket.prefix().to_owned();
            let (_, starts) = buckets.entry(bucket.front()).or_insert((bucket, Vec::new()));
            starts.push(Start { tree, prefix, root });
        }
        // A level is listed to its end.
        self.rows.most_keys = u64::MAX;
        let mut left = Vec::new();
        for (front, (bucket, starts)) in buckets {
            if self.wanted() == 0 || self.rows.between_pages(&Vec::new) == Answer::Stop {
                left.extend(starts.into_iter().map(|start| start.tree));
                continue;
            }
            let prefixes = starts.iter().map(|start| start.prefix.clone()).collect();
            let levels = store::levels(self.request.flags, &bucket, prefixes);
            let wanted = self.wanted();
            let (rows, deepest) = (&mut self.rows, self.deepest);
            let mut shown = Shown { rows, starts: &starts, front: &front, deepest };
            let listed = levels.most_keys(wanted).visit(&mut shown);
            let (outcome, not_listed) = listed.map_err(|failed| failed.error.to_string())?;
            self.cost.add_bucket(bucket.store(), &outcome);
            self.found += outcome.keys.max(1);
            left.extend(not_listed.into_iter().map(|level| {
                let depth = starts[level.of].tree.depth + level.depth;
                Tree { depth, path: (front.clone() + &level.prefix).into_bytes() }
            }));
        }
        Ok(left)
    }
}

/// Shows the objects of levels. Folders are listed, and rows if nothing below them is wanted.
struct Shown<'s, V> {
    rows: &'s mut V,
    starts: &'s [Start],
    /// What stands in front of a key.
    front: &'s str,
    deepest: usize,
}

impl<V: Visitor> Shown<'_, V> {
    fn keys(&mut self, level: &Level) -> Keys<'_, V> {
        Keys::new(&self.starts[level.of].root, self.deepest, self.rows)
    }
}

impl<V: Visitor> LevelVisitor for Shown<'_, V> {
    fn objects(&mut self, level: &Level, objects: &mut dyn Iterator<Item = Object<'_>>) -> Answer {
        let shows_folders = self.deepest == 1;
        let mut keys = self.keys(level);
        for object in objects.filter(|object| shows_folders || !object.is_common_prefix) {
            if stores::Visitor::object(&mut keys, object) == Answer::Stop {
                return Answer::Stop;
            }
        }
        Answer::Continue
    }

    fn enters(&mut self, level: &Level, prefix: &[u8]) -> bool {
        let depth = self.starts[level.of].tree.depth + level.depth + 1;
        let path = [self.front.as_bytes(), prefix].concat();
        depth < self.deepest && self.keys(level).enters(&path)
    }

    fn failed(&mut self, level: &Level, error: &Error) -> Answer {
        // A root that cannot be listed is no row.
        if self.starts[level.of].tree.depth + level.depth == 0 {
            return Answer::Stop;
        }
        self.rows.failed(error.address().as_bytes(), &error.to_string());
        Answer::Continue
    }

    fn between_pages(&mut self) -> Answer {
        self.rows.between_pages(&Vec::new)
    }
}
