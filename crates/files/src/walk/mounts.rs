//! Which directories are mount points, without asking each: the mount table, read once, as a tree
//! that is gone down alongside the walk.
//!
//! The table also says which directory of which file system is mounted. Where that is one that lies
//! above the mount point, a walk would come round: what is below is there a second time.

use std::collections::BTreeMap;

use kernel::Mount;

/// Where a directory is in relation to the mount points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Nothing is mounted below it. Most directories.
    Clear,
    /// There are mount points below it; its own node in the tree.
    Above(usize),
    /// It cannot be told where it is.
    Lost,
}

/// The mount points by path component.
#[derive(Debug, Default)]
pub(crate) struct MountTree {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    below: BTreeMap<Box<[u8]>, usize>,
    mount: Option<What>,
    comes_round: bool,
}

/// A directory of a file system.
#[derive(Clone, Debug, PartialEq, Eq)]
struct What {
    device: Vec<u8>,
    /// From the top of the file system, without a slash at its end.
    path: Vec<u8>,
}

/// What lies at a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// Nothing is mounted there.
    Plain,
    /// Something is.
    Mount,
    /// A directory that lies above is, as far as the table tells.
    Round,
}

impl MountTree {
    pub(crate) fn new(mounts: &[Mount]) -> MountTree {
        let mut tree = MountTree { nodes: vec![Node::default()] };
        for mount in mounts {
            let mut at = 0;
            for part in components(&mount.point) {
                at = tree.grow(at, part);
            }
            // A later one covers it.
            let path = mount.root.strip_suffix(b"/").unwrap_or(&mount.root).to_vec();
            tree.nodes[at].mount = Some(What { device: mount.device.clone(), path });
        }
        for mount in mounts {
            tree.look_above(&mount.point);
        }
        tree
    }

    /// Notes whether what is mounted at a point is one of the directories above.
    fn look_above(&mut self, point: &[u8]) {
        let mut above: Vec<What> = Vec::new();
        let mut at = 0;
        let mut here = self.nodes[0].mount.clone();
        for part in components(point) {
            above.extend(here.clone());
            let Some(&next) = self.nodes[at].below.get(part) else { return };
            at = next;
            here = self.nodes[at].mount.clone().or_else(|| {
                let What { device, path } = here?;
                Some(What { device, path: [&path, b"/".as_slice(), part].concat() })
            });
        }
        self.nodes[at].comes_round = here.is_some_and(|here| above.contains(&here));
    }

    /// Whether it was made without a mount table.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn grow(&mut self, at: usize, part: &[u8]) -> usize {
        let fresh = self.nodes.len();
        let next = *self.nodes[at].below.entry(part.into()).or_insert(fresh);
        if next == fresh {
            self.nodes.push(Node::default());
        }
        next
    }

    /// The place of a directory by its absolute path.
    pub(crate) fn find(&self, path: &[u8]) -> Place {
        if !path.starts_with(b"/") {
            return Place::Lost; // "(unreachable)/…": outside our root directory
        }
        let mut at = 0;
        for part in components(path) {
            match self.nodes.get(at).and_then(|node| node.below.get(part)) {
                Some(&next) => at = next,
                None => return Place::Clear,
            }
        }
        self.place(at)
    }

    /// The place of the directory `name` in a directory at `place`, and what lies there.
    pub(crate) fn step(&self, place: Place, name: &[u8]) -> (Place, Point) {
        let Place::Above(at) = place else { return (place, Point::Plain) };
        let Some(&next) = self.nodes[at].below.get(name) else {
            return (Place::Clear, Point::Plain);
        };
        let node = &self.nodes[next];
        let point = match node.mount {
            None => Point::Plain,
            Some(_) if node.comes_round => Point::Round,
            Some(_) => Point::Mount,
        };
        (self.place(next), point)
    }

    fn place(&self, at: usize) -> Place {
        match self.nodes.get(at) {
            Some(node) if !node.below.is_empty() => Place::Above(at),
            _ => Place::Clear,
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
        MountTree::new(&mounts.iter().map(mount).collect::<Vec<_>>())
    }

    /// What lies at a path, gone down from the top.
    fn point(tree: &MountTree, path: &str) -> Point {
        let mut at = (tree.find(b"/"), Point::Plain);
        for part in components(path.as_bytes()) {
            at = tree.step(at.0, part);
        }
        at.1
    }

    #[test]
    fn a_mount_point_is_found_on_the_way_down() {
        let tree = tree();
        let root = tree.find(b"/");
        assert_eq!(tree.step(root, b"usr"), (Place::Clear, Point::Plain));
        assert_eq!(tree.step(root, b"proc"), (Place::Clear, Point::Mount));
        let (mnt, point) = tree.step(root, b"mnt");
        assert_eq!(point, Point::Plain);
        let (a, point) = tree.step(mnt, b"a");
        assert!(point == Point::Mount && matches!(a, Place::Above(_)));
        assert_eq!(tree.step(a, b"b"), (Place::Clear, Point::Mount));
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
            ("/mnt/whole", Point::Round),
            ("/a/b/c", Point::Round),
            ("/other", Point::Mount),
            ("/disk", Point::Mount),
            ("/disk/x/y/z", Point::Round),
            // What is covered by the other file system.
            ("/disk/x/w", Point::Mount),
            ("/disk/x/v", Point::Mount),
        ] {
            assert_eq!(point(&tree, path), expected, "{path}");
        }
    }

    #[test]
    fn a_path_is_placed_from_the_root() {
        let tree = tree();
        assert_eq!(tree.find(b"/mnt/a"), tree.step(tree.find(b"/mnt"), b"a").0);
        assert_eq!(tree.find(b"/mnt/x/a"), Place::Clear);
        assert_eq!(tree.find(b"(unreachable)/a"), Place::Lost);
    }
}
