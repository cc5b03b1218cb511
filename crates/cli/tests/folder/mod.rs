//! A scratch folder to run `fewer` in, removed at the end, and helpers that check a run.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder of its own, with a blank in its name, below one that is removed.
pub(crate) struct Folder(pub(crate) PathBuf, tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        let around = tempfile::tempdir().unwrap();
        let path = around.path().canonicalize().unwrap().join("a folder");
        fs::create_dir(&path).unwrap();
        Folder(path, around)
    }

    /// A program that is to run in it.
    pub(crate) fn program(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null()).env("LC_ALL", "C");
        command
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.program(env!("CARGO_BIN_EXE_fewer"), arguments)
    }

    pub(crate) fn fewer(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    /// Compiles a program in C.
    pub(crate) fn compile(&self, name: &str, source: &str) {
        let text = format!("{name}.c");
        self.write(&text, source);
        let mut cc = self.program("cc", &["-g", "-O0", "-o", name, &text]);
        assert!(cc.status().unwrap().success(), "the C compiler");
    }
}

/// Waits for a fact, however slow the machine is.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal by its name.
#[track_caller]
pub(crate) fn send(process: u32, signal: &str) {
    let sent = Command::new("kill").args(["-s", signal, &process.to_string()]).status();
    assert!(sent.unwrap().success(), "{signal}");
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What was printed by a run that has to end with this status.
#[track_caller]
pub(crate) fn expect(output: &Output, status: i32) -> String {
    let (out, err) = (out(output), err(output));
    assert_eq!(output.status.code(), Some(status), "{out}{err}");
    out
}
