//! A tree in memory, from which snapshots are made and with which they are compared.

use std::collections::BTreeMap;
use std::sync::Arc;

use fewer::snapshot::{
    DirectoryId, DirectoryRecord, EntryStat, Level, Records, Snapshot, SnapshotBuilder, Stamp,
};
use fewer::{Kind, Time};

use crate::scene::tree::Dice;

/// The root of every tree.
pub(crate) const ROOT: &[u8] = b"./root";

/// What a snapshot has of an entry, and what is below it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) inode: u64,
    pub(crate) stat: EntryStat,
    /// If it is a directory that was read.
    pub(crate) contents: Option<Contents>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contents {
    pub(crate) stamp: Stamp,
    pub(crate) racy: bool,
    pub(crate) entries: BTreeMap<Vec<u8>, Node>,
}

pub(crate) fn time(dice: &mut Dice) -> Time {
    let seconds = match dice.roll(8) {
        0 => i64::MIN,
        1 => i64::MAX,
        2 => -1,
        _ => 1_795_000_000 + dice.roll(9) as i64,
    };
    Time { seconds, nanoseconds: [0, 1, 999_999_999][dice.roll(3)] }
}

pub(crate) fn stat(dice: &mut Dice) -> EntryStat {
    let modified = time(dice);
    let changed = if dice.roll(2) == 0 { modified } else { time(dice) };
    let size = [0, 1, 4096, u64::MAX][dice.roll(4)];
    EntryStat { size, permissions: [0, 0o644, 0o7777][dice.roll(3)], modified, changed }
}

fn stamp(dice: &mut Dice, inode: u64) -> Stamp {
    let changed = time(dice);
    Stamp {
        device: [8 << 32 | 1, u64::MAX, 0][dice.roll(3)],
        inode,
        is_mount_root: dice.roll(9) == 0,
        created: (dice.roll(2) == 0).then(|| time(dice)),
        changed,
        modified: if dice.roll(2) == 0 { changed } else { time(dice) },
    }
}

fn name(dice: &mut Dice) -> Vec<u8> {
    let length = [1, 2, 3, 40, 255][dice.roll(5)];
    let letters: &[u8] = [&b"a"[..], b"ab.", b"\x01\xff "][dice.roll(3)];
    let name: Vec<u8> = (0..length).map(|_| letters[dice.roll(letters.len())]).collect();
    if matches!(name[..], [b'.'] | [b'.', b'.']) { b"dots".to_vec() } else { name }
}

/// A node of any kind; a directory with less in it the deeper it is.
pub(crate) fn node(dice: &mut Dice, depth: usize) -> Node {
    let kind = if dice.roll(3) == 0 { Kind::Directory } else { Kind::ALL[dice.roll(8)] };
    let inode = [7, 8, 1_000_000, u64::MAX - 1][dice.roll(4)] + dice.roll(2) as u64;
    let stat = stat(dice);
    let is_read = kind == Kind::Directory && dice.roll(8) > 0;
    let contents = is_read.then(|| contents(dice, inode, depth));
    Node { kind, inode, stat, contents }
}

pub(crate) fn contents(dice: &mut Dice, inode: u64, depth: usize) -> Contents {
    let count = if depth > 5 { 0 } else { dice.roll(9) };
    let entries = (0..count).map(|_| (name(dice), node(dice, depth + 1))).collect();
    Contents { stamp: stamp(dice, inode), racy: dice.roll(4) == 0, entries }
}

/// A whole tree.
pub(crate) fn tree(dice: &mut Dice) -> Node {
    let contents = Some(contents(dice, 2, 0));
    Node { kind: Kind::Directory, inode: 2, stat: stat(dice), contents }
}

/// A snapshot of the tree, by several threads' records; `base` is one of an older tree.
pub(crate) fn snapshot(level: Level, tree: &Node, base: Option<&Arc<Snapshot>>) -> Snapshot {
    let mut builder = match base {
        Some(base) => SnapshotBuilder::since(Arc::clone(base)),
        None => SnapshotBuilder::new(level).options(b"some words"),
    };
    builder.add_root(b"missing", Kind::Unknown, 0, None);
    builder.add_root(ROOT, tree.kind, tree.inode, Some(tree.stat));
    let mut records = [builder.records(), builder.records(), builder.records()];
    let before = base.and_then(|base| base.roots().nth(1).and_then(|root| root.directory));
    let base = base.map(|base| &**base);
    record(&mut records, base, before, tree, &mut ROOT.to_vec());
    records.into_iter().rev().for_each(|records| builder.add(records));
    builder.finish().unwrap()
}

/// Goes down the tree, and beside it down the base: a directory that is the same is kept.
fn record(
    records: &mut [Records; 3],
    base: Option<&Snapshot>,
    before: Option<DirectoryId>,
    node: &Node,
    path: &mut Vec<u8>,
) {
    let Some(contents) = &node.contents else { return };
    let old = base.zip(before).map(|(base, id)| base.directory(id).unwrap());
    let mine = &mut records[path.len() % 3];
    match old {
        Some(old) if is_same(&old, contents) => mine.keep(old.id()),
        _ => {
            let mut directory = DirectoryRecord::new(path, contents.stamp, contents.racy);
            for (name, node) in contents.entries.iter().rev() {
                directory.push(name, node.kind, node.inode, Some(node.stat));
            }
            mine.add(directory);
        }
    }
    let olds = old.map(|old| old.directories().unwrap()).unwrap_or_default();
    let length = path.len();
    for (name, node) in &contents.entries {
        path.push(b'/');
        path.extend_from_slice(name);
        record(records, base, olds.find(name), node, path);
        path.truncate(length);
    }
}

fn is_same(old: &fewer::snapshot::Directory<'_>, contents: &Contents) -> bool {
    let mut entries = old.entries().unwrap();
    let mut theirs = contents.entries.iter();
    while let Some(entry) = entries.next() {
        let Some((name, node)) = theirs.next() else { return false };
        let same_stat = entry.stat.is_none_or(|stat| stat == node.stat);
        if (entry.name, entry.kind, entry.inode) != (name, node.kind, node.inode) || !same_stat {
            return false;
        }
    }
    theirs.next().is_none() && *old.stamp() == contents.stamp && old.is_racy() == contents.racy
}

/// The tree that a snapshot has.
pub(crate) fn tree_in(snapshot: &Snapshot) -> Option<Node> {
    let root = snapshot.roots().nth(1)?;
    Some(Node {
        kind: root.kind,
        inode: root.inode,
        stat: root.stat.unwrap_or(NO_STAT),
        contents: match root.directory {
            Some(id) => Some(contents_in(snapshot, id)?),
            None => None,
        },
    })
}

/// As it is where a snapshot has none.
pub(crate) const NO_STAT: EntryStat = {
    let time = Time { seconds: 0, nanoseconds: 0 };
    EntryStat { size: 0, permissions: 0, modified: time, changed: time }
};

fn contents_in(snapshot: &Snapshot, id: DirectoryId) -> Option<Contents> {
    let directory = snapshot.directory(id)?;
    let mut entries = directory.entries().ok()?;
    let mut found = BTreeMap::new();
    while let Some(entry) = entries.next() {
        let contents = match entry.directory {
            Some(id) => Some(contents_in(snapshot, id)?),
            None => None,
        };
        let stat = entry.stat.unwrap_or(NO_STAT);
        let node = Node { kind: entry.kind, inode: entry.inode, stat, contents };
        assert!(found.insert(entry.name.to_vec(), node).is_none());
    }
    Some(Contents { stamp: *directory.stamp(), racy: directory.is_racy(), entries: found })
}

/// The tree without what the level names does not keep.
pub(crate) fn without_stats(node: &Node) -> Node {
    let contents = node.contents.as_ref().map(|contents| Contents {
        entries: contents
            .entries
            .iter()
            .map(|(name, node)| (name.clone(), without_stats(node)))
            .collect(),
        ..*contents
    });
    Node { stat: NO_STAT, contents, ..*node }
}
