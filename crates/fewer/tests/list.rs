//! Lists: what is in them, in which order, what they cost, and what becomes of errors. Expected
//! values are written by hand or come from GNU ls and std.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fewer::list::{By, Hidden, ListOrder, Listing, Moment, OperandLinks};
use fewer::{Answer, Errno, Fields, Kind, Kinds, List, Scope};
use proptest::prelude::*;
use sys::{Call, Calls, calls};

/// A folder to list in. The counters are those of the process, so one test has one at a time.
struct TestFolder {
    folder: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl TestFolder {
    fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn folder() -> TestFolder {
    static ONE: Mutex<()> = Mutex::new(());
    let alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    TestFolder { folder: tempfile::tempdir().unwrap(), _alone: alone }
}

fn cost<T>(work: impl FnOnce() -> T) -> (T, Calls) {
    let before = calls();
    let done = work();
    (done, calls().since(&before))
}

/// What does not depend on the time: where a list goes slowly, as on a busy machine, it asks every
/// 15 ms whether it waits for storage.
fn steady(calls: &Calls) -> u64 {
    calls.total() - calls.of(Call::Getrusage)
}

fn file(path: impl AsRef<Path>, size: u64) {
    File::create(path).unwrap().write_at(b"x", size.saturating_sub(1)).unwrap();
}

fn names(listing: &Listing) -> Vec<String> {
    listing.rows().map(|row| row.name().to_str().unwrap().to_owned()).collect()
}

fn order(by: By) -> ListOrder {
    ListOrder { by, ..ListOrder::default() }
}

#[test]
fn a_list_that_is_canceled_has_no_rows() {
    let folder = folder();
    for number in 0..5000 {
        symlink("x", folder.path().join(number.to_string())).unwrap();
    }
    for (threads, after) in [(1, 1), (1, 3), (1, 7), (3, 1)] {
        // Both take so long that it is time to ask at each occasion.
        let sleep = || std::thread::sleep(std::time::Duration::from_millis(25));
        let (first, asked) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let keep = move |_: &[u8]| {
            if first.fetch_add(1, Relaxed) == 0 {
                sleep();
            }
            true
        };
        let canceled = move || {
            sleep();
            asked.fetch_add(1, Relaxed) + 1 >= after
        };
        let list = List::new(folder.path()).stat(Kinds::ALL, Fields::SIZE).threads(threads);
        let list = list.keep(keep).cancel_when(canceled);
        let (listing, calls) = cost(|| list.read().unwrap());
        assert_eq!(listing.broken_off().unwrap().errno(), Errno::CANCELED);
        assert_eq!(listing.rows().count(), 0);
        let statx = calls.of(Call::Statx);
        assert!(statx <= 3 * 1024, "{threads} threads, after {after}: {statx}");
    }
}

/// What GNU ls prints in the C locale.
fn gnu(directory: &Path, flags: &[&str]) -> Vec<String> {
    let output = Command::new("ls").args(flags).arg(directory).env("LC_ALL", "C").output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn names_alone_cost_no_call_an_entry() {
    let folder = folder();
    (0..100).for_each(|i| file(folder.path().join(format!("f{i}")), 1));
    let (listing, calls) = cost(|| List::new(folder.path()).read().unwrap());
    assert_eq!(listing.len(), 100);
    let of = |call| calls.of(call);
    assert_eq!((of(Call::Openat), of(Call::Getdents64), of(Call::Close)), (1, 2, 1));
    assert_eq!(calls.total(), 4);
}

#[test]
fn metadata_cost_one_statx_an_entry_however_many_threads_ask() {
    let folder = folder();
    let count = 5000;
    (0..count).for_each(|i| drop(File::create(folder.path().join(format!("f{i:05}"))).unwrap()));
    for threads in [1, 2, 7] {
        let list = List::new(folder.path()).stat(Kinds::ALL, Fields::INODE).threads(threads);
        let (listing, calls) = cost(|| list.read().unwrap());
        assert_eq!(calls.of(Call::Statx), count, "{threads} threads");
        assert_eq!(listing.len() as u64, count);
        // In order, and each answer with its own name.
        for (i, row) in listing.rows().enumerate() {
            assert_eq!(row.name(), OsStr::new(&format!("f{i:05}")));
        }
        for row in listing.rows().step_by(97) {
            let expected = fs::metadata(folder.path().join(row.name())).unwrap().ino();
            assert_eq!(row.stat().unwrap().inode(), expected);
        }
    }
}

#[test]
fn only_the_kinds_that_are_wanted_are_asked() {
    let folder = folder();
    fs::create_dir(folder.path().join("d")).unwrap();
    file(folder.path().join("f"), 3);
    let list = List::new(folder.path()).stat(Kinds::NONE.with(Kind::File), Fields::SIZE);
    let (listing, calls) = cost(|| list.read().unwrap());
    assert_eq!(calls.of(Call::Statx), 1);
    let rows: Vec<_> =
        listing.rows().map(|row| (row.kind(), row.stat().map(|s| s.size()))).collect();
    assert_eq!(rows, [(Kind::Directory, None), (Kind::File, Some(3))]);
}

#[test]
fn hidden_names_are_left_out_shown_or_shown_with_the_dots() {
    let folder = folder();
    ["a", ".b", "..c"].iter().for_each(|name| file(folder.path().join(name), 1));
    let list = |hidden| names(&List::new(folder.path()).hidden(hidden).read().unwrap());
    assert_eq!(list(Hidden::Skip), ["a"]);
    assert_eq!(list(Hidden::Show), ["..c", ".b", "a"]);
    assert_eq!(list(Hidden::default()), list(Hidden::Show));
    assert_eq!(list(Hidden::ShowDots), [".", "..", "..c", ".b", "a"]);
    let kept = List::new(folder.path()).hidden(Hidden::Show).keep(|name| name != b".b");
    assert_eq!(names(&kept.read().unwrap()), ["..c", "a"]);
}

#[test]
fn links_are_read_followed_and_looked_behind_only_if_asked() {
    let folder = folder();
    fs::create_dir(folder.path().join("d")).unwrap();
    symlink("d", folder.path().join("good")).unwrap();
    symlink("x".repeat(1000), folder.path().join("long")).unwrap();
    symlink("nowhere", folder.path().join("torn")).unwrap();
    let list = || List::new(folder.path()).stat(Kinds::ALL, Fields::SIZE);

    let (listing, calls) = cost(|| list().links(true).read().unwrap());
    assert_eq!(calls.of(Call::Readlinkat), 3);
    let path = |row: usize| listing.row(row).link().unwrap().path.clone().unwrap().unwrap();
    assert_eq!((path(1), path(2).len(), path(3)), (b"d".to_vec(), 1000, b"nowhere".to_vec()));
    assert!(listing.row(0).link().is_none() && listing.row(1).link().unwrap().target.is_none());

    let (listing, calls) = cost(|| list().targets(true).read().unwrap());
    assert_eq!((calls.of(Call::Statx), calls.of(Call::Readlinkat)), (4 + 3, 0));
    assert!(listing.row(1).leads_to_directory() && !listing.row(3).leads_to_directory());

    let (listing, calls) = cost(|| list().follow(true).links(true).read().unwrap());
    assert_eq!((calls.of(Call::Statx), calls.of(Call::Readlinkat)), (4, 0));
    assert_eq!(listing.row(1).kind(), Kind::Directory);
    assert_eq!(listing.row(3).stat_error(), Some(Errno::NOENT));
    let failed: Vec<_> = listing.failures().map(|row| row.name().to_owned()).collect();
    assert_eq!(failed.len(), 2, "the broken links, one of them too long: {failed:?}");

    let (_, calls) = cost(|| List::new(folder.path()).follow(true).read().unwrap());
    assert_eq!(calls.of(Call::Statx), 0, "names alone need nothing of what links point to");
}

#[test]
fn orders_are_those_of_ls() {
    let folder = folder();
    let all = [
        ("a10", 5),
        ("a9", 5),
        ("a9.txt", 1),
        ("b.tar.gz", 7),
        ("b.c", 7),
        ("B", 0),
        ("z~", 2),
        ("1.0", 3),
        ("1.0~rc", 3),
        ("001", 9),
        ("x.1", 4),
        ("x.01", 4),
    ];
    for (i, (name, size)) in all.into_iter().enumerate() {
        file(folder.path().join(name), size);
        let time = std::time::UNIX_EPOCH + std::time::Duration::new(i as u64 / 2, 7);
        File::open(folder.path().join(name)).unwrap().set_modified(time).unwrap();
    }
    fs::create_dir(folder.path().join("m")).unwrap();
    symlink("m", folder.path().join("y")).unwrap();
    let modified = By::Time(Moment::Modified);
    for (by, flag) in [
        (By::Name, "-1"),
        (By::Version, "-v"),
        (By::Extension, "-X"),
        (By::Size, "-S"),
        (modified, "-t"),
    ] {
        for reversed in [false, true] {
            for directories_first in [false, true] {
                let order = ListOrder { by, reversed, directories_first };
                let mut flags = vec![flag];
                flags.extend(reversed.then_some("-r"));
                flags.extend(directories_first.then_some("--group-directories-first"));
                let listing = List::new(folder.path()).order(order).read().unwrap();
                assert_eq!(names(&listing), gnu(folder.path(), &flags), "{flags:?}");
            }
        }
    }
    let ranked = List::new(folder.path()).rank(|name| name.len() as u64).read().unwrap();
    assert_eq!(names(&ranked)[..4], ["B", "m", "y", "a9"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn names_of_any_bytes_are_in_the_order_of_their_bytes(
        names in proptest::collection::btree_set("[ab]{20,30}[\\x01-.0-\\x7f]{0,20}", 0..300),
    ) {
        let folder = folder();
        names.iter().for_each(|name| file(folder.path().join(name), 1));
        let listing = List::new(folder.path()).hidden(Hidden::Show).read().unwrap();
        let listed: Vec<&[u8]> = listing.rows().map(|row| row.name_bytes()).collect();
        let expected: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
        prop_assert_eq!(listed, expected);
    }
}

#[test]
fn a_large_directory_is_sorted_by_several_threads_as_by_one() {
    let folder = folder();
    // Two names in three share their first 24 bytes, so that keys alone do not decide.
    for i in 0..70_000u32 {
        let i = i.wrapping_mul(2_654_435_761) % 1_000_003;
        let name =
            format!("{}-{i}", if i % 3 == 0 { "short" } else { "a-long-beginning-of-a-name" });
        let _ = File::create(folder.path().join(name)).unwrap();
    }
    let mut expected: Vec<PathBuf> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into()).collect();
    expected.sort();
    for reversed in [false, true] {
        let order = ListOrder { reversed, ..order(By::Name) };
        let list = List::new(folder.path()).stat(Kinds::ALL, Fields::KIND).order(order).threads(3);
        let listing = list.read().unwrap();
        assert_eq!(listing.threads(), 3);
        assert!(listing.rows().map(|row| row.name()).eq(expected.iter().map(|p| p.as_os_str())));
        expected.reverse();
    }
}

#[test]
fn operands_are_listed_as_they_are_named_and_what_is_missing_is_told() {
    let folder = folder();
    fs::create_dir(folder.path().join("d")).unwrap();
    file(folder.path().join("f"), 1);
    symlink("d", folder.path().join("to-d")).unwrap();
    symlink("f", folder.path().join("to-f")).unwrap();
    symlink("gone", folder.path().join("torn")).unwrap();
    let scope = Scope::start().enter(folder.path()).unwrap();
    let paths = ["to-f", "./d/", "gone", "to-d", "torn"].map(Path::new);
    let kinds = |links| {
        let (listing, errors) = List::new("").within(&scope).operands(paths, links, false);
        let missing: Vec<_> = errors.iter().map(|e| (e.errno(), e.path().to_owned())).collect();
        (listing.rows().map(|row| row.kind()).collect::<Vec<_>>(), names(&listing), missing)
    };
    use Kind::{Directory as D, File as F, Symlink as L};
    let gone = (Errno::NOENT, PathBuf::from("gone"));
    let all = ["./d/", "to-d", "to-f", "torn"].map(str::to_owned).to_vec();
    assert_eq!(kinds(OperandLinks::Keep), (vec![D, L, L, L], all.clone(), vec![gone.clone()]));
    let to_directory = kinds(OperandLinks::FollowToDirectory);
    assert_eq!(to_directory, (vec![D, D, L, L], all.clone(), vec![gone.clone()]));
    let torn = (Errno::NOENT, PathBuf::from("torn"));
    assert_eq!(kinds(OperandLinks::Follow), (vec![D, D, F], all[..3].to_vec(), vec![gone, torn]));
}

#[test]
fn a_tree_is_listed_depth_first_for_three_calls_a_directory() {
    let folder = folder();
    for path in ["a/x", "a/y", "b", ".h/i"] {
        fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    file(folder.path().join("a/y/f"), 1);
    symlink("..", folder.path().join("b/up")).unwrap();
    let list = || List::new(folder.path()).hidden(Hidden::Skip).below();
    let (listed, calls) =
        cost(|| list().map(|(path, l)| (path, names(&l.unwrap()))).collect::<Vec<_>>());
    let at = |path: &str| folder.path().join(path);
    let entries = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(
        listed,
        [
            (folder.path().to_owned(), entries(&["a", "b"])),
            (at("a"), entries(&["x", "y"])),
            (at("a/x"), vec![]),
            (at("a/y"), entries(&["f"])),
            (at("b"), entries(&["up"])),
        ]
    );
    assert_eq!((calls.of(Call::Openat) - 1, calls.of(Call::Statx)), (5, 0), "and the mount table");
    assert!(calls.of(Call::Getdents64) <= 10);
}

#[test]
fn a_tree_with_links_is_gone_round_once() {
    let folder = folder();
    fs::create_dir_all(folder.path().join("a/b")).unwrap();
    symlink("../..", folder.path().join("a/b/top")).unwrap();
    let listed: Vec<_> = List::new(folder.path()).follow(true).below().collect();
    let errors: Vec<_> = listed.iter().filter_map(|(_, listing)| listing.as_ref().err()).collect();
    assert_eq!(listed.len(), 4);
    assert_eq!((errors.len(), errors[0].errno()), (1, Errno::LOOP));
    assert_eq!(errors[0].path(), folder.path().join("a/b/top"));
}

/// Deeper than directories are held open, with something pending on each level, and longer than the
/// kernel takes in one path.
#[test]
fn a_tree_of_any_depth_is_listed_and_its_pending_directories_are_found_again() {
    let folder = folder();
    let script = "i=0; while [ $i -lt 200 ]; do n=$(printf %050d $i); mkdir $n z$i; cd -P $n; \
                  i=$((i+1)); done; touch end";
    let status = Command::new("sh").arg("-c").arg(script).current_dir(folder.path()).status();
    assert!(status.unwrap().success());
    let mut ends = 0;
    let mut beside = Vec::new();
    for (path, listing) in List::new(folder.path()).below() {
        let listing = listing.unwrap();
        ends += usize::from(names(&listing) == ["end"]);
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        beside.extend(name.strip_prefix('z').map(str::to_owned));
    }
    assert_eq!(ends, 1);
    // The deepest come first: each when what is below its sibling has been listed.
    let expected: Vec<String> = (0..200).rev().map(|i| i.to_string()).collect();
    assert_eq!(beside, expected);
}

#[test]
fn a_visitor_sees_all_rows_in_pieces_and_may_stop() {
    let folder = folder();
    (0..3000).for_each(|i| drop(File::create(folder.path().join(format!("f{i}"))).unwrap()));
    let mut pieces = Vec::new();
    let list = List::new(folder.path());
    list.visit(|listing| {
        pieces.push(listing.len());
        Answer::Continue
    })
    .unwrap();
    assert_eq!(pieces, [1024, 1024, 952]);
    let mut seen = 0;
    list.visit(|listing| {
        seen += listing.len();
        Answer::Stop
    })
    .unwrap();
    assert_eq!(seen, 1024);
}

#[test]
fn what_cannot_be_listed_is_an_error_with_its_path() {
    let folder = folder();
    file(folder.path().join("f"), 1);
    for (path, errno) in [("f", Errno::NOTDIR), ("gone", Errno::NOENT)] {
        let path = folder.path().join(path);
        let error = List::new(&path).read().unwrap_err();
        assert_eq!((error.errno(), error.path()), (errno, &*path));
        assert_eq!(error.action().words(), "open directory");
        assert!(List::new(&path).visit(|_| Answer::Continue).is_err());
    }
    assert_eq!(List::new("a\0b").read().unwrap_err().errno(), Errno::INVAL);
}

#[test]
fn what_the_mode_hides_is_a_mark_only_if_asked() {
    let folder = folder();
    file(folder.path().join("f"), 1);
    fs::set_permissions(folder.path().join("f"), fs::Permissions::from_mode(0o600)).unwrap();
    let (_, calls) = cost(|| List::new(folder.path()).stat(Kinds::ALL, Fields::PERMISSIONS).read());
    assert_eq!(calls.of(Call::Llistxattr), 0);
    let (listing, calls) = cost(|| List::new(folder.path()).marks(true).read().unwrap());
    assert_eq!(calls.of(Call::Llistxattr), 1);
    assert_eq!(listing.row(0).marks(), fewer::list::Marks::None);
}

#[test]
fn a_name_of_255_bytes_that_is_no_text_is_as_it_is() {
    let folder = folder();
    let name = [b"\xff\n", [b'n'; 253].as_slice()].concat();
    file(folder.path().join(OsStr::from_bytes(&name)), 1);
    let listing = List::new(folder.path()).stat(Kinds::ALL, Fields::SIZE).read().unwrap();
    assert_eq!((listing.row(0).name_bytes(), listing.row(0).stat().unwrap().size()), (&*name, 1));
}

#[test]
fn a_panic_of_the_caller_is_passed_on_and_nobody_waits() {
    let folder = folder();
    (0..3000).for_each(|i| drop(File::create(folder.path().join(format!("f{i}"))).unwrap()));
    let seen = std::sync::atomic::AtomicUsize::new(0);
    let list = List::new(folder.path()).stat(Kinds::ALL, Fields::SIZE).threads(2).keep(move |_| {
        assert!(seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 2500, "enough");
        true
    });
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| list.read())).is_err());
}

#[test]
fn ranks_of_any_size_order_rows() {
    let folder = folder();
    let ranks = [("a", u64::MAX), ("b", 1 << 63), ("c", 1), ("d", u64::MAX - 1), ("e", 0)];
    ranks.iter().for_each(|(name, _)| file(folder.path().join(name), 1));
    let list = |reversed| {
        let rank = move |name: &[u8]| ranks.iter().find(|r| r.0.as_bytes() == name).unwrap().1;
        let order = ListOrder { reversed, ..ListOrder::default() };
        names(&List::new(folder.path()).rank(rank).order(order).read().unwrap()).concat()
    };
    assert_eq!((list(false), list(true)), ("ecbda".to_owned(), "adbce".to_owned()));
}

/// Directories that cannot be opened must not count as held for ever.
#[test]
fn what_cannot_be_opened_costs_those_after_it_nothing() {
    let folder = folder();
    for i in 0..300 {
        // A link that has taken the folder of the one directory in it cannot be opened.
        fs::create_dir_all(folder.path().join(format!("d{i:03}/x"))).unwrap();
    }
    let mut below = List::new(folder.path()).below();
    let (mut calls_first, mut calls_last) = (0, 0);
    let mut listed = 0;
    loop {
        let (next, calls) = cost(|| below.next());
        let Some((path, listing)) = next else { break };
        if path.ends_with("x") {
            assert_eq!(listing.unwrap_err().errno(), Errno::NOTDIR);
        } else if path != folder.path() {
            fs::remove_dir(path.join("x")).unwrap();
            symlink("/", path.join("x")).unwrap();
            listed += 1;
            match listed {
                2 => calls_first = steady(&calls),
                299 => calls_last = steady(&calls),
                _ => {}
            }
        }
    }
    assert_eq!((listed, calls_last), (300, calls_first));
}

#[test]
fn a_path_longer_than_the_kernel_takes_is_listed() {
    let folder = folder();
    let deep = vec!["n".repeat(250); 20].join("/");
    let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do mkdir $0; \
                  cd -P $0; done; touch end";
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).arg("n".repeat(250)).current_dir(folder.path());
    assert!(shell.status().unwrap().success());
    let listing = List::new(folder.path().join(deep)).read().unwrap();
    assert_eq!(names(&listing), ["end"]);
}
