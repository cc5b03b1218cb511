//! How much space trees take: the same as GNU du says, the same at every run, and the same as
//! a count by the standard library.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use fewer::disk_usage::{Event, Row};
use fewer::{Action, Answer, DiskUsage, Filter, Kind, Kinds, Scope, Walk};
use proptest::test_runner::{Config, TestRunner};
use scene::skip;
use scene::tree::{Dice, any_tree, directory, fast_place, file, grow};

fn measure(usage: &DiskUsage) -> Vec<Row> {
    usage.measure(|event| match event {
        Event::Failed(error) => panic!("{error}"),
        Event::Counted { .. } => Answer::Continue,
    })
}

/// Everything below a path and itself, by the standard library.
fn everything(path: &Path, found: &mut Vec<PathBuf>) {
    found.push(path.to_owned());
    if path.symlink_metadata().unwrap().is_dir() {
        std::fs::read_dir(path).unwrap().for_each(|it| everything(&it.unwrap().path(), found));
    }
}

/// Writes into some of the files of a tree, and gives some of them names in other directories.
fn fill(root: &Path, seed: u64) {
    let (mut dice, mut all) = (Dice(seed), Vec::new());
    everything(root, &mut all);
    all.sort();
    let (files, directories): (Vec<_>, Vec<_>) = {
        let is = |path: &&PathBuf, dir| path.symlink_metadata().unwrap().is_dir() == dir;
        (
            all.iter().filter(|p| is(p, false)).collect(),
            all.iter().filter(|p| is(p, true)).collect(),
        )
    };
    for (number, file) in files.iter().enumerate() {
        if file.symlink_metadata().unwrap().is_file() && dice.roll(2) == 0 {
            std::fs::write(file, vec![b'x'; dice.roll(20_000)]).unwrap();
        }
        for name in 0..dice.roll(6).saturating_sub(2) {
            let folder = directories[dice.roll(directories.len())];
            std::fs::hard_link(file, folder.join(format!("{name} of {number}"))).unwrap();
        }
    }
}

/// The answer of GNU du with these arguments: bytes by path. Run in a directory.
fn du(here: &Path, arguments: &[&str]) -> Option<Vec<(Vec<u8>, u64)>> {
    let mut du = Command::new("du");
    let output = du.args(["-0", "-B1"]).args(arguments).current_dir(here).output().ok()?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!text.contains("cannot"), "{text}");
        skip("this du is not that of GNU");
        return None;
    }
    let rows = output.stdout.split(|&byte| byte == 0).filter(|row| !row.is_empty());
    let row = |row: &[u8]| {
        let tab = row.iter().position(|&byte| byte == b'\t').unwrap();
        (row[tab + 1..].to_vec(), String::from_utf8_lossy(&row[..tab]).parse().unwrap())
    };
    let mut rows: Vec<(Vec<u8>, u64)> = rows.map(row).collect();
    rows.sort();
    Some(rows)
}

fn allocated(usage: &DiskUsage) -> Vec<(Vec<u8>, u64)> {
    let rows = measure(usage).into_iter();
    let mut rows: Vec<_> =
        rows.map(|row| (row.path_bytes().to_vec(), row.space().allocated)).collect();
    rows.sort();
    rows
}

fn walk(here: &Path, roots: &[&str]) -> Walk {
    let scope = Scope::start().enter(here).unwrap();
    roots[1..].iter().fold(Walk::new(roots[0]), Walk::add_root).within(&scope)
}

#[test]
fn random_trees_are_measured_as_du_measures_them() {
    let config = Config { cases: 40, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&any_tree(), |tree| {
        let place = fast_place();
        let here = place.path();
        tree.make(&here.join("d"));
        directory(here, "d/a tree/inside");
        fill(&here.join("d"), 7);
        for threads in [1, 3] {
            let one = DiskUsage::new(walk(here, &["d"]).threads(threads));
            let all = one.clone().count_links(true).files(true).depth(usize::MAX);
            let Some(expected) = du(here, &["-a", "-l", "d"]) else { return Ok(()) };
            assert_eq!(allocated(&all), expected);
            assert_eq!(allocated(&one), du(here, &["-s", "d"]).unwrap());
            let roots = ["d/a tree", "d", "d/a tree/inside", "./d", "d/a tree/"];
            let several = DiskUsage::new(walk(here, &roots).threads(threads));
            let expected = du(here, &[&["-s"][..], &roots].concat()).unwrap();
            assert_eq!(allocated(&several), expected);
            let later = DiskUsage::new(walk(here, &["d", "d/a tree"]).threads(threads));
            assert_eq!(allocated(&later), du(here, &["-s", "d", "d/a tree"]).unwrap());
        }
        Ok(())
    });
    outcome.unwrap();
}

/// Bytes by path down to a depth, by the standard library: of a file with several names the first
/// one counts.
fn expected(root: &Path, depth: usize) -> BTreeMap<Vec<u8>, u64> {
    let (mut all, mut rows, mut first) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    everything(root, &mut all);
    // What decides is the row that a name counts for.
    let row = |path: &Path| {
        let own = usize::from(!path.symlink_metadata().unwrap().is_dir());
        let levels = path.strip_prefix(root).unwrap().components().count() - own;
        path.ancestors().nth(own + levels.saturating_sub(depth)).unwrap().to_owned()
    };
    for path in &all {
        let stat = path.symlink_metadata().unwrap();
        let key = if stat.is_dir() { None } else { Some((stat.dev(), stat.ino())) };
        let count = (row(path), stat.size());
        match key {
            None => *rows.entry(count.0).or_insert(0) += count.1,
            Some(key) => {
                let known = first.entry(key).or_insert_with(|| count.clone());
                if count.0.as_os_str() < known.0.as_os_str() {
                    *known = count;
                }
            }
        }
    }
    first.into_values().for_each(|(row, size)| *rows.entry(row).or_insert(0) += size);
    let mut sums = BTreeMap::new();
    for (row, size) in &rows {
        for above in row.ancestors().take_while(|above| above.starts_with(root)) {
            *sums.entry(above.as_os_str().as_bytes().to_vec()).or_insert(0) += size;
        }
    }
    sums
}

#[test]
fn a_large_tree_has_the_same_rows_however_many_threads_measure_it() {
    let place = fast_place();
    grow(place.path(), 2500, 6000, 3);
    fill(place.path(), 5);
    for depth in [0, 1, 3, usize::MAX] {
        let expected = expected(place.path(), depth.min(1000));
        for threads in [1, 2, 4] {
            let usage = DiskUsage::new(Walk::new(place.path()).threads(threads)).depth(depth);
            let rows = measure(&usage).into_iter();
            let rows: BTreeMap<_, _> =
                rows.map(|row| (row.path_bytes().to_vec(), row.space().size)).collect();
            assert!(rows == expected, "depth {depth}, {threads} threads");
        }
    }
}

#[test]
fn rows_are_in_the_order_of_starting_points_and_paths() {
    let place = tempfile::tempdir().unwrap();
    for path in ["b/z/f", "b/a/f", "a/f", "c"] {
        file(place.path(), path, "four");
    }
    let files = Filter::new().kinds(Kinds::NONE.with(Kind::File));
    let walk = walk(place.path(), &["c", "b//", "a"]).filter(files);
    let rows = measure(&DiskUsage::new(walk).depth(1));
    let rows = rows.iter().map(|row| (row.path().to_str().unwrap(), row.depth(), row.space().size));
    let expected = [("c", 0, 4), ("b//", 0, 8), ("b//a", 1, 4), ("b//z", 1, 4), ("a", 0, 4)];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

#[test]
fn what_fails_is_reported_and_stop_ends_it() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "f", "four");
    let errors = Mutex::new(Vec::new());
    let usage = DiskUsage::new(walk(place.path(), &["gone", "f", "gone too"]));
    let rows = usage.measure(|event| {
        let Event::Failed(error) = event else { panic!("nothing is counted yet") };
        errors.lock().unwrap().push((error.action(), error.path().to_owned()));
        Answer::Continue
    });
    assert_eq!((rows.len(), rows[0].space().size, rows[0].kind()), (1, 4, Kind::File));
    let gone = |path: &str| (Action::ACCESS, PathBuf::from(path));
    assert_eq!(errors.into_inner().unwrap(), [gone("gone"), gone("gone too")]);
    assert!(usage.measure(|_event| Answer::Stop).is_empty());
}
