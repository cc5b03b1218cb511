//! The end of a directory, read off its last record, loses nothing: the short form returns what
//! the long form returns, and what std's `read_dir` returns.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::ffi::{CString, OsStr};
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirEntryExt, FileTypeExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use fewer_sys::{Buffer, CWD, Call, FileSystem, Kind, calls};

/// Name, kind and inode. Names are unique, so a set that is as long as the list is the multiset.
type Row = (Vec<u8>, u8, u64);

/// What one method of reading found, and how many calls it made.
struct Reading {
    rows: BTreeSet<Row>,
    blocks: u64,
}

/// Reads a directory in blocks of so many bytes, believing the marks of `on`.
fn read(path: &Path, bytes: usize, on: FileSystem) -> Reading {
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    let dir = fewer_sys::open_dir(CWD, &path, false).unwrap();
    let (mut buffer, mut rows, mut count) = (Buffer::new(bytes), BTreeSet::new(), 0);
    let before = calls();
    loop {
        let mut entries = fewer_sys::read_entries(&dir, &mut buffer, on).unwrap();
        for entry in entries.by_ref() {
            assert_eq!(entry.c_name().unwrap().to_bytes(), entry.name());
            rows.insert((entry.name().to_vec(), entry.kind as u8, entry.inode));
            count += 1;
        }
        assert!(!entries.is_malformed());
        if entries.ended() {
            break;
        }
    }
    assert_eq!(rows.len(), count, "an entry came twice");
    Reading { rows, blocks: calls().since(&before).of(Call::Getdents64) }
}

/// The entries that the standard library finds.
fn witness(path: &Path) -> BTreeSet<Row> {
    let row = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        let kind = match entry.file_type().unwrap() {
            kind if kind.is_dir() => Kind::Directory,
            kind if kind.is_symlink() => Kind::Symlink,
            kind if kind.is_fifo() => Kind::Fifo,
            kind if kind.is_socket() => Kind::Socket,
            _ => Kind::File,
        };
        (entry.file_name().into_vec(), kind as u8, entry.ino())
    };
    std::fs::read_dir(path).unwrap().map(row).collect()
}

fn file_system(path: &Path) -> FileSystem {
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    fewer_sys::filesystem(&fewer_sys::open_dir(CWD, &path, false).unwrap()).unwrap()
}

/// A name of `length` bytes that differs for each number.
fn name(number: usize, length: usize) -> Vec<u8> {
    let digits = format!("{number:x}").into_bytes();
    let padding = [b'.', b'-', b'\n', 0xff][number % 4];
    [vec![padding; length.saturating_sub(digits.len())], digits].concat()
}

/// Makes `count` entries with names of 1 to 255 bytes: files, and some of every other kind.
fn fill(place: &Path, count: usize) {
    // One file with many names is made faster than many files; ext4 allows 65,000 names.
    let mut first: Option<PathBuf> = None;
    for number in 0..count {
        let name = name(number, 1 + number % 255);
        let path = place.join(OsStr::from_bytes(&name));
        match number % 50 {
            7 => std::fs::create_dir(&path).unwrap(),
            8 => symlink("nowhere", &path).unwrap(),
            _ if number % 40_000 == 0 => first = None,
            _ => {}
        }
        match &first {
            _ if matches!(number % 50, 7 | 8) => {}
            Some(first) => std::fs::hard_link(first, &path).unwrap(),
            None => {
                File::create(&path).unwrap();
                first = Some(path);
            }
        }
    }
}

/// Compares both methods on a directory of each size; `marks` says whether the end is marked there.
fn compare_all(place: &Path, sizes: &[usize], marks: bool) {
    let on = file_system(place);
    for &size in sizes {
        let dir = place.join(format!("dir{size}"));
        std::fs::create_dir(&dir).unwrap();
        fill(&dir, size);
        let expected = witness(&dir);
        assert_eq!(expected.len(), size);
        let small = Buffer::SMALLEST_BYTES;
        for bytes in [0, small, small + 8, 512, 1000, 4096, 32 << 10, 256 << 10, 1 << 20] {
            let long = read(&dir, bytes, FileSystem::OTHER);
            let short = read(&dir, bytes, on);
            let what = format!("{size} entries, blocks of {bytes}, {}", place.display());
            assert!(long.rows == expected, "long form: {what}");
            assert!(short.rows == expected, "short form: {what}");
            let saved = long.blocks - short.blocks;
            assert_eq!(saved, u64::from(marks), "calls saved: {what}");
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}

const SIZES: [usize; 6] = [0, 1, 2, 255, 1000, 100_000];

/// Only one test runs at a time: the counters of calls are those of the whole process.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn skip(why: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

#[test]
fn on_tmpfs_the_short_form_is_the_long_form_and_one_call_fewer() {
    let _alone = alone();
    let Ok(place) = tempfile::tempdir_in("/dev/shm") else {
        return skip("/dev/shm is not there");
    };
    if file_system(place.path()) != FileSystem::TMPFS {
        return skip("/dev/shm is not a tmpfs");
    }
    compare_all(place.path(), &SIZES, true);
}

#[test]
fn where_the_temporary_folder_is_the_short_form_is_the_long_form() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let on = file_system(place.path());
    if on != FileSystem::EXT4 && on != FileSystem::TMPFS {
        skip("the temporary folder is on neither ext4 nor tmpfs: only compared, calls not counted");
        return compare_all(place.path(), &[0, 1, 1000], false);
    }
    compare_all(place.path(), &SIZES, true);
}

/// From now on what this thread mounts, and the programs that it starts, is seen by nobody else.
/// Whether that can be had.
fn own_mounts() -> bool {
    // SAFETY: a number.
    let is_own = unsafe { libc::unshare(libc::CLONE_NEWNS) } == 0;
    let private = || Command::new("mount").args(["--make-rprivate", "/"]).status();
    is_own && private().is_ok_and(|status| status.success())
}

/// A file system in a file, mounted until it is dropped.
struct Image {
    place: tempfile::TempDir,
}

impl Image {
    fn make(program: &str, arguments: &[&str]) -> Option<Image> {
        let place = tempfile::tempdir().unwrap();
        let (image, point) = (place.path().join("image"), place.path().join("point"));
        File::create(&image).unwrap().set_len(256 << 20).unwrap();
        std::fs::create_dir(&point).unwrap();
        let made = Command::new(program).args(arguments).arg(&image).output();
        if !made.is_ok_and(|made| made.status.success()) {
            skip(&format!("{program} {arguments:?} is not to be had"));
            return None;
        }
        let mount = || Command::new("mount").args(["-o", "loop"]).arg(&image).arg(&point).output();
        match own_mounts().then(mount) {
            Some(Ok(output)) if output.status.success() => Some(Image { place }),
            _ => {
                skip("a loop device cannot be mounted here (it takes root)");
                None
            }
        }
    }

    fn point(&self) -> PathBuf {
        self.place.path().join("point")
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.point()).status();
    }
}

fn compare_on_ext4(features: &str, block: &str, sizes: &[usize], marks: bool) {
    let _alone = alone();
    let arguments = ["-q", "-F", "-b", block, "-N", "20000", "-O", features];
    let Some(image) = Image::make("mkfs.ext4", &arguments) else { return };
    assert_eq!(file_system(&image.point()), FileSystem::EXT4);
    compare_all(&image.point(), sizes, marks);
}

#[test]
fn on_ext4_with_hashed_directories_in_small_blocks() {
    // An index of such blocks has no room for 100,000 long names.
    compare_on_ext4("dir_index", "1024", &[0, 1, 2, 255, 1000, 30_000], true);
}

#[test]
fn on_ext4_with_hashed_directories_in_large_blocks() {
    compare_on_ext4("dir_index", "4096", &SIZES, true);
}

/// Positions are plain offsets there, and no record ends with the mark: nothing is saved.
#[test]
fn on_ext4_without_hashed_directories_nothing_is_lost_and_nothing_saved() {
    compare_on_ext4("^dir_index", "1024", &[0, 1, 2, 255, 1000, 8000], false);
}

#[test]
fn on_ext4_with_directories_inside_the_inode() {
    compare_on_ext4("dir_index,inline_data", "4096", &[0, 1, 2, 255, 1000], true);
}

#[test]
fn on_ext2_the_short_form_is_the_long_form() {
    let _alone = alone();
    let Some(image) = Image::make("mkfs.ext2", &["-q", "-F", "-O", "^dir_index"]) else { return };
    compare_all(&image.point(), &[0, 1, 255, 1000], false);
}

/// A directory that shrinks and grows keeps holes; the last record may be far from the last block.
#[test]
fn after_most_entries_were_removed_the_rest_is_found() {
    let _alone = alone();
    for folder in [std::env::temp_dir(), PathBuf::from("/dev/shm")] {
        let Ok(place) = tempfile::tempdir_in(&folder) else {
            skip(&format!("{} is not there", folder.display()));
            continue;
        };
        let on = file_system(place.path());
        fill(place.path(), 5000);
        for number in (0..5000).filter(|number| number % 100 != 7) {
            let path = place.path().join(OsStr::from_bytes(&name(number, 1 + number % 255)));
            match number % 50 {
                7 => std::fs::remove_dir(path).unwrap(),
                _ => std::fs::remove_file(path).unwrap(),
            }
        }
        let expected = witness(place.path());
        assert_eq!(expected.len(), 50);
        for bytes in [0, 4096, 256 << 10] {
            assert!(read(place.path(), bytes, on).rows == expected, "blocks of {bytes}");
        }
    }
}

/// File systems without a known mark are read up to an empty block.
#[test]
fn elsewhere_the_end_is_an_empty_block() {
    let _alone = alone();
    for path in ["/proc/sys/kernel", "/sys/kernel", "/dev"] {
        let path = Path::new(path);
        let on = file_system(path);
        let reading = read(path, 256 << 10, on);
        let names: BTreeSet<_> = reading.rows.into_iter().map(|row| row.0).collect();
        let expected: BTreeSet<_> = witness(path).into_iter().map(|row| row.0).collect();
        assert_eq!(names, expected, "{}", path.display());
    }
}
