//! Errors are items: with action, path and number, and the walk goes on.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use fewer::walk::Item;
use fewer::{Answer, Errno, Error, Kind, Order, Walk};
use scene::tree::{directory, file};
use scene::{Seen, assert_same, child, in_time, is_root, see, see_iter, skip};

fn in_every_way(walk: &Walk, check: impl Fn(Seen)) {
    for order in [Order::Any, Order::Sorted] {
        let walk = walk.clone().order(order);
        check(see(&walk));
        check(see_iter(&walk));
    }
}

#[test]
fn a_missing_root_is_an_error_and_the_other_roots_are_walked() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "here/x", "");
    let (missing, here) = (place.path().join("missing"), place.path().join("here"));
    in_every_way(&Walk::new(&missing).add_root(&here), |seen| {
        assert_eq!(seen.errors, [(Errno::NOENT, "access", missing.clone())]);
        assert_eq!(seen.lines.len(), 2);
    });
}

#[test]
fn an_empty_root_is_an_error() {
    in_every_way(&Walk::new(""), |seen| assert_eq!(seen.errnos(), [Errno::NOENT]));
}

#[test]
fn a_root_below_a_file_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    let root = file(place.path(), "file", "").join("x");
    in_every_way(&Walk::new(&root), |seen| assert_eq!(seen.errnos(), [Errno::NOTDIR]));
}

#[test]
fn a_root_whose_name_is_too_long_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("n".repeat(256));
    in_every_way(&Walk::new(&root), |seen| assert_eq!(seen.errnos(), [Errno::NAMETOOLONG]));
}

#[test]
fn a_root_with_a_nul_in_it_is_an_error() {
    in_every_way(&Walk::new("a\0b"), |seen| {
        assert_eq!((seen.lines.len(), seen.errors.len()), (0, 1));
    });
}

#[test]
fn a_file_as_root_is_an_entry() {
    let place = tempfile::tempdir().unwrap();
    let root = file(place.path(), "file", "");
    in_every_way(&Walk::new(&root), |seen| {
        let expected = [b"f 0 ", root.as_os_str().as_encoded_bytes()].concat();
        assert_same(&seen.lines, &[expected], "file");
        assert!(seen.errors.is_empty());
    });
}

#[test]
fn an_error_spells_its_path_as_the_walk_does() {
    let place = tempfile::tempdir().unwrap();
    let mut root = place.path().join("missing").into_os_string();
    root.push("/");
    let errors = see(&Walk::new(&root)).errors;
    assert_eq!(errors[0].2.as_os_str(), root);
}

/// Root may read everything, so another user walks.
#[test]
fn an_unreadable_directory_is_an_entry_and_an_error() {
    if !is_root() {
        return unprivileged(tempfile::tempdir().unwrap().path());
    }
    let place = tempfile::tempdir().unwrap();
    child::run_as_nobody(
        &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
        "child_walks_unprivileged",
        place.path(),
    );
}

#[test]
fn child_walks_unprivileged() {
    if child::folder().is_some() {
        unprivileged(tempfile::tempdir().unwrap().path());
    }
}

fn unprivileged(place: &Path) {
    let closed = directory(place, "closed");
    let blind = directory(place, "blind"); // may be read, but nothing in it may be reached
    directory(&blind, "inner");
    file(place, "open/x", "");
    std::fs::set_permissions(&closed, PermissionsExt::from_mode(0o0)).unwrap();
    std::fs::set_permissions(&blind, PermissionsExt::from_mode(0o4)).unwrap();
    std::fs::set_permissions(&blind, PermissionsExt::from_mode(0o400)).unwrap();
    in_every_way(&Walk::new(place), |mut seen| {
        seen.errors.sort_by(|a, b| a.2.cmp(&b.2));
        let denied = |path| (Errno::ACCESS, "open directory", path);
        assert_eq!(seen.errors, [denied(blind.join("inner")), denied(closed.clone())]);
        assert_eq!(seen.lines.len(), 6);
    });
    let root = see(&Walk::new(&closed));
    assert_eq!((root.lines.len(), root.errnos()), (1, vec![Errno::ACCESS]));
    for closed in [closed, blind] {
        std::fs::set_permissions(closed, PermissionsExt::from_mode(0o700)).unwrap();
    }
}

/// Walks with a visitor that does something to each directory called "victim" when it meets it.
fn walk_and(order: Order, root: &Path, act: fn(&Path)) -> (Vec<String>, Vec<Error>) {
    let walk = Walk::new(root).order(order).threads(1);
    let visitors = in_time(move || {
        let make = || Notes { paths: Vec::new(), errors: Vec::new(), act };
        walk.visit(make, |_| Answer::Continue)
    });
    let notes = visitors.into_iter().next().unwrap();
    let below = |path: String| path[root.as_os_str().len()..].to_owned();
    let mut paths: Vec<_> = notes.paths.into_iter().map(below).collect();
    paths.sort();
    (paths, notes.errors)
}

struct Notes {
    paths: Vec<String>,
    errors: Vec<Error>,
    act: fn(&Path),
}

impl fewer::walk::Visitor for Notes {
    fn visit(&mut self, item: Item<'_>, _out: &mut Vec<u8>) -> Answer {
        match item {
            Ok(entry) => {
                self.paths.push(entry.path().to_str().unwrap().to_owned());
                if entry.name_bytes() == b"victim" {
                    (self.act)(entry.path());
                }
            }
            Err(error) => self.errors.push(error),
        }
        Answer::Continue
    }
}

#[test]
fn a_directory_removed_between_listing_and_opening_is_an_error() {
    for order in [Order::Any, Order::Sorted] {
        let place = tempfile::tempdir().unwrap();
        file(place.path(), "a/victim/x", "");
        file(place.path(), "b/y", "");
        let (paths, errors) =
            walk_and(order, place.path(), |path| std::fs::remove_dir_all(path).unwrap());
        assert_eq!(paths, ["", "/a", "/a/victim", "/b", "/b/y"]);
        assert_eq!(errors.len(), 1);
        assert_eq!(
            (errors[0].errno(), errors[0].action().words()),
            (Errno::NOENT, "open directory")
        );
        assert!(errors[0].path().ends_with("a/victim"));
    }
}

#[test]
fn a_directory_replaced_by_a_link_is_not_followed() {
    for order in [Order::Any, Order::Sorted] {
        let place = tempfile::tempdir().unwrap();
        file(place.path(), "victim/x", "");
        let (paths, errors) = walk_and(order, place.path(), |path| {
            std::fs::remove_dir_all(path).unwrap();
            symlink("/proc/sys", path).unwrap();
        });
        assert_eq!(paths, ["", "/victim"]);
        assert_eq!(errors.iter().map(Error::errno).collect::<Vec<_>>(), [Errno::NOTDIR]);
    }
}

#[test]
fn a_directory_replaced_by_a_file_is_an_error() {
    for order in [Order::Any, Order::Sorted] {
        let place = tempfile::tempdir().unwrap();
        file(place.path(), "victim/x", "");
        let (paths, errors) = walk_and(order, place.path(), |path| {
            std::fs::remove_dir_all(path).unwrap();
            std::fs::write(path, "").unwrap();
        });
        assert_eq!(paths, ["", "/victim"]);
        assert_eq!(errors.iter().map(Error::errno).collect::<Vec<_>>(), [Errno::NOTDIR]);
    }
}

/// The directory that the walk is in, and everything in it, goes away under its feet.
#[test]
fn the_whole_tree_removed_during_the_walk_ends_it_with_errors_only() {
    for order in [Order::Any, Order::Sorted] {
        let place = tempfile::tempdir().unwrap();
        let root = directory(place.path(), "root");
        ["victim/x", "a/x", "z/x/y"].iter().for_each(|path| drop(file(&root, path, "")));
        let (paths, errors) =
            walk_and(order, &root, |path| std::fs::remove_dir_all(path.parent().unwrap()).unwrap());
        assert!(paths.len() >= 2 && !errors.is_empty());
        assert!(errors.iter().all(|error| error.errno() == Errno::NOENT), "{errors:?}");
    }
}

#[test]
fn stat_of_a_vanished_file_tells_its_path() {
    let place = tempfile::tempdir().unwrap();
    file(place.path(), "x", "");
    let entry = Walk::new(place.path()).iter().map(Result::unwrap).nth(1).unwrap();
    assert_eq!(entry.kind(), Kind::File);
    std::fs::remove_file(entry.path()).unwrap();
    let error = entry.stat(fewer::Fields::SIZE).unwrap_err();
    assert_eq!((error.errno(), error.path()), (Errno::NOENT, entry.path()));
    let text = format!("cannot stat '{}': No such file or directory", entry.path().display());
    assert_eq!(error.to_string(), text);
}

/// Without a thread to be had the walk is done by the calling one.
#[test]
fn a_walk_that_may_not_start_threads_still_ends() {
    if !is_root() {
        return skip("needs root, to become a user with no processes left to start");
    }
    let place = tempfile::tempdir().unwrap();
    // Another user walks it, whatever the umask of the user who runs the tests.
    sys::set_umask(0o22);
    let tree = directory(place.path(), "tree");
    scene::tree::grow(&tree, 2000, 0, 1);
    // A number that no user has, so that the limit counts this process alone.
    let nobody = ["setpriv", "--reuid=64999", "--regid=64999", "--clear-groups"];
    // The test itself needs three threads: main, the test, the watched walk.
    let limit = ["prlimit", "--nproc=4"];
    child::run_as_nobody(&[&limit[..], &nobody[..]].concat(), "child_lacks_threads", place.path());
}

#[test]
fn child_lacks_threads() {
    let Some(place) = child::folder() else { return };
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    let before = threads();
    for order in [Order::Any, Order::Sorted] {
        let seen = see(&Walk::new(place.join("tree")).order(order).threads(16));
        assert_eq!(seen.lines.len(), 2001);
        // The limit counts those that have been waited for, too, until the kernel removes them.
        while threads() > before {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}
