//! The budgets of cases are counted by our own tracer. strace checks the tracer: both count the
//! same on programs of the system.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

type Counts = BTreeMap<String, i64>;

/// The sum, the calls that `strace -c` leaves out because they never return, and lines that are no
/// calls.
const NOT_COUNTED: &[&str] = &["total", "exit", "exit_group", "@processes", "@programs"];

fn run(program: &Path, words: &[&str], command: &[&str], log: &Path) -> String {
    let mut tracer = Command::new(program);
    tracer.args(words).arg(log).args(command).current_dir("/").env("LC_ALL", "C");
    let status = tracer.stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{program:?} {command:?}");
    std::fs::read_to_string(log).unwrap()
}

fn counts<'l>(rows: impl Iterator<Item = (&'l str, &'l str)>) -> Counts {
    let mut counts = Counts::new();
    for (name, count) in rows.filter(|(name, _)| !NOT_COUNTED.contains(name)) {
        if let Ok(count) = count.parse::<i64>() {
            *counts.entry(name.to_owned()).or_default() += count;
        }
    }
    counts
}

#[test]
fn strace_and_our_tracer_count_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    for command in [
        &["true"][..],
        &["ls", "-l", "/usr/share"],
        &["find", "/etc", "-maxdepth", "1", "-name", "p*"],
        &["cat", "/etc/passwd", "/etc/group"],
        &["sort", "/etc/services"],
        // A shell that forks without running another program.
        &["sh", "-c", "(cd /; : > /dev/null); : $(echo x)"],
    ] {
        let ours = run(Path::new(env!("CARGO_BIN_EXE_tools")), &["watch-calls"], command, &log);
        let ours = counts(ours.lines().filter_map(|line| line.split_once(' ')));
        let theirs = ["-f", "-c", "-U", "name,calls", "-o"];
        let theirs = run(Path::new("strace"), &theirs, command, &log);
        let theirs = counts(theirs.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?))
        }));
        assert_eq!(ours, theirs, "{command:?}");
        assert!(ours.values().sum::<i64>() > 10, "{command:?}");
    }
}
