//! A watch that begins with a snapshot: its lines lead from the snapshot to what is there, whatever
//! happens before, while and after it begins; and the snapshot that it makes is what it told.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fewer::snapshot::{Change, ChangeKind, DirectoryId, Level, Snapshot};
use fewer::walk::{Recording, Since};
use fewer::watch::Watcher;
use fewer::{Answer, Kind, Walk, Watch};
use scene::changing::{Changing, exchange};
use scene::tree::{directory, file};

/// Paths below the roots, each with what it is.
type Listing = BTreeMap<Vec<u8>, Kind>;

fn recorded(walk: &Walk) -> Arc<Snapshot> {
    let recording = Arc::new(Recording::new(Level::Names));
    walk.clone().record(&recording).fold(|| (), |(), _| Answer::Continue);
    Arc::new(recording.finish().unwrap())
}

fn of_snapshot(snapshot: &Snapshot) -> Listing {
    fn add(snapshot: &Snapshot, id: DirectoryId, path: &[u8], listing: &mut Listing) {
        let mut entries = snapshot.directory(id).unwrap().entries().unwrap();
        while let Some(entry) = entries.next() {
            let path = [path, b"/", entry.name].concat();
            if let Some(id) = entry.directory {
                add(snapshot, id, &path, listing);
            }
            listing.insert(path, entry.kind);
        }
    }
    let mut listing = Listing::new();
    for root in snapshot.roots() {
        add(snapshot, root.directory.unwrap(), root.path, &mut listing);
    }
    listing
}

fn of_walk(walk: &Walk) -> Listing {
    let entries = walk.iter().map(|entry| entry.unwrap()).filter(|entry| entry.depth() > 0);
    entries.map(|entry| (entry.path_bytes().to_vec(), entry.kind())).collect()
}

/// The changes since a snapshot: what is removed goes, what is renamed gets its new path, all at
/// once, what is added comes.
fn apply_at_once(listing: &Listing, changes: &[Change]) -> Listing {
    let of_kind = |kind| changes.iter().filter(move |change| change.kind == kind);
    let removed: BTreeSet<&[u8]> = of_kind(ChangeKind::Removed).map(|it| &*it.path).collect();
    let renamed: BTreeMap<&[u8], &[u8]> = of_kind(ChangeKind::Renamed)
        .map(|change| (change.from.as_deref().unwrap(), &*change.path))
        .collect();
    let (mut now, mut places) = (Listing::new(), BTreeMap::<&[u8], Vec<u8>>::new());
    for (path, kind) in listing.iter().filter(|(path, _)| !removed.contains(&***path)) {
        let slash = path.iter().rposition(|&byte| byte == b'/').unwrap();
        let place = match (renamed.get(&**path), places.get(&path[..slash])) {
            (Some(to), _) => to.to_vec(),
            (None, Some(above)) => [above, &path[slash..]].concat(),
            (None, None) => path.clone(),
        };
        now.insert(place.clone(), *kind);
        places.insert(path, place);
    }
    for change in changes.iter().filter(|change| change.kind != ChangeKind::Removed) {
        let before = now.insert(change.path.to_vec(), change.entry);
        assert_eq!(before.is_none(), change.kind == ChangeKind::Added, "{change:?}");
    }
    now
}

/// Changes as they happen, one after the other.
fn apply_each(listing: &mut Listing, changes: &[Change]) {
    for Change { kind, entry, path, from } in changes {
        let below = |path: &[u8], other: &[u8]| other.starts_with(&[path, b"/"].concat());
        match kind {
            ChangeKind::Added => assert!(listing.insert(path.to_vec(), *entry).is_none()),
            ChangeKind::Removed => {
                assert!(listing.remove(&**path).is_some(), "unknown");
                assert!(!listing.keys().any(|other| below(path, other)), "not empty");
            }
            ChangeKind::Changed => assert!(listing.insert(path.to_vec(), *entry).is_some()),
            ChangeKind::Renamed => {
                let from = from.as_deref().unwrap();
                listing.remove(&**path);
                let moved = |old: &Vec<u8>| **old == *from || below(from, old);
                let moved: Vec<_> = listing.keys().filter(|old| moved(old)).cloned().collect();
                assert!(!moved.is_empty(), "unknown");
                for old in moved {
                    let kind = listing.remove(&old).unwrap();
                    listing.insert([path, &old[from.len()..]].concat(), kind);
                }
            }
        }
    }
}

/// Takes changes until none have come for a while.
fn until_quiet(watcher: &mut Watcher, listing: &mut Listing) {
    while let Some(changes) = watcher.next(Some(Duration::from_millis(30))).unwrap() {
        apply_each(listing, changes);
    }
}

/// Says what one has and the other has not.
fn expect_same(found: &Listing, expected: &Listing, what: &str) {
    let only = |one: &Listing, other: &Listing| {
        let only = one.iter().filter(|(path, kind)| other.get(*path) != Some(kind));
        only.map(|(path, kind)| format!("{} {kind:?}", path.escape_ascii())).collect::<Vec<_>>()
    };
    let (more, less) = (only(found, expected), only(expected, found));
    assert!(more.is_empty() && less.is_empty(), "{what}: more {more:?}, less {less:?}");
}

/// A few, or as many as the environment says.
fn how_many() -> usize {
    let given = std::env::var("FEWER_TEST_ROUNDS").ok();
    given.map_or(100, |rounds| rounds.parse().unwrap())
}

#[test]
fn random_changes_are_told_from_one_snapshot_to_the_next() {
    random_changes_are_told(false);
}

/// By inotify as well, where the kernel allows no more.
#[test]
fn random_changes_are_told_of_whole_file_systems() {
    random_changes_are_told(true);
}

fn random_changes_are_told(by_fanotify: bool) {
    let place = tempfile::tempdir().unwrap();
    let mut tree = Changing::new(place.path().join("t"), 6, false);
    let walk = Walk::new(&tree.root);
    let mut snapshot = recorded(&walk);
    let (mut listing, mut taken) = (of_walk(&walk), 0);
    for round in 0..how_many() {
        for _ in 0..tree.dice.roll(6) {
            tree.change();
        }
        let watch = Watch::new(&tree.root).fanotify(by_fanotify);
        let watch = watch.since(&snapshot).window(Duration::from_millis(1));
        // It begins while the tree is changing.
        let meanwhile = tree.dice.roll(40);
        let mut watcher = std::thread::scope(|scope| {
            scope.spawn(|| (0..meanwhile).for_each(|_| tree.change()));
            watch.start().unwrap()
        });
        listing = apply_at_once(&listing, watcher.changes().unwrap());
        for _ in 0..tree.dice.roll(4) {
            (0..tree.dice.roll(5)).for_each(|_| tree.change());
            apply_each(&mut listing, watcher.changes().unwrap());
        }
        if tree.dice.roll(3) == 0 {
            until_quiet(&mut watcher, &mut listing);
            expect_same(&listing, &of_walk(&walk), &format!("round {round}: what was told"));
            std::thread::sleep(Duration::from_millis(25)); // the stamps prove something by now
        }
        // It ends while events are waiting, and more come.
        let meanwhile = tree.dice.roll(6);
        let made = std::thread::scope(|scope| {
            scope.spawn(|| (0..meanwhile).for_each(|_| tree.change()));
            let (changes, made) = watcher.snapshot().unwrap();
            apply_each(&mut listing, changes);
            made.unwrap()
        });
        expect_same(&of_snapshot(&made), &listing, &format!("round {round}: the snapshot"));
        snapshot = Arc::new(made);
        let since = Arc::new(Since::new(Arc::clone(&snapshot)));
        let found = of_walk(&walk.clone().since(&since));
        expect_same(&found, &of_walk(&walk), &format!("round {round}: proved by the snapshot"));
        taken += since.unchanged();
    }
    assert!(taken > how_many(), "only {taken} directories were taken from a snapshot");
}

/// A directory and a link to another one change places while what is in it is entered.
#[test]
fn what_becomes_a_link_leads_to_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("t");
    for number in 0..100 {
        file(&root, &format!("inside/{number}/in"), "");
        file(place.path(), &format!("outside/{number}/out"), "");
    }
    std::os::unix::fs::symlink("../outside", root.join("link")).unwrap();
    let walk = Walk::new(&root);
    let snapshot = recorded(&walk);
    for round in 0..10 {
        let mut listing = of_snapshot(&snapshot);
        let watch = Watch::new(&root).since(&snapshot).window(Duration::from_millis(1));
        let mut watcher = std::thread::scope(|scope| {
            let exchanged =
                || (0..60).for_each(|_| exchange(&root.join("inside"), &root.join("link")));
            scope.spawn(exchanged);
            watch.start().unwrap()
        });
        listing = apply_at_once(&listing, watcher.changes().unwrap());
        until_quiet(&mut watcher, &mut listing);
        file(&root, &format!("inside/7/{round}"), "");
        until_quiet(&mut watcher, &mut listing);
        expect_same(&listing, &of_walk(&walk), &format!("round {round}: what was told"));
    }
}

#[test]
fn what_the_filter_leaves_out_is_neither_told_nor_taken_for_gone() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("t");
    file(&root, "kept/a.rs", "");
    file(&root, "kept/b.o", "");
    file(&root, "target/x", "");
    file(&root, ".gitignore", "*.o\ntarget\n");
    let walk = Walk::new(&root).gitignore(true);
    let snapshot = recorded(&walk);
    file(&root, "kept/c.o", "");
    file(&root, "kept/d.rs", "");
    std::fs::remove_file(root.join("kept/b.o")).unwrap();
    let watch = Watch::new(&root).gitignore(true).since(&snapshot);
    let mut watcher = watch.start().unwrap();
    let told = watcher.changes().unwrap().to_vec();
    let paths: Vec<_> = told.iter().map(|it| (it.kind, it.path.to_vec())).collect();
    let path = |name: &str| root.join(name).into_os_string().into_encoded_bytes();
    assert_eq!(paths, [(ChangeKind::Added, path("kept/d.rs"))]);
    // A walk with other filters finds all.
    std::thread::sleep(Duration::from_millis(25));
    let made = Arc::new(watcher.snapshot().unwrap().1.unwrap());
    let since = Arc::new(Since::new(made));
    let all = Walk::new(&root);
    assert_eq!(of_walk(&all.clone().since(&since)), of_walk(&all));
    assert_eq!(since.unchanged(), 0, "each directory has something that is left out");
}

#[test]
fn a_snapshot_is_made_only_of_all_that_it_began_with() {
    let place = tempfile::tempdir().unwrap();
    let (one, other) = (directory(place.path(), "one"), directory(place.path(), "other"));
    let both = |root: &Path| Walk::new(root).add_root(&other);
    let snapshot = recorded(&both(&one));
    let mut plain = Watch::new(&one).start().unwrap();
    assert!(plain.snapshot().unwrap().1.is_none(), "none without one at the beginning");
    std::fs::remove_dir(&other).unwrap();
    let watch = Watch::new(&one).add_root(&other).since(&snapshot);
    let mut watcher = watch.start().unwrap();
    let (changes, made) = watcher.snapshot().unwrap();
    let path = other.into_os_string().into_encoded_bytes();
    assert_eq!(changes.iter().map(|it| it.path.to_vec()).collect::<Vec<_>>(), [path]);
    assert!(made.is_none());
}
