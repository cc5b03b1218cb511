//! Units: whatever the budget, every entry is in exactly one of them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use fewer::scan::Unit;
use fewer::{Fields, Filter, Kind, Kinds, Walk};
use proptest::prelude::*;

/// What is known of an entry: path, depth, inode, size.
type Row = (Vec<u8>, usize, u64, u64);

/// A tree with a wide, a deep and an empty directory.
fn tree() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let wide = place.path().join("wide");
    fs::create_dir_all(wide.join("below/further")).unwrap();
    for number in 0..150 {
        fs::write(wide.join(number.to_string()), vec![0; number]).unwrap();
    }
    for number in 0..9 {
        let below = place.path().join(format!("many/{number}/x/y"));
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join("z\n"), "z").unwrap();
    }
    fs::create_dir_all(place.path().join(["deep"; 30].join("/"))).unwrap();
    fs::create_dir(place.path().join("empty")).unwrap();
    std::os::unix::fs::symlink("..", place.path().join("link")).unwrap();
    place
}

/// The entries of a tree, as the standard library sees them.
fn expected(path: &Path, depth: usize, rows: &mut Vec<Row>) {
    let metadata = fs::symlink_metadata(path).unwrap();
    rows.push((path.as_os_str().as_bytes().into(), depth, metadata.ino(), metadata.len()));
    if metadata.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            expected(&entry.unwrap().path(), depth + 1, rows);
        }
    }
}

/// Scans all units, the last first; also how many units there were, and the most entries of one.
fn scanned(walk: &Walk, budget: usize) -> (Vec<Row>, usize, usize) {
    let walk = walk.clone().stat(Fields::INODE | Fields::SIZE);
    let (mut units, mut rows, mut count, mut most) = (vec![Unit::first(&walk)], Vec::new(), 0, 0);
    while let Some(unit) = units.pop() {
        count += 1;
        let before = rows.len();
        let mut scan = walk.scan(unit, budget);
        while let Some((batch, depth)) = scan.next() {
            assert!(batch.failures().is_empty(), "{:?}", batch.failures());
            for (index, entry) in batch.entries().iter().enumerate() {
                let stat = batch.stat(index).unwrap();
                assert_eq!(stat.inode(), entry.inode);
                let depth = depth + entry.depth as usize;
                rows.push((batch.path(entry).into(), depth, stat.inode(), stat.size()));
            }
        }
        most = most.max(rows.len() - before);
        units.extend(scan.left());
    }
    rows.sort();
    (rows, count, most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn every_entry_is_in_one_unit(budget in prop_oneof![1_usize..12, 1_usize..300]) {
        let place = tree();
        let mut rows = Vec::new();
        expected(place.path(), 0, &mut rows);
        rows.sort();
        let (found, units, _) = scanned(&Walk::new(place.path()), budget);
        prop_assert!(found == rows, "{} instead of {} rows", found.len(), rows.len());
        prop_assert!(budget > 150 || units > 1);
    }
}

#[test]
fn every_root_is_an_entry_whenever_its_turn_comes() {
    let place = tree();
    let roots =
        ["many", "wide", "link", "file", "deep", "empty"].map(|name| place.path().join(name));
    fs::write(&roots[3], "a file").unwrap();
    let mut rows = Vec::new();
    roots.iter().for_each(|root| expected(root, 0, &mut rows));
    rows.sort();
    let walk = roots[1..].iter().fold(Walk::new(&roots[0]), |walk, root| walk.add_root(root));
    for budget in [1, 2, 5, 40, 1_000] {
        assert!(scanned(&walk, budget).0 == rows, "budget {budget}");
    }
}

#[test]
fn a_flat_directory_is_cut_into_slices() {
    let place = tempfile::tempdir().unwrap();
    for number in 0..1_000 {
        fs::write(place.path().join(number.to_string()), "").unwrap();
    }
    let (rows, units, most) = scanned(&Walk::new(place.path()), 100);
    assert_eq!(rows.len(), 1_001);
    assert_eq!(units, 11, "the first and ten slices");
    assert!(most < 200, "{most} entries of 1,000 in one of ten slices");
}

#[test]
fn depths_and_filters_are_those_of_the_whole_walk() {
    let place = tree();
    let mut rows = Vec::new();
    expected(place.path(), 0, &mut rows);
    rows.sort();
    let walk = Walk::new(place.path()).max_depth(3);
    let deep: Vec<Row> = rows.iter().filter(|row| row.1 <= 3).cloned().collect();
    let kinds = Filter::new().kinds(Kinds::NONE.with(Kind::File));
    let files: Vec<Row> = rows
        .iter()
        .filter(|row| fs::symlink_metadata(os(&row.0)).unwrap().is_file())
        .cloned()
        .collect();
    for budget in [1, 7, 1_000] {
        assert!(scanned(&walk, budget).0 == deep, "budget {budget}");
        assert!(scanned(&Walk::new(place.path()).filter(kinds.clone()), budget).0 == files);
    }
}

#[test]
fn what_vanished_is_a_failure_and_the_rest_is_done() {
    let place = tree();
    let walk = Walk::new(place.path());
    let mut scan = walk.scan(Unit::first(&walk), 6);
    while scan.next().is_some() {}
    let units = scan.left();
    fs::remove_dir_all(place.path().join("many")).unwrap();
    let (mut failures, mut entries, mut units) = (Vec::new(), 0, units);
    while let Some(unit) = units.pop() {
        let mut scan = walk.scan(unit, 1_000);
        while let Some((batch, _)) = scan.next() {
            entries += batch.entries().len();
            failures.extend(batch.failures().iter().map(|it| batch.failure(it).0.to_vec()));
        }
        units.extend(scan.left());
    }
    assert_eq!(failures, [place.path().join("many").as_os_str().as_bytes()]);
    assert_eq!(entries, 152 + 29, "wide, deep");
}

fn os(path: &[u8]) -> &Path {
    Path::new(std::ffi::OsStr::from_bytes(path))
}
