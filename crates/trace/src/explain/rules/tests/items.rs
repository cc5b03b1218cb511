//! Calls made for every item: lock-per-item, statfs-per-item, attribute-churn, map-per-file,
//! descriptor-path, ask-again, busy-poll.

use super::*;
use crate::{Event, Language, StackId};

const EAGAIN: i64 = -11;
const UNLOCK: u64 = 8;

#[test]
fn a_file_is_locked_for_every_record() {
    let steps = "flock 2 = 0; write 2000; flock 8 = 0";
    let stream = Stream::script(1, "open /w/log 0o101").then(500, steps).then(1, "close");
    stream.found(
        "lock-per-item", 998, "`/w/log` was locked or unlocked 1,000 times while it was open",
    );
    let steps = "fcntl 7 1 = 0; write 2000; fcntl 6 1 = 0";
    let stream = Stream::script(1, "open /w/log 0o101").then(500, steps).then(1, "close");
    assert_eq!(stream.wastes(), [("lock-per-item", 998)]);
}

#[test]
fn a_file_is_opened_and_locked_for_every_item() {
    let counter = "open /w/next 2; flock 2 = 0; fstat #+1; read 8192 4 #+1; lseek 0 0 = 0; \
                   ftruncate 0 = 0; write 4; close";
    let stream = Stream::script(101, counter);
    stream.found("lock-per-item", 800, "`/w/next` was opened, locked and closed again 101 times");
    // Nothing is in it.
    let stream = Stream::script(101, "open /w/lock 0o1101; flock 2 = 0; stat /w/#; close");
    assert_eq!(stream.wastes(), [("lock-per-item", 300)]);
    for steps in [
        // A lock for each file; one record here, one there; much that is done under it.
        "open /w/f# 2; flock 2 = 0; close",
        "open /w/base 2; flock 2 = 0; lseek 300 0 = 300; read 100 100 #+1; close",
        "open /w/base 2; flock 2 = 0; read 65536 65536 #+1; write 65536; close",
        "open /w/lock 2; flock 2 = 0; close; unlink /w/lock = 0",
    ] {
        let found = Stream::script(101, steps).wastes();
        assert!(found.iter().all(|(id, _)| *id != "lock-per-item"), "{steps}: {found:?}");
    }
}

#[test]
fn a_lock_file_is_made_and_removed_for_every_item() {
    let steps =
        "open /w/lock 0o301; write 5; close; open /w/job#; read 90 9; close; unlink /w/lock = 0";
    Stream::script(500, steps).found(
        "lock-per-item",
        4 * 499,
        "`/w/lock` was made and removed again 500 times, a lock for each item",
    );
    let steps = "mkdir /w/lock = 0; open /w/job#; read 90 9; close; rmdir /w/lock = 0";
    assert_eq!(Stream::script(500, steps).wastes(), [("lock-per-item", 2 * 499)]);
}

#[test]
fn what_is_made_and_removed_and_has_a_purpose_is_no_lock() {
    for steps in [
        // Read by its name, filled, renamed, each another one, open to all.
        "open /w/new 0o301; write 5; close; open /w/new; read 90 5; close; unlink /w/new = 0",
        "open /w/new 0o301; write 5000; close; unlink /w/new = 0",
        "mkdir /w/new = 0; open /w/new/a# 0o301; write 5; close; unlink /w/new/a# = 0; \
         rmdir /w/new = 0",
        "open /w/new-# 0o301; write 5; close; unlink /w/new-# = 0",
        "open /w/new 0o1101; write 5; close; unlink /w/new = 0",
    ] {
        let stream = Stream::script(500, steps);
        let found = stream.wastes();
        assert!(found.iter().all(|(id, _)| *id != "lock-per-item"), "{steps}: {found:?}");
    }
}

#[test]
fn one_lock_for_all_and_one_for_each_file_are_no_waste() {
    let stream = Stream::script(1, "open /w/log 0o101; flock 2 = 0").then(500, "write 2000");
    assert_eq!(stream.then(1, "flock 8 = 0; close").wastes(), []);
    let stream = Stream::script(500, "open /w/f# 0o101; flock 2 = 0; write 2000; close");
    assert_eq!(stream.wastes(), []);
    // Another process has it.
    let mut stream = Stream::script(1, "open /w/log 0o101");
    for _ in 0..500 {
        stream.on("flock", 3, [6, 0], EAGAIN);
    }
    stream.on("flock", 3, [UNLOCK, 0], 0);
    assert_eq!(stream.wastes(), []);
}

#[test]
fn how_a_database_locks_is_its_own_matter() {
    let steps = "fcntl 7 1 = 0; fcntl 6 1 = 0";
    let stream = Stream::script(1, "access /w/log-journal = -2; open /w/log 0o102");
    assert_eq!(stream.then(500, steps).then(1, "close").wastes(), []);
    let stream = Stream::script(1, "open /w/log-shm 0o102");
    assert_eq!(stream.then(500, steps).then(1, "close").wastes(), []);
}

#[test]
fn free_space_is_asked_for_before_every_file() {
    let stream = Stream::script(300, "statfs /w/out/f# = 0");
    stream.found(
        "statfs-per-item",
        299,
        "the same file system was asked about 299 times more, through 299 files, …",
    );
    // What df does: each is another one.
    let stream = Stream::script(300, "statfs /mnt/d#/x = 0");
    assert_eq!(stream.wastes(), []);
    let mut stream = Stream::of("/bin/df", Language::C, &["df"]);
    stream.repeat(300, "statfs /snap/# = 0");
    assert_eq!(stream.wastes(), []);
}

#[test]
fn modes_that_open_could_have_set() {
    let stream = Stream::script(200, "open /w/f# 0o101; fchmod 0o600 = 0; write 2000; close");
    let finding = stream.found("attribute-churn", 200, "the mode of 200 files, …");
    assert!(finding.remedy.snippet.contains("0600"));
    // It was there before; it is written first; it is mkstemp; it fails.
    for steps in [
        "open /w/f# 0o1; fchmod 0o600 = 0; write 2000; close",
        "open /w/f# 0o101; write 2000; fchmod 0o600 = 0; close",
        "open /w/f# 0o301; fchmod 0o600 = 0; write 2000; close",
        "open /w/f# 0o101; fchmod 0o600 = ENOENT; write 2000; close",
    ] {
        assert_eq!(Stream::script(200, steps).wastes(), [], "{steps}");
    }
    let mut stream = Stream::of("/bin/tar", Language::C, &["tar"]);
    stream.repeat(200, "open /w/f# 0o101; fchmod 0o600 = 0; write 2000; close");
    assert_eq!(stream.wastes(), []);
}

#[test]
fn attributes_are_set_again() {
    let stream = Stream::script(200, "utimensat /w/stamp = 0");
    stream.found("attribute-churn", 199, "the times of `/w/stamp` were set 199 times more …");
    let stream = Stream::script(200, "chmod /w/f = 0");
    stream.found("attribute-churn", 199, "the mode of `/w/f` was set 199 times more than needed");
    // Each is another one, or it was written or made anew in between.
    assert_eq!(Stream::script(200, "utimensat /w/f# = 0; chmod /w/g# = 0").wastes(), []);
    let mut stream = Stream::script(1, "open /w/f 1");
    for _ in 0..200 {
        stream.repeat(1, "write 2000");
        stream.call("utimensat", "/w/f", 0).arguments[2] = 1;
    }
    assert_eq!(stream.wastes(), []);
    let stream = Stream::script(200, "chmod /w/f = 0; unlink /w/f = 0");
    assert_eq!(stream.wastes(), []);
    let stream = Stream::repeated(200, |stream, number| {
        stream.call("chown", "/w/f", 0).arguments[1] = number;
    });
    assert_eq!(stream.wastes(), []);
}

/// A file of that size is opened, mapped and closed.
fn map(stream: &mut Stream, path: &str, size: u64, protection: u64) {
    let fd = stream.open(path);
    stream.fstat(fd, 3);
    let file = stream.path(path);
    let call = stream.call("mmap", "", 0x7000_0000);
    let fd_argument = i64::from(fd).cast_unsigned();
    (call.file, call.arguments) = (file, [0, size, protection, 2, fd_argument, 0]);
    stream.close(fd);
}

#[test]
fn a_new_file_has_its_owner_and_a_written_one_its_times() {
    let owned = |ids: &str, steps: &str| Stream::script(1, ids).then(200, steps);
    let (root, create) = ("getuid = 0; getgid = 0", "open /w/f# 0o101; write 70000; close");
    let steps = format!("{create}; chown /w/f# = 0");
    let verdict = "the owner of 200 files, …";
    owned(root, &steps).found("attribute-churn", 200, verdict);
    // Another owner, one that is not known, or a file that was there.
    assert_eq!(owned("getuid = 7; getgid = 7", &steps).wastes(), []);
    assert_eq!(owned("getuid = 0", &steps).wastes(), []);
    let there = "open /w/f# 0o1; write 70000; close; chown /w/f# = 0";
    assert_eq!(owned(root, there).wastes(), []);
    let touched = Stream::script(200, &format!("{create}; utimensat /w/f# = 0"));
    let verdict = "the times of 200 files, …";
    touched.found("attribute-churn", 200, verdict);
    // Nothing was written; another file; something else came in between; other times.
    for steps in [
        "open /w/f# 0o101; close; utimensat /w/f# = 0",
        "open /w/f# 0o101; write 70000; close; utimensat /w/g# = 0",
        "open /w/f# 0o101; write 70000; close; rename /w/f# = 0; utimensat /w/f# = 0",
    ] {
        let wastes = Stream::script(200, steps).wastes();
        assert!(wastes.iter().all(|it| it.0 != "attribute-churn"), "{steps}: {wastes:?}");
    }
    let dated = Stream::repeated(200, |stream, round| {
        stream.repeat(1, &create.replace('#', &round.to_string()));
        stream.call("utimensat", &format!("/w/f{round}"), 0).arguments[2] = 1;
    });
    assert_eq!(dated.wastes(), []);
}

#[test]
fn small_files_are_mapped_one_by_one() {
    let each = |stream: &mut Stream, number| map(stream, &format!("/w/f{number}"), 4096, 1);
    let stream = Stream::repeated(200, each);
    stream.found("map-per-file", 200, "200 files, …");
    // A few; large ones; programs and libraries, and the loader's cache of many processes.
    assert_eq!(Stream::repeated(20, each).wastes(), []);
    let large = |stream: &mut Stream, number| map(stream, &format!("/w/f{number}"), 1 << 20, 1);
    assert_eq!(Stream::repeated(200, large).wastes(), []);
    let library = |stream: &mut Stream, number| map(stream, &format!("/w/f{number}"), 4096, 5);
    assert_eq!(Stream::repeated(200, library).wastes(), []);
    let mut stream = Stream::new();
    for process in 2..200 {
        stream.begin(process, 1, "/bin/tool", &["tool"]);
        stream.process = process;
        map(&mut stream, "/etc/ld.so.cache", 30_000, 1);
        map(&mut stream, "/usr/lib/locale/C.utf8/LC_CTYPE", 30_000, 1);
    }
    assert_eq!(stream.wastes(), []);
}

/// `readlink` of the link that stands for a descriptor.
fn ask_for_path(stream: &mut Stream, link: &str, file: &str) {
    let (answer, second) = (stream.path(file).0, stream.path(file));
    let call = stream.readlink(link);
    (call.result, call.answer, call.second) = (9, answer.into(), second);
}

#[test]
fn an_open_file_is_asked_for_its_path() {
    let stream = Stream::repeated(200, |stream, number| {
        let fd = stream.open(&format!("/w/f{number}"));
        ask_for_path(stream, "/proc/self/fd/3", &format!("/w/f{number}"));
        stream.close(fd);
    });
    stream.found(
        "descriptor-path",
        200,
        "an open file was asked 200 times for the path that opened it: 200 files, …",
    );
    // The same one again and again is one waste, too.
    let mut stream = Stream::script(1, "open /w/f");
    (0..200).for_each(|_| ask_for_path(&mut stream, "/proc/1/fd/3", "/w/f"));
    assert_eq!(stream.wastes(), [("descriptor-path", 200)]);
    // What was there before, and what others have open.
    let mut stream = Stream::script(1, "have@0 /dev/pts/1");
    ask_for_path(&mut stream, "/proc/self/fd/0", "/dev/pts/1");
    (2..200).for_each(|id| ask_for_path(&mut stream, &format!("/proc/{id}/fd/3"), "/w/f"));
    assert_eq!(stream.wastes(), []);
}

#[test]
fn the_kernel_is_asked_for_what_does_not_change() {
    let stream = Stream::script(500, "getpid = 1; stat /w/f# 1");
    let verdict = "who the process is was asked 499 times more, though that does not change";
    stream.found("ask-again", 499, verdict);
    let stream = Stream::script(500, "clock_gettime = 0");
    stream.found("ask-again", 499, "the time was asked for by a call 499 times more");
    // 256 of 16 bytes are in a block of 4 KiB.
    let stream = Stream::repeated(512, |stream, _| {
        stream.call("getrandom", "", 16).arguments[1] = 16;
    });
    assert_eq!(stream.wastes(), [("ask-again", 510)]);
}

#[test]
fn how_long_a_runtime_collects_garbage_is_its_own_matter() {
    for (language, wasted) in [(Language::C, 499), (Language::Ruby, 0)] {
        let mut stream = Stream::of("/w/serve", Language::C, &["serve"]);
        for _ in 0..500 {
            stream.call("clock_gettime", "", 0).arguments[0] = 2;
        }
        // The language may be known only at the end.
        let path = stream.path("/w/serve");
        stream.events.push(Event::Program { path, language });
        let found: u64 = stream.wastes().iter().map(|waste| waste.1).sum();
        assert_eq!(found, wasted, "{language:?}");
    }
}

#[test]
fn each_process_asks_once() {
    let mut stream = Stream::new();
    for process in 2..200 {
        stream.begin(process, 1, "/bin/tool", &["tool"]);
        stream.process = process;
        for name in ["getpid", "getuid", "geteuid", "clock_gettime"] {
            stream.call(name, "", 0);
        }
        stream.call("getrandom", "", 8).arguments[1] = 8;
    }
    assert_eq!(stream.wastes(), []);
    let blocks = Stream::repeated(500, |stream, _| {
        stream.call("getrandom", "", 4096).arguments[1] = 4096;
    });
    assert_eq!(blocks.wastes(), []);
}

fn poll(stream: &mut Stream, time_out: u64, result: i64) {
    stream.call("poll", "", result).arguments = [1, 1, time_out, 0, 0, 0];
}

#[test]
fn the_program_looks_again_and_again() {
    let stream = Stream::repeated(500, |stream, _| poll(stream, 0, 0));
    stream.found("busy-poll", 500, "500 times the program looked for something and found nothing");
    let mut stream = Stream::script(1, "have@4 pipe:[4]");
    for _ in 0..500 {
        stream.on("read", 4, [1, 100], EAGAIN);
    }
    assert_eq!(stream.wastes(), [("busy-poll", 500)]);
}

#[test]
fn a_loop_for_events_looks_for_them_between_two_tasks() {
    let looks = |times: u64| {
        let mut stream = Stream::of("/usr/bin/python3", Language::Python, &["python3", "a.py"]);
        let select = ("select", "/usr/lib/python3.12/selectors.py");
        stream.frames(90, &[select, ("_run_once", "/usr/lib/python3.12/asyncio/base_events.py")]);
        for _ in 0..times {
            poll(&mut stream, 0, 0);
            stream.last().stack = StackId(90);
        }
        stream.wastes()
    };
    assert_eq!(looks(500), []);
    // It does nothing else.
    assert_eq!(looks(5000), [("busy-poll", 5000)]);
}

#[test]
fn waiting_and_looking_between_two_items_are_no_waste() {
    // With a time-out; with an event each time; between items; behind the last byte.
    for (time_out, result) in [(1000, 0), (u64::MAX, 0), (0, 1)] {
        let stream = Stream::repeated(500, |stream, _| poll(stream, time_out, result));
        assert_eq!(stream.wastes(), [], "{time_out} {result}");
    }
    let mut stream = Stream::script(1, "have@4 pipe:[4]; open /w/out 1");
    for _ in 0..500 {
        poll(&mut stream, 0, 0);
        stream.write(3, 5000);
    }
    for _ in 0..500 {
        stream.read(4, 4096, 100, 0);
        stream.on("read", 4, [1, 100], EAGAIN);
    }
    assert_eq!(stream.wastes(), []);
    let mut stream = Stream::of("/bin/server", Language::Go, &["server"]);
    (0..500).for_each(|_| poll(&mut stream, 0, 0));
    assert_eq!(stream.wastes(), []);
}
