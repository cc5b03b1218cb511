//! Positions and blocks: idle-seek, small-copies.

use super::*;
use crate::Language;

const SEEK_SET: u64 = 0;
const SEEK_CUR: u64 = 1;
const SEEK_END: u64 = 2;

/// `lseek` to `to`, which leads to `position`.
fn seek(stream: &mut Stream, to: u64, whence: u64, position: u64) {
    stream.on("lseek", stream.opened, [to, whence], position.cast_signed());
}

/// A file that is read in large blocks; before each there is something.
fn reads(mut before: impl FnMut(&mut Stream, u64)) -> Stream {
    let mut stream = Stream::new();
    let fd = stream.open("/w/data");
    for number in 0..300 {
        before(&mut stream, number * 9000);
        stream.read(fd, 9000, 9000, 5);
    }
    stream.close(fd);
    stream
}

#[test]
fn the_position_is_known() {
    // Before the first read nobody knows what it is for.
    let stream = reads(|stream, at| seek(stream, 0, SEEK_CUR, at));
    stream.found(
        "idle-seek",
        299,
        "the position in `/w/data` was set or asked for 299 times without any effect",
    );
    let stream = reads(|stream, at| seek(stream, at, SEEK_SET, at));
    assert_eq!(stream.wastes(), [("idle-seek", 300)]);
    // The size, and back: once it is needed.
    let stream = reads(|stream, at| {
        seek(stream, 0, SEEK_END, 4_000_000);
        seek(stream, at, SEEK_SET, at);
    });
    assert_eq!(stream.wastes(), [("idle-seek", 299 * 2)]);
    assert_eq!(reads(|_, _| {}).wastes(), []);
}

#[test]
fn a_seek_for_each_record() {
    let stream = reads(|stream, at| seek(stream, 5_000_000 - at, SEEK_SET, 5_000_000 - at));
    let finding = stream.found("idle-seek", 300, "the position in `/w/data` was set 300 times …");
    assert!(finding.remedy.snippet.contains("pread"));
    // Two reads behind each: then the position is worth setting.
    let stream = reads(|stream, at| {
        seek(stream, 5_000_000 - at, SEEK_SET, 5_000_000 - at);
        stream.read(3, 9000, 9000, 5);
    });
    assert_eq!(stream.wastes(), []);
}

#[test]
fn positions_that_others_move_are_asked_for() {
    // A log that is appended to; a child; a duplicate; data and holes.
    let mut stream = Stream::new();
    let fd = stream.open_at(FDCWD, "/w/log", 0o2001);
    for at in 0..300 {
        stream.write(fd, 2000);
        seek(&mut stream, 0, SEEK_CUR, at * 7000);
    }
    assert_eq!(stream.wastes(), []);
    let stream = reads(|stream, at| {
        if at == 0 {
            stream.duplicate("dup", 3, 9);
        }
        seek(stream, 0, SEEK_CUR, at);
    });
    assert!(stream.wastes().iter().all(|(id, _)| *id != "idle-seek"));
    let stream = reads(|stream, at| seek(stream, at, 3, at));
    assert_eq!(stream.wastes(), []);
}

/// A file of 300 blocks is read; `each` writes what was read.
fn copied(stream: &mut Stream, size: u64, mut each: impl FnMut(&mut Stream, u64)) {
    let from = stream.open("/w/a");
    for number in 1..=300 {
        stream.read(from, size, size, number);
        each(stream, number);
    }
    stream.read(from, size, 0, 0);
    stream.close(from);
}

#[test]
fn a_file_is_copied_by_small_blocks() {
    // 300 blocks of 4 KiB are 5 of 256 KiB, on both sides.
    let mut stream = Stream::new();
    let to = stream.open_at(FDCWD, "/w/b", 0o101);
    copied(&mut stream, 4096, |stream, _| stream.write(to, 4096));
    stream.close(to);
    stream.found(
        "small-copies",
        2 * (300 - 5),
        "`/w/a` was copied to `/w/b` in 300 blocks of at most 4,096 bytes, where 5 would do",
    );
    // Blocks that are small for writes as well are counted once.
    let mut stream = Stream::new();
    let to = stream.open_at(FDCWD, "/w/b", 0o101);
    copied(&mut stream, 512, |stream, _| stream.write(to, 512));
    stream.close(to);
    assert_eq!(stream.wastes(), [("small-copies", 2 * 299)]);
    // Into a socket.
    let mut stream = Stream::script(1, "have@9 socket:[9]");
    copied(&mut stream, 4096, |stream, _| stream.write(9, 4096));
    assert!(stream.only().remedy.snippet.contains("sendfile"));
}

#[test]
fn large_blocks_and_filters_are_no_copies() {
    let mut stream = Stream::new();
    let to = stream.open_at(FDCWD, "/w/b", 0o101);
    copied(&mut stream, 65_536, |stream, _| stream.write(to, 65_536));
    assert_eq!(stream.wastes(), []);
    // As many bytes, but others; fewer bytes.
    let mut stream = Stream::new();
    let to = stream.open_at(FDCWD, "/w/b", 0o101);
    copied(&mut stream, 16_384, |stream, number| {
        stream.on("write", to, [1, 16_384], 16_384).moved = 16_384;
        let Some(crate::Event::Call(call)) = stream.events.last_mut() else { unreachable!() };
        call.answer = number + 1000;
    });
    assert_eq!(stream.wastes(), []);
    let mut stream = Stream::new();
    let to = stream.open_at(FDCWD, "/w/b", 0o101);
    copied(&mut stream, 16_384, |stream, _| stream.write(to, 16_000));
    assert_eq!(stream.wastes(), []);
    // Many small files into one: a read and a write for each are needed.
    let steps = "open /w/f#; read 4096 2000 5; write@9 2000; read 4096 0 0; close";
    assert_eq!(Stream::script(1, "have@9 /w/all").then(300, steps).wastes(), []);
    // Pages of a database, from its log to where each belongs; one behind the other is a copy.
    for (page, wastes) in [(7, false), (1, true)] {
        let mut stream = Stream::new();
        let (from, to) = (stream.open("/w/log"), stream.open_at(FDCWD, "/w/b", 0o101));
        for number in 0..300_u64 {
            for (name, descriptor, page) in
                [("pread64", from, number), ("pwrite64", to, number * page % 300)]
            {
                let call = stream.on(name, descriptor, [1, 4096], 4096);
                (call.moved, call.arguments[3]) = (4096, 4096 * page);
            }
        }
        stream.close(from);
        let is_copy = stream.wastes().iter().any(|(id, _)| *id == "small-copies");
        assert_eq!(is_copy, wastes, "{page}");
    }
    let mut stream = Stream::of("/bin/dd", Language::C, &["dd"]);
    let to = stream.open_at(FDCWD, "/w/b", 0o101);
    copied(&mut stream, 4096, |stream, _| stream.write(to, 4096));
    assert!(stream.wastes().iter().all(|(id, _)| *id != "small-copies"));
}

/// Streams of Node: each read and each write is made by another thread of its pool, and reads go
/// on while what was read before is written.
#[test]
fn a_pool_of_threads_copies_by_small_blocks() {
    let of = |changes: u64| {
        let mut stream = Stream::new();
        let (from, to) = (stream.open("/w/a"), stream.open_at(FDCWD, "/w/b", 0o101));
        for number in 0..310_u64 {
            if number < 300 {
                stream.read(from, 4096, 4096, 1 + number);
                stream.last().thread = u32::try_from(2 + number % 4).unwrap();
            }
            // Ten blocks behind.
            if let Some(block) = number.checked_sub(10) {
                stream.write(to, 4096);
                stream.last().answer = 1 + block + changes;
                stream.last().thread = u32::try_from(2 + number % 3).unwrap();
            }
        }
        stream.close(from);
        stream.wastes()
    };
    assert_eq!(of(0), [("small-copies", 2 * (300 - 5))]);
    assert!(of(1000).iter().all(|(id, _)| *id != "small-copies"));
}
