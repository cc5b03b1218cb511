use std::collections::VecDeque;

use fewer::Time;
use proptest::prelude::*;

use super::*;
use crate::page::Object;

const EPOCH: Time = Time { seconds: 0, nanoseconds: 0 };

/// A bucket in memory, which answers as S3 does. A token is the number of the next key.
struct Store {
    keys: Vec<Vec<u8>>,
    page: usize,
    ignores_start_after: bool,
    repeats_last_key: bool,
    requests: u64,
}

impl Store {
    fn new(mut keys: Vec<Vec<u8>>, page: usize) -> Store {
        keys.sort();
        keys.dedup();
        Store { keys, page, ignores_start_after: false, repeats_last_key: false, requests: 0 }
    }

    fn answer(&mut self, from: &From) -> Page {
        self.requests += 1;
        let start = match from {
            From::After(key) if !self.ignores_start_after => {
                self.keys.partition_point(|other| other <= key)
            }
            From::Beginning | From::After(_) => 0,
            From::Token(token) => token.parse().unwrap(),
        };
        let end = (start + self.page).min(self.keys.len());
        let repeated = usize::from(self.repeats_last_key && start > 0);
        let token = (end < self.keys.len()).then(|| end.to_string());
        page(&self.keys[start - repeated..end], token)
    }
}

fn page(keys: &[Vec<u8>], token: Option<String>) -> Page {
    let mut page = Page::of_token(token);
    for key in keys {
        page.push(Object { key, size: 1, modified: EPOCH, is_common_prefix: false, etag: "" });
    }
    page
}

/// Lists a store with so many requests at once, which are answered in an order that `choose` makes
/// up. Ends after `most` pages with what is left.
fn list(
    store: &mut Store,
    plan: &mut Plan,
    at_once: usize,
    most: usize,
    mut choose: impl FnMut(usize) -> usize,
) -> Vec<Vec<u8>> {
    let (mut listed, mut under_way) = (Vec::new(), VecDeque::new());
    for _ in 0..most {
        while under_way.len() < at_once {
            match plan.next(false) {
                Some(wanted) => under_way.push_back(wanted),
                None => break,
            }
        }
        if under_way.is_empty() {
            break;
        }
        let wanted: Wanted = under_way.remove(choose(under_way.len())).unwrap();
        let page = store.answer(&wanted.from);
        if let Some(Taken { from, to, .. }) = plan.take(&wanted.range, &page).unwrap() {
            listed.extend((from..to).map(|index| page.get(index).unwrap().key.to_owned()));
        }
    }
    listed
}

fn all_of(store: &mut Store, at_once: usize) -> Vec<Vec<u8>> {
    let mut plan = Plan::new(b"", vec![KeyRange::ALL]);
    let mut listed = list(store, &mut plan, at_once, usize::MAX, |_| 0);
    assert!(plan.left().is_empty());
    listed.sort();
    listed
}

impl Plan {
    /// The ranges that were not listed so far.
    fn left(&self) -> Vec<KeyRange> {
        self.open().map(|(_, range)| range).collect()
    }
}

fn days() -> Vec<Vec<u8>> {
    let mut keys = Vec::new();
    for (month, parts) in [(1, 100), (2, 3000), (3, 10), (4, 700)] {
        for day in 1..=28 {
            keys.extend((0..parts).map(|part| {
                format!("logs/2024/{month:02}/{day:02}/part-{part:05}.gz").into_bytes()
            }));
        }
    }
    keys
}

#[test]
fn a_bucket_of_one_page_takes_one_request() {
    let mut store = Store::new(days()[..900].to_vec(), 1000);
    assert_eq!(all_of(&mut store, 16), store.keys);
    assert_eq!(store.requests, 1);
}

#[test]
fn an_empty_bucket_takes_one_request() {
    let mut store = Store::new(Vec::new(), 1000);
    assert_eq!(all_of(&mut store, 16), store.keys);
    assert_eq!(store.requests, 1);
}

#[test]
fn skewed_folders_are_listed_side_by_side_for_a_tenth_more_requests() {
    let mut store = Store::new(days(), 100);
    assert_eq!(all_of(&mut store, 16), store.keys);
    let pages = store.keys.len() as u64 / 100;
    assert!(
        store.requests <= pages * 11 / 10 + FREE_EXCESS as u64,
        "{} of {pages}",
        store.requests
    );
}

#[test]
fn a_store_that_ignores_start_after_is_listed_serially() {
    let mut store = Store { ignores_start_after: true, ..Store::new(days(), 1000) };
    assert_eq!(all_of(&mut store, 16), store.keys);
    // One page for each thousand, and the one that told it.
    assert_eq!(store.requests, store.keys.len().div_ceil(1000) as u64 + 1);
}

#[test]
fn a_store_that_repeats_the_last_key_lists_it_once() {
    let mut store = Store { repeats_last_key: true, ..Store::new(days(), 1000) };
    let mut plan = Plan::new(b"", vec![KeyRange::ALL]).serial();
    assert_eq!(list(&mut store, &mut plan, 16, usize::MAX, |_| 0), store.keys);
}

#[test]
fn a_range_may_begin_with_the_key_that_it_is_behind() {
    let after = b"logs/".to_vec();
    let mut plan = Plan::new(b"", vec![KeyRange { after: after.clone(), end: None }]).serial();
    plan.next(false).unwrap();
    let taken = plan.take(&after, &page(&[after.clone(), b"top".to_vec()], None)).unwrap();
    assert_eq!(taken, Some(Taken { from: 1, to: 2, is_last: true }));
    assert!(plan.left().is_empty());
}

#[test]
fn a_store_without_order_is_listed_by_tokens_alone() {
    let mut store = Store::new(days(), 1000);
    store.keys.reverse();
    let mut plan = Plan::new(b"", vec![KeyRange::ALL]);
    assert_eq!(list(&mut store, &mut plan, 16, usize::MAX, |_| 0), store.keys);
    assert!(plan.is_unordered);
}

#[test]
fn a_store_that_loses_its_order_on_the_way_is_an_error_that_names_the_keys() {
    let mut plan = Plan::new(b"", vec![KeyRange::ALL]);
    let start = plan.next(false).unwrap();
    let first = page(&[b"a".to_vec(), b"b".to_vec()], Some("1".into()));
    plan.take(&start.range, &first).unwrap();
    let next = plan.next(true).unwrap();
    let second = page(&[b"d".to_vec(), b"c".to_vec()], None);
    let wrong = Wrong::Unordered(b"d".to_vec(), b"c".to_vec());
    assert_eq!(plan.take(&next.range, &second), Err(wrong));
}

#[test]
fn a_page_that_lies_before_the_last_one_is_an_error_that_names_the_keys() {
    let mut plan = Plan::new(b"", vec![KeyRange::ALL]);
    let start = plan.next(false).unwrap();
    let first = page(&[b"m".to_vec(), b"n".to_vec()], Some("1".into()));
    plan.take(&start.range, &first).unwrap();
    let next = plan.next(true).unwrap();
    let second = page(&[b"a".to_vec(), b"b".to_vec()], None);
    let wrong = Wrong::Unordered(b"n".to_vec(), b"a".to_vec());
    assert_eq!(plan.take(&next.range, &second), Err(wrong));
}

#[test]
fn a_store_that_gives_the_same_page_again_and_again_is_an_error() {
    let mut plan = Plan::new(b"", vec![KeyRange::ALL]);
    let same = page(&[b"a".to_vec()], Some("1".into()));
    let answers = (0..=MOST_REPEATED_PAGES).map(|_| {
        let wanted = plan.next(true).unwrap();
        plan.take(&wanted.range, &same).map(|_| ())
    });
    assert!(answers.collect::<Result<Vec<_>, _>>().is_ok());
    let wanted = plan.next(true).unwrap();
    assert_eq!(plan.take(&wanted.range, &same), Err(Wrong::Repeats));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever the keys, the size of a page, the order of the answers and the moment at which a
    /// listing is ended and begun again with what was left: each key is listed once.
    #[test]
    fn each_key_is_listed_once(
        keys in proptest::collection::vec("[ab/\u{1}é]{1,6}|[a-f0-9]{8}|logs/[0-9]{5}", 0..6000),
        page in 1_usize..1200,
        at_once in 1_usize..20,
        choices in proptest::collection::vec(any::<usize>(), 1..50),
        ended_after in 0_usize..40,
        ignores_start_after in proptest::bool::weighted(0.1),
    ) {
        let keys = keys.into_iter().map(String::into_bytes).collect();
        let page = page.max(1 + 3000 / 400);
        let mut store = Store::new(keys, page);
        let mut choices = choices.into_iter().cycle();
        let mut choose = move |count: usize| choices.next().unwrap_or(0) % count;
        let mut plan = Plan::new(b"", vec![KeyRange::ALL]);
        store.ignores_start_after = ignores_start_after;
        let most = if ignores_start_after { usize::MAX } else { ended_after };
        let mut listed = list(&mut store, &mut plan, at_once, most, &mut choose);
        let mut again = Plan::new(b"", plan.left());
        listed.extend(list(&mut store, &mut again, at_once, usize::MAX, &mut choose));
        prop_assert!(again.left().is_empty());
        listed.sort();
        prop_assert_eq!(listed, store.keys);
    }
}

/// How many requests, and how many rounds of at most 16 side by side.
fn rounds(store: &mut Store) -> u32 {
    let mut plan = Plan::new(b"", vec![KeyRange::ALL]);
    for round in 0.. {
        let wanted: Vec<Wanted> = std::iter::from_fn(|| plan.next(false)).take(16).collect();
        if wanted.is_empty() {
            return round;
        }
        for wanted in wanted {
            let page = store.answer(&wanted.from);
            plan.take(&wanted.range, &page).unwrap();
        }
    }
    0
}

#[test]
fn whatever_names_and_sizes_folders_have_they_are_listed_side_by_side() {
    type Name = fn(u32) -> String;
    let layouts: [(&str, Name, u32); 8] = [
        ("three folders a page", |i| format!("logs/{:03}/part-{i:06}", i / 300), 30),
        ("pages of one folder", |i| format!("logs/{:03}/part-{i:06}", i / 2000), 40),
        ("the same names", |i| format!("logs/{:03}/part-{:06}", i / 2000, i % 2000), 40),
        ("a page a folder", |i| format!("logs/{:04}/part-{:06}", i / 1000, i % 1000), 40),
        ("large folders", |i| format!("d{:03}/file-{:05}", i / 10000, i % 10000), 90),
        ("no folders", |i| format!("file-{i:08}"), 40),
        ("numbers of any length", |i| format!("dir{}/file{}", i / 1000, i % 1000), 90),
        (
            "hashes",
            |i| {
                let hash = (u64::from(i) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                format!("{:02x}/{:02x}/{hash:016x}", hash >> 56, hash >> 48 & 0xff)
            },
            40,
        ),
    ];
    for (what, name, most) in layouts {
        let keys = (0..200_000).map(|i| name(i).into_bytes()).collect();
        let mut store = Store::new(keys, 1000);
        let rounds = rounds(&mut store);
        // 1.08 for each page, and what is free.
        assert!(store.requests <= 200 + 16 + 16, "{what}: {}", store.requests);
        assert!(rounds <= most, "{what}: {rounds} rounds");
    }
}

#[test]
fn a_small_bucket_is_shared_out_for_what_is_free() {
    let name = |at: u32| format!("logs/{:03}/part-{at:06}", at / 300).into_bytes();
    for pages in [5, 15, 30] {
        let mut store = Store::new((0..1000 * pages).map(name).collect(), 1000);
        rounds(&mut store);
        assert!(store.requests <= u64::from(pages) + 12, "{} of {pages}", store.requests);
    }
}

#[test]
fn a_bucket_of_299_pages_is_shared_out_for_a_tenth_more_requests() {
    let name = |at: u32| format!("logs/{:03}/part-{at:06}", at / 300).into_bytes();
    let mut store = Store::new((0..299_000).map(name).collect(), 1000);
    rounds(&mut store);
    assert!(store.requests <= 329, "{}", store.requests);
}
