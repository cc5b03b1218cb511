//! `Order::Sorted` is one sequence, with any number of threads and however slowly it is taken.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::path::Path;
use std::time::Duration;

use fewer::walk::Item;
use fewer::{Answer, Order, Walk};
use scene::tree::{directory, fast_place, file, grow};
use scene::{Line, assert_same, in_time, records, see, see_iter, see_padded, witness};

fn sorted(root: &Path) -> Walk {
    Walk::new(root).order(Order::Sorted)
}

#[test]
fn children_follow_their_directory_before_names_that_sort_between() {
    let place = tempfile::tempdir().unwrap();
    let root = directory(place.path(), "r");
    ["a/x", "a.b", "a-", "b/c/d", "B", "a0"].iter().for_each(|path| drop(file(&root, path, "")));
    let text = |line: &Line| {
        let path = String::from_utf8(line.clone()).unwrap();
        path.rsplit_once("/r").unwrap().1.to_owned()
    };
    let seen: Vec<_> = see(&sorted(&root)).lines.iter().map(text).collect();
    // As `find r | LC_ALL=C sort` would have it if `/` sorted before everything else.
    let expected = ["", "/B", "/a", "/a/x", "/a-", "/a.b", "/a0", "/b", "/b/c", "/b/c/d"];
    assert_eq!(seen, expected);
}

#[test]
fn names_that_begin_alike_are_told_apart_by_their_ends() {
    let place = fast_place();
    for number in 0..300 {
        let name = format!("same beginning {}", number * 7919 % 1000);
        file(place.path(), &name, "");
        file(place.path(), &format!("eight by{}", "\u{1}".repeat(number % 200)), "");
    }
    assert_same(&see(&sorted(place.path())).lines, &witness::in_order(place.path()), "alike");
}

#[test]
fn roots_come_in_the_order_given() {
    let place = tempfile::tempdir().unwrap();
    let (a, b) = (directory(place.path(), "a/x"), directory(place.path(), "b/y"));
    let (a, b) = (a.parent().unwrap(), b.parent().unwrap());
    let walk = sorted(b).add_root(a).add_root(b);
    let expected = [witness::in_order(b), witness::in_order(a), witness::in_order(b)].concat();
    assert_same(&see(&walk).lines, &expected, "roots");
    assert_same(&see_iter(&walk).lines, &expected, "roots, iterator");
}

#[test]
fn any_number_of_threads_gives_the_same_sequence() {
    for seed in 0..3 {
        let place = fast_place();
        grow(place.path(), 2500, 3000, seed);
        let expected = witness::in_order(place.path());
        assert_same(&see_iter(&sorted(place.path())).lines, &expected, "iterator");
        for threads in [1, 2, 3, 8] {
            for _ in 0..5 {
                let seen = see(&sorted(place.path()).threads(threads));
                assert_same(&seen.lines, &expected, &format!("seed {seed}, {threads} threads"));
            }
        }
    }
}

/// 16 MiB and more pass through a window of 12 MiB, so pieces are put down and taken up again.
#[test]
fn more_bytes_than_may_wait_come_out_in_order() {
    let place = fast_place();
    grow(place.path(), 3000, 13_000, 7);
    let expected = witness::in_order(place.path());
    for threads in [2, 3, 8] {
        for padding in [1 << 10, 2 << 10] {
            let seen = see_padded(&sorted(place.path()).threads(threads), padding);
            assert_same(&seen.lines, &expected, &format!("{threads} threads, {padding} a line"));
        }
    }
}

/// A sink as slow as a pipe lets the workers get ahead of what goes out.
#[test]
fn a_slow_sink_does_not_disturb_the_order() {
    let place = fast_place();
    grow(place.path(), 4000, 8000, 8);
    let expected = witness::in_order(place.path());
    for threads in [2, 3, 8] {
        for padding in [100, 600] {
            let walk = sorted(place.path()).threads(threads);
            let seen = through_slow_sink(walk, padding);
            assert_same(&seen, &expected, &format!("{threads} threads, {padding} a line"));
        }
    }
}

fn through_slow_sink(walk: Walk, padding: usize) -> Vec<Line> {
    in_time(move || {
        let mut bytes = Vec::new();
        walk.visit(
            || {
                |item: Item<'_>, out: &mut Vec<u8>| {
                    let entry = item.unwrap();
                    let letter = scene::letter(entry.kind());
                    out.extend(format!("{letter} {} ", entry.depth()).bytes());
                    out.extend_from_slice(entry.path_bytes());
                    out.push(0);
                    out.resize(out.len() + padding, b'/');
                    out.push(0);
                    Answer::Continue
                }
            },
            |block| {
                bytes.extend_from_slice(block);
                std::thread::sleep(Duration::from_millis(2));
                Answer::Continue
            },
        );
        let is_padding = |line: &Line| line.first() == Some(&b'/');
        records(&bytes).into_iter().filter(|line| !is_padding(line)).collect()
    })
}

#[test]
fn unsorted_is_the_same_set_with_directories_before_what_is_below() {
    for seed in 10..12 {
        let place = fast_place();
        grow(place.path(), 2500, 3000, seed);
        let mut expected = witness::in_order(place.path());
        expected.sort();
        for threads in [1, 2, 3, 8] {
            for _ in 0..5 {
                let seen = see(&Walk::new(place.path()).threads(threads));
                directories_come_first(&seen.lines);
                let sorted = seen.sorted();
                assert_same(&sorted, &expected, &format!("seed {seed}, {threads} threads"));
            }
        }
    }
}

fn directories_come_first(lines: &[Line]) {
    let mut seen = std::collections::HashSet::new();
    for (index, line) in lines.iter().enumerate() {
        let path = line.splitn(3, |&byte| byte == b' ').nth(2).unwrap();
        let slash = path.iter().rposition(|&byte| byte == b'/').unwrap();
        assert!(index == 0 || seen.contains(&path[..slash]), "{}", path.escape_ascii());
        seen.insert(path.to_vec());
    }
}

/// More than 4,096 directories in one: they are entered before the rest of it is read.
#[test]
fn a_very_wide_directory_is_walked_once() {
    let place = fast_place();
    for index in 0..9_000 {
        std::fs::create_dir(place.path().join(format!("d{index}"))).unwrap();
    }
    for index in 0..150 {
        std::fs::create_dir(place.path().join(format!("d{}/below", index * 60))).unwrap();
    }
    let expected = witness::in_order(place.path());
    let mut set = expected.clone();
    set.sort();
    for bytes in [1, 256 << 10] {
        for threads in [1, 4] {
            let walk = Walk::new(place.path()).threads(threads).block_bytes(bytes);
            let what = format!("{threads} threads, blocks of {bytes}");
            assert_same(&see(&walk).sorted(), &set, &what);
            assert_same(&see(&walk.order(Order::Sorted)).lines, &expected, &what);
        }
        let walk = Walk::new(place.path()).block_bytes(bytes);
        assert_same(&see_iter(&walk).sorted(), &set, "iterator");
    }
}
