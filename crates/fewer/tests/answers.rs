//! What a visitor, or the sink, may answer, and what a panic does.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use fewer::walk::Item;
use fewer::{Answer, Order, Walk};
use scene::tree::{directory, fast_place, file, grow};
use scene::{Line, assert_same, in_time, records, witness};

/// Does a walk whose visitors write paths and answer as `answer` says.
fn walk_with(
    walk: Walk,
    answer: impl Fn(&fewer::Entry<'_>) -> Answer + Send + Sync + 'static,
) -> Vec<Line> {
    in_time(move || {
        let mut bytes = Vec::new();
        walk.visit(
            || {
                |item: Item<'_>, out: &mut Vec<u8>| {
                    let entry = item.unwrap();
                    out.extend_from_slice(entry.path_bytes());
                    out.push(0);
                    answer(&entry)
                }
            },
            |block| {
                bytes.extend_from_slice(block);
                Answer::Continue
            },
        );
        records(&bytes)
    })
}

fn paths_in_order(root: &std::path::Path) -> Vec<Line> {
    let path = |line: Line| line.splitn(3, |&b| b == b' ').nth(2).unwrap().to_vec();
    witness::in_order(root).into_iter().map(path).collect()
}

#[test]
fn what_is_pruned_is_visited_but_not_entered() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "skip/below", "");
    file(place.path(), "a/skip/below", "");
    file(place.path(), "a/go/on", "");
    for order in [Order::Any, Order::Sorted] {
        let walk = Walk::new(place.path()).order(order);
        let mut seen = walk_with(walk, |entry| match entry.name_bytes() {
            b"skip" => Answer::Prune,
            _ => Answer::Continue,
        });
        seen.sort();
        let below = |path| [place.path().as_os_str().as_encoded_bytes(), path].concat();
        let expected: [&[u8]; 6] = [b"", b"/a", b"/a/go", b"/a/go/on", b"/a/skip", b"/skip"];
        assert_same(&seen, &expected.map(below), "pruned");
    }
}

#[test]
fn a_pruned_root_is_all_there_is() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "below", "");
    let seen = walk_with(Walk::new(place.path()), |_| Answer::Prune);
    assert_eq!(seen.len(), 1);
}

#[test]
fn prune_on_a_file_is_the_same_as_continue() {
    let place = tempfile::tempdir().unwrap();
    ["a", "b", "c/d"].iter().for_each(|path| drop(file(place.path(), path, "")));
    for order in [Order::Any, Order::Sorted] {
        let seen = walk_with(Walk::new(place.path()).order(order), |entry| match entry.kind() {
            fewer::Kind::File => Answer::Prune,
            _ => Answer::Continue,
        });
        assert_eq!(seen.len(), 5);
    }
}

#[test]
fn stop_at_the_first_entry_ends_the_walk() {
    let place = tempfile::tempdir().unwrap();
    directory(place.path(), "a/b/c");
    for order in [Order::Any, Order::Sorted] {
        let seen = walk_with(Walk::new(place.path()).order(order), |_| Answer::Stop);
        assert_eq!(seen.len(), 1);
    }
}

#[test]
fn stop_ends_the_walk_alone_and_with_helpers() {
    let place = fast_place();
    grow(place.path(), 3000, 3000, 1);
    for order in [Order::Any, Order::Sorted] {
        for threads in [1, 2, 4] {
            let visits = AtomicUsize::new(0);
            let walk = Walk::new(place.path()).order(order).threads(threads);
            let seen = walk_with(walk, move |_| match visits.fetch_add(1, Relaxed) {
                2000.. => Answer::Stop,
                _ => Answer::Continue,
            });
            assert!(seen.len() < 5000, "{order:?} {threads}: {} came out", seen.len());
        }
    }
}

/// Whoever says Stop, everything before it in the order of the walk comes out, and nothing after.
#[test]
fn stop_in_a_sorted_walk_cuts_the_sequence_exactly_there() {
    let place = fast_place();
    grow(place.path(), 3000, 3000, 2);
    let all = paths_in_order(place.path());
    for threads in [1, 2, 3, 8] {
        for part in [30, 50, 70, 90, 99] {
            let last = all.len() * part / 100;
            let (stop_at, turns) = (all[last].clone(), AtomicUsize::new(0));
            let walk = Walk::new(place.path()).order(Order::Sorted).threads(threads);
            let seen = walk_with(walk, move |entry| {
                if turns.fetch_add(1, Relaxed).is_multiple_of(100) {
                    std::thread::sleep(Duration::from_micros(200)); // lets the others get ahead
                }
                if entry.path_bytes() == stop_at { Answer::Stop } else { Answer::Continue }
            });
            let what = format!("{threads} threads, stopped at {last}");
            assert_same(&seen, &all[..=last], &what);
        }
    }
}

#[test]
fn a_sink_that_wants_no_more_gets_no_more() {
    let place = fast_place();
    grow(place.path(), 3000, 12000, 3);
    for order in [Order::Any, Order::Sorted] {
        for threads in [1, 2, 4] {
            let walk = Walk::new(place.path()).order(order).threads(threads);
            let blocks = in_time(move || {
                let mut blocks = 0;
                walk.visit(
                    || {
                        |item: Item<'_>, out: &mut Vec<u8>| {
                            out.extend_from_slice(item.unwrap().path_bytes());
                            Answer::Continue
                        }
                    },
                    |_block| {
                        blocks += 1;
                        Answer::Stop
                    },
                );
                blocks
            });
            assert_eq!(blocks, 1, "{order:?} {threads}");
        }
    }
}

#[test]
fn each_worker_gives_its_visitor_back() {
    struct Count(usize);
    impl fewer::walk::Visitor for Count {
        fn visit(&mut self, _item: Item<'_>, _out: &mut Vec<u8>) -> Answer {
            self.0 += 1;
            Answer::Continue
        }
    }
    let place = fast_place();
    grow(place.path(), 2000, 1000, 4);
    for order in [Order::Any, Order::Sorted] {
        let walk = Walk::new(place.path()).order(order).threads(3);
        let counts = in_time(move || walk.visit(|| Count(0), |_| Answer::Continue));
        assert_eq!(counts.len(), 3);
        assert_eq!(counts.iter().map(|count| count.0).sum::<usize>(), 3001);
    }
}
