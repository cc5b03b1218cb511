//! `fewer why --top` shows what is wasted now while a program runs. `script` makes the terminal.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::process::Command;

use folder::{Folder, err, expect};

/// Looks at the same file again and again, and computes in between, until it is killed.
const LOOPS: &str = r#"
#include <sys/stat.h>

static void look(void) {
    struct stat zone;
    stat("template", &zone);
}

int main(void) {
    for (;;) {
        for (int i = 0; i < 10; i++)
            look();
        for (volatile int work = 0; work < 1000000; work++);
    }
}
"#;

/// Where the C library's `stat` is called.
const SITE: &str = "loops.c:6";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.compile("loops", LOOPS);
    folder.write("template", "");
    folder
}

/// A program that is killed in the end.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn without_a_terminal_blocks_follow_each_other_and_then_the_report() {
    let folder = folder();
    let loops = Running(folder.program("./loops", &[]).spawn().unwrap());
    let number = loops.0.id().to_string();
    let flags = ["why", "--top", "--interval", "200ms", "--for", "2s", "-p", &number];
    let output = folder.fewer(&flags);
    expect(&output, 0);
    let text = err(&output);
    assert!(!text.contains('\x1b'), "{text}");
    let found: Vec<&str> = text
        .split("\n\n")
        .filter(|block| block.contains(" calls/s, ") && block.contains("same-stat"))
        .collect();
    assert!(found.len() >= 2, "{text}");
    for block in found {
        let line = block.lines().find(|line| line.starts_with("same-stat")).unwrap();
        for word in ["look", SITE, "template"] {
            assert!(line.contains(word), "{line}");
        }
    }
    assert!(text.contains("1. same-stat: "), "the report is missing: {text}");
}

#[test]
fn on_a_terminal_it_is_in_place_and_gone_after_ctrl_c() {
    let folder = folder();
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("skipped: there is no script(1)");
        return;
    }
    let loops = Running(folder.program("./loops", &[]).spawn().unwrap());
    let line = format!(
        "stty cols 80 rows 3; exec timeout -s INT 3 \"$F\" why --top --interval 300ms -p {}",
        loops.0.id(),
    );
    let mut script = folder.program("script", &["-qec", &line, "/dev/null"]);
    script.env("F", env!("CARGO_BIN_EXE_fewer")).env("SHELL", "/bin/sh").env("TERM", "xterm");
    let output = script.env("NO_COLOR", "1").output().unwrap();
    let screen = String::from_utf8_lossy(&output.stdout).into_owned();
    // What is shown is taken away again, line by line; then comes the report.
    let mut parts: Vec<&str> = screen.split("\r\x1b[").collect();
    let report = parts.pop().unwrap();
    assert!(parts.len() >= 2, "{screen:?}");
    let mut before = parts[0];
    for part in parts[1..].iter().copied().chain([report]) {
        let (up, rest) = part.split_once("A\x1b[J").unwrap_or_else(|| panic!("{screen:?}"));
        assert_eq!(before.matches("\r\n").count(), up.parse::<usize>().unwrap(), "{screen:?}");
        assert!(before.lines().count() <= 2, "{before:?}");
        assert!(before.lines().all(|line| line.len() < 80), "{before:?}");
        before = rest;
    }
    assert!(before.contains("1. same-stat: ") && !before.contains(" calls/s, "), "{screen:?}");
    assert!(
        screen.contains("same-stat") && screen.contains("/s  look") && screen.contains(SITE),
        "{screen:?}"
    );
}

#[test]
fn an_interval_is_for_top() {
    let folder = Folder::new();
    let output = folder.fewer(&["why", "--interval", "1s", "--", "true"]);
    expect(&output, 2);
    assert!(err(&output).contains("--top"), "{}", err(&output));
}
