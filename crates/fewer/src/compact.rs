//! Sorting and collecting in little machine code, where few items are, or once in a run.
//!
//! A stable sort of the standard library is 6 KB of machine code, compiled again for each type and
//! each order; a map or a set that is collected sorts its items first.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Sorts as `slice::sort_by` does. Items that are equal keep their order.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = sorted_positions(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    put_in_order(items, order);
}

/// Sorts as `slice::sort_by_key` does. Items with equal keys keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// A map of these items. Of those with the same key the last one counts.
pub fn map<K: Ord, V>(items: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(items);
    map
}

/// A set of these items.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}

/// The one sort: which item comes first, second and so on.
fn sorted_positions(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Puts the item that was at `order[at]` at `at`, for each place.
fn put_in_order<T>(items: &mut [T], mut order: Vec<usize>) {
    for start in 0..items.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start || from == at {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_are_sorted_as_the_standard_library_does(
            items in proptest::collection::vec((0_u8..9, any::<u16>()), 0..80),
        ) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            let mut sorted = items.clone();
            sort_by_key(&mut sorted, |(key, _)| *key);
            prop_assert_eq!(&sorted, &expected);
            prop_assert_eq!(map(items.clone()), items.iter().copied().collect());
            prop_assert_eq!(set(items.clone()), items.into_iter().collect());
        }
    }
}
