//! Trees deeper than there are descriptors, and deeper than the kernel takes a path.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use fewer::walk::Item;
use fewer::{Answer, Order, Walk};
use scene::child;
use scene::tree::{self, chain, directory, file};
use scene::{Line, Seen, assert_same, in_time, see, see_iter, see_padded, witness};

/// How many lines there are at each depth.
fn by_depth(lines: &[Line]) -> HashMap<usize, usize> {
    let mut counts = HashMap::new();
    for line in lines {
        let depth = std::str::from_utf8(line.split(|&byte| byte == b' ').nth(1).unwrap()).unwrap();
        *counts.entry(depth.parse().unwrap()).or_insert(0) += 1;
    }
    counts
}

fn in_every_way(root: &Path, threads: &[usize], check: impl Fn(Seen, &str)) {
    for order in [Order::Any, Order::Sorted] {
        let walk = Walk::new(root).order(order);
        for &threads in threads {
            check(see(&walk.clone().threads(threads)), &format!("{order:?}, {threads} threads"));
        }
        check(see_iter(&walk), &format!("{order:?}, iterator"));
    }
}

#[test]
fn a_path_longer_than_the_kernel_takes_is_walked_to_its_end() {
    let place = tempfile::tempdir().unwrap();
    let name = "n".repeat(60);
    chain(place.path(), &name, 2000, &[]);
    in_every_way(place.path(), &[1, 2], |seen, how| {
        assert!(seen.errors.is_empty(), "{how}: {:?}", seen.errors.first());
        assert_eq!(seen.lines.len(), 2001, "{how}");
        let longest = seen.lines.iter().map(Vec::len).max().unwrap();
        let expected = place.path().as_os_str().len() + 2000 * 61 + "d 2000 ".len();
        assert_eq!(longest, expected, "{how}");
    });
}

#[test]
fn names_of_255_bytes_stack_up_beyond_any_path() {
    let place = tempfile::tempdir().unwrap();
    chain(place.path(), &"n".repeat(255), 500, &["a", "z"]);
    in_every_way(place.path(), &[1, 4], |seen, how| {
        assert!(seen.errors.is_empty(), "{how}: {:?}", seen.errors.first());
        let counts = by_depth(&seen.lines);
        assert!((1..=500).all(|depth| counts[&depth] == 3), "{how}");
    });
}

fn run_with_descriptors(limit: u32, test: &str, place: &Path) {
    let wrapper = child::with_descriptors(limit);
    child::run(&wrapper.each_ref().map(String::as_str), test, place);
}

#[test]
fn twenty_descriptors_are_enough_for_a_depth_of_500() {
    let place = tempfile::tempdir().unwrap();
    chain(place.path(), "deep", 500, &["a", "z"]);
    for index in 0..500 {
        let path = format!("side/{}", "x/".repeat(index % 40));
        directory(place.path(), &format!("{path}/{index}"));
    }
    run_with_descriptors(20, "child_walks_500_deep", place.path());
}

#[test]
fn child_walks_500_deep() {
    let Some(place) = child::folder() else { return };
    let expected = witness::find(&[], &place, &[]);
    in_every_way(&place, &[1, 2, 8], |seen, how| {
        assert!(seen.errors.is_empty(), "{how}: {:?}", seen.errors.first());
        assert_same(&seen.sorted(), &expected, how);
    });
}

/// A directory that is read in several goes, deep enough below to lose its descriptor in between.
#[test]
fn a_wide_directory_with_deep_ones_below_is_read_once() {
    let place = tempfile::tempdir().unwrap();
    for index in 0..14_000 {
        std::fs::create_dir(place.path().join(format!("wide{index:08}"))).unwrap();
    }
    for index in 0..7 {
        chain(&place.path().join(format!("wide{:08}", index * 2000)), "deep", 60, &["a", "z"]);
    }
    run_with_descriptors(20, "child_walks_wide_and_deep", place.path());
}

#[test]
fn child_walks_wide_and_deep() {
    let Some(place) = child::folder() else { return };
    let expected = 1 + 14_000 + 7 * 60 * 3;
    for threads in [1, 2] {
        let seen = bounded(Walk::new(&place).threads(threads), 2 * expected);
        assert_eq!(seen, expected, "{threads} threads");
    }
}

/// How many entries a walk comes upon, or `limit` if it does not stop before.
fn bounded(walk: Walk, limit: usize) -> usize {
    in_time(move || {
        let count = std::sync::atomic::AtomicUsize::new(0);
        let visitor = |item: Item<'_>, _: &mut Vec<u8>| {
            item.unwrap();
            match count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
                visited if visited + 1 >= limit => Answer::Stop,
                _ => Answer::Continue,
            }
        };
        walk.visit(|| visitor, |_| Answer::Continue);
        count.into_inner()
    })
}

/// What is put down in a sorted walk, because others are to go out first, keeps no descriptors that
/// the others need.
#[test]
fn pieces_that_wait_leave_descriptors_to_those_that_work() {
    let place = tree::fast_place();
    for index in 0..60 {
        let top = directory(place.path(), &format!("{index:02}"));
        chain(&top, "deep", 60, &["a", "z", "y"]);
    }
    run_with_descriptors(48, "child_walks_deep_pieces_in_order", place.path());
}

#[test]
fn child_walks_deep_pieces_in_order() {
    let Some(place) = child::folder() else { return };
    let expected = witness::in_order(&place);
    for threads in [2, 4] {
        let walk = Walk::new(&place).order(Order::Sorted).threads(threads);
        let seen = see_padded(&walk, 4 << 10);
        assert!(seen.errors.is_empty(), "{threads}: {:?}", seen.errors.first());
        assert_same(&seen.lines, &expected, &format!("{threads} threads"));
    }
}

#[test]
fn ignore_files_are_read_with_few_descriptors_too() {
    let place = tempfile::tempdir().unwrap();
    chain(place.path(), "d", 60, &["a", "z"]);
    let mut path = place.path().to_owned();
    for _ in 0..60 {
        std::fs::write(path.join(".gitignore"), "z\n").unwrap();
        path.push("d");
    }
    run_with_descriptors(20, "child_walks_with_ignore_files", place.path());
}

#[test]
fn child_walks_with_ignore_files() {
    let Some(place) = child::folder() else { return };
    let seen = see(&Walk::new(place).gitignore(true).threads(1));
    assert!(seen.errors.is_empty(), "{:?}", seen.errors.first());
    assert_eq!(seen.lines.len(), 1 + 60 * 3); // d, a and .gitignore
}

/// While the walk is 80 deep, with the upper descriptors given up, part of the way down moves away
/// and another tree takes its place: that is reported, and the other tree is not walked.
#[test]
fn a_way_down_that_was_exchanged_is_reported_and_not_walked() {
    let place = tempfile::tempdir().unwrap();
    let root = directory(place.path(), "root");
    chain(&root, "d", 80, &["a", "z"]);
    let other = directory(place.path(), "other");
    chain(&other, "d", 80, &["wrong", "z"]);
    run_with_descriptors(20, "child_walks_while_directories_move", place.path());
}

#[test]
fn child_walks_while_directories_move() {
    let Some(place) = child::folder() else { return };
    let (root, other) = (place.join("root"), place.join("other"));
    let moved = place.join("moved");
    let walk = Walk::new(&root).order(Order::Sorted).threads(1);
    let (paths, errors) = in_time(move || walk_and_move(&walk, &root, &other, &moved));
    let is_wrong = |path: &PathBuf| path.ends_with("wrong");
    assert_eq!(paths.iter().filter(|path| is_wrong(path)).count(), 0, "walked elsewhere");
    assert!(!errors.is_empty(), "nothing was reported");
    // The one way down, the `a` of each step, and the `z` of each step that is still there.
    assert!(paths.len() > 1 + 80 * 2 && paths.len() < 1 + 80 * 3, "{}", paths.len());
}

fn walk_and_move(
    walk: &Walk,
    root: &Path,
    other: &Path,
    moved: &Path,
) -> (Vec<PathBuf>, Vec<fewer::Error>) {
    let (mut paths, mut errors) = (Vec::new(), Vec::new());
    for item in walk {
        match item {
            Ok(entry) => {
                if entry.depth() == 80 && entry.name() == "d" {
                    // Both the directory that is come back from and its parent are elsewhere now.
                    std::fs::rename(root.join("d/d/d"), moved).unwrap();
                    std::fs::rename(root.join("d/d"), root.parent().unwrap().join("too")).unwrap();
                    std::fs::rename(other.join("d/d"), root.join("d/d")).unwrap();
                }
                paths.push(entry.path().to_owned());
            }
            Err(error) => errors.push(error),
        }
    }
    (paths, errors)
}

/// Somebody else holds nearly all descriptors: what cannot be opened is reported, and that is all.
#[test]
fn without_any_descriptor_left_each_directory_is_an_error_item() {
    let place = tempfile::tempdir().unwrap();
    ["a/x", "b/y"].iter().for_each(|path| drop(file(place.path(), path, "")));
    run_with_descriptors(20, "child_walks_without_descriptors", place.path());
}

#[test]
fn child_walks_without_descriptors() {
    let Some(place) = child::folder() else { return };
    let mut held = Vec::new();
    while let Ok(null) = std::fs::File::open("/dev/null") {
        held.push(null);
    }
    held.pop(); // one is left, for the root
    let seen = see(&Walk::new(&place).threads(1));
    assert_eq!(seen.lines.len(), 3);
    assert_eq!(seen.errnos(), [fewer::Errno::MFILE; 2]);
}
