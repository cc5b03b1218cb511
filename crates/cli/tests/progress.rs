//! The progress on a terminal: a line on the standard error once the work has lasted a second, gone
//! without a trace at the end. `script` makes the terminal, strace makes the file system slow.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use folder::{Folder, send, wait_until};

const CLEAR: &str = "\r\x1b[K";
/// Behind each line of progress.
const CLEAR_REST: &str = "\x1b[K";

/// What a terminal of 60 columns gets from a command line, which finds `fewer` in `$F`. `None` if
/// there is no `script`.
fn screen(folder: &Folder, line: &str, env: &[(&str, &str)]) -> Option<String> {
    screen_and(folder, line, env, || ())
}

/// The same; something is done as soon as progress is shown.
fn screen_and(
    folder: &Folder,
    line: &str,
    env: &[(&str, &str)],
    act: impl FnOnce(),
) -> Option<String> {
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("skipped: there is no script(1)");
        return None;
    }
    let line = format!("stty cols 60; {line}");
    let mut script = folder.program("script", &["-qefc", &line, "/dev/null"]);
    script.env("F", env!("CARGO_BIN_EXE_fewer")).env("SHELL", "/bin/sh").env("TERM", "xterm");
    let mut script = script.envs(env.iter().copied()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut shown, mut some) = (Vec::new(), [0; 4096]);
    let mut act = Some(act);
    let mut stdout = script.stdout.take().unwrap();
    while let length @ 1.. = stdout.read(&mut some).unwrap() {
        shown.extend_from_slice(&some[..length]);
        if String::from_utf8_lossy(&shown).contains(CLEAR_REST)
            && let Some(act) = act.take()
        {
            act();
        }
    }
    script.wait().unwrap();
    Some(String::from_utf8_lossy(&shown).into_owned())
}

/// Whether the screen had a line of progress with these words, and nothing is left of it.
#[track_caller]
fn assert_progress(screen: &str, words: &[&str], left: &str) {
    let (progress, rest) = screen.rsplit_once(CLEAR).unwrap_or_else(|| panic!("{screen:?}"));
    assert_eq!(rest, left, "{screen:?}");
    for line in progress.split('\r').filter(|line| !line.is_empty()) {
        assert!(line.ends_with(CLEAR_REST) && line.len() < 60 + CLEAR_REST.len(), "{line:?}");
        assert!(words.iter().all(|word| line.contains(word)), "{line:?}");
    }
    assert!(progress.contains(words[0]), "{screen:?}");
}

/// 12 directories of 300 files, each of which takes so many milliseconds to be read, one after the
/// other, as does the one that they are in.
fn slow_tree(folder: &Folder, milliseconds: u32) -> bool {
    for directory in 0..12 {
        fs::create_dir(folder.0.join(format!("d{directory}"))).unwrap();
        for file in 0..300 {
            folder.write(&format!("d{directory}/{file}"), "");
        }
    }
    folder.write(
        "slow",
        &format!(
            "exec strace -f -qq -o /dev/null -e trace=getdents64 \
             -e inject=getdents64:delay_enter={milliseconds}000 \"$F\" \"$@\" -j 1\n"
        ),
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
    if !slow_tree(&folder, 200) {
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
    for job in ["lines --count", "size -s .", "walk ."] {
        let line = format!("seq 100000 | \"$F\" {job} >out");
        // On a busy machine it may not be quick.
        wait_until("it is never quick", || {
            let begun = Instant::now();
            let screen = screen(&folder, &line, &[]).unwrap();
            let is_quick = begun.elapsed() < Duration::from_secs(1);
            assert!(screen.is_empty() || !is_quick, "{screen:?}");
            is_quick
        });
    }
}

#[test]
fn a_signal_or_a_reader_that_has_gone_leaves_no_progress_behind() {
    let folder = Folder::new();
    // Long enough for what is done once it shows progress.
    if !slow_tree(&folder, 400) {
        return;
    }
    let words = [" directories, ", " entries, ", " entries/s"];
    for (signal, job) in [
        ("INT", "walk . >out"),
        ("TERM", "size . >out"),
        ("HUP", "walk --count . >out"),
        ("INT", "snapshot -o snapshot ."),
    ] {
        // timeout sends it to all processes behind it when its time is over, or said to be.
        let timeout = format!("exec timeout -s {signal} 60 sh slow {job}");
        let line = format!("sh -c 'echo $$ >number; {timeout}' || true");
        let act = || send(folder.read("number").trim().parse().unwrap(), "ALRM");
        let Some(screen) = screen_and(&folder, &line, &[], act) else { return };
        assert_progress(&screen, &words, "");
    }
    let line = "sh slow walk . | timeout 60 sh -c 'until [ -e shown ]; do sleep 0.01; done'";
    let Some(screen) = screen_and(&folder, line, &[], || folder.write("shown", "")) else { return };
    assert_progress(&screen, &words, "");
}
