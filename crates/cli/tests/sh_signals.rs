//! Ctrl-C during `fewer sh`: the terminal sends it to all processes at once, so also to the tools
//! that other shells run as programs. Compared with dash and bash.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod at_rest;

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FEWER: &str = env!("CARGO_BIN_EXE_fewer");

/// Runs the command in a process group of its own, to which the signal is sent when it has come as
/// far as it can; returns what it wrote and how it ended. Its input stays open and empty.
fn interrupted(mut command: Command, signal: &str) -> (String, Option<i32>, Option<i32>) {
    let here = tempfile::tempdir().unwrap();
    command.current_dir(here.path()).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let group = format!("-{}", child.id());
    let send = |signal: &str| {
        let words = ["-c", "kill -s \"$0\" -- \"$1\"", signal, &group];
        Command::new("sh").args(words).stderr(Stdio::null()).status().unwrap();
    };
    at_rest::wait_for(child.id());
    send(signal);
    let begun = Instant::now();
    let ended = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status),
            None if begun.elapsed() > Duration::from_secs(30) => break None,
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    send("KILL");
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    let _ = child.wait();
    let status = ended.expect("it hangs");
    (out, status.code(), status.signal())
}

fn same(signal: &str, script: &str) {
    for (judge, dialect) in [("dash", "--posix"), ("bash", "--bash")] {
        let mut theirs = Command::new(judge);
        theirs.args(["-c", script]);
        let mut ours = Command::new(FEWER);
        ours.args(["sh", dialect, "-c", script]);
        assert_eq!(interrupted(ours, signal), interrupted(theirs, signal), "{judge}: {script}");
    }
}

#[test]
fn an_interrupt_ends_the_tool_and_runs_the_trap() {
    same("INT", "trap 'echo T' INT; cat; echo after $?");
    same("INT", "trap 'echo T' INT; sleep 60; echo after $?");
    same("INT", "trap 'echo T' INT; x=$(sleep 60; echo no); echo after $? $x");
    same("INT", "trap 'echo T; exit 5' INT; (while :; do :; done); echo no");
}

#[test]
fn a_fifo_is_not_waited_for_for_ever() {
    same("INT", "mkfifo f; cat f; echo no");
    same("INT", "mkfifo f; cat < f; echo no");
    same("TERM", "trap 'echo T; exit 4' TERM; mkfifo f; echo a > f; echo no");
    same("INT", "mkfifo f; exec 3<> f; cat f; echo no");
}

/// What each shell lists, sets and hands on when it is started with signals ignored.
#[test]
fn what_was_ignored_at_the_start_stays_ignored_and_is_listed_as_by_the_others() {
    let scripts = [
        "trap; (trap); x=$(trap); echo \"$x\"",
        "trap 'echo x' HUP; echo $?; trap; kill -HUP $$; echo after",
        "trap - HUP; trap; trap '' HUP; trap; trap - HUP; trap",
        "trap 'echo x' USR1; trap; kill -USR1 $$; echo after",
        "(trap 'echo a' HUP; trap; kill -HUP $(exec sh -c 'echo $PPID'); echo b)",
        "trap 'echo e' EXIT; trap; kill -TERM $$; echo z",
        "{ trap; } & wait; { trap 'echo x' INT; trap; } & wait",
        "trap 'echo int' INT; trap; sh -c 'kill -INT $PPID'; echo k",
        "f() { trap 'echo a' QUIT; }; f; trap; trap '' USR2; trap; (trap)",
        "trap 'echo x' PIPE; trap; trap - PIPE; yes | head -n 1; echo $?; printenv none; trap",
        // What a child has: bits 1, 2, 3, 10, 13 and 15 of a mask, whatever the C library adds.
        "trap 'echo q' QUIT; m=$(sed -n 's/SigIgn:.*\\(....\\)$/\\1/p' /proc/self/status); echo $m",
    ];
    for (judge, dialect) in [("dash", "--posix"), ("bash", "--bash"), ("ksh93", "--ksh")] {
        if Command::new(judge).args(["-c", ":"]).status().is_err() {
            println!("skipped: there is no {judge}");
            continue;
        }
        for signals in ["HUP,INT,QUIT", "HUP,INT,QUIT,USR1,PIPE,TERM", "USR1", "QUIT", "PIPE"] {
            for script in scripts {
                let run = |words: &[&str]| {
                    let mut env = Command::new("env");
                    env.arg(format!("--ignore-signal={signals}")).args(words);
                    let done = env.args(["-c", script, "name"]).output().unwrap();
                    (done.status.code(), String::from_utf8_lossy(&done.stdout).into_owned())
                };
                let ours = run(&[FEWER, "sh", dialect]);
                assert_eq!(ours, run(&[judge]), "{judge}: {signals}: {script}");
            }
        }
    }
}

/// An action that resets its trap and sends the signal again ends the script there, as does a fatal
/// signal like SEGV; what was written under another limit is not lost.
#[test]
fn what_a_script_does_to_itself_ends_it_where_it_stands() {
    let scripts = [
        "trap 'trap - INT; kill -INT $$' INT; kill -INT $$; echo not here",
        "trap 'echo bye; trap - TERM; kill -TERM $$' TERM; kill -TERM $$; /bin/echo not here",
        "trap 'trap - HUP; kill -HUP $$' HUP; (kill -HUP $$); :; :; echo not here",
        "trap 'n=$((n + 1)); [ $n -gt 3 ] || kill -USR1 $$; echo $n' USR1; kill -USR1 $$; echo end",
        "echo before; kill -SEGV $$; echo not here",
        "echo before; kill -BUS $$; echo not here",
        "trap 'echo fault' SEGV; kill -SEGV $$; echo here",
        "echo before; ulimit -c 0; ulimit -f 0; echo x >file; echo not here",
    ];
    let here = tempfile::tempdir().unwrap();
    for (judge, dialect) in [("dash", "--posix"), ("bash", "--bash"), ("ksh93", "--ksh")] {
        if Command::new(judge).args(["-c", ":"]).status().is_err() {
            println!("skipped: there is no {judge}");
            continue;
        }
        for script in scripts {
            if judge == "ksh93" && script.contains("USR1") {
                continue; // it loses a signal that its own action sends
            }
            let run = |words: &[&str]| {
                let mut command = Command::new(words[0]);
                command.args(&words[1..]).args(["-c", script, "name"]).current_dir(&here);
                let done = command.output().unwrap();
                (done.status.signal(), String::from_utf8_lossy(&done.stdout).into_owned())
            };
            assert_eq!(run(&[FEWER, "sh", dialect]), run(&[judge]), "{judge}: {script}");
        }
    }
}
