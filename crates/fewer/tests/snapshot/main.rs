//! Snapshots: what was written is read again, and nothing else is.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod changes;
mod file;
mod hostile;
mod model;
#[path = "../scene/mod.rs"]
mod scene;

use std::sync::Arc;

use fewer::snapshot::{
    Defect, DirectoryRecord, EntryStat, Level, Snapshot, SnapshotBuilder, Stamp,
};
use fewer::{Kind, Time};
use model::{snapshot, tree, tree_in, without_stats};
use scene::tree::Dice;

const ROUNDS: u64 = 300;

#[test]
fn any_tree_is_read_as_it_was_recorded() {
    for seed in 0..ROUNDS {
        let tree = tree(&mut Dice(seed));
        for (level, expected) in [(Level::Names, without_stats(&tree)), (Level::Stat, tree.clone())]
        {
            let made = snapshot(level, &tree, None);
            let read = Snapshot::from_bytes(made.as_bytes().to_vec()).unwrap();
            assert_eq!(tree_in(&read), Some(expected), "of seed {seed}");
            assert_eq!(read.level(), level);
            assert_eq!(read.options(), b"some words");
            assert_eq!(read.roots().next().unwrap().path, b"missing");
        }
    }
}

#[test]
fn an_update_is_the_same_as_a_new_snapshot() {
    for seed in 0..ROUNDS {
        let mut dice = Dice(seed);
        let old = tree(&mut dice);
        let mut new = old.clone();
        for _ in 0..dice.roll(6) {
            change(&mut dice, &mut new);
        }
        for level in [Level::Names, Level::Stat] {
            let base = Arc::new(snapshot(level, &old, None));
            let updated = snapshot(level, &new, Some(&base));
            let fresh = snapshot(level, &new, None);
            assert!(updated.as_bytes() == fresh.as_bytes(), "of seed {seed}");
        }
    }
}

/// Replaces, adds or removes something somewhere.
fn change(dice: &mut Dice, node: &mut model::Node) {
    let Some(contents) = &mut node.contents else { return };
    let count = contents.entries.len();
    if count > 0 && dice.roll(4) > 0 {
        let below = contents.entries.values_mut().nth(dice.roll(count)).unwrap();
        if below.contents.is_some() {
            return change(dice, below);
        }
    }
    let mut new = model::contents(dice, node.inode, 3);
    new.entries.extend(contents.entries.clone());
    while new.entries.len() > 4 {
        new.entries.pop_first();
    }
    *contents = new;
}

#[test]
fn a_directory_of_any_size_is_read_as_it_was_recorded() {
    // One more and one less than fits into a byte, into two bytes, and into the memory for names.
    for count in [0, 1, 254, 255, 256, 257, 9000, 65_534, 65_535, 65_536] {
        for level in [Level::Names, Level::Stat] {
            let mut builder = SnapshotBuilder::new(level);
            let time = Time { seconds: 5, nanoseconds: 6 };
            let (changed, modified) = (time, time);
            let stamp = Stamp {
                device: 1,
                inode: 2,
                is_mount_root: false,
                created: None,
                changed,
                modified,
            };
            let mut directory = DirectoryRecord::new(b"r", stamp, false);
            let kind = |number| [Kind::Directory, Kind::File, Kind::Unknown][number as usize % 3];
            for number in 0..count {
                let stat = EntryStat { size: number, permissions: 1, modified, changed };
                directory.push(&name(number), kind(number), number * number, Some(stat));
            }
            let mut records = builder.records();
            records.add(directory);
            builder.add(records);
            builder.add_root(b"r", Kind::Directory, 2, None);
            let made = builder.finish().unwrap();
            let read = Snapshot::from_bytes(made.as_bytes().to_vec()).unwrap();
            assert_eq!(read.directory_count() as u64, 1 + count.div_ceil(3));
            let root = read.roots().next().unwrap().directory.unwrap();
            let mut entries = read.directory(root).unwrap().entries().unwrap();
            for number in 0..count {
                let entry = entries.next().unwrap();
                assert_eq!(entry.name, name(number));
                assert_eq!((entry.kind, entry.inode), (kind(number), number * number));
                assert_eq!(
                    entry.stat.map(|stat| stat.size),
                    (level == Level::Stat).then_some(number)
                );
            }
            assert_eq!(entries.next(), None);
        }
    }
}

/// A name, in order of the numbers: some are plain, some shortened, some long.
fn name(number: u64) -> Vec<u8> {
    let end: &[u8] = match number % 5 {
        0 => b".html",
        1 => b"\xc3\xa9",
        2 => &[b'x'; 700],
        3 => b"tions of many things",
        _ => b"",
    };
    [format!("{number:06}").as_bytes(), end].concat()
}

#[test]
fn what_is_cut_off_or_damaged_is_refused() {
    let some = (0..).map(|seed| snapshot(Level::Stat, &tree(&mut Dice(seed)), None));
    let made = some.into_iter().find(|made| (2000..9000).contains(&made.as_bytes().len())).unwrap();
    let bytes = made.as_bytes();
    for length in 0..bytes.len() {
        let defect = Snapshot::from_bytes(bytes[..length].to_vec()).unwrap_err();
        let expected = if length == 0 { Defect::NotASnapshot } else { Defect::Length };
        assert_eq!(defect, expected, "of {length} bytes");
    }
    let longer = [bytes, b"\0"].concat();
    assert_eq!(Snapshot::from_bytes(longer).unwrap_err(), Defect::Length);
    for at in 0..bytes.len() {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 1 << (at % 8);
        assert!(Snapshot::from_bytes(bytes).is_err(), "with byte {at} changed");
    }
    assert_eq!(Snapshot::from_bytes(b"{\"a\": 1}".to_vec()).unwrap_err(), Defect::NotASnapshot);
}
