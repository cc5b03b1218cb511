//! Over trees that are made up at random, a walk sees what GNU find sees.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::path::Path;

use fewer::{Filter, Kind, Kinds, Order, Walk};
use proptest::prelude::*;
use scene::tree::{Node, any_tree};
use scene::{assert_same, see, see_iter, witness};

/// The same walk in every way there is to do it, against what find prints.
fn agree(walk: &Walk, options: &[&str], root: &Path, tests: &[&str]) {
    let expected = witness::find(options, root, tests);
    let what = format!("find {options:?} {tests:?}");
    for threads in [1, 2, 4] {
        let walk = walk.clone().threads(threads);
        assert_same(&see(&walk).sorted(), &expected, &what);
        assert_same(&see(&walk.order(Order::Sorted)).sorted(), &expected, &what);
    }
    assert_same(&see_iter(walk).sorted(), &expected, &what);
    let smallest = walk.clone().block_bytes(1);
    assert_same(&see(&smallest).sorted(), &expected, &what);
}

fn with_tree(tree: &Node, check: impl FnOnce(&Path)) {
    let place = tempfile::tempdir().unwrap();
    // Two levels down, so that a link to `../..` stays in what is ours.
    let root = place.path().join("x/y/-root");
    std::fs::create_dir_all(root.parent().unwrap()).unwrap();
    tree.make(&root);
    check(&root);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn paths_kinds_and_depths_are_those_of_find(tree in any_tree()) {
        with_tree(&tree, |root| agree(&Walk::new(root), &[], root, &[]));
    }

    #[test]
    fn a_sorted_walk_is_a_recursion_with_sorted_names(tree in any_tree()) {
        with_tree(&tree, |root| {
            let expected = witness::in_order(root);
            let walk = Walk::new(root).order(Order::Sorted);
            assert_same(&see(&walk).lines, &expected, "visit");
            assert_same(&see(&walk.clone().block_bytes(1)).lines, &expected, "small blocks");
            assert_same(&see_iter(&walk).lines, &expected, "iterator");
        });
    }

    #[test]
    fn depths_are_limited_as_find_limits_them(
        tree in any_tree(),
        min in 0..5_usize,
        max in 0..6_usize,
    ) {
        with_tree(&tree, |root| {
            let (least, most) = (min.to_string(), max.to_string());
            let tests = ["-mindepth", &least, "-maxdepth", &most];
            let walk = Walk::new(root).filter(Filter::new().min_depth(min)).max_depth(max);
            agree(&walk, &[], root, &tests);
        });
    }

    #[test]
    fn kinds_are_filtered_as_find_filters_them(tree in any_tree()) {
        with_tree(&tree, |root| {
            for (kind, letter) in [
                (Kind::File, "f"),
                (Kind::Directory, "d"),
                (Kind::Symlink, "l"),
                (Kind::Fifo, "p"),
                (Kind::Socket, "s"),
            ] {
                let walk = Walk::new(root).filter(Filter::new().kinds(Kinds::NONE.with(kind)));
                agree(&walk, &[], root, &["-type", letter]);
            }
            let kinds = Kinds::NONE.with(Kind::File).with(Kind::Fifo);
            let walk = Walk::new(root).filter(Filter::new().kinds(kinds));
            agree(&walk, &[], root, &["-type", "f,p"]);
        });
    }

    #[test]
    fn links_are_followed_as_find_follows_them(tree in any_tree()) {
        with_tree(&tree, |root| agree(&Walk::new(root).follow(true), &["-L"], root, &[]));
    }

    #[test]
    fn inodes_are_those_of_find(tree in any_tree()) {
        with_tree(&tree, |root| {
            let mut seen: Vec<_> = Walk::new(root)
                .iter()
                .map(|entry| {
                    let entry = entry.unwrap();
                    let path = entry.path().as_os_str().as_encoded_bytes();
                    [format!("{} ", entry.inode()).as_bytes(), path].concat()
                })
                .collect();
            seen.sort();
            let expected = witness::find_as("%i %p\\0", &[], root, &[]);
            assert_same(&seen, &expected, "inodes");
        });
    }
}

#[test]
fn a_root_is_spelled_as_it_was_given() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("r");
    std::fs::create_dir_all(root.join("a/b")).unwrap();
    for ending in ["", "/", "//", "/.", "/a/..", "/./", "/a/../"] {
        let mut root = root.clone().into_os_string();
        root.push(ending);
        let root = Path::new(&root);
        agree(&Walk::new(root), &[], root, &[]);
    }
}

#[test]
fn the_devices_of_this_machine_have_the_kinds_that_find_sees() {
    let root = Path::new("/dev");
    let walk = Walk::new(root).max_depth(1);
    let expected = witness::find(&[], root, &["-maxdepth", "1"]);
    assert_same(&see(&walk).sorted(), &expected, "/dev");
}

#[test]
fn a_socket_is_a_socket() {
    let place = tempfile::tempdir().unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(place.path().join("s")).unwrap();
    agree(&Walk::new(place.path()), &[], place.path(), &[]);
}

/// The stable parts of file systems that do not mark the end of a directory: what others mount or
/// start meanwhile is in some of them.
#[test]
fn proc_and_sys_are_as_find_sees_them() {
    for root in ["/proc/sys/fs", "/sys/kernel", "/sys/fs"] {
        let root = Path::new(root);
        let (seen, expected) = (0..100)
            .find_map(|_| {
                let before = witness::find(&[], root, &[]);
                let seen = see(&Walk::new(root)).sorted();
                (witness::find(&[], root, &[]) == before).then_some((seen, before))
            })
            .unwrap();
        assert_same(&seen, &expected, "as find");
    }
}
