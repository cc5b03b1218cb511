//! `fewer scan s3://…`, against a server that answers as S3 does: which units are of the scan, and
//! how it ends.

#![cfg(all(feature = "stores", feature = "tables"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use replay::{Faults, Keys, Replay};
use serde_json::Value;

const KEYS: [&str; 4] = ["logs/a/1", "logs/a/2", "logs/b", "other"];

fn server(faults: Faults) -> Replay {
    Replay::start(Keys::listed(KEYS.map(str::to_owned).into()), faults).unwrap()
}

fn command(server: &Replay, out: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.arg("scan").args(words).arg("--out").arg(out).env_clear().stdin(Stdio::null());
    if !words[0].starts_with("hdfs:") {
        command.args(["--no-sign-request", "--endpoint-url", &server.address()]);
    }
    command
}

/// Scans a unit, as JSON, of these roots.
fn scan(server: &Replay, out: &Path, roots: &[&str], unit: &str) -> Output {
    let file = out.join("unit");
    fs::write(&file, unit).unwrap();
    let words = [roots, &["--unit", file.to_str().unwrap()]].concat();
    let output = command(server, out, &words).output().unwrap();
    fs::remove_file(file).unwrap();
    output
}

/// The message of a unit that is refused without a request, and leaves nothing.
fn refused(roots: &[&str], unit: &str) -> String {
    let (server, out) = (server(Faults::default()), tempfile::tempdir().unwrap());
    let output = scan(&server, out.path(), roots, unit);
    assert_eq!((output.status.code(), server.requests()), (Some(2), 0), "{unit}");
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

fn unit(address: &str, more: &str) -> String {
    format!(r#"{{"id":"7","trees":[[{{"text":"{address}"}},0]]{more}}}"#)
}

#[test]
fn a_unit_of_another_scan_is_refused() {
    for (root, other) in [
        ("s3://b/logs/", "s3://b/"),
        ("s3://b", "s3://bb/"),
        ("s3://b", "gs://b/"),
        ("s3://b", "/data"),
        ("az://c/p/", "az://c/q/"),
        ("hdfs://nn/a", "hdfs://nn/ab"),
    ] {
        let said = refused(&[root], &unit(other, ""));
        let why = format!("unit 7 is of another scan: '{other}' is below no root");
        assert_eq!(said, format!("fewer: {why}\n"), "{root}");
    }
    // Nothing is listed before all trees are known to be of the scan.
    let two = r#"{"id":"7","trees":[[{"text":"s3://b/"},0],[{"text":"s3://c/"},0]]}"#;
    assert!(refused(&["s3://b"], two).contains("'s3://c/' is below no root"));
}

#[test]
fn depths_of_a_unit_are_those_below_its_root() {
    let (server, out) = (server(Faults::default()), tempfile::tempdir().unwrap());
    let file = out.path().join("unit");
    fs::write(&file, unit("s3://b/logs/", "")).unwrap();
    let words = ["s3://b", "-d", "2", "--unit", file.to_str().unwrap()];
    let output = command(&server, out.path(), &words).output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["rows"].as_u64(), Some(1), "{result}");
}

#[test]
fn no_ranges_and_ranges_of_what_has_none_are_refused() {
    let said = refused(&["s3://b"], &unit("s3://b/", r#","ranges":[]"#));
    assert!(said.contains("its \"ranges\" is not there, or not as it should be"), "{said}");
    let ranges = r#","ranges":[{"after":{"text":"a"},"end":null}]"#;
    for root in ["az://c/", "hdfs://nn/a"] {
        let said = refused(&[root], &unit(root, ranges));
        assert!(said.contains("the unit has ranges of keys, and its root has none"), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_part_whose_result_cannot_be_printed_is_said_to_have_none() {
    let (server, out) = (server(Faults::default()), tempfile::tempdir().unwrap());
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(&server, out.path(), &["s3://b"]).stdout(full).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let part = out.path().join("part-0.parquet");
    let hint = format!(
        "fewer: '{}' belongs to no result: scan the unit again, which replaces it\n",
        part.display()
    );
    assert!(said.contains("No space left on device") && said.ends_with(&hint), "{said}");
    let before = fs::read(&part).unwrap();
    let output = command(&server, out.path(), &["s3://b"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1);
    assert_eq!(fs::read(&part).unwrap().len(), before.len());
}
