//! The progress on a terminal: a line on the standard error once the work has lasted a second, gone
//! without a trace at the end. `script` makes the terminal, strace makes the file system slow.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::fs;
use std::process::Command;

use folder::Folder;

const CLEAR: &str = "\r\x1b[K";

/// What a terminal of 60 columns gets from a command line, which finds `fewer` in `$F`. `None` if
/// there is no `script`.
fn screen(folder: &Folder, line: &str, env: &[(&str, &str)]) -> Option<String> {
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("skipped: there is no script(1)");
        return None;
    }
    let line = format!("stty cols 60; {line}");
    let mut script = folder.program("script", &["-qefc", &line, "/dev/null"]);
    script.env("F", env!("CARGO_BIN_EXE_fewer")).env("SHELL", "/bin/sh").env("TERM", "xterm");
    let output = script.envs(env.iter().copied()).output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether the screen had a line of progress with these words, and nothing is left of it.
#[track_caller]
fn assert_progress(screen: &str, words: &[&str], left: &str) {
    let (progress, rest) = screen.rsplit_once(CLEAR).unwrap_or_else(|| panic!("{screen:?}"));
    assert_eq!(rest, left, "{screen:?}");
    for line in progress.split('\r').filter(|line| !line.is_empty()) {
        assert!(line.ends_with("\x1b[K") && line.len() < 60 + "\x1b[K".len(), "{line:?}");
        assert!(words.iter().all(|word| line.contains(word)), "{line:?}");
    }
    assert!(progress.contains(words[0]), "{screen:?}");
}

/// 12 directories of 300 files, each of which takes 0.2 s to be read, one after the other: together
/// 2.6 s.
fn slow_tree(folder: &Folder) -> bool {
    for directory in 0..12 {
        fs::create_dir(folder.0.join(format!("d{directory}"))).unwrap();
        for file in 0..300 {
            folder.write(&format!("d{directory}/{file}"), "");
        }
    }
    folder.write(
        "slow",
        "exec strace -f -qq -o /dev/null -e trace=getdents64 \
        -e inject=getdents64:delay_enter=200000 \"$F\" \"$@\" -j 1\n",
    );
    let works = folder.program("sh", &["slow", "walk", "d0"]).env("F", "/bin/true").status();
    let works = works.is_ok_and(|status| status.success());
    if !works {
        eprintln!("skipped: strace does not work here");
    }
    works
}

#[test]
fn trees_that_take_longer_than_a_second_show_directories_entries_and_rate() {
    let folder = Folder::new();
    if !slow_tree(&folder) {
        return;
    }
    let words = [" directories, ", " entries, ", " entries/s"];
    for (line, left) in [
        ("sh slow walk . >out", ""),
        ("sh slow walk --count . >out", ""),
        ("sh slow walk --summary --json . >out", ""),
        ("sh slow size -s . >out", ""),
        ("sh slow snapshot -o snapshot .", ""),
        // Its results come when the progress is gone, so they may go to the terminal.
        ("sh slow size -s --block-size=1G .", "1 100% #################### .\r\n"),
    ] {
        let Some(screen) = screen(&folder, line, &[]) else { return };
        assert_progress(&screen, &words, left);
    }
    let walk = "sh slow walk --count .";
    for (line, env) in [
        (walk, &[][..]),
        ("sh slow walk . >out", &[("TERM", "dumb")]),
        ("sh slow walk --no-progress . >out", &[]),
        ("sh slow size --no-progress . >out", &[]),
        ("sh slow walk --summary --no-progress . >out", &[]),
        ("sh slow snapshot --no-progress -o snapshot .", &[]),
    ] {
        let Some(screen) = screen(&folder, line, env) else { return };
        assert!(!screen.contains('\x1b') && !screen.contains("entries/s"), "{screen:?}");
    }
}

#[test]
fn lines_show_their_number_and_what_is_quick_shows_nothing() {
    let folder = Folder::new();
    let slow = "{ seq 100000; sleep 1.3; seq 100000; } | \"$F\" lines --count >out";
    let Some(slow) = screen(&folder, slow, &[]) else { return };
    assert_progress(&slow, &[" lines, ", " lines/s"], "");
    assert_eq!(folder.read("out"), "200000\n");
    let quick = "for job in 'lines --count' 'size -s .' 'walk .'; do \
                 seq 100000 | \"$F\" $job >out; done";
    assert_eq!(screen(&folder, quick, &[]).unwrap(), "");
}

#[test]
fn a_signal_or_a_reader_that_has_gone_leaves_no_progress_behind() {
    let folder = Folder::new();
    if !slow_tree(&folder) {
        return;
    }
    let words = [" directories, ", " entries, ", " entries/s"];
    for line in [
        "timeout -s INT 1.9 sh slow walk . >out || true",
        "timeout -s TERM 1.9 sh slow size . >out || true",
        "timeout -s HUP 1.9 sh slow walk --count . >out || true",
        "timeout -s INT 1.9 sh slow snapshot -o snapshot . || true", "sh slow walk . | sleep 1.9",
    ] {
        let Some(screen) = screen(&folder, line, &[]) else { return };
        assert_progress(&screen, &words, "");
    }
}
