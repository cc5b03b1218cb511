//! A run in which a single call fails, whichever it is, either prints a message that names the
//! failure and ends with a status other than 0, or prints the same as without it. strace injects
//! the faults.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

const FEWER: &str = env!("CARGO_BIN_EXE_fewer");

/// The results of these calls cannot fail, or they fail before `main` in the loader, the C library
/// and Rust's own start, whose messages are not ours. (strace lets `brk` return a number that the
/// kernel never returns.)
const NOT_OURS: &[&str] = &[
    "arch_prctl", "brk", "execve", "exit_group", "getrandom", "gettid", "mmap", "mprotect",
    "rt_sigaction",
];

/// From here on a run of `why` or `count` is about the program that it watches.
const WATCHING: &[&str] = &["clone", "clone3", "ptrace", "vfork"];

struct Strace {
    folder: tempfile::TempDir,
}

impl Strace {
    /// A folder with a tree in it; `None`, with a reason, where nothing can be traced.
    fn new() -> Option<Strace> {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("d/s")).unwrap();
        fs::write(folder.path().join("d/a"), "x\ny\n").unwrap();
        let strace = Strace { folder };
        let works = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
        if works.is_ok_and(|output| output.status.success()) {
            return Some(strace);
        }
        eprintln!("skipped: strace is not there, or may not trace");
        None
    }

    fn run(&self, inject: &[String], words: &[&str]) -> Output {
        let mut command = Command::new("timeout");
        command.args(["60", "strace", "-qq", "-o"]).arg(self.log());
        command.args(inject.iter().map(|inject| format!("--inject={inject}")));
        command.arg(FEWER).args(words).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("LC_ALL", "C").env("TZ", "UTC0").output().unwrap()
    }

    fn log(&self) -> std::path::PathBuf {
        self.folder.path().join("log")
    }

    /// Name and number of each call that the last run has made, in their order.
    fn calls(&self) -> Vec<(String, usize)> {
        let mut numbers = BTreeMap::new();
        let log = String::from_utf8_lossy(&fs::read(self.log()).unwrap()).into_owned();
        let names = log.lines().filter_map(|line| line.split_once('(')).map(|(name, _)| name);
        let is_name = |name: &&str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let number = |name: &str| {
            let number = numbers.entry(name.to_owned()).or_insert(0);
            *number += 1;
            (name.to_owned(), *number)
        };
        names.filter(is_name).map(number).collect()
    }
}

/// What is wrong with the end of a run with a fault.
fn complaint(whole: &Output, faulty: &Output, reason: &str) -> Option<String> {
    let said = String::from_utf8_lossy(&faulty.stderr);
    if let Some(signal) = faulty.status.signal() {
        return Some(format!("ended by signal {signal}: {said}"));
    }
    if said.contains("panicked") {
        return Some(format!("panicked: {said}"));
    }
    // The loader's words, and dash's for a builtin: output that is old enough is written by the
    // builtin that adds to it.
    let others = ["error while loading shared libraries", ": echo: I/O error"];
    let named = said.contains(reason) || others.iter().any(|words| said.contains(words));
    match faulty.status.code() {
        Some(0) if faulty.stdout == whole.stdout => None,
        Some(0) => Some("status 0 and something else was printed".to_owned()),
        Some(124) => Some("it hangs".to_owned()),
        Some(_) if named => None,
        status => Some(format!("status {status:?} without a reason: {said}")),
    }
}

/// Lets each call of a run fail, one at a time; those before `main` only if `start`.
fn sweep(strace: &Strace, words: &[&str], start: bool) -> Vec<String> {
    let (error, reason) = ("EIO", "Input/output error");
    let whole = strace.run(&[], words);
    assert!(whole.status.success(), "{words:?}: {whole:?}");
    let calls = strace.calls();
    // The last call of Rust's start before `main`.
    let main = calls.iter().position(|(name, _)| name == "sigaltstack").unwrap_or(0);
    assert!(calls.len() > 30 && main > 20, "{words:?}: {} calls, {main}", calls.len());
    let calls = &calls[if start { 0 } else { main }..];
    let ours = calls.iter().take_while(|(name, _)| !WATCHING.contains(&&**name));
    let mut wrong = Vec::new();
    for (name, number) in ours.filter(|(name, _)| !NOT_OURS.contains(&&**name)) {
        let fault = format!("{name}:error={error}:when={number}");
        let faulty = strace.run(std::slice::from_ref(&fault), words);
        if let Some(why) = complaint(&whole, &faulty, reason) {
            wrong.push(format!("{} with {fault}: {why}", words.join(" ")));
        }
    }
    wrong
}

#[test]
fn a_call_that_fails_is_named_or_not_missed() {
    let Some(strace) = Strace::new() else { return };
    let mut wrong = Vec::new();
    for (number, words) in [
        &["walk", "d"][..],
        &["walk", "--sort", "--one-file-system", "d"],
        &["ls", "-l", "d"],
        &["ls", "-R", "d"],
        &["lines", "d/a"],
        &["lines", "--count", "d/a"],
        &["count", "--", "true"],
        &["why", "--", "true"],
        &["man"],
        &["sh", "-ec", "[ $$ -gt 0 ]; echo x; cat d/a; [ -O d ] || :; : *"],
    ]
    .iter()
    .enumerate()
    {
        wrong.extend(sweep(&strace, words, number == 0));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A file system of its own may answer EPERM, and then the older call gets the same answer: that
/// does not mean that `statx` is refused, and it is used on.
#[test]
fn what_both_refuse_is_an_error_of_the_file() {
    let Some(strace) = Strace::new() else { return };
    strace.run(&[], &["ls", "-l", "d"]);
    let calls = strace.calls();
    let of_the_loader = calls.iter().filter(|(name, _)| name == "newfstatat").count();
    let older = format!("newfstatat:error=EPERM:when={}+", of_the_loader + 1);
    let refused = ["statx:error=EPERM:when=2".to_owned(), older];
    let run = strace.run(&refused, &["ls", "-l", "d"]);
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains("Operation not permitted"), "{run:?}");
    assert_eq!(run.status.code(), Some(1));
    let calls = strace.calls();
    assert!(calls.iter().filter(|(name, _)| name == "statx").count() >= 3, "{calls:?}");
}
