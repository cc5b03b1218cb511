//! A walk in batches: the same entries as a walk with visitors, whichever thread reads them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use fewer::walk::Batches;
use fewer::{Errno, Kind, Order, Walk};
use scene::library_threads::LibraryThreads;
use scene::tree::{directory, fast_place, file, grow};
use scene::{Line, assert_same, in_time, letter, see, skip, witness};

fn lines(walk: &Walk) -> Vec<Line> {
    let walk = walk.clone();
    in_time(move || {
        let mut lines = Vec::new();
        let mut batches = walk.batches();
        while let Some(batch) = batches.next() {
            assert!(batch.entries().len() + batch.failures().len() > 0, "an empty batch");
            for entry in batch.entries() {
                let path = batch.path(entry);
                assert!(path.ends_with(batch.name(entry)), "a name elsewhere");
                assert_eq!(batch.bytes()[(entry.path + entry.path_length) as usize], 0);
                let start = format!("{} {} ", letter(entry.kind), entry.depth);
                lines.push([start.as_bytes(), path].concat());
            }
        }
        lines
    })
}

fn sorted(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort();
    lines
}

#[test]
fn a_small_tree_and_a_large_one_are_whole() {
    for directories in [0, 30, 3000] {
        let place = fast_place();
        grow(place.path(), directories, directories * 2, 7);
        for threads in [1, 2, 5] {
            let walk = Walk::new(place.path()).threads(threads);
            let expected = sorted(witness::in_order(place.path()));
            assert_same(&sorted(lines(&walk)), &expected, "any order");
            let walk = walk.order(Order::Sorted);
            assert_same(&lines(&walk), &witness::in_order(place.path()), "sorted");
        }
    }
}

#[test]
fn parents_come_before_what_is_below_them() {
    let place = fast_place();
    grow(place.path(), 2000, 1000, 3);
    let mut seen = std::collections::HashSet::new();
    let mut batches = Walk::new(place.path()).threads(3).batches();
    while let Some(batch) = batches.next() {
        for entry in batch.entries() {
            let path = Path::new(std::str::from_utf8(batch.path(entry)).unwrap()).to_owned();
            assert!(entry.depth == 0 || seen.contains(path.parent().unwrap()), "{path:?}");
            if entry.kind == Kind::Directory {
                seen.insert(path);
            }
        }
    }
}

#[test]
fn a_walk_that_is_dropped_ends() {
    let place = fast_place();
    grow(place.path(), 3000, 20_000, 9);
    let threads = LibraryThreads::of_this_thread();
    for batches_taken in [0, 1, 2, 5] {
        let walk = Walk::new(place.path()).threads(3);
        in_time(move || {
            let mut batches: Batches = walk.batches();
            for _ in 0..batches_taken {
                assert!(batches.next().is_some());
            }
        });
    }
    assert!(threads.have_ended());
}

#[test]
fn an_over_walk_stays_over() {
    let place = tempfile::tempdir().unwrap();
    let mut batches = Walk::new(place.path()).batches();
    assert_eq!(batches.next().map(|batch| batch.entries().len()), Some(1));
    assert!(batches.next().is_none() && batches.next().is_none());
    let mut missing = Walk::new(place.path().join("missing")).batches();
    let failure = missing.next().map(|batch| {
        let failure = batch.failures()[0];
        (batch.entries().len(), failure.number, failure.before)
    });
    assert_eq!(failure, Some((0, Errno::NOENT.raw_os_error(), 0)));
    assert!(missing.next().is_none());
}

#[test]
fn links_say_what_they_point_to_if_asked() {
    let place = tempfile::tempdir().unwrap();
    directory(place.path(), "d");
    file(place.path(), "f", "");
    for (link, target) in [("to-d", "d"), ("to-f", "f"), ("to-nothing", "missing")] {
        symlink(target, place.path().join(link)).unwrap();
    }
    let mut found = Vec::new();
    let mut batches = Walk::new(place.path()).targets(true).order(Order::Sorted).batches();
    while let Some(batch) = batches.next() {
        let texts = batch.entries().iter().map(|entry| {
            let name = String::from_utf8_lossy(batch.name(entry)).into_owned();
            (name, letter(entry.target))
        });
        found.extend(texts.skip(1));
    }
    let expected = [("d", '?'), ("f", '?'), ("to-d", 'd'), ("to-f", 'f'), ("to-nothing", '?')];
    assert_eq!(found, expected.map(|(name, kind)| (name.to_owned(), kind)));
}

/// The tree that the tests of `Directories` choose from.
fn orchard() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for path in ["a/x/1", "a/y/2", "b/3", "c/z/w/4", "top"] {
        file(place.path(), path, "");
    }
    place
}

/// What is left of the paths of the directories shown, and how many entries each has.
fn shown(walk: &Walk, mut choose: impl FnMut(&str, &mut fewer::walk::Directories)) -> Vec<String> {
    let mut shown = Vec::new();
    let mut directories = walk.directories();
    while let Some(directory) = directories.next() {
        let Some(place) = directory.directory() else { continue };
        let path = String::from_utf8(directory.directory_path().unwrap().to_vec()).unwrap();
        let depth = place.depth as usize;
        let tail: Vec<&str> = path.rsplit('/').take(depth).collect();
        let tail = tail.into_iter().rev().collect::<Vec<_>>().join("/");
        shown.push(format!("{tail}:{}", directory.entries().len()));
        choose(&tail, &mut directories);
    }
    shown
}

#[test]
fn directories_come_one_by_one_with_all_that_is_in_them() {
    let place = orchard();
    directory(place.path(), "empty");
    let walk = Walk::new(place.path()).order(Order::Sorted);
    let expected = [":5", "a:2", "a/x:1", "a/y:1", "b:1", "c:1", "c/z:1", "c/z/w:1", "empty:0"];
    assert_eq!(shown(&walk, |_, _| ()), expected);
    assert_eq!(shown(&walk.clone().max_depth(1), |_, _| ()), [":5"]);
    let large = fast_place();
    grow(large.path(), 900, 900, 5);
    let all = Walk::new(large.path());
    let directories = see(&all).lines.iter().filter(|line| line[0] == b'd').count();
    assert_eq!(shown(&all, |_, _| ()).len(), directories);
}

#[test]
fn what_is_pruned_is_not_entered() {
    let place = orchard();
    let walk = Walk::new(place.path()).order(Order::Sorted);
    let prune_a = shown(&walk, |path, directories| {
        if path.is_empty() {
            assert!(directories.prune(0) && !directories.prune(4));
        }
    });
    assert_eq!(prune_a, [":4", "b:1", "c:1", "c/z:1", "c/z/w:1"]);
    let mut directories = walk.directories();
    assert!(directories.next().is_some_and(|root| root.directory().is_none()));
    assert!(directories.prune(0) && directories.next().is_none());
}

#[test]
fn what_is_entered_can_be_chosen_and_added_to() {
    let place = orchard();
    symlink("b", place.path().join("link")).unwrap();
    let walk = Walk::new(place.path());
    let chosen = shown(&walk, |path, directories| {
        if path.is_empty() {
            directory(place.path(), "new");
            file(place.path(), "new/5", "");
            directories.enter(["c", "top", "link", "new", "missing", "a"]);
        }
        if path == "a" {
            directories.enter::<&str>([]);
        }
    });
    assert_eq!(chosen, [":5", "c:1", "c/z:1", "c/z/w:1", "new:1", "a:2"]);
}

#[test]
fn a_directory_that_cannot_be_opened_is_a_failure_without_a_path() {
    let place = orchard();
    fs::set_permissions(place.path().join("b"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(place.path().join("b")).is_ok() {
        return skip("permissions do not count for this user");
    }
    let mut failures = Vec::new();
    let mut directories = Walk::new(place.path()).directories();
    while let Some(directory) = directories.next() {
        let numbers = directory.failures().iter().map(|failure| failure.number);
        failures.extend(numbers.map(|number| (number, directory.directory().is_none())));
    }
    assert_eq!(failures, [(Errno::ACCESS.raw_os_error(), true)]);
}

#[test]
fn a_deep_way_down_needs_few_descriptors() {
    let place = fast_place();
    let mut deep = place.path().to_path_buf();
    for _ in 0..400 {
        deep.push("d");
        fs::create_dir(&deep).unwrap();
    }
    let mut most = 0;
    let count = shown(&Walk::new(place.path()), |_, _| {
        most = most.max(fs::read_dir("/proc/self/fd").unwrap().count());
    });
    assert_eq!(count.len(), 401);
    assert!(most < 1024, "{most} descriptors are open");
}
