//! A scope is what a working directory is: compared with shells that are somewhere by `chdir`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use fewer::{Errno, Fields, Scope, Walk};
use proptest::prelude::*;
use scene::shell::Shell;
use scene::tree::{Node, any_tree, directory, file};
use scene::{assert_same, child, see, see_iter};

fn text(scope: &Scope, name: &str) -> Result<String, Errno> {
    let file = scope.open(name).map_err(|error| error.errno())?;
    let mut block = [0; 100];
    let got = sys::read(&file, &mut block)?;
    Ok(String::from_utf8(block[..got].to_vec()).unwrap())
}

fn scope_of(place: &Path) -> Scope {
    Scope::start().enter(place).unwrap()
}

/// The physical path as a program prints it that has been started there.
fn program_pwd(shell: &mut Shell) -> Option<PathBuf> {
    shell.run("env pwd -P").map(|line| line.strip_suffix('\n').unwrap().into())
}

/// A scope and a shell in `place/d`, which holds a file.
fn both_inside(place: &Path) -> (Scope, Shell) {
    file(place, "d/f", "mine\n");
    let mut shell = Shell::start(place);
    shell.run("cd d").unwrap();
    (scope_of(place).enter("d").unwrap(), shell)
}

/// What can be seen from inside is the same for both.
#[track_caller]
fn agree(scope: &Scope, shell: &mut Shell) {
    for name in ["f", "../f", "../d/f", "./sub/f"] {
        assert_eq!(text(scope, name).ok(), shell.run(&format!("cat {name}")), "{name}");
        assert_eq!(
            scope.stat(name, Fields::KIND).is_ok(),
            shell.run(&format!("env stat {name}")).is_some(),
            "stat {name}"
        );
    }
    for name in [".", "..", "sub"] {
        let entered = shell.run(&format!("(cd -P {name})")).is_some();
        assert_eq!(scope.enter(name).is_ok(), entered, "enter {name}");
        let listed = shell.run(&format!("env ls -a {name} | wc -l")).unwrap();
        let walk = Walk::new(name).max_depth(1).within(scope);
        let names = walk.iter().filter(Result::is_ok).count();
        // ls tells of `.` and `..`, the walk of the root, in a directory that is still there.
        let listed: usize = listed.trim().parse().unwrap();
        assert_eq!(names.saturating_sub(1), listed.saturating_sub(2), "list {name}");
    }
    assert_eq!(scope.physical().ok(), program_pwd(shell));
}

#[test]
fn a_renamed_directory_is_still_the_same() {
    let place = tempfile::tempdir().unwrap();
    let (scope, mut shell) = both_inside(place.path());
    agree(&scope, &mut shell);
    std::fs::rename(place.path().join("d"), place.path().join("new name (deleted)")).unwrap();
    agree(&scope, &mut shell);
    assert_eq!(text(&scope, "f").as_deref(), Ok("mine\n"));
    assert!(scope.physical().unwrap().ends_with("new name (deleted)"));
    assert_eq!(scope.logical().unwrap(), scope.physical().unwrap());
    file(place.path(), "d/f", "another\n");
    agree(&scope, &mut shell);
    assert_eq!(text(&scope, "f").as_deref(), Ok("mine\n"));
}

#[test]
fn a_moved_directory_has_another_one_above_it() {
    let place = tempfile::tempdir().unwrap();
    let (scope, mut shell) = both_inside(place.path());
    file(place.path(), "elsewhere/f", "above\n");
    agree(&scope, &mut shell);
    std::fs::rename(place.path().join("d"), place.path().join("elsewhere/d")).unwrap();
    agree(&scope, &mut shell);
    assert_eq!(text(&scope, "../f").as_deref(), Ok("above\n"));
}

#[test]
fn a_removed_directory_is_empty_and_nowhere() {
    let place = tempfile::tempdir().unwrap();
    let (scope, mut shell) = both_inside(place.path());
    std::fs::remove_dir_all(place.path().join("d")).unwrap();
    agree(&scope, &mut shell);
    let error = scope.physical().unwrap_err();
    assert_eq!((error.errno(), error.action().words()), (Errno::NOENT, "find path of"));
    assert_eq!(scope.logical().unwrap_err().errno(), Errno::NOENT);
    // Whoever takes its name is another one, also with the mark that the kernel puts behind it.
    file(place.path(), "d/f", "another\n");
    directory(place.path(), "d (deleted)");
    agree(&scope, &mut shell);
    assert!(scope.physical().is_err());
    assert!(scope.command("true").status().unwrap().success());
}

#[test]
fn a_directory_that_may_not_be_searched_any_more_shows_nothing_until_it_may() {
    let test = "a_directory_that_may_not_be_searched_any_more_shows_nothing_until_it_may";
    if let Some(place) = child::folder() {
        let place = place.join("ours");
        let (scope, mut shell) = both_inside(&place);
        let set = |mode| {
            std::fs::set_permissions(place.join("d"), PermissionsExt::from_mode(mode)).unwrap();
        };
        for mode in [0o000, 0o100, 0o400, 0o200, 0o700] {
            set(mode);
            agree(&scope, &mut shell);
            let from_outside = Shell::start(&place).run("cd d").is_some();
            assert_eq!(scope_of(&place).enter("d").is_ok(), from_outside, "mode {mode:o}");
        }
        set(0o000);
        assert_eq!(text(&scope, "f"), Err(Errno::ACCESS));
        // The one difference: a child that is there already may go on, but none can be put there.
        let error = scope.command("true").status().unwrap_err();
        assert_eq!((error.errno(), error.action().words()), (Errno::ACCESS, "enter"));
        set(0o700);
        assert_eq!(text(&scope, "f").as_deref(), Ok("mine\n"));
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let ours = directory(place.path(), "ours");
    std::fs::set_permissions(ours, PermissionsExt::from_mode(0o777)).unwrap();
    if scene::is_root() {
        let ids = ["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"];
        let nobody = [&["setpriv"][..], &ids].concat();
        child::run_as_nobody(&nobody, test, place.path());
    } else {
        child::run(&[], test, place.path());
    }
}

#[test]
fn the_process_stays_where_it_is() {
    let before = std::env::current_dir().unwrap();
    let place = tempfile::tempdir().unwrap();
    let scope = scope_of(place.path()).enter("..").unwrap();
    scope.command("true").status().unwrap();
    assert!(Walk::new(".").max_depth(1).within(&scope).iter().count() > 0);
    assert_eq!(std::env::current_dir().unwrap(), before);
    assert_eq!(Scope::start().physical().unwrap(), before);
}

#[test]
fn threads_use_one_scope_and_their_own_at_once() {
    fn is_shareable<T: Send + Sync + Clone + 'static>(_: &T) {}
    let place = tempfile::tempdir().unwrap();
    for number in 0..8 {
        file(place.path(), &format!("{number}/f"), &number.to_string());
    }
    let top = scope_of(place.path());
    is_shareable(&top);
    std::thread::scope(|all| {
        for number in 0..8 {
            let top = &top;
            all.spawn(move || {
                for _ in 0..200 {
                    let inner = top.enter(number.to_string()).unwrap();
                    assert_eq!(text(&inner, "f").unwrap(), number.to_string());
                    assert!(inner.logical().unwrap().ends_with(number.to_string()));
                }
            });
        }
    });
}

#[test]
fn a_walk_in_a_scope_is_the_walk_of_the_full_path() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), ".gitignore", "*.o\n/top/in/gone\n");
    file(place.path(), ".git/HEAD", "ref: refs/heads/main\n");
    directory(place.path(), ".git/objects");
    directory(place.path(), ".git/refs");
    for name in ["a.o", "b", "in/gone", "in/c.o", "in/kept", "in/deep/er/f"] {
        file(place.path(), &format!("top/{name}"), name);
    }
    symlink("in", place.path().join("top/link")).unwrap();
    let top = place.path().join("top");
    let scope = scope_of(&top);
    let full = |walk: Walk| see(&walk).sorted();
    for root in ["in", "in/deep", "./in/", "link/", "link"] {
        let plain = |root: &Path| Walk::new(root);
        let options: [fn(Walk) -> Walk; 4] = [
            |walk| walk,
            |walk| walk.gitignore(true),
            |walk| walk.follow(true).one_file_system(true),
            |walk| walk.order(fewer::Order::Sorted).threads(1),
        ];
        for option in options {
            let inside = option(plain(Path::new(root)).within(&scope));
            let prefix = [top.as_os_str().as_bytes(), b"/"].concat();
            let outside = full(option(plain(&top.join(root))));
            let at = |line: &[u8]| line.windows(prefix.len()).position(|part| part == prefix);
            let cut = |line: Vec<u8>| match at(&line) {
                Some(at) => [&line[..at], &line[at + prefix.len()..]].concat(),
                None => line,
            };
            let outside: Vec<_> = outside.into_iter().map(cut).collect();
            assert_same(&see(&inside).sorted(), &outside, root);
            assert_same(&see_iter(&inside).sorted(), &outside, root);
        }
    }
    let ignored = full(Walk::new("in").gitignore(true).within(&scope));
    assert_eq!(ignored.len(), 5, "in, kept, deep, er, f: what is above the root counts");
}

#[test]
fn entries_that_were_kept_are_found_from_where_the_walk_was() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "d/f", "12345");
    let scope = scope_of(place.path());
    let kept: Vec<_> = Walk::new("d").within(&scope).iter().map(Result::unwrap).collect();
    drop(scope);
    let size = |entry: &fewer::OwnedEntry| entry.stat(Fields::SIZE).unwrap().size();
    assert_eq!(kept.iter().filter(|entry| entry.name() == "f").map(size).sum::<u64>(), 5);
    let scope = scope_of(&place.path().join("d"));
    let by_path = fewer::filter::modified(&place.path().join("d/f")).unwrap();
    assert_eq!(scope.modified("f").unwrap(), by_path);
}

/// What steps are made of: names of the tree, and what is in no tree.
fn any_steps() -> impl Strategy<Value = Vec<Vec<prop::sample::Index>>> {
    let step = prop::collection::vec(any::<prop::sample::Index>(), 1..5);
    prop::collection::vec(step, 1..14)
}

fn names(node: &Node, found: &mut Vec<Vec<u8>>) {
    if let Node::Directory(nodes) = node {
        for (name, node) in nodes {
            if matches!(node, Node::Directory(_) | Node::Link(_)) {
                found.push(name.clone());
            }
            names(node, found);
        }
    }
}

/// The paths of the steps, in a tree that is made below `place`.
fn steps(tree: &Node, place: &Path, steps: &[Vec<prop::sample::Index>]) -> Vec<OsString> {
    let root = place.join("x/y/root");
    std::fs::create_dir_all(root.parent().unwrap()).unwrap();
    tree.make(&root);
    let mut words = vec![b"..".to_vec(), b"..".to_vec(), b".".to_vec(), b"".to_vec()];
    names(tree, &mut words);
    let mut paths = vec![root.clone().into_os_string()];
    for step in steps {
        let parts: Vec<&[u8]> = step.iter().map(|index| &**index.get(&words)).collect();
        let mut path = parts.join(&b'/');
        if path.starts_with(b"/") {
            path = [root.as_os_str().as_bytes(), &path].concat();
        }
        if path.is_empty() || path == b"-" {
            path.insert(0, b'.'); // neither home nor back
        }
        paths.push(OsString::from_vec(path));
    }
    paths
}

/// Where a shell is after each step.
fn where_shell_goes(shell: &[&str], option: &str, paths: &[OsString]) -> Vec<Vec<u8>> {
    let script = format!(
        "for step; do cd {option} -- \"$step\" >/dev/null 2>&1; pwd {option}; printf '\\0'; done"
    );
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).args(["-c", &script, "sh"]).args(paths);
    command.env("LC_ALL", "C").env_remove("CDPATH").env_remove("PWD");
    let output = command.output().unwrap();
    assert!(output.stderr.is_empty(), "{}", output.stderr.escape_ascii());
    scene::records(&output.stdout)
        .into_iter()
        .map(|line| line.strip_suffix(b"\n").unwrap().to_vec())
        .collect()
}

/// Where a scope is after each step.
fn where_scope_goes(
    paths: &[OsString],
    enter: impl Fn(&Scope, &OsStr) -> Result<Scope, fewer::Error>,
    path: impl Fn(&Scope) -> Result<PathBuf, fewer::Error>,
) -> Vec<Vec<u8>> {
    let mut scope = Scope::start();
    let mut found = Vec::new();
    for step in paths {
        if let Ok(next) = enter(&scope, step) {
            scope = next;
        }
        found.push(path(&scope).unwrap().into_os_string().into_vec());
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_scope_goes_where_chdir_goes(tree in any_tree(), indexes in any_steps()) {
        let place = tempfile::tempdir().unwrap();
        let paths = steps(&tree, place.path(), &indexes);
        let expected = where_shell_goes(&["sh"], "-P", &paths);
        let found = where_scope_goes(&paths, |scope, path| scope.enter(path), Scope::physical);
        assert_same(&found, &expected, &format!("{paths:?}"));
        // The logical path may be another spelling, but never of another directory.
        let spelled = where_scope_goes(&paths, |scope, path| scope.enter(path), Scope::logical);
        for (path, expected) in spelled.iter().zip(&expected) {
            let found = Path::new(OsStr::from_bytes(path)).canonicalize().unwrap();
            prop_assert_eq!(found.as_os_str().as_bytes(), expected);
            let mut parts = path.split(|&byte| byte == b'/');
            prop_assert!(path.starts_with(b"/"));
            prop_assert!(!parts.any(|part| part == b".." || part == b"."));
        }
    }

    #[test]
    fn a_logical_scope_goes_where_cd_goes(tree in any_tree(), indexes in any_steps()) {
        let place = tempfile::tempdir().unwrap();
        let paths = steps(&tree, place.path(), &indexes);
        let expected = where_shell_goes(&["bash", "--posix"], "-L", &paths);
        let enter = |scope: &Scope, path: &OsStr| scope.enter_logical(path);
        let found = where_scope_goes(&paths, enter, Scope::logical);
        assert_same(&found, &expected, &format!("{paths:?}"));
    }
}
