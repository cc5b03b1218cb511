//! What Ctrl-C does to `fewer sh`: to everybody at the terminal at once, so to what other shells
//! run as programs too. Compared with dash and bash.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FEWER: &str = env!("CARGO_BIN_EXE_fewer");

/// Runs it in a group of its own, which is sent the signal soon; what it wrote, and how it ended.
/// Its input stays open and empty.
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
    std::thread::sleep(Duration::from_millis(400));
    send(signal);
    let begun = Instant::now();
    let ended = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status),
            None if begun.elapsed() > Duration::from_secs(10) => break None,
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
    same("INT", "trap 'echo T' INT; sleep 3; echo after $?");
    same("INT", "trap 'echo T' INT; x=$(sleep 3; echo no); echo after $? $x");
    same("INT", "trap 'echo T; exit 5' INT; (while :; do :; done); echo no");
}

#[test]
fn a_fifo_is_not_waited_for_for_ever() {
    same("INT", "mkfifo f; cat f; echo no");
    same("INT", "mkfifo f; cat < f; echo no");
    same("TERM", "trap 'echo T; exit 4' TERM; mkfifo f; echo a > f; echo no");
    same("INT", "mkfifo f; exec 3<> f; cat f; echo no");
}
