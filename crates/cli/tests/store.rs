//! `fewer walk s3://…`, against a server that answers as S3 does.

#![cfg(feature = "stores")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::{Command, Output, Stdio};

use replay::{Faults, Keys, Replay};

const KEYS: [&str; 7] = [
    ".git/config", "logs/2024/a.gz", "logs/2024/b.txt", "logs/2025/c.gz", "new\nline", "top", "x/",
];

fn server() -> Replay {
    Replay::start(Keys::listed(KEYS.map(str::to_owned).into()), Faults::default()).unwrap()
}

fn command(server: &Replay, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.arg("walk").args(words).env_clear().stdin(Stdio::null());
    command.args(["--no-sign-request", "--endpoint-url", &server.address()]);
    command
}

fn walk(server: &Replay, words: &[&str]) -> Output {
    command(server, words).output().unwrap()
}

/// What is printed, sorted; nothing went wrong.
fn printed(words: &[&str]) -> String {
    let server = server();
    let output = walk(&server, &[words, &["--sort"]].concat());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Status and message of what is refused, without a request.
fn refused(words: &[&str]) -> (Option<i32>, String) {
    let server = server();
    let output = walk(&server, words);
    assert_eq!(server.requests(), 0, "{words:?}");
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn every_key_is_printed_as_its_address() {
    let all: String = KEYS.map(|key| format!("s3://b/{key}\0")).concat();
    assert_eq!(printed(&["s3://b", "-0"]), all);
    assert_eq!(
        printed(&["s3://b/lo", "-e", "gz"]),
        "s3://b/logs/2024/a.gz\ns3://b/logs/2025/c.gz\n"
    );
    assert_eq!(printed(&["s3://b/nothing"]), "");
}

#[test]
fn filters_are_those_of_a_walk() {
    let logs = "s3://b/logs/2024/a.gz\ns3://b/logs/2024/b.txt\ns3://b/logs/2025/c.gz\n";
    assert_eq!(printed(&["s3://b", "-g", "?.*"]), logs);
    assert_eq!(printed(&["s3://b", "--exact-depth", "3"]), logs);
    assert_eq!(printed(&["s3://b", "-t", "d"]), "s3://b/x/\n");
    assert_eq!(
        printed(&["s3://b", "-E", "logs", "--no-hidden", "-r", "^[a-z]+$"]),
        "s3://b/top\ns3://b/x/\n"
    );
    assert_eq!(printed(&["s3://b", "--size", "+1G"]), "");
}

#[test]
fn addresses_that_overlap_are_each_listed_as_on_a_disk() {
    let both = ["logs/2024/a.gz", "logs/2024/b.txt", "logs/2025/c.gz", "logs/2025/c.gz"];
    let all: String = both.map(|key| format!("s3://b/{key}\n")).concat();
    assert_eq!(printed(&["s3://b/logs/", "s3://b/logs/2025/"]), all);
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("logs/2025")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.args(["walk", "logs", "logs/2025", "--sort"]).current_dir(folder.path());
    assert_eq!(command.output().unwrap().stdout, b"logs\nlogs/2025\nlogs/2025\n");
}

#[test]
fn one_level_is_asked_of_the_store() {
    let expected = "s3://b/.git/\ns3://b/logs/\ns3://b/top\ns3://b/x/\n";
    assert_eq!(printed(&["s3://b", "-d", "1", "-E", "new*"]), expected);
    assert_eq!(printed(&["s3://b/logs/", "-d", "1"]), "s3://b/logs/2024/\ns3://b/logs/2025/\n");
}

#[test]
fn output_has_the_formats_of_a_walk() {
    let (size, modified) = (replay::size_of(5), replay::modified_of(5));
    let line = format!(
        "{{\"v\":1,\"path\":{{\"text\":\"s3://b/top\"}},\"kind\":\"file\",\"depth\":1,\
         \"size\":{size},\"modified\":{modified}.000000000}}\n"
    );
    assert_eq!(printed(&["s3://b/top", "--json"]), line);
    let printed_size = printed(&["s3://b/top", "--format", "{/} {size} {type} {depth} {mtime:%s}"]);
    assert_eq!(printed_size, format!("top {size} file 1 {}\n", modified));
    assert_eq!(printed(&["s3://b/logs/", "--printf", "%P %f\\n", "-1"]), "2024/a.gz a.gz\n");
    assert_eq!(
        printed(&["s3://b", "--count"]),
        "7 entries, 1 directories, 6 files, 0 links, 0 other\n"
    );
}

#[test]
fn calls_are_requests_with_their_price() {
    let server = server();
    let output = walk(&server, &["s3://b", "--count", "--calls", "--json"]);
    let text = String::from_utf8(output.stderr).unwrap();
    let expected =
        "{\"v\":1,\"keys\":7,\"requests\":1,\"repeated\":0,\"slowed\":0,\"cents\":0.0005}\n";
    assert_eq!(text, expected);
}

#[test]
fn flags_about_files_are_refused_by_name() {
    for (words, part) in [
        (&["s3://b", "--follow"][..], "--follow"),
        (&["s3://b", "--owner", "root"], "--owner"),
        (&["s3://b", "-x", "true"], "--exec"),
        (&["s3://b", "--since", "/none/x"], "/none/x"),
        (&["s3://b", "--summary"], "--summary"),
        (&["s3://b", "-t", "x"], "--type x"),
        (&["s3://b", "--format", "{user}"], "--format"),
        (&["s3://b", "--printf", "%m"], "--printf"),
        (&["s3://b", "/tmp"], "'/tmp' is no address"),
        (&["wasb://b"], "wasb://"),
        (&["s3://"], "bucket"),
    ] {
        let (status, message) = refused(words);
        assert_eq!(status, Some(2), "{words:?}");
        assert!(message.starts_with("fewer: ") && message.contains(part), "{message}");
    }
}

#[test]
fn a_store_that_refuses_is_an_error_with_its_words() {
    let denied = Faults { denied: true, ..Faults::default() };
    let server = Replay::start(Keys::numbered("k", 3), denied).unwrap();
    let output = walk(&server, &["s3://b/p"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("fewer: cannot list 's3://b/p': "), "{message}");
    assert!(message.contains("403 AccessDenied"), "{message}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_reader_that_is_gone_ends_the_listing() {
    let server = Replay::start(Keys::skewed(200_000, 1), Faults::default()).unwrap();
    let mut child = command(&server, &["s3://b"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    assert!(!status.success());
    assert!(server.requests() < 150, "{}", server.requests());
}
