//! No call is lost: counts equal strace's, name by name.

use std::ffi::OsStr;
use std::path::Path;

use fewer_trace::Name;
use fewer_trace::source::Ending;

use super::fixture::{Counts, compiled, installed, quietly, strace, traced};

/// Runs a command under strace and under us, and compares. What is not the same in every run (a
/// race for a lock) gets three chances.
fn same<S: AsRef<OsStr>>(command: &[S]) {
    same_of(command, false);
}

fn same_of<S: AsRef<OsStr>>(command: &[S], all: bool) {
    let mut differences = Vec::new();
    for _ in 0..3 {
        let theirs = {
            let place = tempfile::tempdir().unwrap();
            watched(strace(&quietly(place.path(), command)), all)
        };
        let place = tempfile::tempdir().unwrap();
        let ours = traced(&quietly(place.path(), command), all).counts();
        differences = differing(&theirs, &ours);
        if differences.is_empty() {
            assert!(ours.values().sum::<u64>() > 20, "{ours:?}");
            return;
        }
    }
    panic!("name, strace, we: {differences:?}");
}

fn watched(mut counts: Counts, all: bool) -> Counts {
    counts.retain(|name, _| Name::parse(name).is_some_and(|name| all || name.is_watched()));
    counts
}

fn differing(theirs: &Counts, ours: &Counts) -> Vec<(String, u64, u64)> {
    let names = theirs.keys().chain(ours.keys()).collect::<std::collections::BTreeSet<_>>();
    let count = |counts: &Counts, name: &str| counts.get(name).copied().unwrap_or(0);
    names
        .into_iter()
        .map(|name| (name.clone(), count(theirs, name), count(ours, name)))
        .filter(|(_, theirs, ours)| theirs != ours)
        .collect()
}

fn script(text: &str) {
    same(&["/bin/sh", "-c", text]);
}

fn own(name: &'static str, arguments: &[&str]) {
    let program = compiled(name, &[]);
    let mut command = vec![program.as_os_str()];
    command.extend(arguments.iter().map(OsStr::new));
    same(&command);
}

macro_rules! counted {
    ($($name:ident: $how:ident($($argument:expr),+);)+) => {
        $(
            #[test]
            fn $name() {
                $how($($argument),+);
            }
        )+
    };
}

counted! {
    of_true: same(&["true"]);
    of_every_call_of_true: same_of(&["true"], true);
    of_cat: same(&["cat", "/etc/passwd", "/etc/group", "/nowhere"]);
    of_a_long_listing: same(&["ls", "-l", "/etc"]);
    of_find: same(&["find", "/usr/share/doc", "-name", "c*"]);
    of_threads: own("threads", &[]);
    of_forks: own("forks", &[]);
    of_posix_spawn_and_vfork: own("spawns", &[]);
    of_execve_from_a_thread: own("thread_exec", &[]);
    of_a_static_program: same(&[compiled("forks", &["-static"])]);
    of_a_thread_that_ends_in_a_call: own("killed", &[]);
    of_a_daemon: own("session", &[]);
    of_a_program_without_its_directory: own("homeless", &[]);
    of_paths_that_are_hard_to_read: own("paths", &[]);
    of_interrupted_calls: own("interrupted", &[]);
    of_clones: own("clones", &[]);
    of_reads_and_writes: own("reads", &[]);
    of_pipes_and_subshells:
        script("(ls / | cat; (cd /; /bin/echo b) | wc -l) > x; cat < x; echo $(echo $(pwd)); rm x");
    of_background_jobs: script("for i in 1 2 3 4 5; do cat /etc/passwd & done; wait; exit 7");
    of_a_program_that_closes_its_output:
        script("exec >&- 2>&-; echo nowhere; cat /etc/passwd; ls /");
    of_tar_and_make:
        script("mkdir d; touch d/a d/b; tar cf d.tar d; tar tf d.tar; tar xf d.tar; rm -r d");
    of_a_script_without_an_interpreter:
        script("printf 'cat /etc/passwd\\n' > script; chmod +x script; ./script");
}

/// The kernel reports stops in an order of its own: where eight threads stop all the time, the one
/// that they wait for has its turn as well.
#[test]
fn busy_threads_below_a_child_starve_nobody() {
    let spin = compiled("spin", &[]);
    let line = format!("'{}' 8; :", spin.display());
    let run = traced(&quietly(Path::new("/"), &["/bin/sh", "-c", &line]), false);
    assert_eq!(run.ending, Ending::Exited(0));
    assert_eq!(run.files(Name::Newfstatat).iter().filter(|file| *file == "/etc").count(), 20);
    // Strace lets them make about 800 meanwhile.
    let closes = run.named(Name::Close).count();
    assert!(closes < 4000, "{closes}");
}

#[test]
fn of_git_status() {
    if installed("git").is_some() {
        script("git init -q . && touch a && git add a && git status");
    }
}

#[test]
fn of_python() {
    if let Some(python) = Some("/usr/bin/python3").filter(|path| Path::new(path).exists()) {
        same(&[
            python, "-c", "import os, json, subprocess; subprocess.run(['true']); os.listdir()",
        ]);
    }
}

#[test]
fn of_a_program_killed_by_a_signal() {
    own("killed", &["9"]);
    own("killed", &["11"]);
}

#[test]
fn of_stopping_and_going_on() {
    let run = traced(&[compiled("stops", &[]).into()], false);
    assert_eq!(run.ending, Ending::Exited(0));
    assert_eq!(run.files(Name::Newfstatat).iter().filter(|path| *path == "/after").count(), 2);
}

#[test]
fn of_many_descriptors() {
    // It goes elsewhere, and appends to its list there.
    let place = tempfile::tempdir().unwrap();
    own("descriptors", &[place.path().join("list").to_str().unwrap()]);
}

#[test]
fn of_a_program_with_a_filter_of_its_own() {
    own("filters", &[]);
    own("filters", &["seccomp"]);
}
