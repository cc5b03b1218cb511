//! An input that is the file printed to would grow for ever.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs::{self, File, OpenOptions};
use std::process::{Command, Output};

const FEWER: &str = env!("CARGO_BIN_EXE_fewer");

/// Prints with these words to the end of a file in a folder.
fn append(folder: &std::path::Path, words: &[&str], input: Option<File>) -> Output {
    let output = OpenOptions::new().append(true).open(folder.join("f")).unwrap();
    let mut command = Command::new("timeout");
    command.args(["20", FEWER, "lines"]).args(words).current_dir(folder);
    command.stdin(input.unwrap_or_else(|| File::open("/dev/null").unwrap()));
    command.stdout(output).output().unwrap()
}

#[test]
fn it_ends_with_an_error_once_the_file_is_seen_to_grow() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f");
    let block = "x\n".repeat(128 << 10);
    for (text, words) in [
        ("a\nb\n", &["f"][..]),
        ("a\nb\n", &["-n", "f"]),
        ("a\nb\n", &["--json", "f"]),
        // Each read gives a whole block.
        (&*block, &["f"]),
    ] {
        fs::write(&file, text).unwrap();
        let run = append(folder.path(), words, None);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(said, "fewer: 'f': input file is output file\n", "{words:?}");
        assert_eq!(run.status.code(), Some(1), "{words:?}");
        assert!(fs::metadata(&file).unwrap().len() < 100 << 20, "{words:?}");
    }
}

#[test]
fn a_standard_input_ends_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f");
    fs::write(&file, "x\n".repeat(500_000)).unwrap();
    let run = append(folder.path(), &[], Some(File::open(&file).unwrap()));
    assert_eq!(run.status.code(), Some(1), "{run:?}");
}

#[test]
fn another_file_may_grow() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f"), "").unwrap();
    fs::write(folder.path().join("g"), "a\n").unwrap();
    let run = append(folder.path(), &["g", "g"], None);
    assert!(run.status.success(), "{run:?}");
    assert_eq!(fs::read_to_string(folder.path().join("f")).unwrap(), "a\na\n");
}
