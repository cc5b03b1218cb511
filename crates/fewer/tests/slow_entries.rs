//! One large directory in which looking at an entry takes long: threads share its entries, and what
//! comes out is the same. A visitor that sleeps is what a call to a slow file system is to a walk.
//! What is expected comes from GNU find.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::thread::ThreadId;
use std::time::Duration;

use fewer::walk::Item;
use fewer::{Answer, Fields, Order, Walk};

/// A directory of so many files, with a few directories among them.
fn flat(files: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    (0..files).for_each(|n| drop(File::create(folder.path().join(format!("f{n}"))).unwrap()));
    for number in 0..20 {
        let below = folder.path().join(format!("d{number}/e"));
        fs::create_dir_all(&below).unwrap();
        File::create(below.join("g")).unwrap();
    }
    folder
}

/// The paths and sizes of a walk whose visitor takes a while for each, and how many entries of the
/// directory itself one thread has seen at most.
fn see(walk: &Walk, each: Duration) -> (Vec<u8>, usize) {
    let threads: Mutex<HashMap<ThreadId, usize>> = Mutex::default();
    let mut bytes = Vec::new();
    let visitor = |item: Item<'_>, out: &mut Vec<u8>| {
        let entry = item.unwrap();
        let size = if entry.is_dir() { 0 } else { entry.stat(Fields::SIZE).unwrap().size() };
        let by = std::thread::current().id();
        *threads.lock().unwrap().entry(by).or_default() += usize::from(entry.depth() == 1);
        if !each.is_zero() {
            std::thread::sleep(each);
        }
        out.extend_from_slice(entry.path_bytes());
        out.extend_from_slice(format!(" {size}\n").as_bytes());
        Answer::Continue
    };
    walk.visit(
        || visitor,
        |block| {
            bytes.extend_from_slice(block);
            Answer::Continue
        },
    );
    let most = threads.lock().unwrap().values().copied().max().unwrap();
    (bytes, most)
}

/// The lines of find, sorted by their bytes.
fn find(path: &Path) -> Vec<Vec<u8>> {
    let script = ["-type", "d", "-printf", "%p 0\\n", "-o", "-printf", "%p %s\\n"];
    let found = Command::new("find").arg(path).args(script).output().unwrap().stdout;
    sorted(&found)
}

fn sorted(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<_> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    lines.sort();
    lines
}

const SLOW: Duration = Duration::from_micros(400);

#[test]
fn threads_share_a_directory_where_entries_take_long() {
    let folder = flat(3000);
    let expected = find(folder.path());
    let mut sequences = Vec::new();
    for order in [Order::Any, Order::Sorted] {
        let walk = Walk::new(folder.path()).order(order).stats_entries(true);
        let (seen, most) = see(&walk, SLOW);
        assert!(most < 1500, "{order:?}: {most} by one thread");
        assert!(sorted(&seen) == expected, "{order:?}");
        let (quick, most) = see(&walk, Duration::ZERO);
        assert_eq!(most, 3020, "{order:?}: nothing is waited for, so one thread sees all");
        assert!(sorted(&quick) == expected, "{order:?}");
        sequences.push((seen, quick));
    }
    let (seen, quick) = &sequences[1];
    assert!(seen == quick, "sorted is one sequence");
}

#[test]
fn pruned_directories_are_not_entered_and_a_stop_ends_it_all() {
    let folder = flat(2000);
    for (name, prunes) in [("d7", true), ("none", false)] {
        let seen = Mutex::new(0);
        let visitor = |item: Item<'_>, _: &mut Vec<u8>| {
            let entry = item.unwrap();
            *seen.lock().unwrap() += 1;
            std::thread::sleep(SLOW);
            if entry.name() == name { Answer::Prune } else { Answer::Continue }
        };
        let walk = Walk::new(folder.path()).stats_entries(true);
        walk.visit(|| visitor, |_| Answer::Continue);
        let below_it = if prunes { 2 } else { 0 };
        assert_eq!(*seen.lock().unwrap(), 1 + 2000 + 60 - below_it);
    }
    let walk = Walk::new(folder.path()).stats_entries(true).max_results(500);
    let (seen, _) = see(&walk, SLOW);
    assert_eq!(sorted(&seen).len() - 1, 500);
}

#[test]
fn files_are_read_on_from_where_the_first_block_ends() {
    let folder = flat(3000);
    let walk = Walk::new(folder.path()).stats_entries(true).block_bytes(4096);
    let (seen, most) = see(&walk, SLOW);
    assert!(most < 1500, "{most} by one thread");
    assert!(sorted(&seen) == find(folder.path()));
}
