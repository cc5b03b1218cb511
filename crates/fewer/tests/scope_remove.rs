//! A tree is removed with all that is in it and nothing else: compared with rm and find.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fewer::{Errno, Error, Scope};
use proptest::prelude::*;
use scene::tree::{Dice, any_tree, chain, directory, fast_place, file, grow};
use scene::{child, in_time, witness};
use sys::{Call, Calls, calls};

/// The counters are those of the process, so one removal at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cost(path: &Path) -> (Result<(), Error>, Calls) {
    let path = path.to_owned();
    in_time(move || {
        let before = calls();
        let done = Scope::start().remove_tree(path);
        (done, calls().since(&before))
    })
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn told(done: &Result<(), Error>) -> Option<(Errno, &'static str, PathBuf)> {
    let error = done.as_ref().err()?;
    Some((error.errno(), error.action().words(), error.path().to_owned()))
}

/// How many directories and how many other entries GNU find comes upon.
fn counts(root: &Path) -> (u64, u64) {
    let lines = witness::find(&[], root, &[]);
    let directories = lines.iter().filter(|line| line.starts_with(b"d ")).count();
    (directories as u64, (lines.len() - directories) as u64)
}

/// A tree whose directories each fit a block, at the price that the documentation states.
#[track_caller]
fn remove_at_the_stated_price(root: &Path) {
    let (directories, others) = counts(root);
    let (done, calls) = cost(root);
    done.unwrap();
    assert!(!is_there(root));
    for call in [Call::Openat, Call::Getdents64, Call::Close] {
        assert_eq!(calls.of(call), directories, "{call:?}");
    }
    assert_eq!(calls.of(Call::Unlinkat), directories + others);
    assert_eq!(calls.total(), 2 + 4 * directories + others);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_tree_is_removed_and_nothing_beside_it(victim in any_tree(), beside in any_tree()) {
        let _alone = alone();
        let place = tempfile::tempdir().unwrap();
        // Its links lead to `../a` and `../../b`, among others.
        let inner = directory(place.path(), "in");
        for name in ["in/a", "b"] {
            beside.make(&place.path().join(name));
        }
        let before = witness::find_as("%y %i %p\\0", &[], place.path(), &[]);
        victim.make(&inner.join("victim"));
        remove_at_the_stated_price(&inner.join("victim"));
        let after = witness::find_as("%y %i %p\\0", &[], place.path(), &[]);
        scene::assert_same(&after, &before, "what lies beside it");
    }
}

#[test]
fn a_large_tree_costs_four_calls_a_directory_and_one_an_entry() {
    let _alone = alone();
    let place = fast_place();
    let root = directory(place.path(), "tree");
    grow(&root, 3000, 20_000, 11);
    let (directories, others) = counts(&root);
    assert_eq!((directories, others), (3001, 20_000));
    let (done, calls) = cost(&root);
    done.unwrap();
    assert_eq!(calls.of(Call::Unlinkat), directories + others);
    assert_eq!(calls.of(Call::Getdents64), directories);
    // In places it is deeper than 16, so the limit is looked up; nothing is given up.
    assert!(calls.total() <= 2 + 4 * directories + others + 1, "{calls:?}");
}

#[test]
fn what_is_no_directory_is_refused() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "real/f", "");
    file(place.path(), "file", "");
    symlink("real", place.path().join("link")).unwrap();
    symlink("nothing", place.path().join("dangling")).unwrap();
    let scope = Scope::start().enter(place.path()).unwrap();
    let before = witness::find(&[], place.path(), &[]);
    for (path, errno) in [
        ("link", Errno::NOTDIR),
        ("link/", Errno::NOTDIR),
        ("link//", Errno::NOTDIR),
        ("file", Errno::NOTDIR),
        ("file/", Errno::NOTDIR),
        ("dangling", Errno::NOTDIR),
        ("file/x", Errno::NOTDIR),
        ("none", Errno::NOENT),
        ("none/x", Errno::NOENT),
        ("", Errno::NOENT),
    ] {
        let expected = (errno, "open directory", PathBuf::from(path));
        assert_eq!(told(&scope.remove_tree(path)), Some(expected), "{path}");
    }
    scene::assert_same(&witness::find(&[], place.path(), &[]), &before, "nothing has changed");
    scope.remove_tree("link/../real/").unwrap();
    assert!(!is_there(&place.path().join("real")));
}

/// rmdir says what these are, and it says so of empty ones too: then nothing is removed either.
#[test]
fn dots_are_refused_by_the_kernel_before_anything_is_removed() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "d/in/f", "");
    let scope = Scope::start().enter(place.path().join("d/in")).unwrap();
    let before = witness::find(&[], place.path(), &[]);
    for path in [".", "./", "..", "../in/.", "../..", "../in/.."] {
        let by_kernel = scope.remove_directory(path).unwrap_err();
        let (done, calls) = {
            let before = calls();
            (scope.remove_tree(path), calls().since(&before))
        };
        assert_eq!(done.unwrap_err(), by_kernel);
        assert_eq!((calls.of(Call::Unlinkat), calls.total()), (1, 1), "{path}");
    }
    scene::assert_same(&witness::find(&[], place.path(), &[]), &before, "nothing has changed");
}

#[test]
fn a_root_beyond_the_longest_path_is_removed() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let name = "n".repeat(200);
    chain(place.path(), &name, 60, &["a", "z"]);
    let scope = Scope::start().enter(place.path()).unwrap();
    let deep = [&*name; 50].join("/");
    scope.remove_tree(&deep).unwrap();
    assert_eq!(scope.stat(&deep, fewer::Fields::KIND).unwrap_err().errno(), Errno::NOENT);
    let above = [&*name; 49].join("/");
    let above = scope.enter(&above).unwrap();
    let left = fewer::Walk::new(".").within(&above).iter().map(Result::unwrap).count();
    assert_eq!(left, 3, "the directory itself, a and z");
    scope.remove_tree(format!("{name}{}", "/".repeat(5000))).unwrap();
}

fn run_with_descriptors(limit: u32, test: &str, place: &Path) {
    let wrapper = child::with_descriptors(limit);
    child::run(&wrapper.each_ref().map(String::as_str), test, place);
}

#[test]
fn a_chain_of_6000_directories_goes_with_64_descriptors() {
    let _alone = alone();
    let place = fast_place();
    chain(&directory(place.path(), "root"), &"n".repeat(255), 6000, &["a", "z"]);
    run_with_descriptors(64, "child_removes_6000_deep", place.path());
}

#[test]
fn child_removes_6000_deep() {
    let Some(place) = child::folder() else { return };
    let (done, calls) = cost(&place.join("root"));
    done.unwrap();
    assert!(!is_there(&place.join("root")));
    let directories = 1 + 3 * 6000;
    assert_eq!(calls.of(Call::Unlinkat), directories);
    assert_eq!(calls.of(Call::Getdents64), directories);
    let given_up = 6001 - 32; // half of what may be open is held
    assert!((given_up - 2..=given_up + 2).contains(&(calls.of(Call::Statx) / 2)), "{calls:?}");
    let deep = calls.of(Call::Statx) / 2 - 1; // two for the root directory's sake
    assert_eq!(calls.total(), 2 + 4 * directories + 4 * deep + 1, "{calls:?}");
    assert!(most_memory_kib() < 24 << 10, "{} KiB", most_memory_kib());
}

/// The most memory that this process has had, as the kernel counts it.
fn most_memory_kib() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_directory_of_300_000_names_goes_in_bounded_memory() {
    let _alone = alone();
    let place = fast_place();
    let root = directory(place.path(), "root");
    // One in a hundred is a directory. Files are names of few inodes, which are made faster.
    for number in 0..300_000 {
        let path = root.join(format!("{number:0200}"));
        match number % 100 {
            0 => std::fs::create_dir(&path).unwrap(),
            1 => std::fs::write(&path, b"").unwrap(),
            _ => std::fs::hard_link(root.join(format!("{:0200}", number / 100 * 100 + 1)), path)
                .unwrap(),
        }
    }
    child::run(&[], "child_removes_300_000", place.path());
}

#[test]
fn child_removes_300_000() {
    let Some(place) = child::folder() else { return };
    let before = most_memory_kib();
    let (done, calls) = cost(&place.join("root"));
    done.unwrap();
    assert!(!is_there(&place.join("root")));
    assert_eq!(calls.of(Call::Unlinkat), 300_001);
    let blocks = 300_000 * 224 / (256 << 10) + 3;
    assert!(calls.of(Call::Getdents64) <= 3000 + blocks, "{calls:?}");
    assert!(most_memory_kib() - before < 2 << 10, "{} KiB more", most_memory_kib() - before);
}

/// Wide at each level of a deep tree: names that wait are bounded too.
#[test]
fn names_that_wait_are_bounded_in_a_tree_that_is_wide_and_deep() {
    let _alone = alone();
    let place = fast_place();
    let mut at = directory(place.path(), "root");
    for level in 0..20 {
        for number in 0..1200 {
            std::fs::create_dir(at.join(format!("{number:0180}"))).unwrap();
        }
        // Its place among the others is anywhere.
        at = at.join(format!("{:0180}", level * 61 % 1200));
    }
    child::run(&[], "child_removes_wide_and_deep", place.path());
}

#[test]
fn child_removes_wide_and_deep() {
    let Some(place) = child::folder() else { return };
    let before = most_memory_kib();
    let (done, calls) = cost(&place.join("root"));
    done.unwrap();
    assert!(!is_there(&place.join("root")));
    assert_eq!(calls.of(Call::Unlinkat), 20 * 1200 + 1);
    assert!(most_memory_kib() - before < 5 << 10, "{} KiB more", most_memory_kib() - before);
}

/// What this user may not remove stays, what may be removed goes: exactly what rm leaves.
#[test]
fn what_may_not_be_removed_stays_and_the_rest_goes_as_rm_does_it() {
    let test = "what_may_not_be_removed_stays_and_the_rest_goes_as_rm_does_it";
    if let Some(place) = child::folder() {
        let twins = [place.join("ours"), place.join("theirs")];
        for twin in &twins {
            closed_tree(twin);
        }
        let (done, _) = cost(&twins[0].join("t"));
        let rm = Command::new("rm").args(["-rf", "t"]).current_dir(&twins[1]).output().unwrap();
        assert!(!rm.status.success());
        let [ours, theirs] = twins.each_ref().map(|twin| {
            Command::new("chmod").args(["-R", "u+rwx"]).arg(twin).status().unwrap();
            let paths = witness::find_as("%y %P\\0", &[], twin, &[]);
            // Roots have names of their own.
            paths.into_iter().collect::<Vec<_>>()
        });
        scene::assert_same(&ours, &theirs, "what is left");
        assert!(theirs.len() > 8 && !theirs.iter().any(|line| line.ends_with(b"gone")));
        // rm names all; the first of ours is one of them.
        let (errno, _, path) = told(&done).unwrap();
        let path = path.strip_prefix(&twins[0]).unwrap();
        let named = String::from_utf8_lossy(&rm.stderr).into_owned();
        assert_eq!(errno, Errno::ACCESS);
        assert!(named.contains(&format!("'{}'", path.display())), "{}: {named}", path.display());
        return;
    }
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    for twin in ["ours", "theirs"] {
        let twin = directory(place.path(), twin);
        std::fs::set_permissions(twin, PermissionsExt::from_mode(0o777)).unwrap();
    }
    if scene::is_root() {
        let ids = ["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"];
        let nobody = [&["setpriv"][..], &ids].concat();
        child::run_as_nobody(&nobody, test, place.path());
    } else {
        child::run(&[], test, place.path());
    }
}

/// Directories of all permissions in directories of all permissions.
fn closed_tree(twin: &Path) {
    let modes = [0o000, 0o100, 0o200, 0o300, 0o400, 0o500, 0o600, 0o700];
    let mut all = Vec::new();
    for outer in modes {
        for inner in modes {
            let path = twin.join(format!("t/{outer:o}/{inner:o}"));
            directory(&path, "sub");
            file(&path, "f", "");
            std::fs::set_permissions(&path, PermissionsExt::from_mode(inner)).unwrap();
        }
        for (name, mode) in [("empty", outer), ("shut", 0)] {
            let path = directory(twin, &format!("t/{outer:o}/{name}"));
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        }
        all.push(twin.join(format!("t/{outer:o}")));
    }
    for name in ["a gone", "z gone"] {
        file(twin, &format!("t/{name}"), "");
        file(twin, &format!("t/in {name}/f"), "");
    }
    for (path, mode) in all.iter().zip(modes) {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    }
}

/// Far below something cannot be removed: it is named with its full path, and only what it lies in
/// stays, also where the way back is longer than there are descriptors.
#[test]
fn what_stays_far_below_is_named_and_the_rest_goes() {
    let test = "what_stays_far_below_is_named_and_the_rest_goes";
    if !scene::is_root() {
        return scene::skip("only root can make what not even its owner can remove");
    }
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    if let Some(place) = child::folder() {
        let (done, calls) = cost(&place.join("root"));
        let deep: PathBuf = std::iter::repeat_n("deep", 80).collect();
        let path = place.join("root").join(deep).join("a/f");
        assert_eq!(told(&done), Some((Errno::PERM, "remove", path)));
        // Each of those that stay is read to its end, once.
        assert_eq!(calls.of(Call::Getdents64), 1 + 80 * 3 + 3 + 82);
        return;
    }
    let root = directory(place.path(), "root");
    chain(&root, "deep", 80, &["a", "z"]);
    let bottom: PathBuf = std::iter::repeat_n("deep", 80).collect();
    let kept = file(&root.join(bottom), "a/f", "");
    directory(kept.parent().unwrap(), "b");
    file(kept.parent().unwrap().parent().unwrap(), "z/g", "");
    let attribute = |mark: &str| Command::new("chattr").arg(mark).arg(&kept).output().unwrap();
    if !attribute("+i").status.success() {
        return scene::skip("the temporary folder knows no files that cannot be removed");
    }
    let wrapper = child::with_descriptors(20);
    child::run(&wrapper.each_ref().map(String::as_str), test, place.path());
    let left = counts(&root);
    attribute("-i");
    assert_eq!(left, (82, 1), "the way to it, and itself");
}

#[test]
fn several_remove_the_same_tree_at_once_and_none_fails() {
    let _alone = alone();
    let place = fast_place();
    for round in 0..30 {
        let root = directory(place.path(), "root");
        grow(&root, 150, 600, round);
        let results = in_time({
            let root = root.clone();
            move || {
                let remove = |_| {
                    let root = root.clone();
                    std::thread::spawn(move || Scope::start().remove_tree(&root))
                };
                let all: Vec<_> = (0..4).map(remove).collect();
                all.into_iter().map(|it| it.join().unwrap()).collect::<Vec<_>>()
            }
        });
        assert!(!is_there(&root));
        assert!(results.iter().any(Result::is_ok));
        // One that came too late found no root.
        let late = (Errno::NOENT, "open directory", root.clone());
        assert!(results.iter().all(|it| told(it).is_none_or(|it| it == late)), "{results:?}");
    }
}

/// While a tree is being removed, its directories are exchanged for links to another one, and moved
/// about: nothing outside is touched, and it comes to an end.
#[test]
fn links_that_take_the_place_of_directories_lead_nowhere() {
    let _alone = alone();
    let place = fast_place();
    directory(place.path(), "root");
    run_with_descriptors(24, "child_removes_what_changes", place.path());
}

#[test]
fn child_removes_what_changes() {
    let Some(place) = child::folder() else { return };
    let outside = place.join("outside");
    directory(&outside, "d");
    chain(&outside.join("d"), "d", 40, &["a", "z"]);
    ["a/f", "z/f", "f", "d/a/f"].iter().for_each(|path| drop(file(&outside, path, "")));
    let before = witness::find(&[], &outside, &[]);
    let mut pit = Pit::dig(&place);
    for round in 0..60 {
        let root = directory(&place, "root");
        chain(&root, "d", 40, &["a", "z"]);
        grow(&root, 200, 400, round);
        let over = AtomicBool::new(false);
        let done = std::thread::scope(|all| {
            all.spawn(|| mix_up(&root, &outside, &mut pit, round, &over));
            let done = Scope::start().remove_tree(&root);
            over.store(true, Ordering::Relaxed);
            done
        });
        if let Some((errno, _, path)) = told(&done) {
            assert!(matches!(errno, Errno::NOTEMPTY | Errno::NOENT), "{done:?}");
            assert!(path.starts_with(&root));
        }
        let _ = std::fs::remove_dir_all(&root);
        scene::assert_same(&witness::find(&[], &outside, &[]), &before, "what is outside");
    }
}

/// What is moved in here is removed, by a process of its own: to remove a deep tree takes
/// descriptors, and those of this process are few and all for the one that is being tested.
struct Pit {
    place: PathBuf,
    thrown: usize,
    emptier: std::process::Child,
}

impl Pit {
    fn dig(above: &Path) -> Self {
        let place = directory(above, "pit");
        let empty = r#"while [ -d "$0" ]; do rm -rf "$0"/*; done"#;
        let emptier = Command::new("sh").args(["-c", empty]).arg(&place).spawn().unwrap();
        Self { place, thrown: 0, emptier }
    }

    /// Where the next one goes.
    fn next(&mut self) -> PathBuf {
        self.thrown += 1;
        self.place.join(self.thrown.to_string())
    }
}

impl Drop for Pit {
    fn drop(&mut self) {
        let _ = self.emptier.kill();
        let _ = self.emptier.wait();
    }
}

fn mix_up(root: &Path, outside: &Path, pit: &mut Pit, seed: u64, over: &AtomicBool) {
    let mut dice = Dice(seed);
    while !over.load(Ordering::Relaxed) {
        let above = root.join("d/".repeat(dice.roll(38))).canonicalize();
        let path = match above {
            Ok(above) if above.starts_with(root) => above.join(["a", "z", "d"][dice.roll(3)]),
            _ => continue, // gone, or through a link that was made here
        };
        let what = dice.roll(3);
        let aside = if what == 1 { root.join("moved") } else { pit.next() };
        match (std::fs::rename(&path, &aside), what) {
            (Ok(()), 0) => drop(symlink(outside, &path)),
            (Ok(()), 2) => drop(std::fs::write(&path, b"")),
            _ => {}
        }
    }
}

/// Somebody else holds nearly all descriptors.
#[test]
fn two_descriptors_are_enough_for_any_depth_and_none_for_an_empty_one() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    chain(&directory(place.path(), "deep"), "d", 100, &["a", "z"]);
    directory(place.path(), "empty");
    file(place.path(), "full/f", "");
    run_with_descriptors(40, "child_removes_with_few_descriptors", place.path());
}

#[test]
fn child_removes_with_few_descriptors() {
    let Some(place) = child::folder() else { return };
    let mut held = Vec::new();
    while let Ok(null) = std::fs::File::open("/dev/null") {
        held.push(null);
    }
    let scope = Scope::start();
    scope.remove_tree(place.join("empty")).unwrap();
    let full = place.join("full");
    let expected = (Errno::MFILE, "open directory", full.clone());
    assert_eq!(told(&scope.remove_tree(&full)), Some(expected));
    held.truncate(held.len() - 3);
    scope.remove_tree(place.join("deep")).unwrap();
    assert!(!is_there(&place.join("deep")) && is_there(&full) && !is_there(&place.join("empty")));
    assert!(full.as_os_str().as_bytes().ends_with(b"full"));
}
