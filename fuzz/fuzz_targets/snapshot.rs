//! Any bytes as a snapshot, with and without the right checksum, and a snapshot with any bytes of
//! it changed: no panic, no name that is none, no directory twice. What is read can be compared and
//! updated.
#![no_main]

use std::sync::Arc;

use fewer::Kind;
use fewer::snapshot::{
    Changes, DirectoryId, DirectoryRecord, Level, Snapshot, SnapshotBuilder, Stamp,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<(u16, u8)>, bool, Vec<u8>)| {
    let (edits, with_stats, text) = input;
    let _ = Snapshot::from_bytes(text.clone());
    let good = some(with_stats);
    let head = &good.as_bytes()[..16];
    let mut edited = good.as_bytes().to_vec();
    for (at, byte) in edits {
        let at = usize::from(at) % edited.len();
        edited[at] = byte;
    }
    for mut bytes in [[head, &text].concat(), edited] {
        Snapshot::seal(&mut bytes);
        let Ok(bad) = Snapshot::from_bytes(bytes) else { continue };
        for (old, new) in [(&bad, &good), (&good, &bad)] {
            let _ = Changes::between(old, new).map(|changes| changes.for_each(drop));
        }
        let kept = visit(&bad);
        let bad = Arc::new(bad);
        let mut builder = SnapshotBuilder::since(Arc::clone(&bad));
        let mut records = builder.records();
        kept.into_iter().for_each(|id| records.keep(id));
        builder.add(records);
        bad.roots().for_each(|root| builder.add_root(root.path, root.kind, root.inode, root.stat));
        let _ = builder.finish().map(|made| visit(&made));
    }
});

/// Looks at all there is.
fn visit(snapshot: &Snapshot) -> Vec<DirectoryId> {
    let mut ids: Vec<_> = snapshot.roots().filter_map(|root| root.directory).collect();
    let mut next = 0;
    while let Some(id) = ids.get(next).copied() {
        next += 1;
        assert!(next <= snapshot.directory_count());
        let Some(directory) = snapshot.directory(id) else { continue };
        let _ = directory.directories();
        let Ok(mut entries) = directory.entries() else { continue };
        while let Some(entry) = entries.next() {
            assert!(!entry.name.contains(&b'/') && !entry.name.contains(&0));
            assert!(!matches!(entry.name, b"" | b"." | b".."));
            ids.extend(entry.directory);
        }
    }
    ids
}

/// A snapshot of a few directories.
fn some(with_stats: bool) -> Snapshot {
    let level = if with_stats { Level::Stat } else { Level::Names };
    let mut builder = SnapshotBuilder::new(level).options(b"words");
    let mut records = builder.records();
    let now = fewer::Time { seconds: 1_795_000_000, nanoseconds: 5 };
    for (inode, path) in [(2, "r"), (3, "r/a"), (4, "r/a/b"), (5, "r/c")] {
        let (device, created) = (8 << 32 | 1, Some(now));
        let is_mount_root = inode == 2;
        let stamp = Stamp { device, inode, is_mount_root, created, changed: now, modified: now };
        let mut directory = DirectoryRecord::new(path.as_bytes(), stamp, inode == 5);
        for (name, kind) in [("a", Kind::Directory), ("b", Kind::Directory), ("name", Kind::File)] {
            directory.push(name.as_bytes(), kind, inode + 1, None);
        }
        directory.push(&[b'x'; 60], Kind::Symlink, 9, None);
        records.add(directory);
    }
    builder.add(records);
    builder.add_root(b"r", Kind::Directory, 2, None);
    builder.finish().expect("cannot make a snapshot")
}
