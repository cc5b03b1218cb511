//! Processes: spawn-per-item.

use super::*;
use crate::explain::Act;
use crate::{Event, Language, StackId};

/// `parent` starts a program that makes some calls and ends.
fn start(stream: &mut Stream, child: u32, parent: u32, program: &str, calls: u32) {
    stream.process = parent;
    stream.stack = 9;
    stream.begin(child, parent, "/bin/sh", &["sh"]);
    stream.call("clone", "", i64::from(child));
    stream.begin(child, parent, program, &["tool"]);
    stream.process = child;
    for number in 0..calls {
        stream.open_miss(&format!("/lib/part{number}.so"));
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
    // 30 openings of each but the first, and the call that made it.
    let finding = stream.found(
        "spawn-per-item",
        59 * 30 + 59,
        "`/usr/bin/basename` was started 60 times by `sh`, each time for a moment",
    );
    assert_eq!(finding.callers, [(StackId(9), 59 * 31)]);
    assert!(matches!(finding.spared[0].act, Act::Spawn { .. }));
    assert_eq!(finding.spared[0].count, 59);
}

#[test]
fn what_waits_for_a_tool_and_what_its_library_asks_for_goes_with_it() {
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for child in 2..62 {
        start(&mut stream, child, 1, "/usr/bin/basename", 30);
        stream.call("poll", "", 1);
        let Event::Call(wait) = stream.events.pop().unwrap() else { unreachable!() };
        // Before the tool has ended; and random bytes for the memory of the tool.
        let ended = stream.events.pop().unwrap();
        stream.process = child;
        stream.call("getrandom", "", 8);
        stream.process = 1;
        stream.events.extend([Event::Call(wait), ended]);
    }
    stream.found(
        "spawn-per-item",
        59 * (30 + 1) + 59 * 2,
        "`/usr/bin/basename` was started 60 times by `sh`, each time for a moment",
    );
}

#[test]
fn what_runs_in_a_copy_of_the_shell_goes_on_its_account() {
    // x=$(echo y | sed s/y/z/): a copy that starts sed.
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for round in 0..50 {
        let copy = 100 + 2 * round;
        stream.process = 1;
        stream.stack = 7;
        stream.begin(copy, 1, "/bin/sh", &["sh"]);
        stream.call("clone", "", i64::from(copy));
        start(&mut stream, copy + 1, copy, "/bin/sed", 10);
        stream.end(copy);
    }
    // Ten of sed, one of the copy, one of the shell.
    let finding = stream.found(
        "spawn-per-item",
        49 * 12,
        "`sed` was started 50 times by `sh` in a copy of itself, each time for a moment: \
         100 processes",
    );
    assert_eq!(finding.spared.iter().map(|it| it.count).sum::<u64>(), 98);
    // From where the copy starts it: that may be a function which the substitution calls.
    assert_eq!(finding.callers, [(StackId(9), 49 * 12)]);
}

#[test]
fn a_program_that_is_looked_for_and_then_started_was_not_searched_for_in_vain() {
    // Ruby looks along PATH before it makes a child.
    let started = |program: &str| {
        let mut stream = Stream::of("/usr/bin/ruby3.1", Language::Ruby, &["ruby", "a.rb"]);
        for child in 2..62 {
            for place in ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin"] {
                stream.miss(&format!("{place}/tool"));
            }
            stream.stat("/usr/bin/tool", u64::from(child));
            stream.begin(child, 1, "/usr/bin/ruby3.1", &["ruby", "a.rb"]);
            stream.call("clone", "", i64::from(child));
            stream.begin(child, 1, program, &["tool"]);
            stream.process = child;
            stream.call("execve", program, 0);
            stream.end(child);
            stream.process = 1;
        }
        stream.wastes()
    };
    // The search, the look that found it, what makes the child, and the child's own.
    assert_eq!(started("/usr/bin/tool"), [("spawn-per-item", 59 * (4 + 1 + 1))]);
    assert!(started("/usr/bin/other").contains(&("search-misses", 180)));
}

#[test]
fn a_copy_that_is_a_loop_works_for_its_maker() {
    // ls | while read -r file; do basename "$file"; done
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    stream.begin(2, 1, "/bin/sh", &["sh"]);
    stream.call("clone", "", 2);
    for child in 3..53 {
        start(&mut stream, child, 2, "/usr/bin/basename", 10);
    }
    stream.end(2);
    let verdict = "`/usr/bin/basename` was started 50 times by `sh`, each time for a moment";
    stream.found("spawn-per-item", 49 * 11, verdict);
}

#[test]
fn what_is_done_to_the_item_is_the_work() {
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for child in 2..62 {
        stream.begin(child, 1, "/bin/sh", &["sh"]);
        stream.call("clone", "", i64::from(child));
        stream.begin(child, 1, "/bin/gzip", &["gzip", "x"]);
        stream.process = child;
        stream.open_miss("/lib/libz.so");
        let item = stream.open(&format!("/w/item{child}"));
        stream.read(item, 65536, 100, 1);
        stream.close(item);
        stream.end(child);
        stream.process = 1;
    }
    // One of the library, one that made the process.
    stream.found("spawn-per-item", 59 * 2, "`/bin/gzip` was started 60 times by `sh` …");
}

#[test]
fn many_programs_of_one_loop_are_one_finding() {
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for child in 0..60 {
        let tool = ["wc", "head", "tail", "cksum", "md5sum"][child as usize % 5];
        start(&mut stream, child + 2, 1, &format!("/usr/bin/{tool}"), 10);
    }
    let verdict = "`cksum` and 4 other programs were started 60 times by `sh`, each for a moment";
    stream.found("spawn-per-item", 5 * 11 * 11, verdict);
}

#[test]
fn what_makes_a_program_ready_is_not_its_name() {
    let mut stream = Stream::of("/bin/java", Language::Java, &["java"]);
    for child in 2..62 {
        stream.begin(child, 1, "/bin/java", &["java"]);
        stream.begin(child, 1, "/jdk/lib/jspawnhelper", &["/jdk/lib/jspawnhelper", "3"]);
        stream.begin(child, 1, "/usr/bin/stat", &["stat", "x"]);
        stream.process = child;
        stream.open_miss("/lib/libc.so");
        stream.end(child);
    }
    let finding = stream.only();
    assert!(finding.verdict.starts_with("`/usr/bin/stat` was started 60 times by `java`"));
}

#[test]
fn what_the_tool_wastes_goes_with_it() {
    // Each of them looks for a library in ten places.
    let mut stream = Stream::of("/w/run", Language::C, &["run"]);
    for child in 2..62 {
        start(&mut stream, child, 1, "/usr/bin/expr", 0);
        stream.process = child;
        stream.events.pop();
        for place in 0..10 {
            stream.open_miss(&format!("/lib{place}/libgmp.so"));
        }
        stream.end(child);
        stream.process = 1;
    }
    assert_eq!(stream.only().id, "spawn-per-item");
    // But not if another one runs for a reason of its own.
    stream.begin(90, 1, "/bin/sh", &["sh"]);
    stream.begin(90, 1, "/usr/bin/expr", &["expr"]);
    stream.process = 90;
    for number in 0..2500 {
        stream.open_miss(&format!("/w/x{number}"));
    }
    stream.end(90);
    let ids: Vec<_> = stream.wastes().iter().map(|(id, _)| *id).collect();
    assert!(ids.contains(&"search-misses"), "{ids:?}");
}

#[test]
fn builders_and_long_workers_and_single_starts_are_no_waste() {
    // make's work is to start programs.
    let mut stream = Stream::of("/usr/bin/make", Language::C, &["make"]);
    for child in 2..62 {
        start(&mut stream, child, 1, "/usr/bin/touch", 5);
    }
    assert_eq!(stream.wastes(), []);
    // A compiler works on one file at a time.
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for child in 2..12 {
        start(&mut stream, child, 1, "/usr/bin/cc", 200);
    }
    assert_eq!(stream.wastes(), []);
    // What makes many calls does some work.
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for child in 2..12 {
        start(&mut stream, child, 1, "/usr/bin/report", 2500);
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
    // A call for each copy; that of the first is needed.
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
    // Three of the tool, two that make a process.
    let verdict = "`rm` was started 50 times by `clean` through a shell, each time for a moment: …";
    let finding = stream.found("spawn-per-item", 49 * 5, verdict);
    // Two processes are spared each time.
    assert_eq!(finding.spared.iter().map(|it| it.count).sum::<u64>(), 98);
}

/// Whether it is waste that a program starts git with each of these words.
fn wastes_starts(words: &[&str]) -> bool {
    let mut stream = Stream::of("/usr/bin/git", Language::C, &["git", "gc"]);
    for (child, words) in (10..).zip(words) {
        stream.begin(child, 1, "/usr/bin/git", &["git", "gc"]);
        let words: Vec<&str> = words.split(' ').collect();
        stream.begin(child, 1, "/usr/lib/git", &words);
        stream.process = child;
        stream.repeat(10, "no-open /lib/part#.so");
        stream.end(child);
        stream.process = 1;
    }
    stream.findings().iter().any(|finding| finding.id == "spawn-per-item")
}

#[test]
fn other_jobs_of_the_same_program_are_no_loop() {
    let jobs =
        ["git prune --all", "git log -d", "git repack -A -l", "git prune --expire 2", "git x"];
    assert!(!wastes_starts(&jobs));
    let items = ["git show --depth=1", "git show --depth=2", "git show --depth3 4"];
    let loops: Vec<&str> = items.iter().chain(&items).copied().collect();
    assert!(wastes_starts(&loops));
}

#[test]
fn a_script_may_be_what_starts_others() {
    let of = |words: &[&str]| {
        let mut stream = Stream::of("/usr/bin/perl", Language::Perl, words);
        (10..60).for_each(|child| start(&mut stream, child, 1, "/usr/bin/wc", 10));
        stream.wastes().len()
    };
    assert_eq!(of(&["perl", "-w", "/usr/bin/prove", "t"]), 0);
    assert_eq!(of(&["perl", "-w", "/usr/bin/count", "t"]), 1);
}

#[test]
fn what_a_copy_asks_to_become_a_program_belongs_to_starting_it() {
    let mut stream = Stream::of("/bin/bash", Language::Shell, &["bash"]);
    for child in 2..62 {
        stream.process = 1;
        stream.begin(child, 1, "/bin/bash", &["bash"]);
        stream.call("clone", "", i64::from(child));
        stream.process = child;
        for name in ["getpid", "geteuid", "getuid", "geteuid", "getuid"] {
            stream.call(name, "", 1);
        }
        stream.begin(child, 1, "/usr/bin/basename", &["basename"]);
        stream.end(child);
    }
    // Five questions and the call that made it.
    assert_eq!(stream.wastes(), [("spawn-per-item", 59 * 6)]);
}
