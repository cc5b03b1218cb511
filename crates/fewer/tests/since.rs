//! A walk since a snapshot finds what a full walk finds, whatever happened in between.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fewer::filter::Size;
use fewer::snapshot::{DirectoryId, Level, Snapshot};
use fewer::walk::{Item, Recording, Since, Visitor};
use fewer::{Answer, Filter, Order, Walk};
use scene::changing::{Changing, Mounted};
use scene::tree::{chain, directory, file};
use scene::{Line, assert_same, child, is_root, records, skip};

/// Longer than the guard: what was changed before is not racy any more.
const GUARD: Duration = Duration::from_millis(25);

fn settle() {
    std::thread::sleep(GUARD);
}

/// All that an entry's record says, for each entry, sorted unless the walk is.
fn seen(walk: &Walk, sorted: bool) -> Vec<Line> {
    let mut bytes = Vec::new();
    let visit = |item: Item<'_>, out: &mut Vec<u8>| {
        let line = match item {
            Ok(entry) => {
                let (kind, depth, inode) = (entry.kind().name(), entry.depth(), entry.inode());
                [format!("{kind} {depth} {inode} ").as_bytes(), entry.path_bytes()].concat()
            }
            Err(error) => error.to_string().into_bytes(),
        };
        out.extend(line);
        out.push(0);
        Answer::Continue
    };
    walk.visit(
        || visit,
        |block| {
            bytes.extend_from_slice(block);
            Answer::Continue
        },
    );
    let mut lines = records(&bytes);
    if !sorted {
        lines.sort();
    }
    lines
}

/// Prints paths, many at once if the walk likes, and counts all entries and directories.
#[derive(Default)]
struct Printer {
    at_once: bool,
    errors: usize,
    entries: usize,
    directories: usize,
}

impl Visitor for Printer {
    fn visit(&mut self, item: Item<'_>, out: &mut Vec<u8>) -> Answer {
        match item {
            Ok(entry) => {
                out.extend(entry.path_bytes());
                self.printed(1, usize::from(entry.is_dir()));
            }
            Err(error) => {
                out.extend(error.to_string().into_bytes());
                self.errors += 1;
            }
        }
        out.push(0);
        Answer::Continue
    }

    fn line_end(&self) -> Option<u8> {
        self.at_once.then_some(0)
    }

    fn printed(&mut self, entries: usize, directories: usize) {
        self.entries += entries;
        self.directories += directories;
    }
}

/// What a walk prints, and how many entries and directories it says that these are.
fn printed(walk: &Walk, at_once: bool, sorted: bool) -> (Vec<Line>, usize, usize) {
    let mut bytes = Vec::new();
    let printers = walk.visit(
        || Printer { at_once, ..Printer::default() },
        |block| {
            bytes.extend_from_slice(block);
            Answer::Continue
        },
    );
    let mut lines = records(&bytes);
    if !sorted {
        lines.sort();
    }
    let sum = |of: fn(&Printer) -> usize| printers.iter().map(of).sum::<usize>();
    let entries = sum(|printer| printer.entries);
    assert_eq!(lines.len(), entries + sum(|printer| printer.errors));
    (lines, entries, sum(|printer| printer.directories))
}

/// A snapshot of what the walk finds.
fn recorded(walk: &Walk, level: Level) -> Arc<Snapshot> {
    let recording = Arc::new(Recording::new(level));
    walk.clone().record(&recording).fold(|| (), |(), _| Answer::Continue);
    Arc::new(recording.finish().unwrap())
}

/// Kind, inode and path of all that is below the roots of a snapshot.
fn contents(snapshot: &Snapshot) -> Vec<Line> {
    fn add(snapshot: &Snapshot, id: DirectoryId, path: &[u8], lines: &mut Vec<Line>) {
        let mut entries = snapshot.directory(id).unwrap().entries().unwrap();
        while let Some(entry) = entries.next() {
            let path = [path, b"/", entry.name].concat();
            lines.push(
                [format!("{} {} ", entry.kind.name(), entry.inode).as_bytes(), &path].concat(),
            );
            if let Some(id) = entry.directory {
                add(snapshot, id, &path, lines);
            }
        }
    }
    let mut lines = Vec::new();
    for root in snapshot.roots() {
        if let Some(id) = root.directory {
            add(snapshot, id, root.path, &mut lines);
        }
    }
    lines.sort();
    lines
}

/// The same of a full walk, without its roots.
fn contents_of_walk(root: &Path) -> Vec<Line> {
    let mut lines = Vec::new();
    for entry in &Walk::new(root) {
        let entry = entry.unwrap();
        if entry.depth() > 0 {
            let head = format!("{} {} ", entry.kind().name(), entry.inode());
            lines.push([head.as_bytes(), entry.path_bytes()].concat());
        }
    }
    lines.sort();
    lines
}

/// How many directories a walk takes from a snapshot, which finds what a full walk finds.
#[track_caller]
fn taken(walk: &Walk, snapshot: &Arc<Snapshot>) -> usize {
    let since = Arc::new(Since::new(Arc::clone(snapshot)));
    let walk_since = walk.clone().since(&since);
    assert_same(&seen(&walk_since, false), &seen(walk, false), "since a snapshot");
    let unchanged = since.unchanged();
    assert_eq!(printed(&walk_since, true, false), printed(walk, false, false));
    unchanged
}

/// One of the walks that there are, and whether it is sorted.
fn some_walk(tree: &mut Changing) -> (Walk, bool) {
    let order = [Order::Any, Order::Sorted][tree.dice.roll(2)];
    let mut walk = Walk::new(&tree.root).order(order).threads(1 + tree.dice.roll(3));
    match tree.dice.roll(6) {
        0 => walk = walk.gitignore(true),
        1 => walk = walk.filter(Filter::new().size("+0".parse::<Size>().unwrap())),
        2 => walk = walk.max_depth(2),
        3 => walk = walk.one_file_system(true),
        // A link that cannot be followed is an error when it is read, in no order.
        4 => return (walk.follow(true), false),
        _ => {}
    }
    (walk, order == Order::Sorted)
}

/// Changes a tree so many times, and looks at it each time. Returns how many directories were taken
/// from a snapshot.
fn rounds(root: PathBuf, rounds: usize, seed: u64, mounted: Option<&Mounted>) -> usize {
    let mut tree = Changing::new(root, seed, mounted.is_some());
    settle();
    let mut snapshot = recorded(&Walk::new(&tree.root), Level::Names);
    let mut taken = 0;
    for round in 0..rounds {
        for _ in 0..tree.dice.roll(4) {
            tree.change();
        }
        if tree.dice.roll(8) == 0 {
            settle();
        }
        if let Some(mounted) = mounted.filter(|_| tree.dice.roll(40) == 0) {
            tree.unmount_all();
            mounted.again();
        }
        let (walk, sorted) = some_walk(&mut tree);
        let since = Arc::new(Since::new(Arc::clone(&snapshot)));
        let what = format!("round {round} of seed {seed}: {walk:?}");
        let walk_since = walk.clone().since(&since);
        assert_same(&seen(&walk_since, sorted), &seen(&walk, sorted), &what);
        let also = Arc::new(Since::new(Arc::clone(&snapshot)));
        let at_once = printed(&walk.clone().since(&also), true, sorted);
        assert_eq!(at_once, printed(&walk, false, sorted), "{what}");
        if tree.dice.roll(2) == 0 {
            let recording = Arc::new(Recording::new(Level::Names));
            let all = Walk::new(&tree.root).since(&since).record(&recording);
            all.fold(|| (), |(), _| Answer::Continue);
            snapshot = Arc::new(recording.finish().unwrap());
            assert_same(&contents(&snapshot), &contents_of_walk(&tree.root), &what);
        }
        taken += since.unchanged();
    }
    tree.unmount_all();
    taken
}

/// A few, or as many as the environment says.
fn how_many() -> usize {
    let given = std::env::var("FEWER_TEST_ROUNDS").ok();
    given.map_or(300, |rounds| rounds.parse().unwrap())
}

#[test]
fn random_changes_are_all_found() {
    let place = tempfile::tempdir().unwrap();
    let taken = rounds(place.path().join("t"), how_many(), 1, None);
    assert!(taken > how_many(), "only {taken} directories were taken from a snapshot");
}

#[test]
fn random_changes_are_all_found_on_every_file_system_and_with_mounts() {
    const NAME: &str = "random_changes_are_all_found_on_every_file_system_and_with_mounts";
    if let Some(place) = child::folder() {
        for (seed, kind) in [(2, "tmpfs"), (3, "ext4"), (4, "xfs"), (5, "btrfs")] {
            if let Some(mounted) = Mounted::fresh(&place, kind) {
                let root = mounted.point.join("t");
                let taken = rounds(root, how_many(), seed, Some(&mounted));
                assert!(taken > how_many(), "{kind}: only {taken} were taken from a snapshot");
            }
        }
        return;
    }
    if !is_root() {
        return skip("needs root to mount");
    }
    let place = tempfile::tempdir().unwrap();
    child::run(&["unshare", "--mount", "--propagation", "private"], NAME, place.path());
}

#[test]
fn an_unchanged_tree_is_not_opened_but_for_its_root() {
    let place = tempfile::tempdir().unwrap();
    for path in ["a/b/c/1", "a/2", "d/3", "e/.gitignore", "e/x.o"] {
        file(place.path(), path, "");
    }
    file(place.path(), "e/.gitignore", "*.o\n");
    settle();
    let walk = Walk::new(place.path());
    let snapshot = recorded(&walk, Level::Names);
    assert_eq!(taken(&walk, &snapshot), 6);
    assert_eq!(taken(&walk.clone().order(Order::Sorted), &snapshot), 6);
    assert_eq!(taken(&walk.clone().gitignore(true), &snapshot), 6);
    assert_eq!(taken(&walk.clone().filter(Filter::new().size("0".parse().unwrap())), &snapshot), 6);
    // A directory that changed is read, and what is below it is taken all the same.
    file(place.path(), "a/new", "");
    assert_eq!(taken(&walk, &snapshot), 5);
    // The iterator and directories one at a time.
    let since = Arc::new(Since::new(Arc::clone(&snapshot)));
    assert_eq!(walk.clone().since(&since).iter().count(), walk.iter().count());
    assert_eq!(since.unchanged(), 5);
    let mut directories = walk.since(&since).directories();
    while directories.next().is_some() {}
    drop(directories);
    assert_eq!(since.unchanged(), 10);
}

#[test]
fn a_walk_that_visits_errors_only_writes_down_the_same() {
    let place = tempfile::tempdir().unwrap();
    for path in ["a/b/c/1", "a/2", "d/3", "e/f/g", "e/x.o"] {
        file(place.path(), path, "");
    }
    settle();
    let walk = Walk::new(place.path()).errors_only(true);
    assert_eq!(seen(&walk, false), Vec::<Line>::new());
    assert_eq!(seen(&Walk::new(place.path().join("none")).errors_only(true), false).len(), 1);
    let (quiet, whole) =
        (recorded(&walk, Level::Names), recorded(&Walk::new(place.path()), Level::Names));
    assert!(quiet.as_bytes() == whole.as_bytes());
    let again = |before: &Arc<Snapshot>| {
        let since = Arc::new(Since::new(Arc::clone(before)));
        (recorded(&walk.clone().since(&since), Level::Names), since.unchanged())
    };
    let (same, unchanged) = again(&quiet);
    assert!(same.as_bytes() == quiet.as_bytes() && unchanged == 7);
    file(place.path(), "e/f/new", "");
    std::fs::rename(place.path().join("d"), place.path().join("a/d")).unwrap();
    let (other, unchanged) = again(&quiet);
    assert_eq!(unchanged, 3, "a/b, a/b/c and e are known by their paths, d no more");
    assert_eq!(contents(&other), contents_of_walk(place.path()));
    let whole = recorded(&Walk::new(place.path()), Level::Names);
    assert_eq!(contents(&other), contents(&whole));
}

#[test]
fn what_was_written_down_too_early_is_read_again() {
    // On a busy machine a walk may begin late.
    let (_place, walk, racy) = (0..1000)
        .find_map(|_| {
            let begin = Instant::now();
            let place = tempfile::tempdir().unwrap();
            directory(place.path(), "a");
            let walk = Walk::new(place.path());
            let racy = recorded(&walk, Level::Names);
            // The guard less what the clock of files lags behind.
            (begin.elapsed() < Duration::from_millis(10)).then_some((place, walk, racy))
        })
        .unwrap();
    assert_eq!(taken(&walk, &racy), 0, "just made");
    settle();
    assert_eq!(taken(&walk, &racy), 0, "still not known");
    let snapshot = recorded(&walk, Level::Names);
    assert_eq!(taken(&walk, &snapshot), 2);
}

#[test]
fn a_path_of_any_length_is_compared() {
    let place = tempfile::tempdir().unwrap();
    chain(place.path(), &"n".repeat(200), 60, &["x"]);
    settle();
    let walk = Walk::new(place.path());
    let snapshot = recorded(&walk, Level::Names);
    assert_eq!(taken(&walk, &snapshot), 121);
    let sized = walk.filter(Filter::new().size("+0".parse().unwrap()));
    assert_eq!(taken(&sized, &snapshot), 121);
}

#[test]
fn a_link_in_the_place_of_a_directory_leads_to_nothing_known() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "t/a/b/1", "");
    file(place.path(), "other/b/2", "");
    settle();
    let walk = Walk::new(place.path().join("t"));
    let snapshot = recorded(&walk, Level::Names);
    let a = place.path().join("t/a");
    std::fs::rename(&a, place.path().join("away")).unwrap();
    std::os::unix::fs::symlink("../other", &a).unwrap();
    assert_eq!(taken(&walk, &snapshot), 0);
    assert_eq!(taken(&walk.clone().follow(true), &snapshot), 0);
    // It is the same directory again, whatever its path was meanwhile; `t` is not.
    std::fs::remove_file(&a).unwrap();
    std::fs::rename(place.path().join("away"), &a).unwrap();
    assert_eq!(taken(&walk, &snapshot), 1, "its own time has changed, too, but not that of b");
}

#[test]
fn stats_are_those_of_now() {
    let place = tempfile::tempdir().unwrap();
    let grows = file(place.path(), "a/grows", "");
    settle();
    let walk = Walk::new(place.path());
    let before = recorded(&walk, Level::Stat);
    std::fs::write(grows, "text").unwrap();
    let since = Arc::new(Since::new(before));
    let after = recorded(&walk.since(&since), Level::Stat);
    assert_eq!(since.unchanged(), 2);
    let a = after.roots().next().unwrap().directory.unwrap();
    let a = after.directory(a).unwrap().entries().unwrap().next().unwrap().directory.unwrap();
    let size = after.directory(a).unwrap().entries().unwrap().next().unwrap().stat.unwrap().size;
    assert_eq!(size, 4);
}
