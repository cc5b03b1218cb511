//! Where events come from: what that costs, and what happens where the kernel refuses it. strace
//! makes it refuse.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::make;
use super::mirror::{PATIENCE, Source, with_both_sources, with_fanotify};
use crate::folder::send;

const FEWER: &str = env!("CARGO_BIN_EXE_fewer");

with_both_sources! {
    a_directory_costs_a_watch_or_a_handle
}

/// The calls of a watch that ends as soon as it waits, by their names.
pub(crate) fn calls_to_begin(command: &mut Command) -> impl Fn(&str) -> u64 + use<> {
    let command = command.args(["--calls", "--json"]).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let waits = format!("/proc/{}/syscall", child.id());
    let ppoll = if cfg!(target_arch = "x86_64") { "271 " } else { "73 " };
    let end = Instant::now() + PATIENCE;
    while !fs::read_to_string(&waits).unwrap().starts_with(ppoll) && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    send(child.id(), "TERM");
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.wait().unwrap();
    let calls: serde_json::Value = serde_json::from_str(&line).unwrap();
    move |name| calls["calls"][name].as_u64().unwrap_or(0)
}

fn a_directory_costs_a_watch_or_a_handle(source: Source) {
    const CALLS: [&str; 8] = [
        "openat", "getdents64", "inotify_add_watch", "name_to_handle_at", "fanotify_init",
        "fanotify_mark", "statx", "fstatfs",
    ];
    let folder = tempfile::tempdir().unwrap();
    let count = |dir: &str| {
        let mut command = Command::new(FEWER);
        command.args(["watch", dir]).args(source).current_dir(folder.path());
        CALLS.map(calls_to_begin(&mut command))
    };
    for dir in ["one", "more"].map(|dir| folder.path().join(dir)) {
        fs::create_dir(&dir).unwrap();
        make(&dir.join("file"));
    }
    for number in 0..10 {
        let dir = folder.path().join(format!("more/{number}"));
        fs::create_dir(&dir).unwrap();
        make(&dir.join("file"));
    }
    let (one, more) = (count("one"), count("more"));
    let ten = [0, 1, 2, 3, 4, 5, 6, 7].map(|at| more[at] - one[at]);
    if source.is_empty() {
        assert_eq!((one, ten), ([1, 2, 1, 0, 0, 0, 0, 1], [10, 20, 10, 0, 0, 0, 0, 0]));
    } else {
        // The guard of the root, and the file system: its mark, its kind, number and device.
        assert_eq!((one, ten), ([1, 2, 1, 1, 1, 1, 1, 3], [10, 20, 0, 10, 0, 0, 0, 0]));
    }
}

/// Runs a watch of `t` until it has told of a new file in each of these directories, of a new
/// directory, and of that one's permissions. It must say nothing else.
fn tells_in(dirs: &[&str], folder: &Path, program: &[&str], source: Source) {
    let [first, rest @ ..] = program else { return };
    let mut command = Command::new(first);
    command.args(rest).args(["watch", "t"]).args(source).current_dir(folder).stdin(Stdio::null());
    let errors = fs::File::create(folder.join("errors")).unwrap();
    let mut child = command.stdout(Stdio::piped()).stderr(errors).spawn().unwrap();
    let (sender, lines) = channel();
    let out = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok()
    });
    let end = Instant::now() + PATIENCE;
    for dir in dirs {
        // What is made before it watches is not told, so there is always another one.
        for number in 0.. {
            assert!(Instant::now() < end, "{program:?}: nothing is told in {dir}");
            make(&folder.join(dir).join(format!("new{number}")));
            let told = lines.recv_timeout(Duration::from_millis(200)).unwrap_or_default();
            if told.starts_with(&format!("A {dir}/new")) {
                break;
            }
        }
        let below = folder.join(dir).join("below");
        fs::create_dir(&below).unwrap();
        tells(&lines, &format!("A {dir}/below"));
        fs::set_permissions(&below, PermissionsExt::from_mode(0o711)).unwrap();
        tells(&lines, &format!("M {dir}/below"));
    }
    // What strace runs is its child; a watch has none.
    let id = child.id();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    send(children.trim().parse().unwrap_or(id), "TERM");
    child.wait().unwrap();
    assert_eq!(fs::read_to_string(folder.join("errors")).unwrap(), "", "{program:?}");
}

/// Waits for a line.
fn tells(lines: &Receiver<String>, line: &str) {
    while lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("not told: {line}")) != line {}
}

/// Watches a chain of directories where the kernel refuses as strace is told. The calls that were
/// made, if there is strace.
fn calls_where_refused(source: Source, refused: &str) -> Option<Vec<String>> {
    let works = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
    if !works.is_ok_and(|output| output.status.success()) {
        println!("skipped: strace is not there, or may not trace");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("t/a/b/c")).unwrap();
    let inject = format!("--inject={refused}");
    let program = ["strace", "-qq", "-o", "log", &inject, FEWER];
    tells_in(&["t", "t/a/b/c"], folder.path(), &program, source);
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(log.contains("INJECTED"), "{refused}: {log}");
    Some(log.lines().map(str::to_owned).collect())
}

#[test]
fn where_fanotify_is_refused_inotify_is_used_without_a_word() {
    // Without the privilege.
    for refused in ["fanotify_init:error=EPERM", "fanotify_init:error=ENOSYS"] {
        inotify_is_used(refused);
    }
    let name = "where_fanotify_is_refused_inotify_is_used_without_a_word";
    with_fanotify(&format!("{}::{name}", module_path!()), |_| {
        for refused in [
            "name_to_handle_at:error=EINVAL", // before Linux 6.12
            "name_to_handle_at:error=EOPNOTSUPP", "fanotify_mark:error=ENODEV",
        ] {
            inotify_is_used(refused);
        }
    });
}

fn inotify_is_used(refused: &str) {
    if let Some(calls) = calls_where_refused(&["--fanotify"], refused) {
        let watches = calls.iter().filter(|line| line.starts_with("inotify_add_watch"));
        assert!(watches.count() >= 4, "{refused}: {calls:?}");
    }
}

#[test]
fn beyond_the_limit_of_inotify_whole_file_systems_are_watched() {
    let name = "beyond_the_limit_of_inotify_whole_file_systems_are_watched";
    with_fanotify(&format!("{}::{name}", module_path!()), |_| {
        // Those of t/a/b, of what guards it, and of t/a/b/c.
        let refused = "inotify_add_watch:error=ENOSPC:when=3..5";
        if let Some(calls) = calls_where_refused(&[], refused) {
            let marks = calls.iter().filter(|line| line.starts_with("fanotify_mark"));
            assert_eq!(marks.count(), 1, "{calls:?}");
        }
    });
}

#[test]
fn what_fanotify_cannot_watch_is_watched_by_inotify() {
    let name = "what_fanotify_cannot_watch_is_watched_by_inotify";
    with_fanotify(&format!("{}::{name}", module_path!()), |source| {
        let folder = tempfile::tempdir().unwrap();
        for dir in ["lower/d", "upper", "work", "t/overlay", "t/e"] {
            fs::create_dir_all(folder.path().join(dir)).unwrap();
        }
        let mut mount = Command::new("mount");
        mount.args(["-t", "overlay", "none", "t/overlay", "-o"]);
        mount.arg("lowerdir=lower,upperdir=upper,workdir=work").current_dir(folder.path());
        if !mount.status().is_ok_and(|status| status.success()) {
            println!("skipped: no overlayfs can be mounted here");
            return;
        }
        let dirs = ["t", "t/overlay", "t/overlay/d", "t/e"];
        tells_in(&dirs, folder.path(), &[FEWER], source);
        let mut command = Command::new(FEWER);
        command.args(["watch", "t"]).args(source).current_dir(folder.path());
        let calls = calls_to_begin(&mut command);
        // There is a directory more in each by now. By inotify: the guard of the root; the overlay
        // and the three in it.
        assert_eq!((calls("name_to_handle_at"), calls("inotify_add_watch")), (8, 5));
    });
}
