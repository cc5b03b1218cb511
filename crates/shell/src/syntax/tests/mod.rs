//! The parser's tests. The shells of this machine are the judges: what is refused here must be
//! refused there, in the same words. What is read right shows when it runs: `scripts_like_shells`.

mod braces;
mod corpus;
mod deep;
mod refusals;
mod shape;

use std::process::{Command, Output, Stdio};

use crate::Dialect;

/// The shell that is the judge of a dialect.
fn judge(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Posix => "dash",
        Dialect::Bash => "bash",
        Dialect::Ksh => "ksh93",
    }
}

/// Whether the judge is on this machine; says so if not.
fn present(dialect: Dialect) -> bool {
    let there = run(dialect, &[], b"exit 0").is_some();
    if !there {
        eprintln!("{} is not here: its part of the test is left out", judge(dialect));
    }
    there
}

/// What the judge does with a script, which it reads as a file.
fn run(dialect: Dialect, flags: &[&str], script: &[u8]) -> Option<Output> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("script");
    std::fs::write(&file, script).expect("a script");
    Command::new(judge(dialect))
        .args(flags)
        .arg(&file)
        .args(["one", "two words"])
        .current_dir(folder.path())
        .env("HOME", "/home/somebody")
        .stdin(Stdio::null())
        .output()
        .ok()
}
