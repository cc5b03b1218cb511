//! Which directories are mount points, without a call for each: the mount table is read once, into
//! a tree that is followed down alongside the walk.
//!
//! The table also says which directory of which file system is mounted. Where that directory lies
//! above the mount point, a walk would never end: below the mount point the same tree is found
//! again.
//!
//! On macOS some directories have a second path without a mount (firmlinks). A walk that comes by
//! both goes down the first only.

use std::collections::BTreeMap;

use sys::{Firmlink, Mount};

/// The position of a directory relative to the mount points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MountPosition {
    /// Nothing is mounted below it. Most directories.
    NoneBelow,
    /// There are mount points below it, or second paths.
    SomeBelow {
        /// Its own node in the tree.
        node: usize,
        /// How many components the path has of the root that the walk came from.
        root_depth: usize,
    },
    /// Its position is not known.
    Unknown,
}

/// The mount points by path component.
#[derive(Debug, Default)]
pub(crate) struct MountTree {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    below: BTreeMap<Box<[u8]>, usize>,
    mount: Option<MountedDirectory>,
    is_loop: bool,
    /// If it is the second path of a directory: how many components the two have in common.
    shared_depth: Option<usize>,
}

/// A directory of a file system.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MountedDirectory {
    device: Vec<u8>,
    /// From the top of the file system, without a slash at its end.
    path: Vec<u8>,
}

/// What lies at a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MountState {
    /// Nothing is mounted there.
    NotMounted,
    /// Something is mounted there.
    Mounted,
    /// A directory that lies above it is mounted there, according to the mount table.
    Loop,
    /// The walk comes by the directory on another path.
    SecondPath,
}

impl MountTree {
    pub(crate) fn new(mounts: &[Mount], firmlinks: &[Firmlink]) -> MountTree {
        let mut tree = MountTree { nodes: vec![Node::default()] };
        for mount in mounts {
            let at = tree.grow_to(&mount.point);
            // A later one covers it.
            let path = mount.root.strip_suffix(b"/").unwrap_or(&mount.root).to_vec();
            tree.nodes[at].mount = Some(MountedDirectory { device: mount.device.clone(), path });
        }
        for mount in mounts {
            tree.note_loop(&mount.point);
        }
        for link in firmlinks {
            let at = tree.grow_to(&link.target);
            let both = components(&link.path).zip(components(&link.target));
            tree.nodes[at].shared_depth =
                Some(both.take_while(|(one, other)| one == other).count());
        }
        tree
    }

    /// Notes whether the directory that is mounted at a point is one of those above it.
    fn note_loop(&mut self, point: &[u8]) {
        let mut above: Vec<MountedDirectory> = Vec::new();
        let mut at = 0;
        let mut here = self.nodes[0].mount.clone();
        for part in components(point) {
            above.extend(here.clone());
            let Some(&next) = self.nodes[at].below.get(part) else { return };
            at = next;
            here = self.nodes[at].mount.clone().or_else(|| {
                let MountedDirectory { device, path } = here?;
                Some(MountedDirectory { device, path: [&path, b"/".as_slice(), part].concat() })
            });
        }
        self.nodes[at].is_loop = here.is_some_and(|here| above.contains(&here));
    }

    /// Whether it was made without a mount table.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn grow_to(&mut self, path: &[u8]) -> usize {
        components(path).fold(0, |at, part| self.grow(at, part))
    }

    fn grow(&mut self, at: usize, part: &[u8]) -> usize {
        let fresh = self.nodes.len();
        let next = *self.nodes[at].below.entry(part.into()).or_insert(fresh);
        if next == fresh {
            self.nodes.push(Node::default());
        }
        next
    }

    /// The position of a directory, by its absolute path.
    pub(crate) fn find(&self, path: &[u8]) -> MountPosition {
        if !path.starts_with(b"/") {
            return MountPosition::Unknown; // "(unreachable)/…": outside our root directory
        }
        let (mut at, mut root_depth) = (0, 0);
        for part in components(path) {
            root_depth += 1;
            match self.nodes.get(at).and_then(|node| node.below.get(part)) {
                Some(&next) => at = next,
                None => return MountPosition::NoneBelow,
            }
        }
        self.position(at, root_depth)
    }

    /// The position of the directory `name` in a directory at `position`, and what is mounted on
    /// it.
    pub(crate) fn step(&self, position: MountPosition, name: &[u8]) -> (MountPosition, MountState) {
        let MountPosition::SomeBelow { node: at, root_depth } = position else {
            return (position, MountState::NotMounted);
        };
        let Some(&next) = self.nodes[at].below.get(name) else {
            return (MountPosition::NoneBelow, MountState::NotMounted);
        };
        let node = &self.nodes[next];
        let comes_by_both = |shared: usize| root_depth <= shared;
        let point = match node.mount {
            None if node.shared_depth.is_some_and(comes_by_both) => MountState::SecondPath,
            None => MountState::NotMounted,
            Some(_) if node.is_loop => MountState::Loop,
            Some(_) => MountState::Mounted,
        };
        (self.position(next, root_depth), point)
    }

    fn position(&self, node: usize, root_depth: usize) -> MountPosition {
        match self.nodes.get(node) {
            Some(it) if !it.below.is_empty() => MountPosition::SomeBelow { node, root_depth },
            _ => MountPosition::NoneBelow,
        }
    }
}

fn components(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'/').filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> MountTree {
        made(&[
            ("8:1", "/", "/"),
            ("0:5", "/", "/proc"),
            ("8:1", "/x", "/mnt/a/b"),
            ("8:2", "/", "/mnt/a"),
        ])
    }

    fn made(mounts: &[(&str, &str, &str)]) -> MountTree {
        let mount = |&(device, root, point): &(&str, &str, &str)| Mount {
            point: point.into(),
            device: device.into(),
            root: root.into(),
        };
        MountTree::new(&mounts.iter().map(mount).collect::<Vec<_>>(), &[])
    }

    /// What lies at a path, gone down from the top.
    fn point(tree: &MountTree, path: &str) -> MountState {
        let mut at = (tree.find(b"/"), MountState::NotMounted);
        for part in components(path.as_bytes()) {
            at = tree.step(at.0, part);
        }
        at.1
    }

    #[test]
    fn a_mount_point_is_found_on_the_way_down() {
        let tree = tree();
        let root = tree.find(b"/");
        assert_eq!(tree.step(root, b"usr"), (MountPosition::NoneBelow, MountState::NotMounted));
        assert_eq!(tree.step(root, b"proc"), (MountPosition::NoneBelow, MountState::Mounted));
        let (mnt, point) = tree.step(root, b"mnt");
        assert_eq!(point, MountState::NotMounted);
        let (a, point) = tree.step(mnt, b"a");
        assert!(point == MountState::Mounted && matches!(a, MountPosition::SomeBelow { .. }));
        assert_eq!(tree.step(a, b"b"), (MountPosition::NoneBelow, MountState::Mounted));
    }

    #[test]
    fn a_directory_that_is_mounted_below_itself_comes_round() {
        let tree = made(&[
            ("8:1", "/", "/"),
            ("8:1", "/", "/mnt/whole"),
            ("8:1", "/a", "/a/b/c"),
            ("8:1", "/a", "/other"),
            ("8:2", "/", "/disk"),
            ("8:2", "/x", "/disk/x/y/z"),
            ("8:1", "/disk/x", "/disk/x/w"),
            ("8:2", "/x/y", "/disk/x/v"),
        ]);
        for (path, expected) in [
            ("/mnt/whole", MountState::Loop),
            ("/a/b/c", MountState::Loop),
            ("/other", MountState::Mounted),
            ("/disk", MountState::Mounted),
            ("/disk/x/y/z", MountState::Loop),
            // What is covered by the other file system.
            ("/disk/x/w", MountState::Mounted),
            ("/disk/x/v", MountState::Mounted),
        ] {
            assert_eq!(point(&tree, path), expected, "{path}");
        }
    }

    #[test]
    fn a_path_is_placed_from_the_root() {
        let tree = tree();
        let MountPosition::SomeBelow { node, root_depth: 2 } = tree.find(b"/mnt/a") else {
            panic!("something is mounted below it")
        };
        let below = MountPosition::SomeBelow { node, root_depth: 1 };
        assert_eq!(tree.step(tree.find(b"/mnt"), b"a").0, below);
        assert_eq!(tree.find(b"/mnt/x/a"), MountPosition::NoneBelow);
        assert_eq!(tree.find(b"(unreachable)/a"), MountPosition::Unknown);
    }

    /// With the mounts and some of the links of a machine with macOS.
    #[test]
    fn a_directory_with_two_paths_is_entered_once_if_the_walk_comes_by_both() {
        let data = Mount {
            point: b"/System/Volumes/Data".to_vec(),
            device: b"1".to_vec(),
            root: b"/".to_vec(),
        };
        let link = |path: &str| Firmlink {
            path: format!("/{path}").into(),
            target: format!("/System/Volumes/Data/{path}").into(),
        };
        let links = ["Users", "usr/local", "System/Library/Caches"].map(link);
        let tree = MountTree::new(&[data], &links);
        let from = |root: &str, below: &str| {
            let mut at = (tree.find(root.as_bytes()), MountState::NotMounted);
            for part in components(below.as_bytes()) {
                at = tree.step(at.0, part);
            }
            at.1
        };
        for (root, below, expected) in [
            ("/", "System/Volumes/Data", MountState::Mounted),
            ("/", "System/Volumes/Data/Users", MountState::SecondPath),
            ("/", "System/Volumes/Data/usr", MountState::NotMounted),
            ("/", "System/Volumes/Data/usr/local", MountState::SecondPath),
            ("/", "System/Volumes/Data/home", MountState::NotMounted),
            ("/", "Users", MountState::NotMounted),
            // This walk does not come by /Users, but by /System/Library/Caches.
            ("/System", "Volumes/Data/Users", MountState::NotMounted),
            ("/System", "Volumes/Data/System/Library/Caches", MountState::SecondPath),
            ("/System/Volumes/Data", "Users", MountState::NotMounted),
            ("/System/Volumes", "Data/System/Library/Caches", MountState::NotMounted),
        ] {
            assert_eq!(from(root, below), expected, "{root} {below}");
        }
    }
}
