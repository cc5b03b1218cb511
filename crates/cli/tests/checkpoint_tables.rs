//! `fewer walk s3://… --checkpoint FILE --csv FILE`: each run writes a table of its own, and all of
//! them together have each key once.

#![cfg(all(feature = "stores", feature = "tables", unix))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use replay::{Faults, Keys, Replay};

struct Bucket {
    server: Replay,
    folder: tempfile::TempDir,
}

impl Bucket {
    fn new(keys: u64, faults: Faults) -> Bucket {
        let server = Replay::start(Keys::skewed(keys, 3), faults).unwrap();
        Bucket { server, folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, table: &str, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
        command.args(["walk", "s3://b", "--no-sign-request"]).env_clear().stdin(Stdio::null());
        command.args(["--endpoint-url", &self.server.address(), "--checkpoint"]);
        command.arg(self.path("checkpoint")).arg("--csv").arg(self.path(table)).args(words);
        command
    }

    fn run(&self, table: &str, words: &[&str]) -> Output {
        self.command(table, words).output().unwrap()
    }

    /// The paths in a table.
    fn paths(&self, table: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.path(table)).unwrap();
        let paths = text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned());
        paths.collect()
    }
}

fn all(keys: u64) -> Vec<String> {
    let names = Keys::skewed(keys, 3);
    let mut all: Vec<String> = (0..keys).map(|it| format!("s3://b/{}", names.key(it))).collect();
    all.sort();
    all
}

#[test]
fn all_tables_together_have_each_key_once() {
    let bucket = Bucket::new(9_000, Faults { refuse_every: Some(7), ..Faults::default() });
    let mut found = Vec::new();
    for number in 0.. {
        let table = format!("{number}.csv");
        let output = bucket.run(&table, &["--max-results", "2500"]);
        assert!(output.status.success(), "{output:?}");
        let paths = bucket.paths(&table);
        found.extend(paths);
        if !bucket.path("checkpoint").exists() {
            break;
        }
    }
    found.sort();
    assert_eq!(found.len(), 9_000);
    assert!(found == all(9_000));
}

#[test]
fn keys_that_do_not_pass_are_counted_as_well() {
    let bucket = Bucket::new(9_000, Faults::default());
    let (mut found, mut runs) = (Vec::new(), 0);
    while runs == 0 || bucket.path("checkpoint").exists() {
        let output = bucket.run("table.csv", &["--max-keys", "2500", "-g", "*77*"]);
        assert!(output.status.success(), "{output:?}");
        found.extend(bucket.paths("table.csv"));
        runs += 1;
    }
    found.sort();
    let mut expected = all(9_000);
    expected.retain(|path| path.rsplit('/').next().unwrap().contains("77"));
    assert!(found == expected && !found.is_empty());
    assert_eq!(runs, 4);
}

#[test]
fn what_is_killed_leaves_neither_a_table_nor_a_change_of_the_checkpoint() {
    let slow = Faults { first_byte: Duration::from_millis(30), ..Faults::default() };
    let bucket = Bucket::new(60_000, slow);
    assert!(bucket.run("first.csv", &["--max-results", "1000"]).status.success());
    let left = || {
        let checkpoint = std::fs::read_to_string(bucket.path("checkpoint")).unwrap();
        checkpoint[checkpoint.find("\"left\"").unwrap()..].to_owned()
    };
    let before = left();
    for signal in ["-TERM", "-KILL"] {
        let words = ["-j", "1"];
        let mut process =
            bucket.command("second.csv", &words).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(400));
        let id = process.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        assert!(!process.wait().unwrap().success());
        assert!(!bucket.path("second.csv").exists());
        assert_eq!(left(), before, "{signal}");
    }
    assert!(bucket.run("second.csv", &[]).status.success());
    let mut found = [bucket.paths("first.csv"), bucket.paths("second.csv")].concat();
    found.sort();
    assert!(found == all(60_000));
}

#[test]
fn a_table_that_cannot_be_written_is_listed_again() {
    let bucket = Bucket::new(3_000, Faults::default());
    let output = bucket.run("none/table.csv", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(bucket.run("table.csv", &[]).status.success());
    assert_eq!(bucket.paths("table.csv").len(), 3_000);
}

#[test]
fn what_goes_on_is_the_same_kind_of_output() {
    let bucket = Bucket::new(3_000, Faults::default());
    assert!(bucket.run("first.csv", &["--max-results", "9"]).status.success());
    let parquet = bucket.path("b.parquet");
    for words in [&["--parquet", parquet.to_str().unwrap()][..], &[]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
        command.args(["walk", "s3://b", "--no-sign-request"]).env_clear().stdin(Stdio::null());
        command.args(["--endpoint-url", &bucket.server.address(), "--checkpoint"]);
        let output = command.arg(bucket.path("checkpoint")).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!bucket.path("b.parquet").exists() && output.stdout.is_empty());
    }
    let mut command = bucket.command("-", &[]);
    let command = command.current_dir(bucket.folder.path());
    // The last --csv counts.
    let output = command.args(["--csv", "-"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && message.contains("has to be a file"), "{message}");
}
