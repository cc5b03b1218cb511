//! A program in Node.js does under `fewer why` what it does without: what is loaded into it before
//! is not to be noticed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::fs::File;
use std::process::{Command, Output};

use folder::Folder;

/// What a run prints and how it ends, with this input.
fn run(folder: &Folder, program: &str, words: &[&str]) -> (String, String, Option<i32>) {
    let mut command = folder.program(program, words);
    let Output { stdout, stderr, status } =
        command.stdin(File::open(folder.0.join("input")).unwrap()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code())
}

#[test]
fn a_program_does_what_it_does_without_being_watched() {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: there is no Node.js");
        return;
    }
    let folder = Folder::new();
    folder.write("input", "two\nlines");
    folder.write("itself.js", include_str!("why_node/itself.js"));
    let alone = run(&folder, "node", &["itself.js"]);
    assert!(alone.0.contains("the worker ended with 0"), "{alone:?}");
    assert_eq!(alone.2, Some(1), "{alone:?}");
    let words = ["why", "--threshold", "0", "-o", "report", "--", "node", "itself.js"];
    assert_eq!(run(&folder, env!("CARGO_BIN_EXE_fewer"), &words), alone);
    // It was loaded: which line asked is known.
    assert!(folder.read("report").contains("itself.js:"), "{}", folder.read("report"));
}
