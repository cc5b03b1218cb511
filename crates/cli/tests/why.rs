//! `fewer why` and `fewer count` from end to end: what they run, how they end, where reports go.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own, gone in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("fewer why-test {}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Folder(path.canonicalize().unwrap())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut fewer = Command::new(env!("CARGO_BIN_EXE_fewer"));
        fewer.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        fewer.env("LC_ALL", "C").env("HOME", "/nonexistent");
        fewer
    }

    fn fewer(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn expect(output: &Output, status: i32) -> String {
    assert_eq!(output.status.code(), Some(status), "{}", err(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Every way to watch a command, but for those that ask for more runs.
const WAYS: [&[&str]; 7] = [
    &["why", "--"],
    &["why", "--json", "-o", "report", "--html", "page", "--"],
    &["why", "--prices", "prices", "--"],
    &["why", "--record", "calls", "--"],
    &["count", "--"],
    &["count", "--all", "--"],
    &["budget", "record", "b.toml", "--"],
];

fn watched(folder: &Folder, way: &[&str], command: &[&str]) -> Output {
    fs::copy(REFERENCE, folder.0.join("prices")).unwrap();
    folder.fewer(&[way, command].concat())
}

#[test]
fn a_command_is_run_once() {
    for way in WAYS {
        let folder = Folder::new();
        expect(&watched(&folder, way, &["sh", "-c", "echo once >> log"]), 0);
        assert_eq!(folder.read("log"), "once\n", "{way:?}");
        fs::write(folder.0.join("a"), "").unwrap();
        expect(&watched(&folder, way, &["mv", "a", "b"]), 0);
        assert!(folder.0.join("b").exists());
    }
}

#[test]
fn a_check_and_a_blessing_run_a_command_once() {
    let folder = Folder::new();
    let script = "echo once >> log; ls -d $(cat what) > /dev/null";
    fs::write(folder.0.join("what"), "/").unwrap();
    expect(&folder.fewer(&["budget", "record", "b.toml", "--", "sh", "-c", script]), 0);
    expect(&folder.fewer(&["budget", "check", "b.toml"]), 0);
    fs::write(folder.0.join("what"), "/ /usr /etc").unwrap();
    expect(&folder.fewer(&["budget", "check", "b.toml"]), 1);
    expect(&folder.fewer(&["budget", "check", "--bless", "b.toml"]), 0);
    assert_eq!(folder.read("log"), "once\n".repeat(4));
    expect(&folder.fewer(&["budget", "check", "b.toml"]), 0);
    fs::write(folder.0.join("what"), "/ /usr /etc /tmp").unwrap();
    expect(&folder.fewer(&["budget", "check", "--runs", "3", "b.toml"]), 1);
    assert_eq!(folder.read("log"), "once\n".repeat(8));
}

#[test]
fn a_commit_is_made_once() {
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("skipped: there is no git");
        return;
    }
    for way in WAYS {
        let folder = Folder::new();
        let git = |words: &[&str]| {
            let mut git = Command::new("git");
            git.args(words).current_dir(&folder.0).env("HOME", "/nonexistent");
            expect(&git.output().unwrap(), 0)
        };
        git(&["init", "-q"]);
        let commit = "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one";
        let commit: Vec<&str> = commit.split(' ').collect();
        expect(&watched(&folder, way, &commit), 0);
        assert_eq!(git(&["rev-list", "--count", "HEAD"]), "1\n", "{way:?}");
    }
}

#[test]
fn who_wants_a_second_run_is_told_before_it_starts() {
    let folder = Folder::new();
    let script = "echo run >> log; echo started >&2";
    let output = folder.fewer(&["why", "--baseline", "-o", "report", "--", "sh", "-c", script]);
    expect(&output, 0);
    assert_eq!(folder.read("log"), "run\nrun\n");
    let told = "fewer: --baseline: the command is run twice, the second time unwatched\nstarted\n";
    assert_eq!(err(&output), told);
    expect(
        &folder.fewer(&["budget", "record", "b.toml", "--runs", "3", "--", "sh", "-c", script]),
        0,
    );
    assert_eq!(folder.read("log"), "run\n".repeat(5));
}

#[test]
fn a_run_that_was_ended_is_not_repeated() {
    let folder = Folder::new();
    let script = "echo run >> log; kill -INT $$";
    let output = folder.fewer(&["why", "--baseline", "-o", "report", "--", "sh", "-c", script]);
    assert_eq!(output.status.code(), None);
    assert_eq!(folder.read("log"), "run\n");
}

const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../trace/src/price/reference.toml");

/// A thousand looks at a file that is not there.
const LOOKS: &str = "i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); [ -e /no/such ]; done; exit 0";

#[test]
fn the_time_of_a_run_is_an_estimate_unless_it_is_measured() {
    let folder = Folder::new();
    let told = |more: &[&str]| {
        let command = ["--json", "-o", "report", "--", "sh", "-c", LOOKS];
        expect(&folder.fewer(&[&["why"], more, &command].concat()), 0);
        folder.read("report")
    };
    let estimated = told(&[]);
    assert!(estimated.contains(r#""run_basis":"estimated","baseline":null"#), "{estimated}");
    assert!(estimated.contains(r#""no_baseline":"--baseline was not given""#), "{estimated}");
    assert!(told(&["--baseline"]).contains(r#""run_basis":"measured","baseline":{"wall_ns":"#));
    let given = told(&["--prices", REFERENCE]);
    assert!(given.contains(r#""run_ns":null"#), "{given}");
}
