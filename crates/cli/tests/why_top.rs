//! `fewer why --top` shows what is wasted now while a program runs. `script` makes the terminal.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use folder::{Folder, err, expect, send, wait_until};

/// Looks at the same file again and again, and computes in between, until it is killed.
const LOOPS: &str = r#"
#include <sys/stat.h>

static void look(void) {
    struct stat zone;
    stat("template", &zone);
}

int main(void) {
    mkdir("begun", 0777);
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

impl Running {
    /// The program, once it is past what the loader and the C library do before `main`.
    fn loops(folder: &Folder) -> Running {
        let loops = Running(folder.program("./loops", &[]).spawn().unwrap());
        wait_until("it has begun", || folder.0.join("begun").exists());
        loops
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What comes until there is enough of it. Who writes ends at some time.
fn read_until(from: &mut impl Read, is_enough: impl Fn(&str) -> bool) -> String {
    let (mut bytes, mut some) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if is_enough(&text) {
            return text.into_owned();
        }
        let length = from.read(&mut some).unwrap();
        assert!(length > 0, "it ended by itself: {text:?}");
        bytes.extend_from_slice(&some[..length]);
    }
}

#[test]
fn without_a_terminal_blocks_follow_each_other_and_then_the_report() {
    let folder = folder();
    let loops = Running::loops(&folder);
    let number = loops.0.id().to_string();
    let flags = ["why", "--top", "--interval", "200ms", "--for", "60s", "-p", &number];
    let mut fewer = folder.command(&flags).stderr(Stdio::piped()).spawn().unwrap();
    let finds = |block: &&str| block.contains(" calls/s, ") && block.contains("same-stat");
    let mut errors = fewer.stderr.take().unwrap();
    let mut text = read_until(&mut errors, |text| text.split("\n\n").filter(finds).count() > 2);
    send(fewer.id(), "INT");
    errors.read_to_string(&mut text).unwrap();
    assert_eq!(fewer.wait().unwrap().code(), Some(0), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
    for block in text.split("\n\n").filter(finds) {
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
    if !has_script() {
        return;
    }
    let loops = Running::loops(&folder);
    let line = format!(
        "stty cols 80 rows 3; exec \"$F\" why --top --interval 300ms --for 60s -p {}",
        loops.0.id(),
    );
    let mut script = folder.program("script", &["-qec", &line, "/dev/null"]);
    script.env("F", env!("CARGO_BIN_EXE_fewer")).env("SHELL", "/bin/sh").env("TERM", "xterm");
    script.env("NO_COLOR", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut script = script.spawn().unwrap();
    let (mut shown, mut keyboard) = (script.stdout.take().unwrap(), script.stdin.take().unwrap());
    let finds = |screen: &str| screen.matches("\r\x1b[").count() > 2 && screen.contains(SITE);
    let mut screen = read_until(&mut shown, finds);
    keyboard.write_all(b"\x03").unwrap();
    shown.read_to_string(&mut screen).unwrap();
    assert!(script.wait().unwrap().success(), "{screen:?}");
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

/// `fewer why --top -p PROCESS` on a terminal, started by a shell with job control, which continues
/// it once if it is stopped. The modes of the terminal are kept in files.
struct Session<'a> {
    folder: &'a Folder,
    script: Child,
}

impl<'a> Session<'a> {
    fn start(folder: &'a Folder, process: &str) -> Session<'a> {
        let line = format!(
            "set -m; stty cols 80 rows 10; tty > tty; stty -g > before
             sh -c 'echo $$ > number
                    exec \"$F\" why --top --interval 100ms --for 60s -p {process}'
             status=$?; stty -g > after
             if [ -e stops ]; then
                 mv after stopped; fg; status=$?; stty -g > after
             fi
             echo $status > status"
        );
        let mut script = folder.program("script", &["-qc", &line, "/dev/null"]);
        script.env("F", env!("CARGO_BIN_EXE_fewer")).env("SHELL", "/bin/sh").env("TERM", "xterm");
        script.env("NO_COLOR", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        Session { folder, script: script.spawn().unwrap() }
    }

    fn types(&self, keys: &str) {
        let mut keyboard = self.script.stdin.as_ref().unwrap();
        keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until something is shown that was not before.
    fn reads_until_it_shows(&mut self) -> String {
        read_until(self.script.stdout.as_mut().unwrap(), |screen| screen.contains(" calls/s"))
    }

    fn modes_now(&self) -> String {
        let tty = self.folder.read("tty");
        let modes = Command::new("stty").args(["-g", "-F", tty.trim()]).output().unwrap();
        folder::out(&modes)
    }

    /// Reads what is left, and compares the modes.
    fn ends(mut self) -> String {
        let begun = Instant::now();
        let mut screen = String::new();
        self.script.stdout.as_mut().unwrap().read_to_string(&mut screen).unwrap();
        self.script.wait().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(50), "it ended by itself: {screen:?}");
        assert_eq!(self.folder.read("after"), self.folder.read("before"), "{screen:?}");
        assert_eq!(self.folder.read("status"), "0\n", "{screen:?}");
        assert!(screen.contains("Watched for "), "the report is missing: {screen:?}");
        screen
    }
}

fn has_script() -> bool {
    let is_there = Command::new("script").arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: there is no script(1)");
    }
    is_there
}

#[test]
fn the_key_q_ends_it_and_the_terminal_is_as_before_however_it_ends() {
    let folder = folder();
    if !has_script() {
        return;
    }
    let loops = Running::loops(&folder);
    for end in ["q", "\x03", "TERM"] {
        let mut session = Session::start(&folder, &loops.0.id().to_string());
        let mut shown = session.reads_until_it_shows();
        assert_ne!(session.modes_now(), folder.read("before"));
        session.types("@");
        (0..3).for_each(|_| shown += &session.reads_until_it_shows());
        match end {
            "TERM" => {
                send(folder.read("number").trim().parse().unwrap(), "TERM");
            }
            keys => session.types(keys),
        }
        let screen = shown + &session.ends();
        assert!(!screen.contains('@'), "what is typed is echoed: {screen:?}");
    }
}

#[test]
fn while_it_is_stopped_the_terminal_is_as_before() {
    let folder = folder();
    if !has_script() {
        return;
    }
    folder.write("stops", "");
    let loops = Running::loops(&folder);
    let mut session = Session::start(&folder, &loops.0.id().to_string());
    session.reads_until_it_shows();
    session.types("\x1a");
    // The shell moves the file when it is whole.
    wait_until("it stops", || folder.0.join("stopped").exists());
    assert_eq!(folder.read("stopped"), folder.read("before"));
    wait_until("it goes on", || session.modes_now() != folder.read("before"));
    session.types("q");
    session.ends();
}

#[test]
fn an_interval_is_for_top() {
    let folder = Folder::new();
    let output = folder.fewer(&["why", "--interval", "1s", "--", "true"]);
    expect(&output, 2);
    assert!(err(&output).contains("--top"), "{}", err(&output));
}
