//! Lines are what a naive splitter makes of the same bytes, however they come and however much is
//! read at a time.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::AsFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

use fewer::lines::{Batch, Check, Count, End};
use fewer::{Errno, LineError, Lines};
use proptest::prelude::*;
use sys::{Call, calls};

/// The counters are those of the process, so one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn file(text: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(text).unwrap();
    file.rewind().unwrap();
    file
}

/// A text that is written into a pipe, a few bytes at a time.
fn through_pipe<T>(text: &[u8], step: usize, read: impl FnOnce(&std::io::PipeReader) -> T) -> T {
    let (reader, mut writer) = std::io::pipe().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || text.chunks(step).for_each(|some| writer.write_all(some).unwrap()));
        read(&reader)
    })
}

/// A line as a naive splitter sees it.
#[derive(Clone, Debug, PartialEq)]
struct Naive {
    bytes: Vec<u8>,
    offset: u64,
    ended: bool,
}

fn naive(text: &[u8], end: u8, crlf: bool) -> Vec<Naive> {
    let mut lines = Vec::new();
    let mut offset = 0;
    for whole in text.split_inclusive(|&byte| byte == end) {
        let ended = whole.ends_with(&[end]);
        let mut bytes = &whole[..whole.len() - usize::from(ended)];
        if crlf && ended && bytes.ends_with(b"\r") {
            bytes = &bytes[..bytes.len() - 1];
        }
        lines.push(Naive { bytes: bytes.to_vec(), offset, ended });
        offset += whole.len() as u64;
    }
    lines
}

#[derive(Clone, Copy, Debug)]
struct ReadOptions {
    end: End,
    crlf: bool,
    check: Check,
    block: usize,
    threads: usize,
}

impl ReadOptions {
    fn lines<'f>(&self, file: &'f impl AsFd) -> Lines<'f> {
        Lines::from_descriptor(file.as_fd(), "x")
            .ends_with(self.end)
            .crlf(self.crlf)
            .check(self.check)
            .block_bytes(self.block)
            .parallel_from_bytes(1)
            .threads(self.threads)
    }

    fn naive(&self, text: &[u8]) -> Vec<Naive> {
        naive(text, self.end.byte(), self.crlf && self.end == End::Newline)
    }
}

fn options() -> impl Strategy<Value = ReadOptions> {
    let checks = vec![Check::Nothing, Check::Ascii, Check::Utf8, Check::Strict];
    let block = prop_oneof![1_usize..9, 9_usize..200];
    (any::<bool>(), any::<bool>(), prop::sample::select(checks), block, 1_usize..4).prop_map(
        |(nul, crlf, check, block, threads)| {
            let end = if nul { End::Nul } else { End::Newline };
            ReadOptions { end, crlf, check, block, threads }
        },
    )
}

/// Mostly what matters: ends, returns, characters of every length, and parts of them.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let parts: Vec<&[u8]> = vec![
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b"\0",
        b"a",
        b"bcd",
        "é".as_bytes(),
        "€".as_bytes(),
        "😀".as_bytes(),
        b"\xff",
        b"\xc3",
        b"\xe2\x82",
        b"\x80",
        b"\xf0\x9f",
        b"\xed\xa0\x80",
        b"a long line that goes over the border of many a small block",
    ];
    let part = prop::sample::select(parts);
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

/// All lines by [`Lines::next`], and the error that ended them.
fn by_next(mut lines: Lines<'_>, options: ReadOptions) -> (Vec<Naive>, Option<LineError>) {
    let mut seen = Vec::new();
    loop {
        match lines.next() {
            Ok(Some(line)) => {
                assert_eq!(line.number(), seen.len() as u64 + 1);
                let known = (line.is_ascii(), line.is_utf8());
                assert_eq!(known, facts(line.bytes(), options.check), "{line:?}");
                let bytes = line.bytes().to_vec();
                seen.push(Naive { bytes, offset: line.offset(), ended: line.is_ended() });
            }
            Ok(None) => return (seen, None),
            Err(error) => {
                assert_eq!(lines.next(), Ok(None), "there are lines behind an error");
                return (seen, Some(error));
            }
        }
    }
}

fn facts(bytes: &[u8], check: Check) -> (bool, bool) {
    let utf8 = std::str::from_utf8(bytes).is_ok();
    match check {
        Check::Nothing => (false, false),
        Check::Ascii => (bytes.is_ascii(), bytes.is_ascii()),
        Check::Utf8 | Check::Strict => (bytes.is_ascii(), utf8),
    }
}

/// What strict reading shall give: the lines in front of the first bad one, and where that is.
fn strict(lines: &[Naive]) -> (usize, Option<LineError>) {
    for (index, line) in lines.iter().enumerate() {
        if let Err(error) = std::str::from_utf8(&line.bytes) {
            let column = error.valid_up_to() as u64;
            let path = b"x".as_slice().into();
            let (number, offset) = (index as u64 + 1, line.offset + column);
            return (index, Some(LineError::NotUtf8 { path, number, offset, column }));
        }
    }
    (lines.len(), None)
}

fn compare(text: &[u8], options: ReadOptions) {
    let expected = options.naive(text);
    let (count, error) = match options.check {
        Check::Strict => strict(&expected),
        _ => (expected.len(), None),
    };
    let expected_next = (expected[..count].to_vec(), error.clone());
    let source = file(text);
    assert_eq!(by_next(options.lines(&source), options), expected_next);
    let piped = through_pipe(text, options.block + 1, |pipe| by_next(options.lines(pipe), options));
    assert_eq!(piped, expected_next, "through a pipe");

    let all = || expected.iter().map(|line| &line.bytes[..]);
    let source = file(text);
    match options.lines(&source).collect() {
        Ok(column) => {
            assert_eq!(error, None);
            assert!(column.lines().eq(all()), "collected: {column:?}");
            assert_eq!(column.offsets().len(), expected.len() + 1);
            let known = (column.is_ascii(), column.is_utf8());
            let each = all().map(|line| facts(line, options.check));
            let none = (options.check != Check::Nothing, options.check != Check::Nothing);
            assert_eq!(known, each.fold(none, |sum, line| (sum.0 & line.0, sum.1 & line.1)));
        }
        Err(told) => assert_eq!(Some(told), error),
    }
    let ends = expected.iter().filter(|line| line.ended).count() as u64;
    let rest = expected.last().is_some_and(|line| !line.ended);
    let count = Count { ends, rest, bytes: text.len() as u64 };
    let source = file(text);
    assert_eq!(options.lines(&source).count(), Ok(count));
    assert_eq!(through_pipe(text, 7, |pipe| options.lines(pipe).count()), Ok(count));
    let longest = through_pipe(text, options.block, |pipe| options.lines(pipe).longest()).unwrap();
    let length = all().map(<[u8]>::len).max().unwrap_or(0);
    let number = all().position(|line| line.len() == length).map_or(0, |at| at + 1);
    assert_eq!((longest.bytes, longest.number), (length as u64, number as u64));
}

/// The bytes of the lines from one to another, as they were read.
fn slice(text: &[u8], end: End, from: usize, count: usize) -> Vec<u8> {
    let lines = text.split_inclusive(|&byte| byte == end.byte());
    lines.skip(from).take(count).collect::<Vec<_>>().concat()
}

fn pieces(lines: &mut Lines<'_>, at_most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut left = at_most;
    while let Some(piece) = lines.next_piece(left).unwrap() {
        bytes.extend_from_slice(piece.bytes());
        left -= piece.ends();
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn lines_are_what_a_naive_splitter_finds(text in text(), options in options()) {
        let _alone = alone();
        compare(&text, options);
    }

    #[test]
    fn some_lines_are_those_of_all(
        text in text(),
        options in options(),
        (from, count) in (0_usize..12, 0_usize..12),
    ) {
        let _alone = alone();
        let wanted = slice(&text, options.end, from, count);
        let source = file(&text);
        let mut lines = options.lines(&source);
        lines.skip(from as u64).unwrap();
        prop_assert_eq!(pieces(&mut lines, count as u64), wanted);
        // Behind them, line by line.
        let options = ReadOptions { check: Check::Utf8, ..options };
        let source = file(&text);
        let mut lines = options.lines(&source);
        lines.skip(from as u64).unwrap();
        let all = options.naive(&text);
        for (index, line) in all.iter().enumerate().skip(from) {
            let seen = lines.next().unwrap().unwrap();
            prop_assert_eq!(seen.bytes(), &line.bytes[..]);
            prop_assert_eq!((seen.number(), seen.offset()), (index as u64 + 1, line.offset));
            prop_assert_eq!((seen.is_ascii(), seen.is_utf8()), facts(&line.bytes, Check::Utf8));
        }
        prop_assert_eq!(lines.next(), Ok(None));
    }

    #[test]
    fn the_last_lines_are_those_of_all(text in text(), options in options(), count in 0_usize..12) {
        let _alone = alone();
        let all = text.split_inclusive(|&byte| byte == options.end.byte()).count();
        let first = all.saturating_sub(count);
        let wanted = slice(&text, options.end, first, count);
        let source = file(&text);
        let mut lines = options.lines(&source);
        lines.last(count as u64).unwrap();
        prop_assert_eq!(pieces(&mut lines, u64::MAX), &wanted[..]);
        let piped = through_pipe(&text, options.block, |pipe| {
            let mut lines = options.lines(pipe);
            lines.last(count as u64).unwrap();
            pieces(&mut lines, u64::MAX)
        });
        prop_assert_eq!(piped, &wanted[..]);
        let source = file(&text);
        let options = ReadOptions { check: Check::Ascii, ..options };
        let mut lines = options.lines(&source);
        lines.last_numbered(count as u64).unwrap();
        for (index, line) in options.naive(&text).iter().enumerate().skip(first) {
            let seen = lines.next().unwrap().unwrap();
            prop_assert_eq!((seen.number(), seen.offset()), (index as u64 + 1, line.offset));
            prop_assert_eq!(seen.bytes(), &line.bytes[..]);
        }
        prop_assert_eq!(lines.next(), Ok(None));
    }

    #[test]
    fn next_and_next_batch_take_from_the_same_lines(
        text in text(),
        options in options(),
        steps in prop::collection::vec(0_usize..4, 1..9),
    ) {
        let _alone = alone();
        let options = ReadOptions { check: Check::Ascii, ..options };
        let source = file(&text);
        let mut lines = options.lines(&source);
        let mut seen = Vec::new();
        for step in steps.iter().cycle() {
            for _ in 0..*step {
                let line = lines.next().unwrap();
                seen.extend(line.map(|line| (line.number(), line.bytes().to_vec())));
            }
            let Some(batch) = lines.next_batch().unwrap() else { break };
            prop_assert_eq!(batch.ends().len(), batch.flags().len());
            prop_assert_eq!(batch.ends().last(), Some(&(batch.bytes().len() as u64)));
            seen.extend(batch.lines().map(|line| (line.number(), line.bytes().to_vec())));
        }
        let all = options.naive(&text).into_iter().zip(1..);
        let all = all.map(|(line, number)| (number, line.bytes));
        prop_assert_eq!(seen, all.collect::<Vec<_>>());
    }
}

#[test]
fn the_flags_of_a_batch_say_how_a_line_ends() {
    let _alone = alone();
    let source = file(b"a\r\nb\n\r\n\xff\nc\r");
    let mut lines = Lines::from_descriptor(source.as_fd(), "x").crlf(true);
    let batch = lines.next_batch().unwrap().unwrap();
    let known = Batch::ASCII | Batch::UTF8;
    let ended = known | Batch::ENDED;
    assert_eq!(batch.ends(), [3, 5, 7, 9]);
    assert_eq!(batch.flags(), [ended | Batch::CRLF, ended, ended | Batch::CRLF, Batch::ENDED]);
    let batch = lines.next_batch().unwrap().unwrap();
    assert_eq!((batch.ends(), batch.flags()), (&[2][..], &[known][..]));
    assert_eq!((batch.number(), batch.offset(), batch.bytes()), (5, 9, &b"c\r"[..]));
}

#[test]
fn what_is_no_text_does_not_fill_the_memory() {
    let _alone = alone();
    let lines = |text: &[u8]| {
        let file = file(text);
        let mut lines = Lines::from_owned(file, "x").block_bytes(16).longest_bytes(40);
        let mut lengths = Vec::new();
        loop {
            match lines.next() {
                Ok(Some(line)) => lengths.push(line.bytes().len()),
                Ok(None) => return (lengths, None),
                Err(error) => {
                    assert_eq!(lines.next().unwrap().map(|_| ()), None);
                    return (lengths, Some(error.to_string()));
                }
            }
        }
    };
    let refused = "cannot read a line of 'x': File too large".to_owned();
    assert_eq!(lines(b"ab\ncd\n"), (vec![2, 2], None));
    assert_eq!(lines(&[b"ab\n", &[b'x'; 39][..], b"\ncd"].concat()), (vec![2, 39, 2], None));
    assert_eq!(lines(&[b"ab\n", &[b'x'; 90][..], b"\ncd"].concat()), (vec![2], Some(refused)));
}

#[test]
fn a_byte_order_mark_is_bytes() {
    let _alone = alone();
    let source = file(b"\xef\xbb\xbfa\n");
    let mut lines = Lines::from_descriptor(source.as_fd(), "x").check(Check::Utf8);
    let line = lines.next().unwrap().unwrap();
    assert_eq!((line.bytes(), line.is_utf8()), (&b"\xef\xbb\xbfa"[..], true));
}

#[test]
fn strict_reading_says_where_it_stopped() {
    let _alone = alone();
    let source = file(b"good\nb\xc3\xa4d\nbad \xe9\n");
    let mut lines = Lines::from_descriptor(source.as_fd(), "t\n").check(Check::Strict);
    assert_eq!(lines.next().unwrap().unwrap().bytes(), b"good");
    assert_eq!(lines.next().unwrap().unwrap().number(), 2);
    let error = lines.next().unwrap_err();
    assert_eq!(error.to_string(), "line 3 of 't\\n' is not UTF-8 at byte 14");
    assert_eq!(error.errno(), Errno::ILSEQ);
}

#[test]
fn a_line_may_be_longer_than_any_block() {
    let _alone = alone();
    let mut text = vec![b'x'; 3 << 20];
    text.push(b'\n');
    text.extend_from_slice("é\n".as_bytes());
    let source = file(&text);
    let mut lines = Lines::from_descriptor(source.as_fd(), "x").check(Check::Utf8);
    let line = lines.next().unwrap().unwrap();
    assert_eq!((line.bytes().len(), line.is_ascii()), (3 << 20, true));
    let line = lines.next().unwrap().unwrap();
    assert_eq!((line.bytes(), line.is_ascii(), line.is_utf8()), ("é".as_bytes(), false, true));
}

#[test]
fn a_directory_is_an_error_when_it_is_read() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let error = Lines::open(place.path()).unwrap().next().unwrap_err();
    assert_eq!(error.errno(), Errno::ISDIR);
    assert!(error.to_string().ends_with("Is a directory"));
    assert_eq!(Lines::open(place.path()).unwrap().count().unwrap_err().errno(), Errno::ISDIR);
    assert_eq!(Lines::open(place.path()).unwrap().collect().unwrap_err().errno(), Errno::ISDIR);
    let missing = Lines::open(place.path().join("no")).unwrap_err();
    assert_eq!(missing.errno(), Errno::NOENT);
    assert_eq!(Lines::open("a\0b").unwrap_err().errno(), Errno::INVAL);
}

#[test]
fn a_file_in_proc_has_lines_though_its_size_is_0() {
    let _alone = alone();
    let expected = std::fs::read_to_string("/proc/meminfo").unwrap().lines().count();
    let count = Lines::open("/proc/meminfo").unwrap().count().unwrap();
    assert_eq!(count.lines(), expected as u64);
    let mut lines = Lines::open("/proc/meminfo").unwrap();
    lines.last(1).unwrap();
    assert_eq!(lines.next().unwrap().unwrap().number(), 1);
    assert_eq!(lines.next(), Ok(None));
    assert_eq!(Lines::open("/proc/meminfo").unwrap().collect().unwrap().len(), expected);
}

#[test]
fn a_file_that_grows_is_read_up_to_where_it_then_ends() {
    let _alone = alone();
    let mut source = file(b"1\n2\n");
    let mut writer = source.try_clone().unwrap();
    let mut lines = Lines::from_descriptor(source.as_fd(), "x").block_bytes(4);
    assert_eq!(lines.next().unwrap().unwrap().bytes(), b"1");
    // The two share where they are: the reader is behind the 4 bytes.
    writer.write_all(b"3").unwrap();
    writer.seek_relative(-1).unwrap();
    assert_eq!(lines.next().unwrap().unwrap().bytes(), b"2");
    assert_eq!(lines.next().unwrap().unwrap().bytes(), b"3");
    assert_eq!(lines.next(), Ok(None));
    assert_eq!(source.stream_position().unwrap(), 5);
}

#[test]
fn a_file_that_was_cut_short_ends_there() {
    let _alone = alone();
    let source = file(b"1\n2\n3\n4\n");
    let mut lines = Lines::from_descriptor(source.as_fd(), "x").block_bytes(3);
    assert_eq!(lines.next().unwrap().unwrap().bytes(), b"1");
    source.set_len(2).unwrap();
    assert_eq!(lines.next().unwrap().unwrap().bytes(), b"2");
    assert_eq!(lines.next(), Ok(None));
}

/// Several threads read what the file was when its size was asked; what has been added by the time
/// they are done follows, and what has been taken away is not there.
#[test]
fn growing_and_shrinking_under_several_threads_neither_hangs_nor_panics() {
    let _alone = alone();
    let line = [b'x'; 99];
    let text: Vec<u8> = [&line[..], b"\n"].concat().repeat(20_000);
    for _ in 0..20 {
        for shrink in [true, false] {
            let source = file(&text);
            let other = source.try_clone().unwrap();
            std::thread::scope(|scope| {
                scope.spawn(move || match shrink {
                    true => other.set_len(500_000).unwrap(),
                    false => {
                        use std::os::unix::fs::FileExt;
                        other.write_all_at(&text_of(&line), 2_000_000).unwrap();
                    }
                });
                let lines = Lines::from_descriptor(source.as_fd(), "x").block_bytes(4096);
                let mut lines = lines.parallel_from_bytes(1).threads(3);
                let count = lines.count().unwrap();
                let range = if shrink { 5_000..=20_000 } else { 20_000..=20_001 };
                assert!(range.contains(&count.ends), "{count:?}");
            });
        }
    }
}

fn text_of(line: &[u8]) -> Vec<u8> {
    [line, b"\n"].concat()
}

#[test]
fn several_threads_leave_the_file_where_one_would() {
    let _alone = alone();
    let text = b"0123456\n".repeat(1000);
    let mut source = file(&text);
    source.seek_relative(8 * 100).unwrap();
    let mut lines =
        Lines::from_descriptor(source.as_fd(), "x").block_bytes(64).parallel_from_bytes(1);
    assert_eq!(lines.count().unwrap().ends, 900);
    assert_eq!(source.stream_position().unwrap(), 8000);
    source.seek(std::io::SeekFrom::Start(8 * 100)).unwrap();
    let mut lines =
        Lines::from_descriptor(source.as_fd(), "x").block_bytes(64).parallel_from_bytes(1);
    assert_eq!(lines.collect().unwrap().len(), 900);
    assert_eq!(source.stream_position().unwrap(), 8000);
}

#[test]
fn reading_costs_a_read_a_block_and_one_for_the_end() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("x");
    std::fs::write(&path, b"0123456\n".repeat(4 * (256 << 10) / 8)).unwrap();
    let before = calls();
    let mut lines = Lines::open(&path).unwrap();
    while lines.next().unwrap().is_some() {}
    drop(lines);
    let spent = calls().since(&before);
    assert_eq!((spent.of(Call::Read), spent.total()), (5, 7), "{:?}", spent.by_name());
}

#[test]
fn the_last_lines_of_a_large_file_cost_a_few_calls() {
    let _alone = alone();
    let source = file(b"");
    source.set_len(1 << 40).unwrap();
    let mut tail = source.try_clone().unwrap();
    tail.seek(std::io::SeekFrom::End(0)).unwrap();
    tail.write_all(&b"a line\n".repeat(1000)).unwrap();
    tail.rewind().unwrap();
    let before = calls();
    let mut lines = Lines::from_descriptor(source.as_fd(), "x");
    lines.last(10).unwrap();
    let mut count = 0;
    while let Some(line) = lines.next().unwrap() {
        assert_eq!(line.bytes(), b"a line");
        count += 1;
    }
    assert_eq!(count, 10);
    let spent = calls().since(&before);
    assert!(spent.total() <= 6, "{:?}", spent.by_name());
}

#[test]
fn whatever_reads_can_be_canceled() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    let _alone = alone();
    // A terabyte that takes no room: by several threads, and backwards.
    let sparse = tempfile::NamedTempFile::new().unwrap();
    sparse.as_file().set_len(1 << 40).unwrap();
    let zeros = std::path::Path::new("/dev/zero");
    let canceled = |path, work: &dyn Fn(&mut Lines<'_>) -> Result<(), LineError>| {
        let mut lines = Lines::open(path).unwrap().cancel_when(|| true);
        assert_eq!(work(&mut lines).unwrap_err().errno(), Errno::CANCELED);
    };
    for path in [sparse.path(), zeros] {
        canceled(path, &|lines| lines.count().map(drop));
        canceled(path, &|lines| lines.longest().map(drop));
        canceled(path, &|lines| lines.skip(1));
        canceled(path, &|lines| lines.next().map(drop));
    }
    canceled(sparse.path(), &|lines| lines.last(1));
    canceled(zeros, &|lines| lines.collect().map(drop));
    // One that goes on when it has been canceled once counts every line once.
    let text = file(&b"line\n".repeat(1_000_000));
    let has_rung = Arc::new(AtomicBool::new(false));
    let bell = Arc::clone(&has_rung);
    let rings_once = move || !bell.swap(true, Relaxed);
    let mut lines = Lines::from_descriptor(text.as_fd(), "text").cancel_when(rings_once);
    let mut count = Count::default();
    std::thread::sleep(std::time::Duration::from_millis(50));
    let first = lines.count_into(&mut count, &|_| ());
    assert_eq!(first.unwrap_err().errno(), Errno::CANCELED);
    lines.count_into(&mut count, &|_| ()).unwrap();
    assert_eq!(count.lines(), 1_000_000);
}
