//! Signals and the commands of `fewer walk`: what ends it from the terminal ends them, too.

#![allow(clippy::unwrap_used, reason = "a test may")]

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Starts `fewer walk` in a process group of its own, on three files.
fn start(words: &[&str], folder: &std::path::Path) -> Child {
    for name in ["a", "b", "c"] {
        fs::write(folder.join(name), "").unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.args(["walk", "-t", "f", "-j", "3"]).arg(folder).args(words).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
}

/// The processes of a group whose program is `sleep`, and which signals each blocks.
fn sleepers(group: u32) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let folder = entry.ok()?.path();
        let stat = fs::read_to_string(folder.join("stat")).ok()?;
        let (name, rest) = stat.split_once('(')?.1.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        if name != "sleep" || fields[0] == "Z" || fields[2] != group.to_string() {
            return None;
        }
        let status = fs::read_to_string(folder.join("status")).ok()?;
        Some(status.lines().find(|line| line.starts_with("SigBlk:"))?.to_owned())
    });
    processes.collect()
}

fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn ctrl_c_ends_the_walk_and_its_commands() {
    for (flag, number) in [("-x", 3), ("-X", 1)] {
        let folder = tempfile::tempdir().unwrap();
        // The path is an argument of the shell, which does not use it.
        let mut child = start(&[flag, "sh", "-c", "exec sleep 100"], folder.path());
        let group = child.id();
        wait_until("commands are running", || sleepers(group).len() == number);
        for blocked in sleepers(group) {
            assert_eq!(blocked, "SigBlk:\t0000000000000000", "{flag}");
        }
        let target = format!("-{group}");
        assert!(Command::new("kill").args(["-INT", "--", &target]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(2));
        wait_until("commands have ended", || sleepers(group).is_empty());
    }
}
