//! Trees to walk.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::prelude::*;

/// A node of a tree that is made up.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    File,
    Fifo,
    Link(Vec<u8>),
    Directory(BTreeMap<Vec<u8>, Node>),
}

/// Names that have broken programs before, and names of any bytes.
fn name() -> impl Strategy<Value = Vec<u8>> {
    let odd: Vec<Vec<u8>> = [
        &b"a"[..],
        b"b",
        b"a.b",
        b"a b",
        b"-rf",
        b"--",
        b"new\nline",
        b"\xff\xfe",
        b"\xc3\xa9",
        b".hidden",
        b"...",
        b"*",
        b"\\",
        b"'",
        b"\"",
        b"\t",
        b"\x01",
        b"\x7f",
        b"abcdefgh",
        b"abcdefghi",
        b"abcdefgh\x01",
        b" ",
        b"~",
    ]
    .iter()
    .map(|name| name.to_vec())
    .chain([vec![b'x'; 255], [vec![b'x'; 254], vec![b'y']].concat(), vec![0xff; 255]])
    .collect();
    let byte = any::<u8>().prop_map(|byte| if matches!(byte, 0 | b'/') { b'_' } else { byte });
    let any_name = prop::collection::vec(byte, 1..24)
        .prop_map(|name| if matches!(&*name, b"." | b"..") { b"dots".to_vec() } else { name });
    prop_oneof![3 => prop::sample::select(odd), 1 => any_name]
}

/// Where links point: to files and directories beside and above, to nothing, to themselves.
fn target() -> impl Strategy<Value = Vec<u8>> {
    let targets: Vec<Vec<u8>> = [
        &b"a"[..],
        b"b",
        b".",
        b"..",
        "../..".as_bytes(),
        b"../a",
        b"../b/a",
        b"nothing",
        b"a/a",
        b"/dev/null",
        b"./a.b",
        b"../../b",
        b"\xff\xfe",
        b"a/../b",
        b"/proc/self/no-such-thing",
    ]
    .iter()
    .map(|target| target.to_vec())
    .collect();
    prop::sample::select(targets)
}

/// A directory of up to about 60 nodes, up to 6 deep.
pub(crate) fn any_tree() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        4 => Just(Node::File),
        1 => Just(Node::Fifo),
        3 => target().prop_map(Node::Link),
        1 => Just(Node::Directory(BTreeMap::new())),
    ];
    let inner = leaf.prop_recursive(6, 60, 8, |below| {
        prop::collection::btree_map(name(), below, 0..8).prop_map(Node::Directory)
    });
    prop::collection::btree_map(name(), inner, 0..8).prop_map(Node::Directory)
}

impl Node {
    /// Makes it at `path`.
    pub(crate) fn make(&self, path: &Path) {
        let mut fifos = Vec::new();
        self.make_all(path, &mut fifos);
        if !fifos.is_empty() {
            assert!(Command::new("mkfifo").arg("--").args(fifos).status().unwrap().success());
        }
    }

    fn make_all(&self, path: &Path, fifos: &mut Vec<PathBuf>) {
        match self {
            Node::File => std::fs::write(path, b"").unwrap(),
            Node::Fifo => fifos.push(path.to_owned()),
            Node::Link(to) => std::os::unix::fs::symlink(OsStr::from_bytes(to), path).unwrap(),
            Node::Directory(nodes) => {
                std::fs::create_dir(path).unwrap();
                for (name, node) in nodes {
                    node.make_all(&path.join(OsStr::from_bytes(name)), fifos);
                }
            }
        }
    }
}

/// A small generator of numbers, the same at every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Below `end` (splitmix64).
    pub(crate) fn roll(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

/// A place in memory where there is one, for trees that are large.
pub(crate) fn fast_place() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// A tree with so many directories and files below `root`, wide and deep by turns.
pub(crate) fn grow(root: &Path, directories: usize, files: usize, seed: u64) {
    let mut dice = Dice(seed);
    let mut all = vec![root.to_owned()];
    let pick = |dice: &mut Dice, all: &[PathBuf]| {
        // Half of them below one of the last, so that the tree gets deep in places.
        let first = if dice.roll(2) == 0 { 0 } else { all.len().saturating_sub(20) };
        all[first + dice.roll(all.len() - first)].clone()
    };
    for index in 0..directories {
        let path = pick(&mut dice, &all).join(format!("{:x}d{index}", dice.roll(16)));
        std::fs::create_dir(&path).unwrap();
        all.push(path);
    }
    for index in 0..files {
        let path = pick(&mut dice, &all).join(format!("{:x}f{index}", dice.roll(16)));
        std::fs::write(path, b"").unwrap();
    }
}

/// Makes a chain of `depth` directories called `name` in `top`, with what `beside` makes in each,
/// one open directory at a time, so that the path may be longer than the kernel takes.
pub(crate) fn chain(top: &Path, name: &str, depth: usize, beside: &[&str]) {
    use std::os::fd::AsRawFd;
    let name = CString::new(name).unwrap();
    let start = CString::new(top.as_os_str().as_bytes()).unwrap();
    let mut here = sys::open_dir(sys::CWD, &start, false).unwrap();
    for _ in 0..depth {
        let number = here.as_fd().as_raw_fd();
        let place = PathBuf::from(format!("/proc/self/fd/{number}"));
        for beside in beside {
            std::fs::create_dir(place.join(beside)).unwrap();
        }
        std::fs::create_dir(place.join(OsStr::from_bytes(name.to_bytes()))).unwrap();
        here = sys::open_dir(here.as_fd(), &name, false).unwrap();
    }
}

/// `a/b/c` with all its parents below `root`, and back comes the path.
pub(crate) fn directory(root: &Path, path: &str) -> PathBuf {
    let path = root.join(path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// An empty file at `path` below `root`, with its parents.
pub(crate) fn file(root: &Path, path: &str, text: &str) -> PathBuf {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

pub(crate) fn os(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}
