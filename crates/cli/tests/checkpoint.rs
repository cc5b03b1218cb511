//! `fewer walk s3://… --checkpoint FILE`: a listing that ends in whatever way goes on, and prints
//! each key once.

#![cfg(all(feature = "stores", unix))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use replay::{Faults, Keys, Replay};

const INT: i32 = 2;
const KILL: i32 = 9;
const TERM: i32 = 15;

/// A server, and a folder with the checkpoint and the output.
struct Bucket {
    server: Replay,
    keys: u64,
    folder: tempfile::TempDir,
    /// How many processes were killed.
    kills: Cell<usize>,
}

impl Bucket {
    fn new(keys: u64, faults: Faults) -> Bucket {
        Bucket::of(Replay::start(Keys::skewed(keys, 3), faults).unwrap(), keys)
    }

    fn of(server: Replay, keys: u64) -> Bucket {
        Bucket { server, keys, folder: tempfile::tempdir().unwrap(), kills: Cell::new(0) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
        command.args(["walk", "s3://b", "--no-sign-request"]).env_clear().stdin(Stdio::null());
        command.args(["--endpoint-url", &self.server.address()]);
        command.arg("--checkpoint").arg(self.path("checkpoint")).args(words);
        command
    }

    /// The output, to append to.
    fn output(&self) -> File {
        OpenOptions::new().append(true).create(true).open(self.path("output")).unwrap()
    }

    fn start(&self, words: &[&str]) -> Child {
        let errors = OpenOptions::new().append(true).create(true).open(self.path("errors"));
        self.command(words).stdout(self.output()).stderr(errors.unwrap()).spawn().unwrap()
    }

    fn run(&self, words: &[&str]) -> ExitStatus {
        self.start(words).wait().unwrap()
    }

    fn is_left(&self) -> bool {
        self.path("checkpoint").exists()
    }

    fn printed(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path("output")).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn all(&self) -> Vec<String> {
        let keys = Keys::skewed(self.keys, 3);
        (0..self.keys).map(|index| format!("s3://b/{}", keys.key(index))).collect()
    }

    fn errors(&self) -> String {
        std::fs::read_to_string(self.path("errors")).unwrap()
    }

    /// Each key was printed once, and nothing is left.
    fn is_whole(&self) {
        assert!(!self.is_left());
        let mut printed = self.printed();
        printed.sort();
        let all = self.all();
        assert!(printed == all, "{} lines, {} keys: {}", printed.len(), all.len(), self.errors());
        let files = std::fs::read_dir(self.folder.path()).unwrap();
        let hidden =
            files.filter(|it| it.as_ref().unwrap().file_name().as_encoded_bytes()[0] == b'.');
        // A process that is killed while it saves leaves the file that it writes.
        assert!(hidden.count() <= self.kills.get());
    }

    /// How a process ends that gets a signal.
    fn send(&self, child: &mut Child, signal: i32) -> ExitStatus {
        self.kills.update(|kills| kills + usize::from(signal == KILL));
        sys::send(child.id().try_into().unwrap(), signal).unwrap();
        child.wait().unwrap()
    }

    /// Runs until nothing is left; each run is ended by a signal after a while.
    fn run_with_interruptions(&self, words: &[&str], mut ends: impl FnMut(u64) -> (i32, u64)) {
        for run in 0..100 {
            let mut child = self.start(words);
            let (signal, milliseconds) = ends(run);
            std::thread::sleep(Duration::from_millis(milliseconds));
            if let Some(status) = child.try_wait().unwrap() {
                assert_eq!(status.code(), Some(0), "{}", self.errors());
                assert!(run > 1, "it was never interrupted");
                return;
            }
            let status = self.send(&mut child, signal);
            assert!(status.success() || status.signal() == Some(signal), "{status}");
            if status.success() || !self.is_left() {
                return;
            }
        }
        panic!("it never ends: {}", self.errors());
    }
}

fn slow() -> Faults {
    Faults {
        first_byte: Duration::from_millis(25),
        short_pages: true,
        fail_every: Some(17),
        cut_body_every: Some(13),
        refuse_every: Some(29),
        ..Faults::default()
    }
}

/// Looks random; another number, another one.
fn random(number: u64, below: u64) -> u64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) % below
}

#[test]
fn a_listing_that_is_killed_at_any_time_prints_each_key_once() {
    let bucket = Bucket::new(30_000, slow());
    bucket.run_with_interruptions(&["-j", "3"], |run| match run % 3 {
        0 => (TERM, random(run, 500)),
        1 => (KILL, random(run, 1_700)),
        _ => (INT, random(run, 500)),
    });
    bucket.is_whole();
}

#[test]
fn a_sorted_listing_goes_on_in_its_order() {
    let bucket = Bucket::new(25_000, slow());
    bucket.run_with_interruptions(&["-j", "3", "--sort"], |run| match run % 2 {
        0 => (KILL, 1_100 + random(run, 300)),
        _ => (INT, random(run, 500)),
    });
    assert!(bucket.printed() == bucket.all());
    bucket.is_whole();
}

#[test]
fn what_was_written_behind_the_checkpoint_is_cut_off() {
    let is_cut_off = |_| {
        let bucket = Bucket::new(25_000, slow());
        let mut child = bucket.start(&["-j", "2"]);
        while bucket.printed().len() < 3_000 {
            assert_eq!(child.try_wait().unwrap(), None, "{}", bucket.errors());
            std::thread::sleep(Duration::from_millis(5));
        }
        bucket.send(&mut child, KILL);
        assert!(bucket.is_left());
        assert_eq!(bucket.run(&["-j", "60", "--calls", "--no-progress"]).code(), Some(0));
        bucket.is_whole();
        bucket.errors().contains("standard output is cut back by ")
    };
    // It may be killed right after it has saved: then nothing is behind the checkpoint.
    assert!((0..10).any(is_cut_off));
}

#[test]
fn an_error_leaves_what_is_left() {
    let mut faults = Faults { repeats_token: true, ..Faults::default() };
    let bucket = Bucket::new(9_000, faults.clone());
    assert_eq!(bucket.run(&["-j", "1"]).code(), Some(1));
    assert!(bucket.is_left() && bucket.printed().len() == 1_000, "{}", bucket.errors());
    faults.repeats_token = false;
    let address = bucket.server.address();
    drop(bucket.server);
    let server = Replay::start_again(&address, Keys::skewed(9_000, 3), faults).unwrap();
    let bucket = Bucket { server, ..bucket };
    assert_eq!(bucket.run(&[]).code(), Some(0), "{}", bucket.errors());
    bucket.is_whole();
}

#[test]
fn with_max_results_the_next_ones_come_each_time() {
    for words in [&["--max-results", "1700"][..], &["--max-results", "1700", "--sort"]] {
        let bucket = Bucket::new(9_000, Faults::default());
        for run in 1..=5 {
            assert_eq!(bucket.run(words).code(), Some(0));
            assert!(bucket.is_left());
            assert_eq!(bucket.printed().len(), run * 1_700);
        }
        assert_eq!(bucket.run(words).code(), Some(0));
        bucket.is_whole();
    }
}

#[test]
fn one_level_goes_on_behind_a_folder() {
    let keys: Vec<String> = (0..9).map(|at| format!("{}/{at}", at / 2)).collect();
    let server = Replay::start(Keys::listed(keys), Faults::default()).unwrap();
    let bucket = Bucket::of(server, 0);
    for _ in 0..5 {
        assert_eq!(bucket.run(&["-d", "1", "-1"]).code(), Some(0), "{}", bucket.errors());
    }
    assert!(!bucket.is_left());
    assert_eq!(bucket.printed(), ["s3://b/0/", "s3://b/1/", "s3://b/2/", "s3://b/3/", "s3://b/4/"]);
}

#[test]
fn counts_are_those_of_all_runs() {
    let bucket = Bucket::new(30_000, slow());
    bucket.run_with_interruptions(&["-j", "3", "--count"], |run| match run % 2 {
        0 => (TERM, 100 + random(run, 500)),
        _ => (KILL, random(run, 1_500)),
    });
    let directories = bucket.all().iter().filter(|key| key.ends_with('/')).count();
    let files = 30_000 - directories;
    let line = format!("30000 entries, {directories} directories, {files} files, 0 links, 0 other");
    assert_eq!(bucket.printed(), [line]);
}

#[test]
fn a_reader_that_goes_away_loses_nothing_that_it_did_not_get() {
    let bucket = Bucket::new(25_000, slow());
    let mut child = bucket.command(&["-j", "2"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut got = BTreeSet::new();
    for _ in 0..2_000 {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        got.insert(line.trim_end().to_owned());
    }
    got.extend(String::from_utf8_lossy(reader.buffer()).lines().map(str::to_owned));
    drop(reader);
    assert_eq!(child.wait().unwrap().signal(), Some(13));
    assert!(bucket.is_left());
    assert_eq!(bucket.run(&[]).code(), Some(0), "{}", bucket.errors());
    let all: BTreeSet<String> = bucket.all().into_iter().collect();
    let printed: BTreeSet<String> = bucket.printed().into_iter().collect();
    assert_eq!(printed.len(), bucket.printed().len());
    assert!(printed.is_subset(&all));
    // What was in the pipe is lost with it, as it is for any program.
    let missing = all.iter().filter(|key| !printed.contains(*key) && !got.contains(*key)).count();
    assert!(missing < 65_536 / 20, "{missing}");
}

#[test]
fn a_full_disk_is_an_error_and_the_listing_goes_on_elsewhere() {
    let bucket = Bucket::new(9_000, Faults::default());
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = bucket.command(&[]).stdout(full).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, "fewer: cannot write to 'standard output': No space left on device\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(bucket.is_left());
    assert_eq!(bucket.run(&[]).code(), Some(0), "{}", bucket.errors());
    bucket.is_whole();
}

#[test]
fn other_flags_and_addresses_are_refused_before_anything_is_done() {
    let bucket = Bucket::new(3_000, Faults::default());
    assert_eq!(bucket.run(&["-1", "--size", "+1", "-e", "gz", "-e", "log"]).code(), Some(0));
    let (requests, before) = (bucket.server.requests(), std::fs::read(bucket.path("checkpoint")));
    let before = before.unwrap();
    for (words, part) in [
        (&["-1"][..], "it has --extension=gz --extension=log --size=+1, this has none"),
        (&["-1", "--size", "+1", "-e", "gz"], "it has --extension=log"),
        (&["-1", "--size", "+2", "-e", "gz", "-e", "log"], "this has --size=+2"),
        (&["-1", "--size", "+1", "-e", "gz", "-e", "log", "--json"], "this has --json"),
        (&["-1", "s3://c"], "--checkpoint is for one address"),
    ] {
        let output = bucket.command(words).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with("fewer: ") && message.contains(part), "{message}");
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
    }
    assert_eq!(bucket.server.requests(), requests);
    assert_eq!(std::fs::read(bucket.path("checkpoint")).unwrap(), before);
    let ways = ["--size", "+1", "-e", "gz", "-e", "log", "-j", "2", "--calls", "--region", "x"];
    assert_eq!(bucket.run(&ways).code(), Some(0), "{}", bucket.errors());
    assert!(!bucket.is_left());
}

#[test]
fn a_checkpoint_is_for_stores() {
    let output = Command::new(env!("CARGO_BIN_EXE_fewer"))
        .args(["walk", "/", "--checkpoint", "x"])
        .output()
        .unwrap();
    assert_eq!(output.stderr, b"fewer: --checkpoint is for addresses of stores\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_cannot_be_a_checkpoint_is_an_error_before_the_first_request() {
    let bucket = Bucket::new(3_000, Faults::default());
    std::fs::write(bucket.path("checkpoint"), "my data\n").unwrap();
    let output = bucket.command(&[]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("checkpoint' is no checkpoint: "), "{message}");
    assert_eq!(std::fs::read(bucket.path("checkpoint")).unwrap(), b"my data\n");
    std::fs::remove_file(bucket.path("checkpoint")).unwrap();
    std::fs::create_dir(bucket.path("checkpoint")).unwrap();
    let output = bucket.command(&[]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("cannot read checkpoint '"), "{message}");
    assert!(message.ends_with(": Is a directory\n"), "{message}");
    assert_eq!(bucket.server.requests(), 0);
}

/// A second Ctrl-C ends a process whose reader does not read.
#[test]
fn a_second_signal_ends_what_waits_for_its_reader() {
    let bucket = Bucket::new(30_000, Faults::default());
    let mut child = bucket.command(&[]).stdout(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdout.take().unwrap();
    pipe.read_exact(&mut [0; 1]).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let process = child.id().try_into().unwrap();
    let mut status = None;
    for _ in 0..100 {
        sys::send(process, INT).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        status = child.try_wait().unwrap();
        if status.is_some() {
            break;
        }
    }
    child.kill().unwrap();
    assert_eq!(status.and_then(|status| status.signal()), Some(INT));
    assert!(bucket.is_left());
}
