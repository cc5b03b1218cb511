//! Random files, read by `fewer lines` and by GNU wc, cat, head, tail and sed: where both have a
//! flag for it, they print the same bytes.
//!
//! Needs the released binary, so it is ignored by default: `cargo build --release`, then `cargo
//! test -p fewer-cli --test lines_like_gnu -- --ignored`.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod released;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use released::released;

/// Files in each round; some of them are empty, and some are larger than a block.
const FILES: usize = 5;
const ROUNDS: u32 = 400;

/// How a program gets a file.
#[derive(Clone, Copy, Debug)]
enum From {
    Name,
    Pipe,
    Standard,
}

/// A text, and the lines to print of it.
#[derive(Clone, Debug)]
struct Sample {
    files: Vec<Vec<u8>>,
    first: usize,
    count: usize,
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let parts: Vec<&[u8]> =
        vec![b"\n", b"\n", b"\n", b"\r\n", b"\0", b"a", b"some words", "é€😀".as_bytes(), b"\xff"];
    let part = prop::sample::select(parts);
    let short = prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat());
    // Around the end of a block, and far behind it.
    let filled =
        (short.clone(), 262_130_usize..262_150, 1_usize..400).prop_map(|(end, length, line)| {
            let mut text = [vec![b'x'; line], vec![b'\n']].concat().repeat(length / (line + 1));
            text.resize(length, b'y');
            [text, end].concat()
        });
    let long = (short.clone(), short.clone(), 300_000_usize..800_000)
        .prop_map(|(start, end, length)| [start, vec![b'z'; length], end].concat());
    prop_oneof![30 => short, 2 => filled, 1 => long, 1 => Just(Vec::new())]
}

fn sample() -> impl Strategy<Value = Sample> {
    let files = prop::collection::vec(text(), FILES);
    (files, 1_usize..12, 0_usize..12).prop_map(|(files, first, count)| Sample {
        files,
        first,
        count,
    })
}

struct Fixture {
    fewer: PathBuf,
    folder: PathBuf,
}

impl Fixture {
    fn run(&self, program: &Path, words: &[&str], from: From, file: &str) -> Output {
        let mut command = Command::new(program);
        command.args(words).current_dir(&self.folder).env("LC_ALL", "C");
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let path = self.folder.join(file);
        match from {
            From::Name => {
                command.stdin(Stdio::null()).arg(file);
            }
            From::Standard => {
                command.stdin(File::open(path).unwrap());
            }
            From::Pipe => {
                let (reader, mut writer) = std::io::pipe().unwrap();
                let text = fs::read(path).unwrap();
                // A program that has what it needs does not read the rest.
                std::thread::spawn(move || writer.write_all(&text));
                command.stdin(reader);
            }
        }
        command.output().unwrap()
    }

    /// The same request to both.
    fn compare(&self, ours: &[&str], theirs: &[&str], from: From, file: &str) {
        let words = [&["lines"], ours].concat();
        let fewer = self.run(&self.fewer, &words, from, file);
        let other = self.run(Path::new(theirs[0]), &theirs[1..], from, file);
        let what = format!("{words:?} against {theirs:?}, {from:?}, {file}");
        assert!(fewer.stdout == other.stdout, "{what}: {}", differs(&fewer, &other));
        assert_eq!(fewer.status.success(), other.status.success(), "{what}");
    }

    /// Several files at once, and one that does not exist.
    fn compare_lists(&self, files: &[&str]) {
        for (ours, theirs) in [("--count", "-l"), ("--longest", "-L")] {
            let (last, others) = files.split_last().unwrap();
            let ours = [&["lines", ours], others].concat();
            let fewer = self.run(&self.fewer, &ours, From::Name, last);
            let other = self.run(Path::new("wc"), &[&[theirs], others].concat(), From::Name, last);
            let shown = String::from_utf8_lossy(&other.stdout).into_owned();
            if theirs == "-l" {
                assert!(fewer.stdout == other.stdout, "{files:?}: {}", differs(&fewer, &other));
            } else {
                // Columns are not bytes, but the form is the same.
                let said = String::from_utf8_lossy(&fewer.stdout).into_owned();
                let names = |text: &str| -> Vec<String> {
                    text.lines().map(|line| line.rsplit(' ').next().unwrap().into()).collect()
                };
                assert_eq!(names(&said), names(&shown));
            }
            assert_eq!(fewer.status.success(), other.status.success(), "{files:?}");
        }
    }
}

fn differs(ours: &Output, theirs: &Output) -> String {
    let (a, b) = (&ours.stdout, &theirs.stdout);
    let at = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let show = |bytes: &[u8]| bytes[at..bytes.len().min(at + 60)].escape_ascii().to_string();
    format!("{} bytes for {}; at {at} '{}' for '{}'", a.len(), b.len(), show(a), show(b))
}

fn check(fixture: &Fixture, sample: &Sample) {
    let names: Vec<String> = (0..sample.files.len()).map(|number| format!("f{number}")).collect();
    for (name, text) in names.iter().zip(&sample.files) {
        fs::write(fixture.folder.join(name), text).unwrap();
    }
    let (first, count) = (sample.first.to_string(), sample.count.to_string());
    let to = (sample.first + sample.count).to_string();
    let range = format!("{first},{to}p");
    let onwards = format!("+{first}");
    // Each file in one way and with one request besides wc and cat, so that all pairs come up.
    for (number, name) in names.iter().enumerate() {
        let from = [From::Name, From::Pipe, From::Standard][(number + sample.first) % 3];
        fixture.compare(&["--count"], &["wc", "-l"], from, name);
        match (number + sample.count) % 8 {
            0 => fixture.compare(&[], &["cat"], from, name),
            1 => fixture.compare(&["--to", &first], &["head", "-n", &first], from, name),
            2 => fixture.compare(&["--from", &first], &["tail", "-n", &onwards], from, name),
            3 => fixture.compare(&["--last", &count], &["tail", "-n", &count], from, name),
            4 => fixture.compare(
                &["-0", "--last", &count],
                &["tail", "-z", "-n", &count],
                from,
                name,
            ),
            5 => fixture.compare(&["--number"], &["cat", "-n"], from, name),
            6 => fixture.compare(
                &["--from", &first, "--to", &to],
                &["sed", "-n", &range],
                from,
                name,
            ),
            _ => fixture.compare(&["--crlf"], &["sed", "s/\\r$//"], from, name),
        }
    }
    let odd = ["d", "gone", "/dev/null", "-", "with\nnewline"][sample.count % 5];
    fixture.compare_lists(&[&names[0], odd, &names[1], &names[2]]);
    fixture.compare_lists(&[odd, "gone"]);
}

#[test]
#[ignore = "needs the released binary"]
fn random_files_are_read_as_gnu_tools_read_them() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("d")).unwrap();
    fs::write(folder.path().join(OsStr::from_bytes(b"with\nnewline")), "one\n").unwrap();
    let fixture = Fixture { fewer: released(), folder: folder.path().to_owned() };
    let config = Config { cases: ROUNDS, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&sample(), |sample| {
        check(&fixture, &sample);
        Ok(())
    });
    outcome.unwrap();
}

/// A line is printed as soon as it arrives, whatever follows it and whenever.
#[test]
#[ignore = "needs the released binary"]
fn lines_of_a_pipe_come_out_while_it_is_open() {
    for flags in [&[][..], &["--number"], &["--json"], &["--from", "1"], &["--crlf"]] {
        let mut command = Command::new(released());
        command.arg("lines").args(flags).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        for word in ["first", "second"] {
            stdin.write_all(format!("{word}\n").as_bytes()).unwrap();
            let mut shown = [0; 200];
            let length = stdout.read(&mut shown).unwrap();
            let shown = String::from_utf8_lossy(&shown[..length]).into_owned();
            assert!(shown.contains(word) && shown.ends_with('\n'), "{flags:?}: {shown}");
        }
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

/// 300 MB that are one line take no more memory than a block, if no line is needed.
#[test]
#[ignore = "needs the released binary"]
fn memory_does_not_grow_with_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one line");
    File::create(&path).unwrap().set_len(300_000_000).unwrap();
    let fewer = released();
    for flags in ["", "--count", "--longest", "--from 2", "--to 1"] {
        let flags: Vec<&str> = flags.split(' ').filter(|flag| !flag.is_empty()).collect();
        let script = "ulimit -v 40000; exec \"$@\" >/dev/null";
        let status = Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(&fewer)
            .arg("lines")
            .args(&flags)
            .arg(&path)
            .status();
        assert!(status.unwrap().success(), "{flags:?} takes more than 40 MB");
    }
}
