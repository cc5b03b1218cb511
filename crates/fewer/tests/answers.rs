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

/// The paths of an iterator that prunes what has this name, sorted.
fn paths_without(walk: &Walk, name: &str) -> Vec<Line> {
    let mut entries = walk.iter();
    let mut paths = Vec::new();
    while let Some(entry) = entries.next() {
        let entry = entry.unwrap();
        paths.push(entry.path_bytes().to_vec());
        let pruned = entry.name() == name && entries.prune(&entry);
        assert_eq!(pruned, entry.name() == name && entry.is_dir(), "{entry:?}");
        assert!(!pruned || !entries.prune(&entry), "it is pruned already");
    }
    paths.sort();
    paths
}

#[test]
fn an_iterator_that_prunes_goes_where_a_visitor_goes_that_does() {
    let place = tempfile::tempdir().unwrap();
    for path in ["skip/a/b", "a/skip/b", "a/go/on", "b/skip", "c/d/skip/e", "c/f", "z/skip/skip/x"]
    {
        file(place.path(), path, "");
    }
    for order in [Order::Any, Order::Sorted] {
        for (bytes, gitignore) in [(1, false), (256 << 10, false), (256 << 10, true)] {
            let walk = Walk::new(place.path()).order(order).block_bytes(bytes).gitignore(gitignore);
            let mut expected = walk_with(walk.clone(), |entry| match entry.name_bytes() {
                b"skip" => Answer::Prune,
                _ => Answer::Continue,
            });
            expected.sort();
            assert_same(&paths_without(&walk, "skip"), &expected, "pruned");
        }
    }
}

#[test]
fn what_is_not_entered_cannot_be_pruned() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "a/a/a/f", "");
    for order in [Order::Any, Order::Sorted] {
        let mut entries = Walk::new(place.path()).order(order).max_depth(2).iter();
        let mut seen = Vec::new();
        while let Some(entry) = entries.next() {
            let entry = entry.unwrap();
            // At the depth where the walk ends there is nothing to prune; above it is too late.
            let pruned = entry.depth() == 2 && entries.prune(&entry);
            assert!(!pruned && !seen.iter().any(|above| entries.prune(above)), "{entry:?}");
            seen.push(entry);
        }
        assert_eq!(seen.len(), 3);
    }
}

#[test]
fn a_fold_sees_what_a_visitor_sees_and_ends_as_it_does() {
    let place = tempfile::tempdir().unwrap();
    (0..500).for_each(|number| drop(file(place.path(), &format!("{number}/f"), "")));
    for threads in [1, 3] {
        let walk = Walk::new(place.path()).threads(threads);
        let counts = walk.fold(
            || 0,
            |count, item| {
                *count += usize::from(item.is_ok());
                Answer::Continue
            },
        );
        assert_eq!(counts.into_iter().sum::<usize>(), 1001);
        let stopped = walk.fold(
            || 0,
            |count, _item| {
                *count += 1;
                Answer::Stop
            },
        );
        assert_eq!(stopped, [1]);
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
