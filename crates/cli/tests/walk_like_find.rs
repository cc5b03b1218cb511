//! Random trees, walked by `fewer` and by GNU find: where both have a flag for it, they print the
//! same.
//!
//! Needs the released binary, so it is ignored by default: `cargo build --release`, then `cargo
//! test -p fewer-cli --test walk_like_find -- --ignored`.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod released;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use released::released;

/// The same request to both: arguments of `fewer walk` and of `find`, the root between them.
struct Request {
    name: &'static str,
    fewer: &'static [&'static str],
    /// Before the root, and after it.
    find: (&'static [&'static str], &'static [&'static str]),
}

const REQUESTS: &[Request] = &[
    Request { name: "everything", fewer: &[], find: (&[], &[]) },
    Request { name: "on one thread", fewer: &["-j", "1"], find: (&[], &[]) },
    Request { name: "on four threads", fewer: &["-j", "4"], find: (&[], &[]) },
    Request { name: "files", fewer: &["-t", "f"], find: (&[], &["-type", "f"]) },
    Request { name: "the rest", fewer: &["-t", "d,l"], find: (&[], &["-type", "d,l"]) },
    Request { name: "links followed", fewer: &["-L"], find: (&["-L"], &[]) },
    Request { name: "dangling links", fewer: &["-L", "-t", "l"], find: (&["-L"], &["-type", "l"]) },
    Request { name: "shallow", fewer: &["-d", "2"], find: (&[], &["-maxdepth", "2"]) },
    Request { name: "deep", fewer: &["--min-depth", "2"], find: (&[], &["-mindepth", "2"]) },
    Request { name: "one file system", fewer: &["--one-file-system"], find: (&[], &["-xdev"]) },
    Request { name: "a pattern", fewer: &["-g", "a*"], find: (&[], &["-name", "a*"]) },
    Request {
        name: "pruned",
        fewer: &["-E", "a*"],
        find: (&[], &["-name", "a*", "-prune", "-o", "-print"]),
    },
    Request {
        name: "without what is hidden",
        fewer: &["--no-hidden"],
        find: (&[], &["-name", ".*", "-prune", "-o", "-print"]),
    },
];

#[derive(Clone, Debug)]
enum Node {
    File,
    Link(Vec<u8>),
    Directory(BTreeMap<Vec<u8>, Node>),
}

/// Few different names, so that links hit and patterns match; any bytes, so that no assumption
/// about them holds.
fn name() -> impl Strategy<Value = Vec<u8>> {
    let any_byte = (1_u8..=255).prop_map(|byte| if byte == b'/' { b'_' } else { byte });
    let any_name = prop::collection::vec(any_byte, 1..8);
    let long = (b'a'..=b'c').prop_map(|byte| vec![byte; 255]);
    let usual = prop::sample::select(vec!["a", "a.b", "a0", "b", ".c", "..d", "é", " ", "-e"]);
    let usual = usual.prop_map(|name| name.as_bytes().to_vec());
    let name = prop_oneof![6 => usual, 3 => any_name, 1 => long];
    name.prop_filter("these are not names", |name| name != b"." && name != b"..")
}

fn target() -> impl Strategy<Value = Vec<u8>> {
    let known =
        prop::sample::select(vec![".", "..", "../..", "a", "../a", "b/..", "gone", "../b/a"]);
    prop_oneof![known.prop_map(|target| target.as_bytes().to_vec()), name()]
}

fn directory() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![4 => Just(Node::File), 1 => target().prop_map(Node::Link)];
    let node = leaf.prop_recursive(6, 60, 8, |inner| {
        prop::collection::btree_map(name(), inner, 0..8).prop_map(Node::Directory)
    });
    prop::collection::btree_map(name(), node, 0..10).prop_map(Node::Directory)
}

fn build(node: &Node, path: &Path) {
    match node {
        Node::File => drop(fs::File::create(path).unwrap()),
        Node::Link(target) => symlink(OsStr::from_bytes(target), path).unwrap(),
        Node::Directory(inside) => {
            fs::create_dir(path).unwrap();
            for (name, node) in inside {
                build(node, &path.join(OsStr::from_bytes(name)));
            }
        }
    }
}

fn run(program: &Path, folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments).env("LC_ALL", "C").env_remove("LS_COLORS");
    command.output().unwrap()
}

fn paths(output: &Output) -> Vec<OsString> {
    let paths = output.stdout.split(|&byte| byte == 0).filter(|path| !path.is_empty());
    paths.map(|path| OsString::from_vec(path.to_vec())).collect()
}

/// Depth-first with the names of each directory in byte order is the order of the lists of names.
fn by_names(path: &OsString) -> Vec<Vec<u8>> {
    path.as_bytes().split(|&byte| byte == b'/').map(<[u8]>::to_vec).collect()
}

fn compare(fewer: &Path, folder: &Path, request: &Request) {
    let (before, after) = request.find;
    let print: &[&str] = if after.contains(&"-print") { &[] } else { &["-print"] };
    let mut find: Vec<&str> = [before, &["d"], after, print].concat();
    find.iter_mut().filter(|word| **word == "-print").for_each(|word| *word = "-print0");
    let found = run(Path::new("find"), folder, &find);
    let mut expected = paths(&found);
    expected.sort_by_cached_key(by_names);

    let walked = run(fewer, folder, &[&["walk", "-0"], request.fewer, &["d"]].concat());
    let mut actual = paths(&walked);
    actual.sort_by_cached_key(by_names);
    assert_eq!(actual, expected, "{}: as sets", request.name);
    assert_eq!(walked.status.code(), found.status.code(), "{}: exit", request.name);

    let sorted = run(fewer, folder, &[&["walk", "-0", "--sort"], request.fewer, &["d"]].concat());
    assert_eq!(paths(&sorted), expected, "{}: as a sequence", request.name);
}

#[test]
#[ignore = "needs the released binary"]
fn random_trees_are_walked_as_find_walks_them() {
    let fewer = released();
    let outer = tempfile::tempdir().unwrap();
    // Two levels down, so that a link to `../..` stays in the folder of the test.
    let folder = outer.path().join("x/y");
    let config = Config { cases: 60, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&directory(), |tree| {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        build(&tree, &folder.join("d"));
        REQUESTS.iter().for_each(|request| compare(&fewer, &folder, request));
        Ok(())
    });
    outcome.unwrap();
}
