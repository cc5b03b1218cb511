//! The differences between two snapshots, against maps of all paths.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fewer::Kind;
use fewer::snapshot::{Change, ChangeKind, Changes, Level, Snapshot};

use crate::model::{Node, ROOT, contents, node, snapshot, stat, tree};
use crate::scene::tree::Dice;

const ROUNDS: u64 = 300;

type Path = Vec<u8>;
type Paths = BTreeMap<Path, Node>;

#[test]
fn the_changes_lead_from_the_old_tree_to_the_new_one() {
    let mut seen = [0; 4];
    for seed in 0..ROUNDS {
        let mut dice = Dice(seed);
        let mut inodes = 10;
        let mut old = tree(&mut dice);
        number(&mut old, &mut inodes);
        let mut new = old.clone();
        for _ in 0..dice.roll(8) {
            operate(&mut dice, &mut new, &mut inodes);
        }
        for level in [Level::Names, Level::Stat] {
            let before = Arc::new(snapshot(level, &old, None));
            let after = snapshot(level, &new, Some(&before));
            let changes = between(&before, &after);
            changes.iter().for_each(|change| seen[change.kind as usize] += 1);
            Check { level, old: paths(&old), new: paths(&new), changes, seed }.run();
        }
    }
    assert!(seen.iter().all(|count| *count > 60), "too few of a kind: {seen:?}");
}

fn between(old: &Snapshot, new: &Snapshot) -> Vec<Change> {
    assert_eq!(Changes::between(old, old).unwrap().next(), None);
    Changes::between(old, new).unwrap().collect()
}

/// Gives every entry an inode of its own.
fn number(node: &mut Node, inodes: &mut u64) {
    *inodes += 1;
    node.inode = *inodes;
    let Some(contents) = &mut node.contents else { return };
    (contents.stamp.inode, contents.stamp.device) = (*inodes, 5);
    contents.entries.values_mut().for_each(|below| number(below, inodes));
}

fn paths(tree: &Node) -> Paths {
    fn add(paths: &mut Paths, path: &[u8], node: &Node) {
        paths.insert(path.to_vec(), node.clone());
        for (name, below) in node.contents.iter().flat_map(|contents| &contents.entries) {
            add(paths, &[path, b"/", name].concat(), below);
        }
    }
    let mut paths = Paths::new();
    add(&mut paths, ROOT, tree);
    paths
}

/// The node at a path.
fn at<'n>(tree: &'n mut Node, path: &[u8]) -> &'n mut Node {
    let below = path.strip_prefix(ROOT).unwrap();
    below
        .split(|&byte| byte == b'/')
        .skip(1)
        .fold(tree, |node, name| node.contents.as_mut().unwrap().entries.get_mut(name).unwrap())
}

fn split(path: &[u8]) -> (&[u8], &[u8]) {
    let slash = path.iter().rposition(|&byte| byte == b'/').unwrap();
    (&path[..slash], &path[slash + 1..])
}

fn take(tree: &mut Node, path: &[u8]) -> Node {
    let (parent, name) = split(path);
    at(tree, parent).contents.as_mut().unwrap().entries.remove(name).unwrap()
}

/// Creates, removes, renames, exchanges, links or changes something.
fn operate(dice: &mut Dice, tree: &mut Node, inodes: &mut u64) {
    let all = paths(tree);
    let below: Vec<&Path> = all.keys().filter(|path| *path != ROOT).collect();
    let into: Vec<&Path> =
        all.iter().filter(|(_, node)| node.contents.is_some()).map(|(path, _)| path).collect();
    let folder = into[dice.roll(into.len())].clone();
    let put = |tree: &mut Node, name: Path, node| {
        at(tree, &folder).contents.as_mut().unwrap().entries.insert(name, node);
    };
    let some = (!below.is_empty()).then(|| below[dice.roll(below.len())].clone());
    let name = match (&some, dice.roll(3)) {
        (Some(some), 0) => split(some).1.to_vec(),
        _ => [&b"c"[..], b"x", b"new"][dice.roll(3)].to_vec(),
    };
    let Some(some) = some.filter(|_| dice.roll(6) > 0) else {
        let mut new = node(dice, 4);
        number(&mut new, inodes);
        return put(tree, name, new);
    };
    let is_above = |path: &[u8], above: &[u8]| [path, b"/"].concat().starts_with(above);
    match dice.roll(6) {
        0 => drop(take(tree, &some)),
        1 | 2 if !is_above(&folder, &[&some[..], b"/"].concat()) => {
            let moved = take(tree, &some);
            put(tree, name, moved);
        }
        3 if all[&some].kind != Kind::Directory => put(tree, name, all[&some].clone()),
        4 => {
            let node = at(tree, &some);
            node.stat = stat(dice);
        }
        _ => {
            // Something else, or something of the same kind, under the same name.
            let mut new = node(dice, 5);
            if new.kind == Kind::Directory && new.contents.is_none() {
                new.contents = Some(contents(dice, 0, 9));
            }
            number(&mut new, inodes);
            if dice.roll(2) == 0 && all[&some].contents.is_some() {
                new = Node { inode: new.inode, ..all[&some].clone() };
                new.contents.as_mut().unwrap().stamp.inode = new.inode;
            }
            *at(tree, &some) = new;
        }
    }
}

struct Check {
    level: Level,
    old: Paths,
    new: Paths,
    changes: Vec<Change>,
    seed: u64,
}

impl Check {
    fn run(&self) {
        let of_kind = |kind| self.changes.iter().filter(move |change| change.kind == kind);
        let set = |kind| -> BTreeSet<Path> {
            let paths: Vec<_> = of_kind(kind).map(|change| change.path.to_vec()).collect();
            let set: BTreeSet<_> = paths.iter().cloned().collect();
            assert_eq!(set.len(), paths.len(), "{kind:?} twice of seed {}", self.seed);
            set
        };
        let renamed: BTreeMap<Path, Path> = of_kind(ChangeKind::Renamed)
            .map(|change| (change.from.clone().unwrap().to_vec(), change.path.to_vec()))
            .collect();
        let (removed, added) = (set(ChangeKind::Removed), set(ChangeKind::Added));
        let changed = set(ChangeKind::Changed);

        // Where each old path is now.
        let mut now: BTreeMap<&[u8], Path> = BTreeMap::new();
        for path in self.old.keys().filter(|path| !removed.contains(*path)) {
            let place = renamed.get(path).cloned().unwrap_or_else(|| match path == ROOT {
                true => path.clone(),
                false => {
                    let (parent, name) = split(path);
                    let parent = now.get(parent).unwrap_or_else(|| self.fail("lost", path));
                    [&parent[..], b"/", name].concat()
                }
            });
            now.insert(path, place);
        }
        let mut all: Vec<Path> = now.values().chain(&added).cloned().collect();
        all.sort();
        let expected: Vec<Path> = self.new.keys().cloned().collect();
        assert!(all == expected, "of seed {}: {:?}", self.seed, self.shown());
        for (from, to) in &renamed {
            assert!(from != to && self.is_same(&self.old[from], &self.new[to]), "{}", self.seed);
        }
        for (from, to) in &now {
            let expected = self.is_changed(&self.old[*from], &self.new[to]);
            assert_eq!(changed.contains(to), expected, "{} {:?}", self.seed, self.shown());
        }
        self.check_that_nothing_is_listed_in_vain(&now);
        self.check_order();
    }

    /// An entry that can be recognized is where it is said to be.
    fn check_that_nothing_is_listed_in_vain(&self, now: &BTreeMap<&[u8], Path>) {
        let count =
            |paths: &Paths, inode| paths.values().filter(|node| node.inode == inode).count();
        for (path, node) in &self.old {
            for (to, _) in self.new.iter().filter(|(_, new)| self.is_same(node, new)) {
                let alone = [&self.old, &self.new].map(|paths| count(paths, node.inode)) == [1, 1];
                let stays = path != ROOT
                    && to == path
                    && now.get(split(path).0).is_some_and(|parent| parent == split(path).0);
                if alone || stays {
                    assert_eq!(now.get(&path[..]), Some(to), "{} {:?}", self.seed, self.shown());
                }
            }
        }
    }

    fn check_order(&self) {
        let key = |change: &Change| {
            let names: Vec<Path> =
                change.path.split(|&byte| byte == b'/').map(Path::from).collect();
            (names, change.kind)
        };
        let keys: Vec<_> = self.changes.iter().map(key).collect();
        assert!(keys.is_sorted(), "of seed {}", self.seed);
    }

    fn is_same(&self, old: &Node, new: &Node) -> bool {
        let contents = |node: &Node| match (self.level, node.kind) {
            (Level::Stat, kind) if kind != Kind::Directory => {
                Some((node.stat.size, node.stat.modified))
            }
            _ => None,
        };
        (old.kind, old.inode, contents(old)) == (new.kind, new.inode, contents(new))
    }

    fn is_changed(&self, old: &Node, new: &Node) -> bool {
        let permissions = |node: &Node| node.stat.permissions;
        let with_stat = old.inode != new.inode
            || permissions(old) != permissions(new)
            || !self.is_same(old, new);
        old.kind != new.kind || self.level == Level::Stat && with_stat
    }

    fn shown(&self) -> Vec<String> {
        let text = |path: &[u8]| path.escape_ascii().to_string();
        self.changes
            .iter()
            .map(|change| {
                let from = change.from.as_ref().map(|from| text(from)).unwrap_or_default();
                format!("{} {} {from}", change.kind.name(), text(&change.path))
            })
            .collect()
    }

    fn fail(&self, what: &str, path: &[u8]) -> ! {
        panic!("{what}: {} of seed {}: {:?}", path.escape_ascii(), self.seed, self.shown())
    }
}
