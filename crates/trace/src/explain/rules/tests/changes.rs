//! Changes of names and of files: append-per-item, rewrite-per-item, mkdir-again.

use super::*;
use crate::{Language, StackId};

const EEXIST: i64 = -17;

#[test]
fn a_directory_is_made_for_every_file() {
    let mut stream = Stream::new();
    stream.call("mkdir", "/w/out", 0);
    for _ in 0..100 {
        stream.call("mkdir", "/w/out", EEXIST);
    }
    let finding = stream.only();
    assert_eq!((finding.id, finding.wasted), ("mkdir-again", 100));
    assert_eq!(finding.verdict, "`/w/out` was made again 100 times, each time in vain");
}

#[test]
fn directories_that_are_made_once_or_were_removed_are_no_waste() {
    let mut stream = Stream::new();
    for number in 0..100 {
        let folder = format!("/w/{number}");
        stream.call("mkdir", &folder, if number % 2 == 0 { 0 } else { EEXIST });
    }
    assert_eq!(stream.wastes(), []);
    let mut stream = Stream::new();
    for _ in 0..100 {
        stream.call("mkdir", "/w/lock", EEXIST);
        stream.call("rmdir", "/w/lock", 0);
    }
    assert_eq!(stream.wastes(), []);
}

#[test]
fn looks_at_a_directory_go_with_making_it() {
    // Python's makedirs, and a file that changes the directory.
    let mut stream = Stream::new();
    for round in 0..101 {
        stream.stat("/w/out", 3);
        stream.call("mkdir", "/w/out/day", EEXIST);
        stream.stat("/w/out/day", 100 + round);
        let file = stream.open_at(-100, &format!("/w/out/day/{round}"), 0o101);
        stream.close(file);
    }
    stream.found(
        "mkdir-again",
        300,
        "2 directories, `/w/out/day` the most, were made again 100 times, each time in vain, and \
         looked at 200 times for it",
    );
}

#[test]
fn what_is_asked_because_a_directory_is_there_is_wasted_from_the_first_time_on() {
    // Python's Path.mkdir: whether it is a directory.
    let stream = Stream::repeated(100, |stream, number| {
        let folder = format!("/w/{number}");
        stream.call("mkdir", &folder, 0);
        stream.call("mkdir", &folder, EEXIST);
        stream.stat(&folder, number + 9);
    });
    assert_eq!(stream.wastes(), [("mkdir-again", 200)]);
}

#[test]
fn a_directory_is_looked_at_for_every_file_that_is_put_there() {
    // Go's MkdirAll.
    let stream = Stream::script(101, "stat /w/out #+9; open /w/out/f# 0o101; close");
    stream.found(
        "mkdir-again", 100, "`/w/out` was looked at again 100 times by what had put files there",
    );
    for steps in [
        // Others change it, too: it is watched.
        "stat /w/in #+9; stat /w/in #+900; open /w/in/f# 0o101; close",
        // Nothing is put there.
        "stat /w/in #+9; open /w/in/f#; close",
        // It is another one each time.
        "stat /w/#/in 9; open /w/#/in/f 0o101; close",
    ] {
        let stream = Stream::script(101, steps);
        assert!(stream.wastes().iter().all(|(id, _)| *id != "mkdir-again"), "{steps}");
    }
}

#[test]
fn what_another_thread_has_just_put_there_may_be_told_of_after_the_look() {
    let seen_before_it_is_told = |writer: u32| {
        Stream::repeated(101, |stream, round| {
            stream.stat("/w/out", round + 9);
            stream.open_at(FDCWD, &format!("/w/out/f{round}"), 0o101);
            stream.last().thread = writer;
            stream.close(stream.opened);
            stream.stat("/w/out", round + 9);
        })
    };
    assert_eq!(seen_before_it_is_told(2).wastes(), [("mkdir-again", 201)]);
    // A thread does one thing after the other: what it saw is not what it then did.
    let one_thread = seen_before_it_is_told(1).wastes();
    assert!(one_thread.iter().all(|(id, _)| *id != "mkdir-again"), "{one_thread:?}");
}

/// Open to append, create.
const APPEND: &str = "0o2101";

#[test]
fn a_file_is_opened_to_append_each_line() {
    let round = format!("open /w/log {APPEND}; fstat #+1; lseek 0 2 = 9; write 20; close");
    let stream = Stream::script(101, &round);
    stream.found(
        "append-per-item", 400, "`/w/log` was opened, appended to and closed again 101 times",
    );
    // The writes are needed: C, without its streams. Python's would have put them together.
    let stream = Stream::of("/usr/bin/python3", Language::Python, &["python3"]).then(101, &round);
    assert_eq!(stream.wastes(), [("append-per-item", 499)]);
    // A look whether it is there, each time: the first two are not known to be that.
    let stream = Stream::script(101, &format!("access /w/log; {round}"));
    assert_eq!(stream.wastes(), [("append-per-item", 499), ("look-then-do", 1)]);
    // What waits for the disk counts by itself.
    let stream = Stream::script(101, &format!("open /w/log {APPEND}; write 20; fsync = 0; close"));
    assert_eq!(stream.wastes(), [("append-per-item", 200), ("sync-per-item", 100)]);
}

#[test]
fn a_shell_moves_its_output_aside_for_each_line() {
    let mut stream = Stream::of("/bin/dash", Language::Shell, &["sh"]);
    stream.have(1, "/w/out");
    for _ in 0..101 {
        let log = stream.open_at(-100, "/w/log", 0o2101);
        stream.duplicate("fcntl", 1, 10);
        stream.close(1);
        stream.on("fcntl", 10, [2, 1], 0);
        stream.duplicate("dup2", log, 1);
        stream.close(log);
        stream.write(1, 20);
        stream.duplicate("dup2", 10, 1);
        stream.close(10);
        // What it writes besides is none of the log's business.
        stream.write(1, 70_000);
    }
    let wastes = stream.wastes();
    // All but the write; of the first time only what was not known to be the first.
    assert_eq!(wastes[0], ("append-per-item", 100 * 8 - 1));
    assert!(wastes[1..].iter().all(|(_, wasted)| *wasted < 10), "{wastes:?}");
}

#[test]
fn what_a_shell_opened_once_it_duplicates_for_each_line() {
    for flags in [0o2101, 0o1101] {
        let mut stream = Stream::of("/bin/bash", Language::Shell, &["bash"]);
        stream.have(1, "/w/out");
        let log = stream.open_at(-100, "/w/log", flags);
        for _ in 0..101 {
            stream.duplicate("fcntl", 1, 10);
            stream.duplicate("dup2", log, 1);
            stream.write(1, 20);
            stream.duplicate("dup2", 10, 1);
            stream.close(10);
        }
        let ids = ["append-per-item", "rewrite-per-item"];
        assert!(stream.wastes().iter().all(|(id, _)| !ids.contains(id)), "{:?}", stream.wastes());
    }
}

#[test]
fn a_log_that_is_kept_open_or_moved_away_and_other_files_are_no_waste() {
    let open = format!("open /w/log {APPEND}; write 20; close");
    for steps in [
        format!("{open}; rename /w/log = 0"),
        format!("{open}; unlink /w/log = 0"),
        format!("open /w/log-# {APPEND}; write 20; close"),
        // To read it is another matter, and so is what is no file.
        format!("open /dev/null {APPEND}; write 20; close"),
        format!("open /w/log {APPEND}; close"),
    ] {
        let stream = Stream::script(100, &steps);
        assert!(stream.wastes().iter().all(|(id, _)| *id != "append-per-item"), "{steps}");
    }
    let stream = Stream::script(1, &format!("open /w/log {APPEND}")).then(100, "write 20");
    assert_eq!(stream.wastes(), []);
}

/// Open to write, create, cut off.
const TRUNCATE: &str = "0o1101";

#[test]
fn a_file_is_written_whole_for_each_item() {
    let stream =
        Stream::script(101, &format!("open /w/state {TRUNCATE}; fstat 4; write 90; close"));
    let finding = stream.found(
        "rewrite-per-item",
        400,
        "`/w/state` was written whole 101 times, where the last time would have done",
    );
    assert_eq!(finding.callers, [(StackId(7), 400)]);
    // A loop that asks for events without waiting lets nobody see it.
    let round = format!("open /w/state {TRUNCATE}; write 90; close; poll 1 0 = 0");
    assert!(Stream::script(101, &round).wastes().contains(&("rewrite-per-item", 300)));
    // A look whether it is there, each time: the first two are not known to be that.
    let round = format!("access /w/state; open /w/state {TRUNCATE}; write 90; close");
    assert_eq!(
        Stream::script(101, &round).wastes(),
        [("rewrite-per-item", 399), ("look-then-do", 1)]
    );
    // It is read, changed and written.
    let round = format!("open /w/n; read 4096 9 #+1; close; open /w/n {TRUNCATE}; write 9; close");
    assert_eq!(Stream::script(101, &round).wastes(), [("rewrite-per-item", 300 + 99 * 3)]);
    // Node looks whether it is there. Before the second reading nothing was written again yet.
    let wastes = Stream::script(101, &format!("access /w/n; {round}")).wastes();
    assert_eq!(wastes[0], ("rewrite-per-item", 300 + 99 * 4));
    assert!(wastes[1..].iter().all(|(_, wasted)| *wasted == 1), "{wastes:?}");
}

#[test]
fn a_shell_moves_its_input_aside_to_read_what_it_writes_again() {
    let mut stream = Stream::of("/bin/bash", Language::Shell, &["bash"]);
    stream.have(0, "/w/in");
    for round in 0..101 {
        let file = stream.open("/w/n");
        stream.duplicate("fcntl", 0, 10);
        stream.on("fcntl", 10, [2, 1], 0);
        stream.duplicate("dup2", file, 0);
        stream.close(file);
        stream.read(0, 100, 3, 9 + round);
        stream.duplicate("dup2", 10, 0);
        stream.close(10);
        stream.repeat(1, &format!("open /w/n {TRUNCATE}; write 3; close"));
    }
    let wastes = stream.wastes();
    // All but the first two times that it is read: by then it was not known to be written again.
    assert_eq!(wastes[0], ("rewrite-per-item", 100 * 3 + 99 * 8));
}

#[test]
fn php_asks_for_the_directory_before_it_opens_a_file() {
    let stream = Stream::of("/usr/bin/php8.2", Language::Php, &["php", "a.php"]);
    let round = format!("getcwd /w = 3; open /w/state {TRUNCATE}; write 90; close");
    let mut found = stream.then(101, &round).wastes();
    found.retain(|(id, _)| *id != "chdir-churn");
    assert_eq!(found, [("rewrite-per-item", 400)]);
}

#[test]
fn a_new_file_takes_the_place_of_the_old_for_each_item() {
    for temporary in ["/w/state.tmp", "/w/#.tmp"] {
        let mut stream = Stream::new();
        for round in 0..101 {
            let name = temporary.replace('#', &round.to_string());
            let fd = stream.open_at(-100, &name, 0o301);
            stream.write(fd, 90);
            stream.on("fsync", fd, [0; 2], 0);
            stream.close(fd);
            let target = stream.path("/w/state");
            stream.call("rename", &name, 0).second = target;
            let directory = stream.open("/w");
            stream.on("fsync", directory, [0; 2], 0);
            stream.close(directory);
        }
        assert_eq!(stream.wastes(), [("rewrite-per-item", 800)]);
    }
}

#[test]
fn other_files_and_what_others_may_have_read_are_no_waste() {
    let write = format!("open /w/state {TRUNCATE}; write 90; close");
    for steps in [
        format!("open /w/page-# {TRUNCATE}; write 90; close"),
        format!("{write}; poll 1 50 = 1"),
        format!("{write}; unlink /w/state = 0"),
        format!("{write}; rename /w/state = 0"),
        format!("open /dev/null {TRUNCATE}; write 90; close"),
        format!("open /w/state {TRUNCATE}; close"),
    ] {
        let stream = Stream::script(101, &steps);
        assert!(stream.wastes().iter().all(|(id, _)| *id != "rewrite-per-item"), "{steps}");
    }
    // A compiler reads it each time.
    let mut stream = Stream::new();
    for child in 2..101 {
        stream.repeat(1, &write);
        stream.begin(child, 1, "/bin/cc", &["cc"]);
        stream.end(child);
    }
    assert!(stream.wastes().iter().all(|(id, _)| *id != "rewrite-per-item"));
}
