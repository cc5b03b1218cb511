//! An update of a snapshot that is killed, at each of its system calls: the file is the old one or
//! the new one, whole, and can be updated again.
#![allow(clippy::unwrap_used, reason = "a test may")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Longer than it takes until stamps prove something.
const GUARD: Duration = Duration::from_millis(25);

fn run(program: &str, words: &[&str], folder: &Path) -> Option<Output> {
    let mut command = Command::new(program);
    let command = command.args(words).current_dir(folder).stdin(Stdio::null());
    command.output().ok()
}

fn update(words: &[&str], folder: &Path) -> Option<Output> {
    let fewer = env!("CARGO_BIN_EXE_fewer");
    let update = ["changes", "--update", "--threads", "1", "s"];
    run("strace", &[words, &["-o", "log", "--", fewer], &update].concat(), folder)
}

#[test]
fn an_update_that_is_killed_leaves_the_old_snapshot_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("t/a/b")).unwrap();
    std::thread::sleep(GUARD);
    run(env!("CARGO_BIN_EXE_fewer"), &["snapshot", "t", "-o", "s"], folder.path()).unwrap();
    let old = fs::read(at("s")).unwrap();
    fs::write(at("t/a/new"), "").unwrap();
    std::thread::sleep(GUARD);
    let Some(whole) = update(&[], folder.path()) else {
        println!("skipped: no strace");
        return;
    };
    assert!(whole.status.success(), "{whole:?}");
    let log = fs::read_to_string(at("log")).unwrap();
    let calls: Vec<&str> = log.lines().filter_map(|line| Some(line.split_once('(')?.0)).collect();
    let renamed = check_order(&calls);
    let new = fs::read(at("s")).unwrap();
    assert_ne!(new, old);

    // The first is the execve.
    for (index, call) in calls.iter().enumerate().skip(1) {
        let before = calls[..index].iter().filter(|other| *other == call).count();
        fs::write(at("s"), &old).unwrap();
        let killed = format!("--inject={call}:signal=KILL:when={}", before + 1);
        let killed = update(&[&killed], folder.path()).unwrap();
        assert_eq!(killed.status.signal(), Some(9), "{index}: {call}");
        let expected = if index <= renamed { &old } else { &new };
        assert!(fs::read(at("s")).unwrap() == *expected, "killed at call {index}, {call}");
        remove_what_is_left(folder.path());
    }
}

/// The new file is on the disk before it takes the name, and the name is before it ends. Which of
/// the calls gives it the name.
fn check_order(calls: &[&str]) -> usize {
    let all = ["write", "fdatasync", "renameat2"];
    let last: Vec<&str> = calls.iter().filter(|call| all.contains(call)).copied().collect();
    // The change on standard output, then the snapshot.
    assert_eq!(last, ["write", "write", "fdatasync", "renameat2", "fdatasync"]);
    calls.iter().position(|call| *call == "renameat2").unwrap()
}

/// Removes the new file that did not take the name: a hidden one, of which there is one at most.
fn remove_what_is_left(folder: &Path) {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    let left: Vec<_> = names.iter().filter(|name| name.starts_with('.')).collect();
    assert!(names.len() - left.len() == 3 && left.len() <= 1, "{names:?}");
    for name in left {
        assert!(name.starts_with(".s.") && name.ends_with(".new"), "{name}");
        fs::remove_file(folder.join(name)).unwrap();
    }
}
