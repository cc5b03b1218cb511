//! `fewer watch`: after whatever happens, the changes that it told make of the old listing by find
//! the new one. Each change is checked when it is made: a parent is there, a directory that goes is
//! empty.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod folder;
#[path = "watch/mirror.rs"]
mod mirror;
#[path = "watch/random.rs"]
mod random;
#[path = "watch/since.rs"]
mod since;
#[path = "watch/source.rs"]
mod source;

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use folder::send;
use mirror::{Mirror, Source, could_mount, with_both_sources};

with_both_sources! {
    each_change_is_told_once_in_words
    a_filter_chooses_what_is_told_and_what_is_watched
    what_git_ignores_is_left_out_as_long_as_it_is_ignored
    a_burst_is_told_whole
    what_happens_while_events_are_lost_is_found_by_reading_again
    random_operations_leave_no_difference
    it_ends_when_nothing_is_left_or_what_reads_it_is_gone
    what_is_unmounted_is_gone
    idle_it_makes_no_call_and_a_batch_costs_one_read_of_each_queue
}

fn make(path: &Path) {
    File::create(path).unwrap();
}

fn each_change_is_told_once_in_words(source: Source) {
    let mut mirror = Mirror::start(source, &[]);
    let (t, out) = (mirror.path("t"), mirror.path("out"));
    let rename = |from: &str, to: &str| fs::rename(t.join(from), t.join(to)).unwrap();
    make(&t.join("a"));
    mirror.expect(&["added t/a"]);
    File::options().append(true).open(t.join("a")).unwrap().write_all(b"x").unwrap();
    mirror.expect(&["changed t/a"]);
    fs::set_permissions(t.join("a"), fs::Permissions::from_mode(0o700)).unwrap();
    mirror.expect(&["changed t/a"]);
    rename("a", "b");
    mirror.expect(&["renamed t/a t/b"]);
    fs::create_dir_all(t.join("d/e/f/g")).unwrap();
    mirror.expect(&["added t/d", "added t/d/e", "added t/d/e/f", "added t/d/e/f/g"]);
    rename("b", "d/e/b");
    mirror.expect(&["renamed t/b t/d/e/b"]);
    rename("d/e", "e");
    mirror.expect(&["renamed t/d/e t/e"]);
    // A directory keeps its watch, under its new path.
    make(&t.join("e/f/new"));
    mirror.expect(&["added t/e/f/new"]);
    // Moved out, and in again.
    fs::rename(t.join("e/f"), out.join("f")).unwrap();
    mirror.expect(&["removed t/e/f/g", "removed t/e/f/new", "removed t/e/f"]);
    make(&out.join("f/unseen"));
    fs::rename(out.join("f"), t.join("f")).unwrap();
    mirror.expect(&["added t/f", "added t/f/new", "added t/f/unseen", "added t/f/g"]);
    // Made and removed again; saved by way of another name. Stopped, it sees both at once.
    send(mirror.id(), "STOP");
    make(&t.join("short"));
    fs::remove_file(t.join("short")).unwrap();
    make(&t.join("e/b.tmp"));
    rename("e/b.tmp", "e/b");
    send(mirror.id(), "CONT");
    mirror.expect(&["changed t/e/b"]);
    fs::remove_dir_all(t.join("f")).unwrap();
    mirror.agrees();
    assert_eq!((mirror.told.len(), &*mirror.told[3]), (4, "removed t/f"));
    mirror.ends_of(15);
}

fn a_filter_chooses_what_is_told_and_what_is_watched(source: Source) {
    let mut mirror = Mirror::start(source, &["-e", "rs", "-E", "target", "--window", "200ms"]);
    let t = mirror.path("t");
    fs::create_dir_all(t.join("target/deep")).unwrap();
    fs::create_dir_all(t.join("src")).unwrap();
    make(&t.join("target/deep/no.rs"));
    make(&t.join("src/a.rs"));
    make(&t.join("src/a.txt"));
    mirror.tells(&["added t/src/a.rs"]);
    fs::rename(t.join("src"), t.join("lib")).unwrap();
    mirror.tells(&["renamed t/src/a.rs t/lib/a.rs"]);
    fs::rename(t.join("lib/a.rs"), t.join("lib/a.c")).unwrap();
    mirror.tells(&["removed t/lib/a.rs"]);
    fs::rename(t.join("lib/a.txt"), t.join("lib/b.rs")).unwrap();
    mirror.tells(&["added t/lib/b.rs"]);
    fs::rename(t.join("target/deep/no.rs"), t.join("yes.rs")).unwrap();
    mirror.tells(&["added t/yes.rs"]);
}

fn what_git_ignores_is_left_out_as_long_as_it_is_ignored(source: Source) {
    let mut mirror = Mirror::start(source, &["--gitignore"]);
    let (t, out) = (mirror.path("t"), mirror.path("out"));
    let ignore = |what: &str| {
        fs::write(out.join("new"), what).unwrap();
        fs::rename(out.join("new"), t.join(".gitignore")).unwrap();
    };
    ignore("target\n");
    mirror.tells(&["added t/.gitignore"]);
    fs::create_dir_all(t.join("target/deep")).unwrap();
    fs::create_dir(t.join("src")).unwrap();
    mirror.tells(&["added t/src"]);
    ignore("src\n");
    let told = ["removed t/src", "added t/target", "added t/target/deep", "changed t/.gitignore"];
    mirror.tells(&told);
    make(&t.join("target/deep/file"));
    mirror.tells(&["added t/target/deep/file"]);
}

fn a_burst_is_told_whole(source: Source) {
    let mut mirror = Mirror::start(source, &[]);
    let t = mirror.path("t");
    for number in 0..10_000 {
        make(&t.join(format!("file{number}")));
    }
    mirror.agrees();
    assert_eq!(mirror.told.iter().filter(|line| line.starts_with("added ")).count(), 10_000);
    for number in 0..100 {
        fs::create_dir_all(t.join(format!("{number}/a/b/c/d"))).unwrap();
        make(&t.join(format!("{number}/a/b/c/d/file")));
    }
    mirror.agrees();
    assert!(Command::new("rm").arg("-rf").args(["0", "1", "2"]).current_dir(&t).status().is_ok());
    mirror.agrees();
}

fn what_happens_while_events_are_lost_is_found_by_reading_again(source: Source) {
    let mut mirror = Mirror::start(source, &[]);
    let t = mirror.path("t");
    fs::create_dir_all(t.join("d/deep")).unwrap();
    for name in ["d/old", "d/gone", "d/same"] {
        make(&t.join(name));
    }
    mirror.agrees();
    // An event that is taken later than that: "same" is older than what is doubtful.
    std::thread::sleep(Duration::from_millis(100));
    make(&t.join("later"));
    mirror.agrees();
    mirror.told.clear();
    send(mirror.id(), "STOP");
    let queue = if source.is_empty() { "inotify" } else { "fanotify" };
    let limit = fs::read_to_string(format!("/proc/sys/fs/{queue}/max_queued_events")).unwrap();
    for number in 0..limit.trim().parse::<u64>().unwrap() + 100 {
        let name = t.join(format!("n{number}"));
        make(&name);
        fs::remove_file(name).unwrap();
    }
    // Behind more events than the queue takes.
    fs::rename(t.join("d/deep"), t.join("deep")).unwrap();
    fs::remove_file(t.join("d/gone")).unwrap();
    fs::write(t.join("d/old"), "new").unwrap();
    fs::create_dir_all(t.join("x/y")).unwrap();
    make(&t.join("x/y/z"));
    send(mirror.id(), "CONT");
    mirror.agrees();
    let told = |line: &str| mirror.told.iter().any(|one| one == line);
    assert!(told("changed t/d/old") && told("renamed t/d/deep t/deep"), "{:?}", mirror.told);
    assert!(told("removed t/d/gone") && !told("changed t/d/same"), "{:?}", mirror.told);
    // What was found by reading again is watched.
    mirror.told.clear();
    make(&t.join("deep/new"));
    mirror.tells(&["added t/deep/new"]);
}

fn random_operations_leave_no_difference(source: Source) {
    // `./check all` gives another seed.
    let given = std::env::var("FEWER_SEED").ok().and_then(|seed| seed.parse().ok());
    random::run(source, 0x5eed_0000 + given.unwrap_or(1), 300);
}

fn it_ends_when_nothing_is_left_or_what_reads_it_is_gone(source: Source) {
    let mut mirror = Mirror::start(source, &[]);
    make(&mirror.path("t/a"));
    mirror.expect(&["added t/a"]);
    fs::remove_dir_all(mirror.path("t")).unwrap();
    let (status, errors) = mirror.end();
    assert_eq!(mirror.told, ["removed t/a", "removed t"]);
    assert_eq!(errors, "fewer: cannot watch 't': No such file or directory\n");
    assert_eq!(status.code(), Some(1));

    let mirror = Mirror::start(source, &[]);
    let status = mirror.ends_without_reader();
    assert_eq!(status.signal(), Some(13));

    Mirror::start(source, &[]).ends_of(2);
}

fn idle_it_makes_no_call_and_a_batch_costs_one_read_of_each_queue(source: Source) {
    let mut mirror = Mirror::start(source, &["--calls"]);
    std::thread::sleep(Duration::from_millis(400));
    make(&mirror.path("t/a"));
    mirror.expect(&["added t/a"]);
    let before = mirror.batches;
    std::thread::sleep(Duration::from_millis(400));
    send(mirror.id(), "TERM");
    let (_, errors) = mirror.end();
    let calls: serde_json::Value = serde_json::from_str(&errors).unwrap();
    let calls = |name: &str| calls["calls"][name].as_u64().unwrap() as usize;
    // The batches are those that made something known, and at most one that did not each. Where
    // more is waiting already, signals are let in by a second ppoll.
    let (waits, queues) = (2 * before, if source.is_empty() { 1 } else { 2 });
    assert!(calls("ppoll") <= 2 * waits + 1 && calls("read") <= queues * waits, "{errors}");
    assert!(queues * calls("ppoll") >= calls("read") + queues, "{errors}");
}

#[test]
fn what_cannot_be_watched_is_said_and_the_rest_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
        command.arg("watch").args(words).current_dir(folder.path()).stdin(Stdio::null());
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    make(&folder.path().join("file"));
    let (status, errors) = run(&["file", "none"]);
    assert_eq!(status, Some(2));
    assert_eq!(
        errors,
        "fewer: cannot watch 'file': Not a directory\n\
         fewer: cannot watch 'none': No such file or directory\n"
    );
    let (status, errors) = run(&["--window", "1h"]);
    assert!(status == Some(2) && errors.contains("expected a time like 200ms or 2s"), "{errors}");
}

#[test]
fn the_limit_of_watches_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("t/a/b/c/d")).unwrap();
    let script = "echo 3 >/proc/sys/user/max_inotify_watches || exit 77
        >errors; \"$0\" watch t 2>errors & until grep -q sysctl errors; do sleep 0.01; done
        kill $!; cat errors >&2";
    let mut command = Command::new("timeout");
    command.args(["30", "unshare", "-Ur", "sh", "-c", script, env!("CARGO_BIN_EXE_fewer")]);
    let output = command.current_dir(folder.path()).output();
    let Some(output) = could_mount(&output) else {
        println!("skipped: no user namespace can be made here");
        return;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with("fewer: 1 directories are not watched, nor what is"), "{errors}");
    assert!(errors.contains("raise it by sysctl fs.inotify.max_user_watches=N"), "{errors}");
}

fn what_is_unmounted_is_gone(source: Source) {
    let folder = tempfile::tempdir().unwrap();
    let script = "mkdir -p t/m u && mount -t tmpfs none t/m && mount -t tmpfs none u || exit 77
        mkdir t/m/below; touch t/m/below/file u/file
        \"$0\" watch $1 t u >out 2>err & until grep -q '^271 \\|^73 ' /proc/$!/syscall; do :; done
        umount t/m; umount u; until grep -q '^D u$' out; do :; done
        touch t/m/behind; until grep -q behind out; do :; done; kill $!; cat out; cat err >&2";
    let mut command = Command::new("timeout");
    command.args(["60", "unshare", "-m", "--propagation", "private", "sh", "-c", script]);
    command.arg(env!("CARGO_BIN_EXE_fewer")).args(source).current_dir(folder.path());
    let output = command.output();
    let Some(output) = could_mount(&output) else {
        println!("skipped: nothing can be mounted here");
        return;
    };
    let mut lines: Vec<_> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
    lines.sort_unstable();
    let gone = ["D t/m", "D t/m/below", "D t/m/below/file", "D u", "D u/file"];
    assert_eq!(lines, [&["A t/m", "A t/m/behind"][..], &gone].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "fewer: cannot watch 'u': No such file or directory\n");
}
