//! `fewer walk s3://… --csv`, against a server that answers as S3 does: what the store tells is in
//! the table, and nothing else.

#![cfg(all(feature = "stores", feature = "tables"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Output, Stdio};

use replay::{Faults, Keys, Replay};

const KEYS: [&str; 4] = ["a/1,x", "a/new\nline", "b/2", "top"];

fn server(faults: Faults) -> Replay {
    Replay::start(Keys::listed(KEYS.map(str::to_owned).into()), faults).unwrap()
}

fn walk(server: &Replay, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.arg("walk").args(words).env_clear().stdin(Stdio::null());
    command.args(["--no-sign-request", "--endpoint-url", &server.address()]);
    command.output().unwrap()
}

fn csv(words: &[&str]) -> String {
    let server = server(Faults::default());
    let output = walk(&server, &[words, &["--sort", "--csv", "-"]].concat());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    let csv = String::from_utf8(output.stdout).unwrap();
    let (head, rest) = csv.split_once('\n').unwrap();
    assert!(head.starts_with("path,") && head.ends_with(",error,etag"), "{head}");
    rest.to_owned()
}

/// The ETag of an object, as its own headers have it.
fn etag(key: &str) -> String {
    let server = server(Faults::default());
    let mut stream = TcpStream::connect(server.address().trim_start_matches("http://")).unwrap();
    write!(stream, "HEAD /b/{key} HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let line = answer.lines().find_map(|line| line.strip_prefix("ETag: ")).unwrap();
    line.trim_matches('"').to_owned()
}

/// A time as `date` of coreutils has it.
fn time(seconds: i64) -> String {
    let words = ["-u", "-d", &format!("@{seconds}"), "+%FT%T.%6NZ"];
    let date = Command::new("date").args(words).output().unwrap();
    String::from_utf8(date.stdout).unwrap().trim_end().to_owned()
}

fn row(key: &str, index: u64) -> String {
    let (size, modified) = (replay::size_of(index), time(replay::modified_of(index)));
    let etag = etag(key);
    format!("s3://b/{key},,{key},file,1,,,{size},,,,,,{modified},,,,,{etag}\n")
}

#[test]
fn what_the_store_tells_is_in_the_row() {
    assert_eq!(csv(&["s3://b/top"]), row("top", 3));
    let all = csv(&["s3://b"]);
    assert!(all.contains("\n\"s3://b/a/new\nline\",,\"new\nline\",file,2,,,"), "{all}");
    assert_eq!(csv(&["s3://b", "-g", "t*"]), row("top", 3));
}

#[test]
fn a_folder_that_stands_for_its_keys_has_neither_size_nor_time() {
    let folder = |name: &str| format!("s3://b/{name}/,,{name},directory,1{}\n", ",".repeat(14));
    let expected = format!("{}{}{}", folder("a"), folder("b"), row("top", 3));
    assert_eq!(csv(&["s3://b", "-d", "1"]), expected);
}

#[test]
fn a_refusal_is_a_row_and_the_old_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    std::fs::write(&path, "old").unwrap();
    let server = server(Faults { denied: true, ..Faults::default() });
    let output = walk(&server, &["s3://b/p", "--parquet", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let output = walk(&server, &["s3://b/p", "--csv", "-"]);
    let csv = String::from_utf8(output.stdout).unwrap();
    let row = csv.lines().nth(1).unwrap();
    assert!(row.starts_with("s3://b/p,,,unknown,,,"), "{row}");
    assert!(row.contains("cannot list 's3://b/p': ") && row.contains("AccessDenied"), "{row}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("AccessDenied"));
}
