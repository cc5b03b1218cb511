//! What a scope changes one name at a time: compared with what chmod, ln, mkdir, rm and rmdir do,
//! and each at the price of one call.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use fewer::{Errno, Scope};
use scene::tree::{directory, file};
use sys::{Call, Calls, calls};

/// The counters are those of the process, so one at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cost<T>(work: impl FnOnce() -> T) -> (T, Calls) {
    let before = calls();
    let done = work();
    (done, calls().since(&before))
}

fn scope_of(place: &Path) -> Scope {
    Scope::start().enter(place).unwrap()
}

/// Everything there is to see in a tree: kind, permissions, number of names, target and path. Only
/// root sees what is below a directory that a test has taken the permissions of.
fn picture(place: &Path) -> Vec<Vec<u8>> {
    let output = Command::new("find")
        .env("LC_ALL", "C")
        .arg(place)
        .args(["-printf", "%y %m %n %l %P\\0"])
        .output()
        .unwrap();
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert!(complaints.lines().all(|line| line.ends_with(": Permission denied")), "{complaints}");
    let mut lines = scene::records(&output.stdout);
    lines.sort();
    lines
}

/// Whether a shell's command in `place` succeeds.
fn sh(place: &Path, command: &str) -> bool {
    let mut shell = Command::new("sh");
    shell.current_dir(place).args(["-c", command]).env("LC_ALL", "C");
    shell.output().unwrap().status.success()
}

/// Two equal trees, each in a directory of its own: `..` is changed as well.
fn twins() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let (ours, theirs) = (place.path().join("ours/tree"), place.path().join("theirs/tree"));
    for twin in [&ours, &theirs] {
        directory(twin, "empty");
        file(twin, "full/f", "text");
        file(twin, "f", "text");
        symlink("f", twin.join("link")).unwrap();
        symlink("full", twin.join("into")).unwrap();
        symlink("nothing", twin.join("dangling")).unwrap();
        symlink("loop", twin.join("loop")).unwrap();
    }
    (place, ours, theirs)
}

const PATHS: &[&str] = &[
    "f", "link", "full", "into", "into/", "empty", "empty/", "empty//", "dangling", "loop", "none",
    "none/", "f/", "f/x", "full/f", "full/new", "into/f", "into/new", "none/new", ".", "..", "./f",
    "empty/.", "full/../f", "loop/x", "-", "new\nline",
];

/// Does the same to twin trees, path by path, by a scope and by a program: the same succeed, and
/// the trees stay the same. Each takes one call.
#[track_caller]
fn agree(call: Call, mut ours: impl FnMut(&Scope, &str) -> Result<(), fewer::Error>, theirs: &str) {
    let _alone = alone();
    for path in PATHS {
        let (_place, our_tree, their_tree) = twins();
        let scope = scope_of(&our_tree);
        let (done, calls) = cost(|| ours(&scope, path));
        let expected = sh(&their_tree, &theirs.replace("PATH", &format!("'{path}'")));
        assert_eq!(done.is_ok(), expected, "{theirs} {path}: {done:?}");
        scene::assert_same(&picture(&our_tree), &picture(&their_tree), &format!("{theirs} {path}"));
        if let Err(error) = done {
            assert_eq!(error.path(), Path::new(path));
        }
        let closed = calls.of(Call::Close);
        assert_eq!((calls.of(call), calls.total() - closed), (1, 1), "{path}: {calls:?}");
    }
}

#[test]
fn permissions_are_set_as_chmod_sets_them() {
    for bits in [0o0, 0o7777, 0o640, 0o1751, 0o4711, 0o2070] {
        let ours = |scope: &Scope, path: &str| scope.set_permissions(path, bits);
        // perl's is the call itself; chmod(1) keeps the set-group-id of directories.
        agree(Call::Fchmodat, ours, &format!("perl -e 'chmod({bits}, shift) or exit 1' -- PATH"));
    }
}

#[test]
fn links_are_made_as_ln_makes_them() {
    for target in ["f", "../x", "/", "none", "a\nb", " "] {
        let ours = |scope: &Scope, path: &str| scope.make_symlink(path, target);
        let theirs = format!("perl -e 'symlink(shift, shift) or exit 1' -- '{target}' PATH");
        agree(Call::Symlinkat, ours, &theirs);
    }
    for target in ["f", "link", "into/f", "full/f", "full", "none", "dangling", "f/"] {
        let ours = |scope: &Scope, path: &str| scope.make_hard_link(path, target);
        let theirs = format!("perl -e 'link(shift, shift) or exit 1' -- '{target}' PATH");
        agree(Call::Linkat, ours, &theirs);
    }
}

#[test]
fn directories_are_made_as_mkdir_makes_them() {
    for bits in [0o777, 0o0, 0o700, 0o1777] {
        let ours = |scope: &Scope, path: &str| scope.make_directory(path, bits);
        agree(Call::Mkdirat, ours, &format!("perl -e 'mkdir(shift, {bits}) or exit 1' -- PATH"));
    }
}

#[test]
fn files_are_made_as_a_shell_makes_them_that_must_not_overwrite() {
    let ours = |scope: &Scope, path: &str| scope.create(path, 0o666).map(drop);
    let open = "use Fcntl; sysopen(F, shift, O_RDWR|O_CREAT|O_EXCL, 0666) or exit 1";
    agree(Call::Openat, ours, &format!("perl -e '{open}' -- PATH"));
}

#[test]
fn names_go_as_unlink_and_rmdir_let_them_go() {
    let ours = |scope: &Scope, path: &str| scope.remove_file(path);
    agree(Call::Unlinkat, ours, "unlink -- PATH");
    let ours = |scope: &Scope, path: &str| scope.remove_directory(path);
    agree(Call::Unlinkat, ours, "rmdir -- PATH");
}

#[test]
fn what_was_created_can_be_written_and_read() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let made = scope_of(place.path()).create("new", 0o600).unwrap();
    sys::write_all(std::os::fd::AsFd::as_fd(&made), b"text").unwrap();
    assert_eq!(std::fs::read(place.path().join("new")).unwrap(), b"text");
    sys::set_position(&made, 0).unwrap();
    let mut block = [0; 8];
    assert_eq!(sys::read(&made, &mut block), Ok(4));
    assert_eq!(place.path().join("new").metadata().unwrap().permissions().mode(), 0o100_600);
}

#[test]
fn the_umask_counts_where_something_is_made_and_only_there() {
    let _alone = alone();
    let test = "the_umask_counts_where_something_is_made_and_only_there";
    if let Some(place) = scene::child::folder() {
        let scope = scope_of(&place);
        scope.make_directory("d", 0o7777).unwrap();
        scope.create("f", 0o7777).unwrap();
        sh(&place, "perl -e 'mkdir(\"theirs\", 07777)'");
        let mode = |name: &str| place.join(name).metadata().unwrap().mode() & 0o7777;
        assert_eq!((mode("d"), mode("f")), (mode("theirs"), 0o7777 & !0o027));
        scope.set_permissions("d", 0o777).unwrap();
        assert_eq!(mode("d"), 0o777);
        return;
    }
    let place = tempfile::tempdir().unwrap();
    scene::child::run(&["sh", "-c", "umask 027 && exec \"$0\" \"$@\""], test, place.path());
}

/// An error has the kernel's number, its story, and the path as it was given.
#[test]
fn errors_tell_what_was_done_to_which_path() {
    let _alone = alone();
    let (_place, ours, _) = twins();
    let scope = scope_of(&ours);
    let long_name = "n".repeat(256);
    let told = |done: Result<(), fewer::Error>| {
        let error = done.unwrap_err();
        (error.errno(), error.action().words(), error.path().to_str().unwrap().to_owned())
    };
    let owned = |errno, action, path: &str| (errno, action, path.to_owned());
    assert_eq!(
        told(scope.set_permissions("none", 0)),
        owned(Errno::NOENT, "set permissions of", "none")
    );
    assert_eq!(told(scope.make_symlink("f", "x")), owned(Errno::EXIST, "make symlink", "f"));
    assert_eq!(told(scope.make_symlink("x", "")), owned(Errno::NOENT, "make symlink", "x"));
    let long_target = "x".repeat(4096);
    let done = scope.make_symlink("x", &long_target);
    assert_eq!(told(done), owned(Errno::NAMETOOLONG, "make symlink", "x"));
    scope.make_symlink("x", &long_target[1..]).unwrap();
    let done = scope.make_hard_link("y", "full");
    assert_eq!(told(done), owned(Errno::PERM, "make hard link", "y"));
    let done = scope.make_hard_link("y", &long_name);
    assert_eq!(told(done), owned(Errno::NAMETOOLONG, "make hard link", "y"));
    let done = scope.make_directory("", 0o700);
    assert_eq!(told(done), owned(Errno::NOENT, "make directory", ""));
    let done = scope.create(&long_name, 0o600).map(drop);
    assert_eq!(told(done), owned(Errno::NAMETOOLONG, "create", &long_name));
    assert_eq!(told(scope.remove_file("full")), owned(Errno::ISDIR, "remove", "full"));
    let done = scope.remove_directory("full");
    assert_eq!(told(done), owned(Errno::NOTEMPTY, "remove directory", "full"));
}

#[test]
fn what_cannot_be_meant_is_invalid_and_costs_nothing() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let scope = scope_of(place.path());
    let (all, calls) = cost(|| {
        [
            scope.set_permissions("f", 0o10000),
            scope.make_directory("f", 0o40755),
            scope.create("f", u32::MAX).map(drop),
            scope.make_symlink("a\0b", "x"),
            scope.make_symlink("x", "a\0b"),
            scope.make_hard_link("x", "a\0b"),
            scope.make_hard_link("a\0b", "x"),
            scope.remove_file("\0"),
            scope.remove_directory("\0"),
            scope.remove_tree("a\0b"),
        ]
    });
    assert!(all.iter().all(|done| done.as_ref().unwrap_err().errno() == Errno::INVAL), "{all:?}");
    assert_eq!(calls.total(), 0);
}

#[test]
fn a_path_longer_than_the_kernel_takes_costs_two_calls_more_for_each_piece() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let name = "n".repeat(100);
    scene::tree::chain(place.path(), &name, 100, &[]);
    let scope = scope_of(place.path());
    let deep = [&*name; 100].join("/");
    let at = |last: &str| format!("{deep}/{last}");
    let pieces = 2;
    for (what, call) in [
        (scope_step(|it, at| it.make_directory(at("d"), 0o700)), Call::Mkdirat),
        (scope_step(|it, at| it.remove_directory(at("d"))), Call::Unlinkat),
        (scope_step(|it, at| it.make_directory(at("d///"), 0o700)), Call::Mkdirat),
        (
            scope_step(|it, at| it.remove_directory(at(&format!("d{}", "/".repeat(5000))))),
            Call::Unlinkat,
        ),
        (scope_step(|it, at| it.make_symlink(at("l"), "target")), Call::Symlinkat),
        (scope_step(|it, at| it.remove_file(at("l"))), Call::Unlinkat),
        (scope_step(|it, at| it.set_permissions(at("."), 0o750)), Call::Fchmodat),
    ] {
        let (done, calls) = cost(|| what(&scope, &at));
        done.unwrap();
        assert_eq!(calls.of(call), 1);
        assert_eq!((calls.of(Call::Openat), calls.of(Call::Close)), (pieces, pieces), "{call:?}");
        assert_eq!(calls.total(), 1 + 2 * pieces);
    }
    let (made, calls) = cost(|| scope.create(at("f"), 0o600).map(drop));
    made.unwrap();
    assert_eq!((calls.of(Call::Openat), calls.of(Call::Close)), (1 + pieces, 1 + pieces));
    let (made, calls) = cost(|| scope.make_hard_link(at("g"), at("f")));
    made.unwrap();
    assert_eq!((calls.of(Call::Linkat), calls.of(Call::Openat)), (1, 2 * pieces));
    assert_eq!(scope.stat(at("g"), fewer::Fields::LINKS).unwrap().links(), 2);
}

type Step = Box<dyn Fn(&Scope, &dyn Fn(&str) -> String) -> Result<(), fewer::Error>>;

fn scope_step(
    step: impl Fn(&Scope, &dyn Fn(&str) -> String) -> Result<(), fewer::Error> + 'static,
) -> Step {
    Box::new(step)
}

#[test]
fn changes_are_made_where_the_scope_is_now() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let inner = directory(place.path(), "d");
    let scope = scope_of(&inner);
    std::fs::rename(&inner, place.path().join("moved")).unwrap();
    directory(place.path(), "d");
    scope.create("f", 0o600).unwrap();
    scope.make_directory("sub", 0o700).unwrap();
    scope.make_hard_link("sub/g", "f").unwrap();
    scope.make_symlink("l", "f").unwrap();
    assert!(place.path().join("moved/sub/g").exists());
    assert_eq!(place.path().join("moved/l").read_link().unwrap(), Path::new("f"));
    assert_eq!(place.path().join("d").read_dir().unwrap().count(), 0);
}

#[test]
fn names_are_changed_as_mv_changes_them() {
    for target in ["new", "link", "dangling", "full/new", "none/new"] {
        let _alone = alone();
        for source in ["f", "loop", "full", "none", "full/f", "into"] {
            let (_place, our_tree, their_tree) = twins();
            let scope = scope_of(&our_tree);
            let (done, calls) = cost(|| scope.rename(source, target));
            let expected = sh(&their_tree, &format!("mv -fT {source} {target}"));
            assert_eq!(done.is_ok(), expected, "{source} {target}: {done:?}");
            scene::assert_same(&picture(&our_tree), &picture(&their_tree), source);
            assert_eq!((calls.of(Call::Renameat2), calls.total()), (1, 1));
        }
    }
}

#[test]
fn a_new_name_replaces_nothing_if_it_must_not() {
    let _alone = alone();
    let (_place, tree, _) = twins();
    let (scope, before) = (scope_of(&tree), picture(&tree));
    for target in ["f", "link", "dangling", "loop", "empty", "full/f"] {
        let (done, calls) = cost(|| scope.rename_to_new("f", target));
        assert_eq!(done.map_err(|error| error.errno()), Err(Errno::EXIST), "{target}");
        assert_eq!(calls.total(), 1);
    }
    scene::assert_same(&picture(&tree), &before, "nothing replaced");
    scope.rename_to_new("f", "full/new").unwrap();
    assert_eq!(std::fs::read_to_string(tree.join("full/new")).unwrap(), "text");
}

#[test]
fn files_are_made_closed() {
    let ours = |scope: &Scope, path: &str| scope.make_file(path, 0o600);
    agree(Call::Mknodat, ours, "set -C; umask 077; [ ! -L PATH ] && : > PATH");
}

#[test]
fn times_are_set_as_touch_sets_them() {
    use fewer::{Fields, SetTime, Time};
    let ours = |scope: &Scope, path: &str| scope.set_times(path, SetTime::Now, SetTime::Keep);
    agree(Call::Utimensat, ours, "[ PATH != - ] && [ -e PATH ] && touch -a PATH");
    let _alone = alone();
    let (_place, tree, _) = twins();
    let scope = scope_of(&tree);
    let long_ago = Time { seconds: -86_400, nanoseconds: 5 };
    scope.set_times("link", SetTime::Keep, SetTime::To(long_ago)).unwrap();
    let stat = scope.stat("f", Fields::MODIFIED | Fields::ACCESSED).unwrap();
    assert_eq!(stat.modified(), long_ago);
    assert!(stat.accessed().seconds > 1_000_000_000);
}

#[test]
fn files_are_emptied_where_they_are() {
    let _alone = alone();
    let (_place, tree, _) = twins();
    let scope = scope_of(&tree);
    drop(scope.open_emptied("link").unwrap());
    assert_eq!(std::fs::read(tree.join("f")).unwrap(), b"");
    for (path, errno) in
        [("none", Errno::NOENT), ("dangling", Errno::NOENT), ("full", Errno::ISDIR)]
    {
        let (done, calls) = cost(|| scope.open_emptied(path).map(drop));
        assert_eq!(done.map_err(|error| error.errno()), Err(errno));
        assert_eq!(calls.total(), 1);
    }
    drop(scope.open_or_make("dangling", 0o600).unwrap());
    assert!(tree.join("nothing").is_file());
}

#[test]
fn the_physical_path_of_what_is_there_is_told() {
    use std::os::unix::ffi::OsStrExt;
    let _alone = alone();
    let (_place, tree, _) = twins();
    let scope = scope_of(&tree);
    for path in ["f", "link", "into", "into/f", "full/../link", ".", "/"] {
        let (found, calls) = cost(|| scope.physical_of(path).unwrap().unwrap());
        let expected = tree.join(path).canonicalize().unwrap();
        assert_eq!(found, expected.as_os_str().as_bytes(), "{path}");
        assert_eq!((calls.of(Call::Statx), calls.total()), (2, 5));
    }
    for (path, errno) in [
        ("none", Errno::NOENT),
        ("dangling", Errno::NOENT),
        ("loop", Errno::LOOP),
        ("f/", Errno::NOTDIR),
    ] {
        assert_eq!(scope.physical_of(path).unwrap_err().errno(), errno);
    }
}
