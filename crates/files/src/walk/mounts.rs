//! Which directories are mount points, without asking each: the mount table, read once, as a tree
//! that is gone down alongside the walk.

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
    is_mount: bool,
}

impl MountTree {
    pub(crate) fn new(mounts: &[Mount]) -> MountTree {
        let mut tree = MountTree { nodes: vec![Node::default()] };
        for mount in mounts {
            let mut at = 0;
            for part in components(&mount.point) {
                at = tree.grow(at, part);
            }
            tree.nodes[at].is_mount = true;
        }
        tree
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

    /// The place of the directory `name` in a directory at `place`, and whether it is a mount
    /// point.
    pub(crate) fn step(&self, place: Place, name: &[u8]) -> (Place, bool) {
        let Place::Above(at) = place else { return (place, false) };
        match self.nodes[at].below.get(name) {
            Some(&next) => (self.place(next), self.nodes[next].is_mount),
            None => (Place::Clear, false),
        }
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
        let points = ["/", "/proc", "/mnt/a/b", "/mnt/a"];
        let mounts = points.map(|point| Mount { point: point.into() });
        MountTree::new(&mounts)
    }

    #[test]
    fn a_mount_point_is_found_on_the_way_down() {
        let tree = tree();
        let root = tree.find(b"/");
        assert_eq!(tree.step(root, b"usr"), (Place::Clear, false));
        assert_eq!(tree.step(root, b"proc"), (Place::Clear, true));
        let (mnt, is_mount) = tree.step(root, b"mnt");
        assert!(!is_mount);
        let (a, is_mount) = tree.step(mnt, b"a");
        assert!(is_mount && matches!(a, Place::Above(_)));
        assert_eq!(tree.step(a, b"b"), (Place::Clear, true));
    }

    #[test]
    fn a_path_is_placed_from_the_root() {
        let tree = tree();
        assert_eq!(tree.find(b"/mnt/a"), tree.step(tree.find(b"/mnt"), b"a").0);
        assert_eq!(tree.find(b"/mnt/x/a"), Place::Clear);
        assert_eq!(tree.find(b"(unreachable)/a"), Place::Lost);
    }
}
