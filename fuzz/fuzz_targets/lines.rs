//! Any bytes at all, split into lines through blocks of any size: what comes out is what a naive
//! splitter finds, with the same facts about each line.
#![no_main]

use std::io::{Seek, SeekFrom, Write};
use std::os::fd::AsFd;

use fewer::lines::{Check, End};
use fewer::{LineError, Lines};
use libfuzzer_sys::fuzz_target;

// The first bytes choose how it is read, the others are the text.
fuzz_target!(|input: &[u8]| {
    let Some((&[block, how, count], text)) = input.split_first_chunk() else { return };
    let mut file = tempfile();
    file.write_all(text).and_then(|()| file.rewind()).expect("cannot write the text");
    let options = ReadOptions {
        end: if how & 1 == 0 { End::Newline } else { End::Nul },
        crlf: how & 2 != 0,
        check: [Check::Nothing, Check::Ascii, Check::Utf8, Check::Strict]
            [usize::from(how >> 2 & 3)],
        block: usize::from(block) + 1,
        threads: 1 + usize::from(how >> 4 & 1),
    };
    let expected = naive(text, options);
    one_by_one(options.lines(&file), &expected, options.check);
    let start = || (&file).seek(SeekFrom::Start(0)).map(drop).expect("cannot go back");
    start();
    if let Ok(column) = options.lines(&file).collect() {
        assert!(column.lines().eq(expected.iter().map(|line| line.bytes)));
    }
    start();
    let counted = options.lines(&file).count().expect("cannot count");
    assert_eq!((counted.lines(), counted.bytes), (expected.len() as u64, text.len() as u64));
    start();
    let count = usize::from(count);
    let mut lines = ReadOptions { check: Check::Utf8, ..options }.lines(&file);
    lines.last(count as u64).expect("cannot find the last lines");
    let first = expected.len().saturating_sub(count);
    for line in &expected[first..] {
        assert_eq!(lines.next().ok().flatten().map(|line| line.bytes()), Some(line.bytes));
    }
    assert_eq!(lines.next(), Ok(None));
});

#[derive(Clone, Copy)]
struct ReadOptions {
    end: End,
    crlf: bool,
    check: Check,
    block: usize,
    threads: usize,
}

impl ReadOptions {
    fn lines<'f>(&self, file: &'f std::fs::File) -> Lines<'f> {
        Lines::from_descriptor(file.as_fd(), "x")
            .ends_with(self.end)
            .crlf(self.crlf)
            .check(self.check)
            .block_bytes(self.block)
            .parallel_from_bytes(if self.threads > 1 { 1 } else { u64::MAX })
            .threads(self.threads)
    }
}

struct Naive<'t> {
    bytes: &'t [u8],
    offset: u64,
}

fn naive(text: &[u8], options: ReadOptions) -> Vec<Naive<'_>> {
    let end = options.end.byte();
    let mut offset = 0;
    let mut lines = Vec::new();
    for whole in text.split_inclusive(|&byte| byte == end) {
        let bytes = match whole.strip_suffix(&[end]) {
            Some(line) if options.crlf && options.end == End::Newline => {
                line.strip_suffix(b"\r").unwrap_or(line)
            }
            Some(line) => line,
            None => whole,
        };
        lines.push(Naive { bytes, offset });
        offset += whole.len() as u64;
    }
    lines
}

fn one_by_one(mut lines: Lines<'_>, expected: &[Naive<'_>], check: Check) {
    for (line, number) in expected.iter().zip(1..) {
        let valid = std::str::from_utf8(line.bytes);
        if let (Check::Strict, Err(error)) = (check, valid) {
            let column = error.valid_up_to() as u64;
            let (path, offset) = (b"x".as_slice().into(), line.offset + column);
            let wanted = LineError::NotUtf8 { path, number, offset, column };
            assert_eq!(lines.next(), Err(wanted));
            break;
        }
        let seen = lines.next().expect("cannot read").expect("a line is missing");
        assert_eq!((seen.bytes(), seen.number(), seen.offset()), (line.bytes, number, line.offset));
        let ascii = check != Check::Nothing && line.bytes.is_ascii();
        assert_eq!(seen.is_ascii(), ascii);
        if matches!(check, Check::Utf8 | Check::Strict) {
            assert_eq!(seen.is_utf8(), valid.is_ok());
        }
    }
    assert_eq!(lines.next(), Ok(None));
}

/// A file in memory that is nowhere any more.
fn tempfile() -> std::fs::File {
    let path = format!("/dev/shm/fewer-fuzz-lines-{}", std::process::id());
    let mut options = std::fs::OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(true).open(&path);
    let _ = std::fs::remove_file(path);
    file.expect("cannot make a file")
}
