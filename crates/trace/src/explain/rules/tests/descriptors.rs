//! Descriptors: descriptor-churn.

use super::*;
use crate::{Event, Language};

const F_DUPFD: u64 = 0;
const F_SETFD: u64 = 2;

/// What ksh does for a subshell.
fn subshell(stream: &mut Stream) {
    let fd = stream.open_at(FDCWD, "/w", 0o1000_0000);
    let Some(Event::Call(call)) = stream.events.last_mut() else { unreachable!() };
    call.path = crate::PathId::NONE;
    stream.duplicate("fcntl", fd, 12);
    stream.close(fd);
    stream.on("fcntl", 12, [F_SETFD, 1], 0);
    stream.on("fchdir", 12, [0; 2], 0);
    stream.close(12);
}

#[test]
fn the_working_directory_is_held_for_every_subshell() {
    let mut stream = Stream::of("/bin/ksh", Language::Shell, &["ksh"]);
    for _ in 0..500 {
        subshell(&mut stream);
    }
    stream
        .found("descriptor-churn", 3000, "descriptors of `/w` were moved about with 3,000 calls …");
}

/// What dash does for `. FILE`: it keeps the low numbers free.
#[test]
fn a_shell_moves_the_script_that_it_reads() {
    let sourced = |stream: &mut Stream, content: u64| {
        let fd = stream.open_at(FDCWD, "/w/settings", 0);
        stream.duplicate("fcntl", fd, 12);
        stream.close(fd);
        stream.on("fcntl", 12, [F_SETFD, 1], 0);
        stream.read(12, 8192, 21, content);
        stream.read(12, 8192, 0, 0);
        stream.close(12);
    };
    // The script itself was moved from the same number.
    let mut stream = Stream::new();
    let fd = stream.open_at(FDCWD, "/w/script", 0);
    stream.duplicate("fcntl", fd, 11);
    stream.close(fd);
    (0..100).for_each(|_| sourced(&mut stream, 5));
    stream.found("reopen", 99 * 7, "`/w/settings` was opened, read and closed 100 times …");
    // If it changes, only the moving is waste.
    let stream = Stream::repeated(100, |stream, round| sourced(stream, round + 5));
    assert_eq!(stream.wastes(), [("descriptor-churn", 500)]);
}

#[test]
fn a_subshell_that_went_somewhere_comes_back_with_reason() {
    let mut stream = Stream::of("/bin/ksh", Language::Shell, &["ksh"]);
    let fd = stream.open_at(FDCWD, "/w", 0o1000_0000);
    stream.call("chdir", "/w/d", 0);
    stream.on("fchdir", fd, [0; 2], 0);
    stream.close(fd);
    assert_eq!(stream.wastes(), [("chdir-churn", 2)]);
}

/// What bash does for `{ …; } 2> /dev/null`.
#[test]
fn complaints_are_sent_nowhere_for_every_item() {
    let round = |target: &str| {
        let mut stream = Stream::of("/bin/bash", Language::Shell, &["bash"]);
        stream.have(2, "/dev/tty");
        for _ in 0..100 {
            let fd = stream.open_at(FDCWD, target, 0o1101);
            stream.duplicate("fcntl", 2, 10);
            stream.on("fcntl", 10, [F_SETFD, 1], 0);
            stream.duplicate("dup2", fd, 2);
            stream.close(fd);
            stream.duplicate("dup2", 10, 2);
            stream.close(10);
        }
        stream.wastes()
    };
    assert_eq!(round("/dev/null"), [("descriptor-churn", 700)]);
    // A file has to be made, or emptied.
    assert!(round("/w/log").iter().all(|(_, wasted)| *wasted < 600));
}

#[test]
fn every_directory_is_duplicated_and_marked() {
    let stream = Stream::repeated(100, |stream, number| {
        let fd = stream.open(&format!("/w/d{number}"));
        stream.on("fcntl", fd, [3, 0], 0);
        stream.on("fcntl", fd, [F_SETFD, 1], 0);
        stream.duplicate("fcntl", fd, 50);
        stream.on("getdents64", fd, [1, 32768], 500);
        stream.lstat_at(50, &format!("x{number}"), 1);
        stream.close(fd);
        stream.close(50);
    });
    // F_GETFL, F_SETFD, F_DUPFD, and the close of the duplicate.
    stream.found("descriptor-churn", 400, "descriptors of 100 files …");
    // Opened, used, closed.
    assert_eq!(Stream::script(100, "open /w/d#; getdents64 1 32768 = 500; close").wastes(), []);
}

#[test]
fn a_child_sorts_its_descriptors_before_it_becomes_a_program() {
    let mut stream = Stream::of("/bin/sh", Language::Shell, &["sh"]);
    for child in 2..60 {
        stream.begin(child, 1, "/bin/sh", &["sh"]);
        stream.process = child;
        stream.have(5, "pipe:[1]");
        stream.duplicate("dup2", 5, 1);
        stream.close(5);
        stream.begin(child, 1, "/bin/tool", &["tool"]);
        stream.process = 1;
    }
    assert!(stream.findings().iter().all(|finding| finding.id != "descriptor-churn"));
}

/// `make` starts `sh -c 'tool < in > out'`, which starts the tool or becomes it.
#[test]
fn a_shell_of_its_own_sorts_its_descriptors_too() {
    let shells = |redirections: u32, becomes: bool| {
        let mut stream = Stream::of("/usr/bin/make", Language::C, &["make"]);
        for child in 2..60 {
            stream.begin(child, 1, "/bin/sh", &["sh"]);
            stream.process = child;
            for _ in 0..redirections {
                stream.have(1, "pipe:[1]");
                stream.duplicate("fcntl", 1, 10);
                stream.on("fcntl", 10, [F_SETFD, 1], 0);
                stream.close(10);
            }
            if becomes {
                stream.begin(child, 1, "/bin/tool", &["tool"]);
            }
            stream.process = 1;
        }
        stream.findings().iter().any(|finding| finding.id == "descriptor-churn")
    };
    assert!(!shells(2, true) && !shells(2, false));
    // A script that ends in exec was a loop before.
    assert!(shells(20, true) && shells(20, false));
}

#[test]
fn a_lock_and_a_file_that_is_made_are_used() {
    let stream = Stream::script(
        200,
        "open /w/lock# 0o102; fcntl 6 1 = 0; close; open /w/touched# 0o101; close",
    );
    assert_eq!(stream.wastes(), []);
    assert_eq!(F_DUPFD, 0);
}

#[test]
fn marks_without_end_are_found_on_files_and_sockets() {
    // On a file nothing can be waited for. A socket has to be told once.
    for (name, wasted) in [("/w/f", 400), ("socket:[3]", 399)] {
        let mut stream = Stream::new();
        stream.have(5, name);
        for _ in 0..100 {
            for command in [3, 4, 3, 4] {
                stream.on("fcntl", 5, [command, 0], 0);
            }
        }
        assert_eq!(stream.wastes(), [("descriptor-churn", wasted)], "{name}");
    }
}

#[test]
fn what_go_does_with_each_file_that_it_opens_is_its_own_matter() {
    const EPERM: i64 = -1;
    for (language, wastes) in
        [(Language::Go, &[][..]), (Language::C, &[("descriptor-churn", 800)][..])]
    {
        let mut stream = Stream::of("/bin/tool", language, &["tool"]);
        for number in 0..200 {
            let fd = stream.open(&format!("/w/f{number}"));
            for command in [3, 4] {
                stream.on("fcntl", fd, [command, 0], 0);
            }
            stream.on("epoll_ctl", 4, [1, u64::try_from(fd).unwrap()], EPERM);
            for command in [3, 4] {
                stream.on("fcntl", fd, [command, 0], 0);
            }
            stream.on("read", fd, [1, 65536], 500);
            stream.close(fd);
        }
        assert_eq!(stream.wastes(), wastes, "{language}");
    }
}

/// What bash does for a builtin whose input or output is a file: the descriptor that it takes the
/// place of is moved aside, and back.
fn redirect(
    stream: &mut Stream,
    standard: i32,
    file: &str,
    flags: u64,
    work: impl Fn(&mut Stream),
) {
    let fd = stream.open_at(FDCWD, file, flags);
    stream.on("fcntl", standard, [1, 0], 0);
    stream.duplicate("fcntl", standard, 10);
    stream.on("fcntl", 10, [F_SETFD, 1], 0);
    stream.duplicate("dup2", fd, standard);
    stream.close(fd);
    work(stream);
    stream.duplicate("dup2", 10, standard);
    stream.on("fcntl", 10, [1, 0], 0);
    stream.close(10);
}

#[test]
fn a_shell_writes_each_file_through_its_standard_output() {
    const CREATE: u64 = 0o1101;
    let mut stream = Stream::of("/bin/bash", Language::Shell, &["bash"]);
    stream.have(1, "pipe:[7]");
    for number in 0..200 {
        redirect(&mut stream, 1, &format!("/w/f{number}"), CREATE, |it| it.write(1, 9));
    }
    assert_eq!(stream.wastes(), []);
    // It has another way to be quiet.
    for _ in 0..200 {
        redirect(&mut stream, 1, "/dev/null", 1, |it| it.write(1, 9));
    }
    assert_eq!(stream.only().id, "descriptor-churn");
}

#[test]
fn what_a_shell_moves_aside_to_read_a_file_again_goes_with_reading_it() {
    let mut stream = Stream::of("/bin/bash", Language::Shell, &["bash"]);
    stream.have(0, "/dev/null");
    for _ in 0..100 {
        redirect(&mut stream, 0, "/w/settings", 0, |it| it.read(0, 4096, 20, 5));
    }
    // Ten calls each time; the first time of all, and the second time what comes before the read.
    let finding = stream.found("reopen", 99 * 10 - 3, "`/w/settings` was opened, read …");
    let names: u64 = finding.callers.iter().map(|(_, calls)| calls).sum();
    assert_eq!(names, finding.wasted);
}
