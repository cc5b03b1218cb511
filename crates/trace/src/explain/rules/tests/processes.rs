//! Processes: spawn-per-item.

use super::*;
use crate::explain::Act;
use crate::{Language, StackId};

/// `parent` starts a program that makes some calls and ends.
fn start(stream: &mut Stream, child: u32, parent: u32, program: &str, calls: u32) {
    stream.process = parent;
    stream.stack = 9;
    stream.begin(child, parent, "/bin/sh", &["sh"]);
    stream.call("clone", "", i64::from(child));
    stream.begin(child, parent, program, &["tool"]);
    stream.process = child;
    for number in 0..calls {
        stream.open_miss(&format!("/w/c{child}-{number}"));
    }
    stream.end(child);
    stream.process = parent;
}

#[test]
fn a_tool_is_started_for_every_item() {
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for child in 2..62 {
        start(&mut stream, child, 1, "/usr/bin/basename", 30);
    }
    let finding = stream.found(
        "spawn-per-item",
        59,
        "`/usr/bin/basename` was started 60 times by `sh`, each time for a moment",
    );
    assert_eq!(finding.callers, [(StackId(9), 59)]);
    assert!(matches!(finding.spared[0].act, Act::Spawn { .. }));
    assert_eq!(finding.spared[0].count, 59);
}

#[test]
fn what_runs_in_a_copy_of_the_shell_goes_on_its_account() {
    // x=$(echo y | sed s/y/z/): a copy that starts sed.
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for round in 0..50 {
        let copy = 100 + 2 * round;
        stream.process = 1;
        stream.begin(copy, 1, "/bin/sh", &["sh"]);
        start(&mut stream, copy + 1, copy, "/bin/sed", 10);
        stream.end(copy);
    }
    let said: Vec<_> = stream.findings().into_iter().map(|finding| finding.verdict).collect();
    assert!(said.iter().any(|said| said.starts_with("`/bin/sed` was started 50 times by `sh`")));
    assert!(said.iter().any(|said| said.starts_with("`sh` made a copy of itself 50 times")));
}

#[test]
fn builders_and_long_workers_and_single_starts_are_no_waste() {
    // make's work is to start programs.
    let mut stream = Stream::of("/usr/bin/make", Language::C, &["make"]);
    for child in 2..62 {
        start(&mut stream, child, 1, "/usr/bin/touch", 5);
    }
    assert_eq!(stream.wastes(), []);
    // A compiler starts others itself, and makes many calls.
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for child in 2..12 {
        start(&mut stream, child, 1, "/usr/bin/cc", 1200);
    }
    assert_eq!(stream.wastes(), []);
    // One of each.
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for child in 2..62 {
        start(&mut stream, child, 1, &format!("/usr/bin/tool{child}"), 5);
    }
    assert_eq!(stream.wastes(), []);
}

#[test]
fn a_server_that_copies_itself_is_no_shell() {
    for (language, wasted) in [(Language::C, 0), (Language::Shell, 49)] {
        let mut stream = Stream::of("/usr/bin/server", language, &["server"]);
        for child in 2..52 {
            stream.begin(child, 1, "/usr/bin/server", &["server"]);
            stream.call("clone", "", i64::from(child));
            stream.end(child);
        }
        assert_eq!(stream.findings().iter().map(|it| it.wasted).sum::<u64>(), wasted);
    }
}

#[test]
fn a_shell_that_system_starts_may_start_the_tool_itself() {
    let mut stream = Stream::of("/w/clean", Language::C, &["clean"]);
    for round in 0..50 {
        let shell = 100 + 2 * round;
        stream.process = 1;
        stream.begin(shell, 1, "/w/clean", &["clean"]);
        stream.call("clone3", "", i64::from(shell));
        stream.begin(shell, 1, "/bin/sh", &["sh", "-c", "rm x"]);
        start(&mut stream, shell + 1, shell, "/usr/bin/rm", 3);
        stream.end(shell);
    }
    stream.found("spawn-per-item", 49, "`/bin/sh` was started 50 times by `clean` …");
}
