//! What is left of a listing, as it says on the way: every key that was not handed on, and no
//! other.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::ops::Bound;
use std::time::Duration;

use fewer_stores::{Answer, KeyRange, List, Location, Object, Overrides, Reason, Visitor};
use replay::{Faults, Keys, Replay};

const KEYS: u64 = 9_000;

fn skewed() -> Keys {
    Keys::skewed(KEYS, 7)
}

/// Compares what is left with what came, between all pages.
struct Comparison {
    all: BTreeSet<Vec<u8>>,
    came: BTreeSet<Vec<u8>>,
    compared: usize,
    /// Stops after so many pages.
    most: usize,
}

impl Comparison {
    fn new(keys: &Keys, most: usize) -> Comparison {
        let all = (0..keys.len()).map(|index| keys.key(index).into_bytes()).collect();
        Comparison { all, came: BTreeSet::new(), compared: 0, most }
    }

    fn missing(&self) -> Vec<Vec<u8>> {
        self.all.difference(&self.came).cloned().collect()
    }

    fn is_missing_in(&self, left: &[KeyRange]) {
        let keys_in = |range: &KeyRange| {
            let end = range.end.as_ref().map_or(Bound::Unbounded, Bound::Included);
            self.all.range::<Vec<u8>, _>((Bound::Excluded(&range.after), end))
        };
        let left: Vec<Vec<u8>> = left.iter().flat_map(keys_in).cloned().collect();
        assert!(left == self.missing(), "{} and not {}", left.len(), self.missing().len());
    }
}

impl Visitor for Comparison {
    fn object(&mut self, object: Object<'_>) -> Answer {
        assert!(self.came.insert(object.key.to_owned()), "a key comes twice");
        Answer::Continue
    }

    fn between_pages(&mut self, left: &dyn Fn() -> Vec<KeyRange>) -> Answer {
        self.is_missing_in(&left());
        self.compared += 1;
        if self.compared == self.most { Answer::Stop } else { Answer::Continue }
    }
}

fn list(server: &Replay) -> List {
    let overrides =
        Overrides { endpoint: Some(server.address()), anonymous: true, ..Overrides::default() };
    List::new(Location::parse("s3://bucket").unwrap()).overrides(overrides)
}

fn is_right(keys: Keys, faults: Faults, sorted: bool) {
    let mut comparison = Comparison::new(&keys, usize::MAX);
    let server = Replay::start(keys, faults).unwrap();
    let outcome = list(&server).sorted(sorted).visit(&mut comparison).unwrap();
    assert!(outcome.left.is_empty() && comparison.missing().is_empty());
    assert!(comparison.compared >= comparison.all.len() / 1_000, "{}", comparison.compared);
}

#[test]
fn what_is_left_is_right_between_all_pages() {
    for faults in [
        Faults::default(),
        Faults { duplicates: true, ..Faults::default() },
        Faults { short_pages: true, ..Faults::default() },
        Faults { empty_pages_every: Some(3), fail_every: Some(4), ..Faults::default() },
        Faults { ignores_start_after: true, ..Faults::default() },
    ] {
        is_right(skewed(), faults.clone(), false);
        is_right(skewed(), faults, true);
    }
}

/// The second range is that behind the first folder. It is requested when there is one page more
/// of that folder, and answered, from the beginning, when that page was handed on.
#[test]
fn a_range_that_is_taken_up_again_is_left_from_its_last_key_on() {
    let folder = (0..1_200).map(|number| format!("a/{number:05}"));
    let keys = folder.chain((0..9_000).map(|number| format!("z/{number:05}"))).collect();
    for number in 2..6 {
        let late = Faults {
            ignores_start_after: true,
            slow_first_byte_every: Some(1_000),
            seed: 1_000 - number,
            slow_first_byte: Duration::from_millis(300),
            ..Faults::default()
        };
        is_right(Keys::listed(Vec::clone(&keys)), late, false);
    }
}

#[test]
fn a_listing_goes_on_in_the_ranges_that_are_left() {
    let server = Replay::start(skewed(), Faults::default()).unwrap();
    let mut comparison = Comparison::new(&skewed(), 7);
    let outcome = list(&server).visit(&mut comparison).unwrap();
    comparison.is_missing_in(&outcome.left);
    assert!(!outcome.left.is_empty());
    comparison.most = usize::MAX;
    list(&server).ranges(outcome.left).visit(&mut comparison).unwrap();
    assert!(comparison.missing().is_empty());
}

#[test]
fn of_a_store_without_order_all_is_left_or_it_is_an_error() {
    let unordered = Faults { unordered: true, ..Faults::default() };
    let server = Replay::start(skewed(), unordered.clone()).unwrap();
    let mut pages = 3;
    let outcome = list(&server).run(|_| {
        pages -= 1;
        if pages == 0 { Answer::Stop } else { Answer::Continue }
    });
    assert_eq!(outcome.unwrap().left, [KeyRange::ALL]);
    let server = Replay::start(skewed(), unordered).unwrap();
    let mut comparison = Comparison::new(&skewed(), usize::MAX);
    let failed = list(&server).in_ranges().visit(&mut comparison).unwrap_err();
    assert!(matches!(failed.error.reason(), Reason::Unordered { .. }), "{failed}");
    assert!(comparison.came.is_empty());
    assert_eq!(failed.outcome.left, [KeyRange::ALL]);
}
