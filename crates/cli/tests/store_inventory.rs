//! `fewer walk s3://… --inventory MANIFEST`: what an inventory has, and nothing that it says is old.

#![cfg(feature = "stores")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "store_lines/server.rs"]
#[allow(dead_code, reason = "other tests look at the requests")]
mod server;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use server::{Faults, Server};

const MANIFEST: &str = r#"{"sourceBucket": "logs", "destinationBucket": "arn:aws:s3:::b",
    "version": "2016-11-30", "creationTimestamp": "1764115200000", "fileFormat": "CSV",
    "fileSchema": "Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, LastModifiedDate, ETag",
    "files": [{"key": "data/one.csv.gz", "size": 1}, {"key": "data/two.csv.gz", "size": 1}]}"#;

const ONE: &str = r#""logs","2024/a.gz","v1","true","false","7","2024-01-31T10:00:00.000Z","e1"
"logs","2024/a.gz","v0","false","false","9","2023-01-31T10:00:00.000Z","e0"
"logs","2024/gone","v1","true","true","","2024-01-31T10:00:00.000Z",""
"logs","2024/a+b%2B%0A%C3%A9","v1","true","false","1048576","2024-02-01T10:00:00.000Z","e2"
"#;

const TWO: &str = r#""logs","2023/x","v1","true","false","1","2023-01-31T10:00:00.000Z","e3"
"#;

fn gzip(text: &str) -> Vec<u8> {
    let mut command = Command::new("gzip");
    let mut process =
        command.arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    process.wait_with_output().unwrap().stdout
}

fn server(manifest: &str) -> Server {
    let objects = [
        ("manifest.json", manifest.as_bytes().to_vec()),
        ("data/one.csv.gz", gzip(ONE)),
        ("data/two.csv.gz", gzip(TWO)),
    ];
    Server::of(objects.map(|(key, bytes)| (key.to_owned(), bytes)).into(), Faults::default())
}

fn walk(server: &Server, words: &[&str]) -> Output {
    run(server, &[words, &["--inventory", "s3://b/manifest.json"]].concat())
}

fn run(server: &Server, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.arg("walk").args(words).args(["--endpoint-url", &server.address()]);
    command.env_clear().env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    command.stdin(Stdio::null()).output().unwrap()
}

fn printed(words: &[&str]) -> String {
    let output = walk(&server(MANIFEST), words);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    assert_eq!(output.status.code(), Some(0), "{words:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(manifest: &str, words: &[&str]) -> String {
    let output = walk(&server(manifest), words);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_latest_versions_are_listed() {
    let all = "s3://logs/2024/a.gz\0s3://logs/2024/a b+\né\0s3://logs/2023/x\0";
    assert_eq!(printed(&["s3://logs", "-0"]), all);
    assert_eq!(printed(&["s3://logs/2023/"]), "s3://logs/2023/x\n");
    assert_eq!(printed(&["s3://logs", "-S", "+1", "-e", "gz"]), "s3://logs/2024/a.gz\n");
    assert_eq!(printed(&["s3://logs", "--max-results", "1"]), "s3://logs/2024/a.gz\n");
    assert_eq!(printed(&["s3://logs", "--format", "{size} {name}", "-e", "gz"]), "7 a.gz\n");
}

#[test]
fn its_price_and_its_age_are_said() {
    let output = walk(&server(MANIFEST), &["s3://logs", "--count", "--calls", "--json"]);
    let costs = String::from_utf8(output.stderr).unwrap();
    let expected = "{\"v\":1,\"inventory_requests\":3,\"created\":1764115200}\n";
    assert_eq!((costs.as_str(), output.status.code()), (expected, Some(0)));
}

#[test]
fn what_cannot_be_opened_has_its_price() {
    let costs = |manifest: &str, faults: Faults, address: &str| {
        let object = ("manifest.json".to_owned(), manifest.as_bytes().to_vec());
        let server = Server::of(vec![object], faults);
        let words = ["s3://logs", "--calls", "--json", "--inventory", address];
        let output = run(&server, &words);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        let costs = said.lines().last().unwrap_or_default().to_owned();
        let price =
            |requests| format!("{{\"v\":1,\"inventory_requests\":{requests},\"created\":null}}");
        assert_eq!(costs, price(server.heads().len()), "{said}");
        server.heads().len()
    };
    let (manifest, none) = ("s3://b/manifest.json", Faults::default());
    assert_eq!(costs(MANIFEST, none, "s3://b/none.json"), 1);
    assert_eq!(costs("no", none, manifest), 1);
    assert_eq!(costs(&MANIFEST.replace("CSV", "ORC"), none, manifest), 1);
    let refused = Faults { refuse_every: Some(2), ..none };
    assert!(costs("no", refused, manifest) >= 1);
    // A manifest of more than 1 MiB takes a second request, whatever becomes of it.
    assert_eq!(costs(&" ".repeat(2 << 20), none, manifest), 2);
    assert_eq!(costs(MANIFEST, none, "s3://"), 0);
}

#[test]
fn what_cannot_be_used_is_refused() {
    let orc = MANIFEST.replace("CSV", "ORC");
    for (manifest, words, part) in [
        (MANIFEST, &["s3://other"][..], "it is of the bucket 'logs'"),
        (&orc, &["s3://logs"], "its format is ORC, and only CSV and Parquet"),
        ("no", &["s3://logs"], "cannot read 's3://b/manifest.json': it is no inventory"),
        (MANIFEST, &["gs://logs"], "--inventory is about S3"),
        (MANIFEST, &["s3://logs", "-d", "1"], "knows no folders"),
        (MANIFEST, &["/tmp"], "is for addresses of stores"),
        (MANIFEST, &["s3://logs", "--sort"], "cannot be used with"),
    ] {
        let message = refused(manifest, words);
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_file_that_is_gone_is_an_error_behind_what_was_listed() {
    let manifest = MANIFEST.replace("data/two", "none/two");
    let output = walk(&server(&manifest), &["s3://logs"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("'s3://b/none/two.csv.gz'") && message.contains("404"), "{message}");
    assert!(output.stdout.starts_with(b"s3://logs/2024/a.gz\n"));
}
