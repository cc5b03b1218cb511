//! A snapshot in a file: the old one or the new one is there, whatever happens.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use fewer::snapshot::{Defect, Level, Snapshot};
use fewer::{Action, Errno};
use tempfile::tempdir;

use crate::model::{snapshot, tree};
use crate::scene::tree::Dice;

fn some(seed: u64) -> Snapshot {
    snapshot(Level::Names, &tree(&mut Dice(seed)), None)
}

#[test]
fn what_is_written_is_read_again_and_the_file_keeps_its_permissions() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("s");
    some(1).write(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link");
    symlink("s", &link).unwrap();
    some(2).write(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(Snapshot::read(&link).unwrap().as_bytes(), some(2).as_bytes());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o640);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "something is left behind");
}

#[test]
fn a_new_file_has_the_permissions_that_others_get() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("other"), b"").unwrap();
    some(1).write(folder.path().join("s")).unwrap();
    let mode = |name| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode("s"), mode("other"));
}

#[test]
fn what_is_no_file_is_refused() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("d")).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(at("fifo")).status();
    assert!(fifo.is_ok_and(|status| status.success()));
    symlink("loop", at("loop")).unwrap();
    let refused = [("d", Errno::ISDIR), ("fifo", Errno::INVAL), ("loop", Errno::LOOP)];
    for (name, errno) in refused.into_iter().chain([("no/s", Errno::NOENT), ("", Errno::ISDIR)]) {
        let error = some(1).write(at(name)).unwrap_err();
        assert_eq!((error.errno(), error.action()), (errno, Action::WRITE_SNAPSHOT), "{name}");
        let error = Snapshot::read(at(name)).unwrap_err();
        assert_eq!((error.errno(), error.action()), (errno, Action::READ_SNAPSHOT), "{name}");
        assert_eq!(error.defect(), None);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "something is left behind");
}

#[test]
fn a_file_that_is_no_snapshot_is_said_to_be_none() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("s\n");
    let of = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Snapshot::read(&path).unwrap_err()
    };
    let made = some(3);
    let bytes = made.as_bytes();
    assert_eq!(of(b"").defect(), Some(Defect::NotASnapshot));
    assert_eq!(of(&bytes[..bytes.len() - 1]).defect(), Some(Defect::Length));
    let mut other = bytes.to_vec();
    other[8] = 7;
    let error = of(&other);
    assert_eq!(error.defect(), Some(Defect::Version(7)));
    assert_eq!(error.errno(), Errno::BADMSG);
    assert!(error.to_string().contains("s\\n': it is a snapshot of version 7; this program"));
    other[8] = bytes[8];
    other[bytes.len() - 1] ^= 1;
    assert_eq!(of(&other).defect(), Some(Defect::Checksum));
    // A file of zeros that says that it is a terabyte is not read.
    let file = fs::File::create(&path).unwrap();
    file.set_len(1 << 40).unwrap();
    assert_eq!(Snapshot::read(&path).unwrap_err().defect(), Some(Defect::NotASnapshot));
}

#[test]
fn readers_see_one_of_the_snapshots_while_several_threads_write() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("s");
    let all: Vec<Snapshot> = (0..8).map(some).collect();
    all[0].write(&path).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|writer| {
                let (all, path) = (&all, &path);
                scope.spawn(move || {
                    for round in 0..60 {
                        all[(round * 3 + writer) % all.len()].write(path).unwrap();
                    }
                })
            })
            .collect();
        let reader = scope.spawn(|| {
            loop {
                // Once more behind the last of them.
                let is_last = stop.load(Relaxed);
                let found = Snapshot::read(&path).unwrap();
                assert!(all.iter().any(|one| one.as_bytes() == found.as_bytes()));
                if is_last {
                    return;
                }
            }
        });
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        stop.store(true, Relaxed);
        reader.join().unwrap();
    });
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "something is left behind");
}
