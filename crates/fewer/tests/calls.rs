//! What a walk costs in system calls, as its documentation states it, and in memory.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::fs::symlink_metadata;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fewer::filter::Size;
use fewer::snapshot::{Level, SnapshotBuilder};
use fewer::walk::{Item, Recording, Since};
use fewer::{Answer, DiskUsage, Fields, Filter, Kind, Kinds, Order, Snapshot, Walk};
use scene::tree::{directory, file, grow};
use scene::{child, see, skip};
use sys::{Call, Calls, calls};

/// The counters are those of the process, so one walk at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cost(walk: &Walk) -> Calls {
    let before = calls();
    see(walk);
    calls().since(&before)
}

/// A place on a file system that marks the end of a directory; says so if there is none.
fn marked() -> Option<tempfile::TempDir> {
    let place = tempfile::tempdir().unwrap();
    let output = std::process::Command::new("stat")
        .args(["-f", "-c", "%t"])
        .arg(place.path())
        .output()
        .unwrap();
    // ext4 and tmpfs
    if matches!(output.stdout.trim_ascii(), b"ef53" | b"1021994") {
        return Some(place);
    }
    skip("the temporary folder is neither on ext4 nor on tmpfs");
    None
}

/// What does not depend on the time: where a walk goes slowly, as on a busy machine, it asks every
/// 15 ms whether it waits for storage.
fn steady(calls: &Calls) -> Vec<(&'static str, u64)> {
    calls.by_name().into_iter().filter(|(name, _)| *name != "getrusage").collect()
}

fn total(calls: &Calls) -> u64 {
    steady(calls).iter().map(|(_, count)| count).sum()
}

/// The mount table and how to find it: one open, one close, and reads.
fn without_reads(calls: &Calls) -> u64 {
    total(calls) - calls.of(Call::Read)
}

#[test]
fn a_file_as_root_costs_one_call() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let calls = cost(&Walk::new(file(place.path(), "x", "")).threads(1));
    assert_eq!((total(&calls), calls.of(Call::Statx)), (1, 1));
}

#[test]
fn a_snapshot_costs_what_it_says() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("snapshot");
    let snapshot = SnapshotBuilder::new(Level::Names).finish().unwrap();
    let assert_calls = |calls: Calls, expected: &[(Call, u64)]| {
        expected.iter().for_each(|(call, count)| assert_eq!(calls.of(*call), *count, "{call:?}"));
        // A build for debugging looks at a descriptor before it is closed.
        let total: u64 = expected.iter().map(|(_, count)| count).sum();
        assert_eq!(calls.total() - calls.of(Call::Fcntl), total);
    };
    let before = calls();
    snapshot.write(&path).unwrap();
    let once = [Call::Statx, Call::Write, Call::Renameat2].map(|call| (call, 1));
    let twice = [Call::Openat, Call::Fdatasync, Call::Close].map(|call| (call, 2));
    assert_calls(calls().since(&before), &[&once[..], &twice].concat());
    let before = calls();
    Snapshot::read(&path).unwrap();
    let once = [Call::Openat, Call::Statx, Call::Read, Call::Close].map(|call| (call, 1));
    assert_calls(calls().since(&before), &once);
}

#[test]
fn an_empty_directory_costs_five_calls() {
    let _alone = alone();
    let Some(place) = marked() else { return };
    let calls = cost(&Walk::new(place.path()).threads(1));
    // The end of an empty directory is read off `..`, so one getdents64 does.
    for call in [Call::Statx, Call::Openat, Call::Fstatfs, Call::Getdents64, Call::Close] {
        assert_eq!(calls.of(call), 1, "{call:?}");
    }
    assert_eq!(total(&calls), 5);
}

#[test]
fn each_directory_costs_three_calls_and_an_entry_none() {
    let _alone = alone();
    let Some(place) = marked() else { return };
    grow(place.path(), 2000, 20_000, 9);
    for order in [Order::Any, Order::Sorted] {
        for threads in [1, 2, 4] {
            let calls = cost(&Walk::new(place.path()).order(order).threads(threads));
            let what = format!("{order:?}, {threads} threads");
            assert_eq!(calls.of(Call::Getdents64), 2001, "{what}");
            assert_eq!((calls.of(Call::Statx), calls.of(Call::Fstatfs)), (1, 1), "{what}");
            assert_eq!(calls.of(Call::Openat), calls.of(Call::Close), "{what}");
            // Per walk: the root's statx, fstatfs and readlinkat, the mount table; nothing per
            // entry, and 48 levels are walked without asking for the limit of descriptors.
            let own = without_reads(&calls) - 3 * 2001;
            assert!(own <= 6, "{what}: {own} more: {:?}", calls.by_name());
        }
    }
}

#[test]
fn a_filter_by_kind_name_and_depth_costs_nothing() {
    let _alone = alone();
    let Some(place) = marked() else { return };
    grow(place.path(), 100, 1000, 10);
    let names = fewer::filter::Names::new().globs(&["*f1*"]).unwrap();
    let filter = Filter::new().kinds(Kinds::NONE.with(Kind::File)).names(names).min_depth(2);
    let plain = cost(&Walk::new(place.path()).threads(1));
    let filtered = cost(&Walk::new(place.path()).threads(1).filter(filter));
    assert_eq!(steady(&plain), steady(&filtered));
}

#[test]
fn a_filter_by_size_costs_one_statx_for_each_entry_that_passes_the_free_questions() {
    let _alone = alone();
    let Some(place) = marked() else { return };
    grow(place.path(), 100, 1000, 11);
    let size: Size = "+1K".parse().unwrap();
    let filter = Filter::new().kinds(Kinds::NONE.with(Kind::File)).size(size);
    let plain = cost(&Walk::new(place.path()).threads(1));
    let filtered = cost(&Walk::new(place.path()).threads(1).filter(filter));
    assert_eq!(filtered.of(Call::Statx), plain.of(Call::Statx) + 1000);
    assert_eq!(total(&filtered), total(&plain) + 1000);
}

#[test]
fn following_costs_one_statx_for_each_link_and_each_directory_above() {
    let _alone = alone();
    let Some(place) = marked() else { return };
    let root = directory(place.path(), "root");
    file(place.path(), "other/x", "");
    directory(&root, "a/b");
    for index in 0..10 {
        file(&root, &format!("file{index}"), "");
        std::os::unix::fs::symlink("file0", root.join(format!("to-file{index}"))).unwrap();
    }
    let plain = cost(&Walk::new(&root).threads(1));
    let files = cost(&Walk::new(&root).threads(1).follow(true));
    assert_eq!(files.of(Call::Statx), plain.of(Call::Statx) + 10);
    std::os::unix::fs::symlink("../../../other", root.join("a/b/to-directory")).unwrap();
    let both = cost(&Walk::new(&root).threads(1).follow(true));
    // One for the link, and one for each of root, a and b to see whether it leads back there.
    assert!(both.of(Call::Statx) <= files.of(Call::Statx) + 1 + 3, "{:?}", both.by_name());
}

#[test]
fn one_file_system_costs_nothing_where_nothing_is_mounted() {
    let _alone = alone();
    let Some(place) = marked() else { return };
    grow(place.path(), 100, 100, 12);
    let plain = cost(&Walk::new(place.path()).threads(1));
    let one = cost(&Walk::new(place.path()).threads(1).one_file_system(true));
    assert_eq!(plain, one);
}

#[test]
fn what_a_visitor_asks_of_an_entry_costs_one_call_each() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let path = file(place.path(), "x", "abc");
    let own = symlink_metadata(&path).unwrap();
    let before = calls();
    Walk::new(&path).threads(1).visit(
        || {
            |item: Item<'_>, _: &mut Vec<u8>| {
                let entry = item.unwrap();
                let all = Fields::SIZE | Fields::OWNER | Fields::MODIFIED | Fields::PERMISSIONS;
                let stat = entry.stat(all | Fields::INODE).unwrap();
                assert_eq!((stat.size(), stat.inode()), (own.len(), own.ino()));
                assert_eq!((stat.user(), stat.group()), (own.uid(), own.gid()));
                assert_eq!(u32::from(stat.permissions()), own.mode() & 0o7777);
                assert_eq!(stat.modified().seconds, own.mtime());
                assert_eq!(i64::from(stat.modified().nanoseconds), own.mtime_nsec());
                Answer::Continue
            }
        },
        |_| Answer::Continue,
    );
    assert_eq!(calls().since(&before).of(Call::Statx), 2); // the root's own, and this one
}

/// What is in the line of /proc/self/status that starts with `name`, in KiB.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn flat(names: usize) -> tempfile::TempDir {
    let place = scene::tree::fast_place();
    for index in 0..names {
        std::fs::write(place.path().join(format!("{index:0>40}")), b"").unwrap();
    }
    place
}

/// 300,000 names of 40 bytes are 12 MB, and 18 MB as the kernel writes them.
#[test]
fn a_flat_directory_is_not_held() {
    let place = flat(300_000);
    child::run(&[], "child_visits_a_flat_directory", place.path());
    child::run(&[], "child_iterates_over_a_flat_directory", place.path());
}

#[test]
fn child_visits_a_flat_directory() {
    let Some(place) = child::folder() else { return };
    let before = memory("VmHWM");
    let mut bytes = 0;
    Walk::new(&place).visit(
        || {
            |item: Item<'_>, out: &mut Vec<u8>| {
                out.extend_from_slice(item.unwrap().path_bytes());
                out.push(0);
                Answer::Continue
            }
        },
        |block| {
            bytes += block.len();
            Answer::Continue
        },
    );
    let root = place.as_os_str().len() + 1;
    assert_eq!(bytes, root + 300_000 * (root + 41));
    let grown = memory("VmHWM") - before;
    assert!(grown < 4 << 10, "{grown} KiB more");
}

#[test]
fn child_iterates_over_a_flat_directory() {
    let Some(place) = child::folder() else { return };
    let before = memory("VmHWM");
    assert_eq!(Walk::new(&place).iter().filter(|item| item.is_ok()).count(), 300_001);
    // At most the entries of one block of 256 KiB, each with its path.
    let grown = memory("VmHWM") - before;
    assert!(grown < 8 << 10, "{grown} KiB more");
}

#[test]
fn measuring_costs_one_statx_an_entry_and_directories_are_not_held() {
    let place = scene::tree::fast_place();
    grow(place.path(), 20_000, 20_000, 11);
    child::run(&[], "child_measures", place.path());
}

#[test]
fn child_measures() {
    let Some(place) = child::folder() else { return };
    for threads in [1, 2, 4] {
        let (usage, before) =
            (DiskUsage::new(Walk::new(&place).threads(threads)), (calls(), memory("VmHWM")));
        let rows = usage.depth(1).measure(|_event| Answer::Continue);
        assert_eq!(rows.last().map(|row| row.depth()), Some(1));
        assert_eq!(rows[0].space().entries, 40_001);
        let calls = calls().since(&before.0);
        // The root is asked about twice.
        assert_eq!(calls.of(Call::Statx), 40_002, "{threads} threads");
        // 20,000 rows would take more.
        let grown = memory("VmHWM") - before.1;
        assert!(grown < 3 << 10, "{grown} KiB more with {threads} threads");
    }
}

/// What waits for its turn in a sorted walk has a limit of 12 MiB, however much is written.
#[test]
fn sorted_output_is_not_held() {
    let place = scene::tree::fast_place();
    grow(place.path(), 3000, 12_000, 13);
    child::run(&[], "child_writes_much_in_order", place.path());
}

#[test]
fn child_writes_much_in_order() {
    let Some(place) = child::folder() else { return };
    let before = memory("VmHWM");
    let mut bytes = 0;
    Walk::new(&place).order(Order::Sorted).threads(4).visit(
        || {
            |_: Item<'_>, out: &mut Vec<u8>| {
                out.resize(out.len() + (16 << 10), b'x');
                Answer::Continue
            }
        },
        |block| {
            bytes += block.len();
            std::thread::sleep(std::time::Duration::from_micros(300)); // the others get ahead
            Answer::Continue
        },
    );
    assert_eq!(bytes, 15_001 * (16 << 10));
    let grown = memory("VmHWM") - before;
    assert!(grown < 40 << 10, "{grown} KiB more for {} KiB written", bytes >> 10);
}

#[test]
fn what_an_iterator_prunes_costs_no_call() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    (0..50).for_each(|number| drop(file(place.path(), &format!("skip/{number}/f"), "")));
    file(place.path(), "go/f", "");
    for order in [Order::Any, Order::Sorted] {
        let before = calls();
        let mut entries = Walk::new(place.path()).order(order).iter();
        while let Some(entry) = entries.next() {
            let entry = entry.unwrap();
            assert_eq!(entry.name() == "skip", entry.name() == "skip" && entries.prune(&entry));
        }
        let calls = calls().since(&before);
        assert_eq!(calls.of(Call::Openat), 3, "two directories and the mount table");
    }
}

#[test]
fn a_known_directory_costs_one_statx() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    for number in 0..200 {
        file(place.path(), &format!("{number}/below/x"), "");
    }
    // Longer than the guard, so that the times prove something.
    std::thread::sleep(std::time::Duration::from_millis(30));
    let recording = Arc::new(Recording::new(Level::Names));
    let walk = Walk::new(place.path());
    let first = cost(&walk.clone().record(&recording));
    assert_eq!(first.of(Call::Statx), 1 + 401, "the root, and each directory once more");
    let since = Arc::new(Since::new(Arc::new(recording.finish().unwrap())));
    let again = cost(&walk.since(&since));
    assert_eq!((again.of(Call::Statx), again.of(Call::Getdents64)), (1 + 401, 0));
    assert!(total(&again) <= 401 + 14, "{:?}", again.by_name());
}

#[test]
fn one_known_directory_of_512_is_opened_if_much_lies_below() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    for number in 0..1100 {
        directory(place.path(), &format!("a/b/c/d/{number}"));
    }
    std::thread::sleep(std::time::Duration::from_millis(30));
    let recording = Arc::new(Recording::new(Level::Names));
    let walk = Walk::new(place.path()).threads(1); // more begin with files about processors
    let first = cost(&walk.clone().record(&recording));
    assert_eq!(first.of(Call::Openat), 1105 + 1, "and the mount table");
    let since = Arc::new(Since::new(Arc::new(recording.finish().unwrap())));
    let again = cost(&walk.since(&since));
    assert_eq!((again.of(Call::Statx), again.of(Call::Getdents64)), (1 + 1105, 0));
    assert_eq!(again.of(Call::Openat), 1 + 1 + 2, "the root, the mount table, a, and a/b");
    assert_eq!(since.unchanged(), 1105);
}
