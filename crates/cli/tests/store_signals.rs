//! A store that takes a connection and never answers: what writes a file ends by the signal at
//! once, and leaves nothing of the file.

#![cfg(all(feature = "stores", feature = "tables", unix))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Long before a request is given up, and long enough for a busy machine.
const AT_ONCE: Duration = Duration::from_secs(10);

/// The command that these words are, once it waits for the answer.
fn waiting(scheme: &str, words: &[&str], folder: &Path) -> Child {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.current_dir(folder).env_clear().stdin(Stdio::null()).args(words);
    match scheme {
        "s3" => command.args(["s3://b", "--no-sign-request"]),
        scheme => command.arg(format!("{scheme}://{server}/t")),
    };
    if scheme == "s3" {
        command.args(["--endpoint-url", &format!("http://{server}")]);
    }
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    stream.read_exact(&mut [0]).unwrap();
    // The connection stays open, and nothing answers.
    std::mem::forget((listener, stream));
    child
}

fn ends_at_once(scheme: &str, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old"), "old").unwrap();
    ends_at_once_in(folder.path(), scheme, words);
}

fn ends_at_once_in(folder: &Path, scheme: &str, words: &[&str]) {
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let mut child = waiting(scheme, words, folder);
        let start = Instant::now();
        let kill = ["-s", name, &child.id().to_string()].map(str::to_owned);
        assert!(Command::new("kill").args(kill).status().unwrap().success());
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > AT_ONCE => {
                    child.kill().unwrap();
                    break child.wait().unwrap();
                }
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        assert_eq!(status.signal(), Some(number), "{scheme} {words:?}");
        let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["old"], "{scheme} {words:?}");
        assert_eq!(fs::read(folder.join("old")).unwrap(), b"old");
    }
}

#[test]
fn a_table_of_a_bucket() {
    ends_at_once("s3", &["walk", "--csv", "old"]);
    ends_at_once("s3", &["walk", "--parquet", "old", "--sort"]);
    ends_at_once("s3", &["scan", "--out", "."]);
}

#[test]
fn a_table_of_collections() {
    ends_at_once("http", &["walk", "--csv", "old"]);
    ends_at_once("http", &["scan", "--out", "."]);
}

#[test]
fn a_table_of_hdfs() {
    ends_at_once("hdfs", &["walk", "--parquet", "old"]);
    ends_at_once("hdfs", &["scan", "--out", "."]);
}

#[test]
fn a_table_of_an_inventory() {
    ends_at_once("s3", &["walk", "--csv", "old", "--inventory", "s3://b/manifest.json"]);
}

#[test]
fn a_part_on_its_way_to_a_store() {
    for scheme in ["s3", "hdfs"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("old"), "old").unwrap();
        ends_at_once_in(folder.path(), scheme, &["scan", ".", "--out"]);
    }
}

#[test]
fn a_manifest() {
    ends_at_once("s3", &["walk", "--since", "new", "--update"]);
    ends_at_once("hdfs", &["walk", "--since", "new", "--update"]);
}
