//! `fewer walk --since FILE s3://…`, against a server that answers as S3 does. Size and time of an
//! object there are made of its place among the keys: a key more changes those behind it.

#![cfg(feature = "stores")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod price;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use replay::{Faults, Keys, Replay};

/// A bucket whose keys can be replaced, and a folder for manifests.
struct Bucket {
    server: Option<Replay>,
    address: String,
    folder: tempfile::TempDir,
}

impl Bucket {
    fn new(keys: &[&str]) -> Bucket {
        let server = Replay::start(listed(keys), Faults::default()).unwrap();
        let (address, folder) = (server.address(), tempfile::tempdir().unwrap());
        Bucket { server: Some(server), address, folder }
    }

    /// Other keys from now on, on the same server.
    fn replace(&mut self, keys: Keys, faults: Faults) {
        drop(self.server.take());
        self.server = Some(Replay::start_again(&self.address, keys, faults).unwrap());
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("manifest")
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
        command.arg("walk").arg("--since").arg(self.file()).args(words).env_clear();
        command.args(["--no-sign-request", "--endpoint-url", &self.address]).stdin(Stdio::null());
        command
    }

    fn since(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// What is printed; nothing went wrong.
    fn changes(&self, words: &[&str]) -> String {
        let output = self.since(words);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Status and message of what is refused, without a request.
    fn refused(&self, words: &[&str]) -> (Option<i32>, String) {
        let before = self.server.as_ref().unwrap().requests();
        let output = self.since(words);
        assert_eq!(self.server.as_ref().unwrap().requests(), before, "{words:?}");
        assert!(output.stdout.is_empty());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    /// The names in the folder of manifests.
    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(self.folder.path()).unwrap();
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

fn listed(keys: &[&str]) -> Keys {
    Keys::listed(keys.iter().map(|key| (*key).to_owned()).collect())
}

#[test]
fn what_is_new_gone_and_changed_is_printed_in_the_order_of_the_keys() {
    let mut bucket = Bucket::new(&["a", "b/c", "b/e.gz", "f/", "g"]);
    let all = "A s3://b/a\nA s3://b/b/c\nA s3://b/b/e.gz\nA s3://b/f/\nA s3://b/g\n";
    assert_eq!(bucket.changes(&["s3://b", "--update"]), all);
    assert_eq!(bucket.changes(&["s3://b", "--update"]), "");
    // What is at the same place among the keys is the same object.
    bucket.replace(listed(&["a", "b/d", "b/e.gz", "g", "h"]), Faults::default());
    let changes = "D s3://b/b/c\nA s3://b/b/d\nD s3://b/f/\nM s3://b/g\nA s3://b/h\n";
    assert_eq!(bucket.changes(&["s3://b"]), changes);
    assert_eq!(bucket.changes(&["s3://b", "--update"]), changes);
    assert_eq!(bucket.changes(&["s3://b"]), "");
    assert_eq!(bucket.names(), ["manifest"]);
}

#[test]
fn changes_have_the_formats_of_fewer_changes() {
    let mut bucket = Bucket::new(&["a", "x/"]);
    bucket.changes(&["s3://b", "--update"]);
    bucket.replace(listed(&["a", "new\nline"]), Faults::default());
    assert_eq!(bucket.changes(&["s3://b", "-0"]), "A s3://b/new\nline\0D s3://b/x/\0");
    assert_eq!(
        bucket.changes(&["s3://b", "--json"]),
        "{\"v\":1,\"change\":\"added\",\"path\":{\"text\":\"s3://b/new\\nline\"},\"kind\":\"file\"}\n\
         {\"v\":1,\"change\":\"removed\",\"path\":{\"text\":\"s3://b/x/\"},\"kind\":\"directory\"}\n"
    );
    assert_eq!(
        bucket.changes(&["s3://b", "--color=always", "-t", "d"]),
        "\u{1b}[31mD s3://b/x/\u{1b}[m\n"
    );
}

#[test]
fn filters_choose_what_is_printed_and_the_manifest_has_all() {
    let mut bucket = Bucket::new(&["a.gz", "b/c.gz", "b/d", "tmp/x.gz"]);
    assert_eq!(bucket.changes(&["s3://b", "--update", "-e", "gz", "-d", "1"]), "A s3://b/a.gz\n");
    bucket.replace(listed(&[]), Faults::default());
    let gone = "D s3://b/a.gz\nD s3://b/b/c.gz\nD s3://b/b/d\nD s3://b/tmp/x.gz\n";
    assert_eq!(bucket.changes(&["s3://b"]), gone);
    assert_eq!(
        bucket.changes(&["s3://b", "-E", "tmp", "-g", "*.gz", "--exact-depth", "2"]),
        "D s3://b/b/c.gz\n"
    );
    let size = replay::size_of(0);
    assert_eq!(bucket.changes(&["s3://b", "--size", &format!("{size}")]), "D s3://b/a.gz\n");
    let first_two = "D s3://b/a.gz\nD s3://b/b/c.gz\n";
    assert_eq!(bucket.changes(&["s3://b", "--max-results", "2"]), first_two);
}

#[test]
fn a_prefix_has_a_manifest_of_its_own_and_a_large_bucket_its_price() {
    let mut bucket = Bucket::new(&["other"]);
    bucket.replace(Keys::numbered("p/k", 40_000), Faults::default());
    let all = bucket.changes(&["s3://b/p", "--update"]);
    assert_eq!(all.lines().count(), 40_000);
    let output = bucket.since(&["s3://b/p", "--calls", "--json"]);
    assert!(output.stdout.is_empty());
    let report: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(report["keys"].as_u64(), Some(40_000));
    // As of any listing: 40 pages, and those that end a range.
    let requests = report["requests"].as_u64().unwrap();
    assert!((40..=price::most_requests(40)).contains(&requests), "{report}");
    let keys: Vec<String> = (0..39_999).map(|at| format!("p/k{at:05}")).collect();
    bucket.replace(Keys::listed(keys), Faults::default());
    assert_eq!(bucket.changes(&["s3://b/p"]), "D s3://b/p/k39999\n");
    let (status, message) = bucket.refused(&["s3://b/p/"]);
    assert_eq!(status, Some(2));
    assert!(message.contains("of 's3://b/p', and not of 's3://b/p/'"), "{message}");
}

#[test]
fn a_listing_that_fails_says_of_nothing_that_it_is_gone() {
    let mut bucket = Bucket::new(&[]);
    bucket.replace(Keys::numbered("k", 5_000), Faults::default());
    bucket.changes(&["s3://b/k", "--update"]);
    let before = fs::read(bucket.file()).unwrap();
    let out_of_order = Faults { unordered: true, ..Faults::default() };
    for (faults, status) in [
        (Faults { denied: true, ..Faults::default() }, 2),
        (Faults { no_bucket: true, ..Faults::default() }, 2),
        (out_of_order, 2),
    ] {
        bucket.replace(Keys::numbered("k", 4_000), faults);
        let output = bucket.since(&["s3://b/k", "--update"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{message}");
        assert!(message.starts_with("fewer: cannot list 's3://b/k'"), "{message}");
        assert!(!String::from_utf8(output.stdout).unwrap().contains("D "));
        assert!(fs::read(bucket.file()).unwrap() == before);
        assert_eq!(bucket.names(), ["manifest"]);
    }
}

#[test]
fn a_file_that_is_no_manifest_is_refused_and_stays() {
    let bucket = Bucket::new(&["a"]);
    let (status, message) = bucket.refused(&["s3://b"]);
    assert_eq!(status, Some(2));
    assert!(message.contains("manifest': No such file or directory"), "{message}");
    fs::write(bucket.file(), "something").unwrap();
    for words in [&["s3://b"][..], &["s3://b", "--update"]] {
        let (status, message) = bucket.refused(words);
        assert_eq!(status, Some(2));
        assert!(message.contains("it is no manifest of a listing"), "{message}");
        assert_eq!(fs::read(bucket.file()).unwrap(), b"something");
    }
    fs::remove_file(bucket.file()).unwrap();
    bucket.changes(&["s3://b", "--update"]);
    let mut bytes = fs::read(bucket.file()).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(bucket.file(), &bytes).unwrap();
    let (status, message) = bucket.refused(&["s3://b"]);
    assert!(status == Some(2) && message.contains("checksum"), "{message}");
    // A walk of a disk does not take it for a snapshot.
    let words =
        ["walk", "--since", bucket.file().to_str().unwrap(), "/dev/null"].map(str::to_owned);
    let output = Command::new(env!("CARGO_BIN_EXE_fewer")).args(words).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("it is not a snapshot"));
}

#[test]
fn what_is_not_about_changes_is_refused_by_name() {
    let bucket = Bucket::new(&["a"]);
    let mut snapshot = Command::new(env!("CARGO_BIN_EXE_fewer"));
    let output = snapshot.args(["snapshot", "s3://b", "-o"]).arg(bucket.file()).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("`fewer walk --since FILE"));
    assert_eq!((output.status.code(), bucket.names().len()), (Some(2), 0));
    for (words, part) in [
        (&["s3://b", "--count"][..], "--count"),
        (&["s3://b", "--format", "{}"], "--format"),
        (&["s3://b", "--printf", "%p"], "--printf"),
        (&["s3://b", "--checkpoint", "c"], "--checkpoint"),
        (&["s3://b", "--inventory", "s3://x/manifest.json"], "--inventory"),
        (&["s3://b", "--max-keys", "1"], "--max-keys"),
        (&["s3://b", "s3://c"], "one address"),
        (&["s3://b", "-t", "x"], "--type x"),
        (&["s3://b", "--update", "--max-results", "1"], "--max-results"),
        (&["s3://b", "--gitignore"], "--gitignore"),
    ] {
        let (status, message) = bucket.refused(words);
        assert!(status == Some(2) && message.contains(part), "{words:?}: {message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_printed_is_a_change_the_next_time_too() {
    let bucket = Bucket::new(&["a"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = bucket.command(&["s3://b", "--update"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(bucket.names(), [""; 0]);
    // A disk that is full, or a folder that is closed.
    fs::create_dir(bucket.file()).unwrap();
    let (status, message) = bucket.refused(&["s3://b", "--update"]);
    assert!(status == Some(2) && message.contains("Is a directory"), "{message}");
}

#[test]
#[cfg(unix)]
fn a_listing_that_is_ended_leaves_nothing_beside_the_manifest() {
    let mut bucket = Bucket::new(&["k"]);
    bucket.changes(&["s3://b", "--update"]);
    let before = fs::read(bucket.file()).unwrap();
    let slow = Faults { first_byte: std::time::Duration::from_millis(200), ..Faults::default() };
    bucket.replace(Keys::numbered("k", 1_000_000), slow);
    let mut command = bucket.command(&["s3://b", "--update"]);
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    // Once the new one is there, it is being listed.
    while bucket.names().len() < 2 {
        assert_eq!(child.try_wait().unwrap(), None);
    }
    while bucket.server.as_ref().unwrap().requests() == 0 {}
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    let status = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15));
    assert_eq!(bucket.names(), ["manifest"]);
    assert!(fs::read(bucket.file()).unwrap() == before);
}
