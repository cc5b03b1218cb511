//! Lines that another thread reads ahead are those of one thread, with the same errors at the same
//! place, whatever is done in the middle; and the thread goes when it should.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fewer::lines::{Check, End};
use fewer::{Errno, LineError, Lines};
use scene::library_threads::LibraryThreads;
use sys::{Call, calls};

/// Calls and threads are those of the process, so one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn file(text: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text).unwrap();
    file
}

const MIB: usize = 1 << 20;

/// Lines of many lengths, some of them longer than a block, and most of them ASCII.
fn text(bytes: usize) -> Vec<u8> {
    let mut text = Vec::new();
    let mut random = 5711_u64;
    while text.len() < bytes {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let length = match random >> 60 {
            0 => 0,
            1 => (random >> 40) as usize % 20_000,
            _ => (random >> 40) as usize % 100,
        };
        let character = [&b"a"[..], b"b", "\u{e4}".as_bytes()][(random >> 33) as usize % 3];
        text.extend(character.repeat(length));
        text.extend(if random >> 32 & 1 == 0 { &b"\r\n"[..] } else { b"\n" });
    }
    text.extend(b"no end");
    text
}

/// Number, offset, flags and bytes of a line.
type LineReport = (u64, u64, [bool; 3], Vec<u8>);

/// What is left, and the error at the end. Every other time a line at a time.
fn rest(lines: &mut Lines<'_>) -> (Vec<LineReport>, Option<LineError>) {
    let mut all = Vec::new();
    let report = |line: fewer::lines::Line<'_>| {
        let flags = [line.is_ascii(), line.is_utf8(), line.is_ended()];
        (line.number(), line.offset(), flags, line.bytes().to_vec())
    };
    loop {
        match lines.next() {
            Ok(Some(line)) => all.push(report(line)),
            Ok(None) => return (all, None),
            Err(error) => return (all, Some(error)),
        }
        match lines.next_batch() {
            Ok(Some(batch)) => all.extend(batch.lines().map(report)),
            Ok(None) => return (all, None),
            Err(error) => return (all, Some(error)),
        }
    }
}

fn ahead(path: &Path) -> Lines<'static> {
    let mut lines = Lines::open(path).unwrap();
    lines.set_read_ahead(true).unwrap();
    lines
}

#[test]
fn another_thread_reads_the_same_lines() {
    let _alone = alone();
    let threads = LibraryThreads::of_this_thread();
    let text = text(3 * MIB);
    let file = file(&text);
    for check in [Check::Nothing, Check::Ascii, Check::Utf8, Check::Strict] {
        for (end, crlf) in [(End::Newline, false), (End::Newline, true), (End::Nul, false)] {
            for block in [1000, 4096, 256 << 10] {
                let options = |lines: Lines<'static>| {
                    lines.ends_with(end).crlf(crlf).check(check).block_bytes(block)
                };
                let alone = rest(&mut options(Lines::open(file.path()).unwrap()));
                let mut lines = options(ahead(file.path()));
                let same = alone == rest(&mut lines);
                assert!(same, "{check:?} {end:?} {crlf} {block}");
                assert_eq!(lines.bytes_read(), text.len() as u64);
                assert!(threads.have_ended());
                assert_eq!(lines.next().unwrap(), None);
            }
        }
    }
}

#[test]
fn the_thread_works_while_lines_are_used_and_ends_when_they_are_dropped() {
    let _alone = alone();
    let threads = LibraryThreads::of_this_thread();
    let file = file(&text(8 * MIB));
    for batches in [6, 7, 20] {
        let mut lines = ahead(file.path());
        for _ in 0..batches {
            assert!(lines.next_batch().unwrap().is_some());
        }
        assert_eq!(threads.count(), 1, "{batches}");
        drop(lines);
        assert!(threads.have_ended(), "{batches}");
    }
}

#[test]
fn no_thread_is_started_for_little_for_borrowed_files_or_where_one_is_the_limit() {
    let _alone = alone();
    let threads = LibraryThreads::of_this_thread();
    let little = MIB + (256 << 10);
    let (small, large) = (file(&b"0123456\n".repeat(little / 8)), file(&text(3 * MIB)));
    let open = large.reopen().unwrap();
    let mut all = [
        ahead(small.path()),
        ahead(large.path()).threads(1),
        Lines::from_descriptor(open.as_fd(), "borrowed"),
        Lines::open(large.path()).unwrap(),
    ];
    all[2].set_read_ahead(true).unwrap();
    for lines in &mut all {
        while lines.next_batch().unwrap().is_some() {
            assert_eq!(threads.count(), 0);
        }
    }
}

#[test]
fn a_file_of_a_mebibyte_costs_nothing_more_and_a_larger_one_a_statx() {
    let _alone = alone();
    let spent = |bytes: usize, ahead: bool| {
        let file = file(&b"0123456\n".repeat(bytes / 8));
        let before = calls();
        let mut lines = Lines::open(file.path()).unwrap();
        lines.set_read_ahead(ahead).unwrap();
        while lines.next_batch().unwrap().is_some() {}
        drop(lines);
        let spent = calls().since(&before);
        (spent.of(Call::Read), spent.total())
    };
    assert_eq!(spent(MIB, true), spent(MIB, false));
    let (reads, total) = spent(4 * MIB, false);
    assert_eq!(spent(4 * MIB, true), (reads, total + 1));
}

#[test]
fn an_error_in_the_middle_comes_behind_the_lines_before_it() {
    let _alone = alone();
    let mut text = b"0123456\n".repeat(3 * MIB / 8);
    text[2 * MIB + 3] = 0xff;
    let file = file(&text);
    let mut lines = ahead(file.path()).check(Check::Strict);
    let (lines_before, error) = rest(&mut lines);
    assert_eq!(lines_before.len(), 2 * MIB / 8);
    let Some(LineError::NotUtf8 { number, offset, column, .. }) = error else { panic!() };
    assert_eq!((number, offset, column), (2 * MIB as u64 / 8 + 1, 2 * MIB as u64 + 3, 3));
    assert_eq!(lines.next_batch().unwrap().map(|batch| batch.len()), None);
    // A line that is too long.
    text[2 * MIB..].fill(b'x');
    std::fs::write(file.path(), &text).unwrap();
    let mut lines = ahead(file.path()).longest_bytes(300_000);
    let (lines_before, error) = rest(&mut lines);
    assert_eq!(lines_before.len(), 2 * MIB / 8);
    assert_eq!(error.unwrap().errno(), Errno::FBIG);
    assert_eq!(lines.next_batch().unwrap().map(|batch| batch.len()), None);
}

/// Reads seven batches and three lines, and then what `work` reads.
fn in_the_middle<T>(mut lines: Lines<'static>, work: impl Fn(&mut Lines<'_>) -> T) -> (u64, T) {
    for _ in 0..7 {
        lines.next_batch().unwrap();
    }
    for _ in 0..2 {
        lines.next().unwrap();
    }
    let number = lines.next().unwrap().unwrap().number();
    (number, work(&mut lines))
}

#[test]
fn nothing_is_lost_when_anything_else_stops_the_thread() {
    let _alone = alone();
    let threads = LibraryThreads::of_this_thread();
    let file = file(&text(4 * MIB));
    let taken = |skip: u64| {
        let mut file = File::open(file.path()).unwrap();
        file.seek(std::io::SeekFrom::Start(skip)).unwrap();
        Lines::from_owned(file, "taken")
    };
    let works: [fn(&mut Lines<'_>) -> String; 6] = [
        |lines| format!("{:?}", lines.count().unwrap()),
        |lines| format!("{:?}", lines.longest().unwrap()),
        |lines| format!("{:?}", lines.collect().unwrap().offsets()),
        |lines| format!("{:?} {:?}", lines.skip(5).unwrap(), rest(lines)),
        |lines| format!("{:?} {:?}", lines.last_numbered(9).unwrap(), rest(lines)),
        |lines| format!("{:?} {:?}", lines.set_read_ahead(false).unwrap(), rest(lines)),
    ];
    for skip in [0, 1000] {
        for (number, work) in works.into_iter().enumerate() {
            let alone = in_the_middle(taken(skip), work);
            let mut lines = taken(skip);
            lines.set_read_ahead(true).unwrap();
            let same = alone
                == in_the_middle(lines, |lines| {
                    assert_eq!(threads.count(), 1);
                    let worked = work(lines);
                    assert!(threads.have_ended());
                    worked
                });
            assert!(same, "{skip} {number}");
        }
    }
}

#[test]
fn the_file_is_given_back_where_its_reader_is() {
    let _alone = alone();
    let file = file(&b"0123456\n".repeat(4 * MIB / 8));
    let mut lines = ahead(file.path());
    for _ in 0..6 {
        lines.next_batch().unwrap();
    }
    let read = lines.bytes_read();
    let mut given = File::from(std::os::fd::OwnedFd::from(lines.into_file().unwrap()));
    assert_eq!((read, given.stream_position().unwrap()), (6 * (256 << 10), 6 * (256 << 10)));
}

#[test]
fn waiting_for_the_thread_can_be_canceled_and_goes_on() {
    let _alone = alone();
    let threads = LibraryThreads::of_this_thread();
    // After a short line and a mebibyte of others, a line of a terabyte: it never ends.
    let mut sparse = file(&b"0123456\n".repeat(3 * MIB / 16));
    sparse.as_file_mut().set_len(1 << 40).unwrap();
    let canceled = Arc::new(AtomicBool::new(false));
    let bell = Arc::clone(&canceled);
    let mut lines =
        ahead(sparse.path()).cancel_when(move || bell.load(Relaxed)).longest_bytes(4 << 30);
    let mut read = 0;
    let error = loop {
        match lines.next_batch() {
            Ok(Some(batch)) => read += batch.len(),
            Ok(None) => panic!(),
            Err(error) => break error,
        }
        canceled.store(read == 3 * MIB / 16, Relaxed);
    };
    assert_eq!((error.errno(), threads.count()), (Errno::CANCELED, 1));
    drop(lines);
    assert!(threads.have_ended());
    // One that is canceled once loses nothing.
    let text = file(&b"0123456\n".repeat(4 * MIB / 8));
    let has_rung = Arc::new(AtomicBool::new(true));
    let bell = Arc::clone(&has_rung);
    let mut lines = ahead(text.path()).cancel_when(move || !bell.swap(true, Relaxed));
    for _ in 0..5 {
        lines.next_batch().unwrap();
    }
    has_rung.store(false, Relaxed);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(lines.next_batch().unwrap_err().errno(), Errno::CANCELED);
    assert_eq!(rest(&mut lines).0.len(), (4 * MIB - 5 * (256 << 10)) / 8);
}

/// How often the file is open in this process.
fn times_open(file: &tempfile::NamedTempFile) -> usize {
    let descriptors = std::fs::read_dir("/proc/self/fd").unwrap();
    let leads_there = |entry: &std::fs::DirEntry| {
        std::fs::read_link(entry.path()).is_ok_and(|target| target == file.path())
    };
    descriptors.filter(|entry| entry.as_ref().is_ok_and(leads_there)).count()
}

#[test]
fn the_file_is_closed_wherever_the_reader_is_dropped() {
    let _alone = alone();
    let file = file(&text(5 * MIB));
    let before = times_open(&file);
    for batches in 0_u8..24 {
        let mut lines = ahead(file.path());
        for _ in 0..batches {
            lines.next_batch().unwrap();
        }
        // Also when all that is left, with the other reader, is waiting to be taken.
        std::thread::sleep(Duration::from_millis(u64::from(batches % 3) * 10));
        assert_eq!(times_open(&file), before + 1);
        drop(lines);
        assert_eq!(times_open(&file), before);
    }
}
