//! Snapshots with a right checksum that contradict themselves: an error at most.

use std::sync::Arc;

use fewer::snapshot::{Changes, DirectoryId, Level, Snapshot, SnapshotBuilder};

use crate::model::{snapshot, tree};
use crate::scene::tree::Dice;

const ROUNDS: u64 = 4000;

#[test]
fn damage_behind_the_checksum_gives_no_wrong_name_and_no_endless_walk() {
    let whole: Vec<Snapshot> = (0..40)
        .map(|seed| {
            let level = [Level::Names, Level::Stat][seed as usize % 2];
            snapshot(level, &tree(&mut Dice(seed)), None)
        })
        .collect();
    let (mut refused, mut used) = (0, 0);
    for seed in 0..ROUNDS {
        let mut dice = Dice(seed);
        let good = &whole[dice.roll(whole.len())];
        let mut bytes = good.as_bytes().to_vec();
        for _ in 0..=dice.roll(3) {
            // The header and the index more often than they are long.
            let end = if dice.roll(2) == 0 { bytes.len().min(200) } else { bytes.len() };
            bytes[16 + dice.roll(end - 16)] =
                [0, 1, b'/', b'.', 0x7f, 0xff, dice.roll(256) as u8][dice.roll(7)];
        }
        Snapshot::seal(&mut bytes);
        let Ok(bad) = Snapshot::from_bytes(bytes) else {
            refused += 1;
            continue;
        };
        used += 1;
        visit(&bad);
        for (old, new) in [(&bad, good), (good, &bad), (&bad, &bad)] {
            let _ = Changes::between(old, new).map(|changes| changes.for_each(drop));
        }
        update(bad);
    }
    assert!(refused > 50 && used > 500, "{refused} {used}");
}

/// Looks at all there is, and says how many directories there were.
fn visit(snapshot: &Snapshot) -> Vec<DirectoryId> {
    let mut ids: Vec<_> = snapshot.roots().filter_map(|root| root.directory).collect();
    let mut next = 0;
    while let Some(id) = ids.get(next).copied() {
        next += 1;
        assert!(next <= snapshot.directory_count(), "more directories than there are");
        let Some(directory) = snapshot.directory(id) else { continue };
        assert!(directory.stamp().changed.nanoseconds < 1_000_000_000);
        let Ok(mut entries) = directory.entries() else { continue };
        let mut before: Option<Vec<u8>> = None;
        while let Some(entry) = entries.next() {
            assert!(!entry.name.contains(&b'/') && !entry.name.contains(&0));
            assert!(!matches!(entry.name, b"" | b"." | b".."));
            assert!(before.as_deref().is_none_or(|before| before < entry.name));
            before = Some(entry.name.to_vec());
            ids.extend(entry.directory);
        }
        let _ = directory.directories();
    }
    ids
}

/// Makes a new snapshot of it in which everything is kept.
fn update(snapshot: Snapshot) {
    let base = Arc::new(snapshot);
    let mut builder = SnapshotBuilder::since(Arc::clone(&base));
    let mut records = builder.records();
    visit(&base).into_iter().for_each(|id| records.keep(id));
    builder.add(records);
    base.roots().for_each(|root| builder.add_root(root.path, root.kind, root.inode, root.stat));
    if let Ok(made) = builder.finish() {
        visit(&made);
    }
}
