//! `fewer watch --since`: begins with what changed since a snapshot, and keeps it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use super::make;
use super::mirror::{INOTIFY, Source, with_both_sources};
use super::source::calls_to_begin;
use crate::folder::send;

with_both_sources! {
    it_goes_on_from_the_snapshot_and_keeps_it
    without_update_the_snapshot_stays_as_it_is
    it_is_written_soon_after_a_change_and_not_without_one
    what_the_snapshot_leaves_out_is_left_out
}

/// A folder with a tree `t`, and a snapshot `s` of it.
struct Kept(tempfile::TempDir);

impl Kept {
    fn new(words: &[&str]) -> Kept {
        let kept = Kept(tempfile::tempdir().unwrap());
        fs::create_dir_all(kept.path("t/a/b")).unwrap();
        make(&kept.path("t/a/1"));
        make(&kept.path("t/2"));
        std::thread::sleep(Duration::from_millis(25)); // the stamps prove something by now
        let made = kept.run(&[&["snapshot", "t", "-o", "s"], words].concat());
        assert!(made.status.success(), "{made:?}");
        kept
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
        command.args(words).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    fn changes(&self) -> String {
        String::from_utf8(self.run(&["changes", "s"]).stdout).unwrap()
    }

    fn watch(&self, source: Source, words: &[&str]) -> Watching {
        let mut command = self.command(&[&["watch", "--since", "s"], source, words].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Watching { child, lines }
    }
}

struct Watching {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Watching {
    #[track_caller]
    fn tells(&mut self, expected: &[&str]) {
        for line in expected {
            let mut told = String::new();
            self.lines.read_line(&mut told).unwrap();
            assert_eq!(told.trim_end(), *line);
        }
    }

    /// Ends it, after which it tells no more.
    fn ends_of(mut self, signal: i32) {
        send(self.child.id(), &signal.to_string());
        assert_eq!(self.child.wait().unwrap().signal(), Some(signal));
        self.tells(&[""]);
    }
}

fn it_goes_on_from_the_snapshot_and_keeps_it(source: Source) {
    let kept = Kept::new(&[]);
    fs::rename(kept.path("t/a"), kept.path("t/c")).unwrap();
    make(&kept.path("t/new"));
    assert_eq!(kept.changes(), "R t/a -> t/c\nA t/new\n");
    let mut watching = kept.watch(source, &["--update"]);
    watching.tells(&["R t/a -> t/c", "A t/new"]);
    make(&kept.path("t/c/b/3"));
    watching.tells(&["A t/c/b/3"]);
    let changes = "R t/a -> t/c\nA t/c/b/3\nA t/new\n";
    assert_eq!(kept.changes(), changes, "written only at the end");
    watching.ends_of(15);
    assert_eq!(kept.changes(), "");
    // What happens while it does not run.
    fs::remove_file(kept.path("t/2")).unwrap();
    let mut watching = kept.watch(source, &["--update", "t"]);
    watching.tells(&["D t/2"]);
    watching.ends_of(2);
    assert_eq!(kept.changes(), "");
    assert_eq!(fs::read_dir(kept.0.path()).unwrap().count(), 2, "something is left behind");
}

fn without_update_the_snapshot_stays_as_it_is(source: Source) {
    let kept = Kept::new(&["--stat"]);
    make(&kept.path("t/new"));
    let before = fs::read(kept.path("s")).unwrap();
    let mut watching = kept.watch(source, &[]);
    watching.tells(&["A t/new"]);
    watching.ends_of(1);
    assert_eq!(fs::read(kept.path("s")).unwrap(), before);
}

fn it_is_written_soon_after_a_change_and_not_without_one(source: Source) {
    let kept = Kept::new(&[]);
    let modified = || fs::metadata(kept.path("s")).unwrap().modified().unwrap();
    let wait = |before: SystemTime| {
        let end = Instant::now() + Duration::from_secs(30);
        while modified() == before && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_ne!(modified(), before);
    };
    let mut watching = kept.watch(source, &["--update", "--update-every", "100ms"]);
    for name in ["A t/3", "A t/4"] {
        let before = modified();
        make(&kept.path(&name[2..]));
        watching.tells(&[name]);
        wait(before);
        assert_eq!(kept.changes(), "");
    }
    let before = modified();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(modified(), before);
    // What it wrote stays if it is killed.
    send(watching.child.id(), "KILL");
    watching.child.wait().unwrap();
    assert_eq!(kept.changes(), "");
}

fn what_the_snapshot_leaves_out_is_left_out(source: Source) {
    let kept = Kept::new(&["-E", "*.o", "--no-hidden"]);
    for name in ["t/x.o", "t/.hidden", "t/a/new"] {
        make(&kept.path(name));
    }
    let mut watching = kept.watch(source, &["--json"]);
    watching.tells(&[
        "{\"v\":1,\"change\":\"added\",\"path\":{\"text\":\"t/a/new\"},\"kind\":\"file\"}",
    ]);
    make(&kept.path("t/y.o"));
    make(&kept.path("t/last"));
    watching.tells(&[
        "{\"v\":1,\"change\":\"added\",\"path\":{\"text\":\"t/last\"},\"kind\":\"file\"}",
    ]);
    watching.ends_of(15);
}

#[test]
fn it_costs_one_statx_a_directory_and_two_fstatfs() {
    let kept = Kept::new(&[]);
    let calls = |words: &[&str]| {
        let calls = calls_to_begin(&mut kept.command(&[&["watch"], words].concat()));
        ["openat", "inotify_add_watch", "getdents64", "statx", "fstatfs", "read"].map(calls)
    };
    let (plain, since) = (calls(&["t"]), calls(&["--since", "s"]));
    assert_eq!(plain[..5], [3, 3, plain[2], 0, 1]);
    // Three directories; the file is opened, looked at and read.
    assert_eq!(since, [4, 3, plain[2], 4, 3, 1]);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let kept = Kept::new(&["--stat"]);
    let other = kept.run(&["snapshot", "t/a", "t/2", "-o", "of-a-file"]);
    assert!(other.status.success());
    for (words, expected) in [
        (&["--since", "none"][..], "cannot read snapshot 'none': No such file or directory"),
        (&["--since", "t/2"], "cannot use snapshot 't/2': it is not a snapshot"),
        (&["--since", "s", "t/a"], "the snapshot is not of 't/a', but of 't'"),
        (&["--since", "s", "--update"], "'s' has sizes and times"),
        (&["--since", "of-a-file", "--update", "t/a"], "--update takes all directories"),
        (&["--since", "s", "-E", "x"], "cannot be used with"),
        (&["--update"], "--since <FILE>"),
    ] {
        let output = kept.run(&[&["watch"], words].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(errors.contains(expected), "{words:?}: {errors}");
    }
    // A root that cannot be watched does not fall out of the snapshot.
    let before = fs::read(kept.path("of-a-file")).unwrap();
    let mut watching = kept.watch(INOTIFY, &["--since", "of-a-file", "--update"]);
    make(&kept.path("t/a/new"));
    watching.tells(&["A t/a/new"]);
    watching.ends_of(15);
    assert_eq!(fs::read(kept.path("of-a-file")).unwrap(), before);
}
