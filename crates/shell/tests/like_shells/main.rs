//! What scripts write, and their status, is that of the shells themselves, asked at the time.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod arithmetic;
mod conditions;
mod fields;
mod formats;
mod processes;
mod redirections;
mod scripts;

use std::path::Path;
use std::process::{Command, Stdio};

use fewer::Scope;
use fewer_shell::{Dialect, Runner};
use proptest::prelude::ProptestConfig;

const ALL: [Dialect; 3] = [Dialect::Posix, Dialect::Bash, Dialect::Ksh];

const ENVIRONMENT: [(&str, &str); 4] = [
    ("PATH", "/usr/bin:/bin"),
    ("HOME", "/home/somebody"),
    ("LC_ALL", "C.UTF-8"),
    ("TZ", "Europe/Berlin"),
];

const ARGUMENTS: [&str; 2] = ["one", "two words"];

/// What is written, what is said, and the status.
#[derive(Debug, PartialEq)]
struct Outcome {
    out: String,
    errors: String,
    status: Option<i32>,
}

impl Outcome {
    fn of(out: &[u8], errors: &[u8], status: Option<i32>) -> Option<Outcome> {
        let text = |bytes: &[u8]| bytes.escape_ascii().to_string().replace("\\n", "\n");
        Some(Outcome { out: text(out), errors: text(errors), status })
    }
}

/// What a script comes to in a folder of its own, in which it stands in a file.
fn in_folder(script: &[u8], run: impl FnOnce(&Path) -> Option<Outcome>) -> Option<Outcome> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("script"), script).unwrap();
    run(folder.path())
}

/// None, and a line that says why, if the script is left to its own shell.
fn ours(dialect: Dialect, script: &[u8]) -> Option<Outcome> {
    in_folder(script, |folder| {
        let scope = Scope::start().enter(folder).unwrap();
        let mut runner = Runner::new(dialect).processes(true).environment(ENVIRONMENT);
        runner = runner.directory(scope).name("script");
        let outcome = runner.set_arguments(ARGUMENTS).run(script);
        let outcome = outcome.inspect_err(|refused| eprintln!("{refused:?}")).ok()?;
        Outcome::of(&outcome.stdout, &outcome.stderr, Some(outcome.status.into()))
    })
}

/// None, and a line that says so, if the shell is not on this machine.
fn theirs(dialect: Dialect, script: &[u8]) -> Option<Outcome> {
    let shell = match dialect {
        Dialect::Posix => "dash",
        Dialect::Bash => "bash",
        Dialect::Ksh => "ksh93",
    };
    in_folder(script, |folder| {
        let mut command = Command::new(shell);
        command.arg("script").args(ARGUMENTS).current_dir(folder).stdin(Stdio::null());
        let Ok(output) = command.env_clear().envs(ENVIRONMENT).output() else {
            eprintln!("{shell} is not here: its part of the test is left out");
            return None;
        };
        Outcome::of(&output.stdout, &output.stderr, output.status.code())
    })
}

/// Pieces of a script, each made of something.
fn each<T>(all: impl IntoIterator<Item = T>, piece: impl Fn(T) -> String) -> Vec<Vec<u8>> {
    all.into_iter().map(|one| piece(one).into_bytes()).collect()
}

/// A word in quotes.
fn quoted(word: impl AsRef<[u8]>) -> Vec<u8> {
    let inside: Vec<&[u8]> = word.as_ref().split(|byte| *byte == b'\'').collect();
    [b"'", &inside.join(&b"'\\''"[..])[..], b"'"].concat()
}

/// Each piece writes and says the same behind these commands, and has the same status.
fn agree(dialect: Dialect, before: &str, pieces: &[Vec<u8>]) {
    agree_but(dialect, before, pieces, |_, ours, theirs| ours == theirs);
}

fn agree_but(
    dialect: Dialect,
    before: &str,
    pieces: &[Vec<u8>],
    alike: impl Fn(&str, &str, &str) -> bool,
) {
    let mut script = format!("{before}\n").into_bytes();
    for piece in pieces {
        script.extend([b"(", &piece[..], b"\n) 2>&1\necho \" $?\"\necho ---\n"].concat());
    }
    let Some(theirs) = theirs(dialect, &script) else { return };
    let ours = ours(dialect, &script).expect("it is not left to its shell");
    let (ours, theirs) = (ours.out.split("---\n"), theirs.out.split("---\n"));
    assert_eq!(theirs.clone().count(), pieces.len() + 1, "it goes to the end");
    let mut wrong = Vec::new();
    for ((piece, ours), theirs) in pieces.iter().zip(ours).zip(theirs) {
        let piece = String::from_utf8_lossy(piece);
        if !alike(&piece, ours, theirs) {
            wrong.push(format!("{piece}\n{dialect:?}: {theirs}ours: {ours}"));
        }
    }
    let count = wrong.len();
    wrong.truncate(12);
    assert!(wrong.is_empty(), "{count} of {}:\n{}", pieces.len(), wrong.join("\n"));
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 0, ..Default::default() }
}
