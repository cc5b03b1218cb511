//! Logs as strace writes them, and what must come of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustc_hash::FxHashMap;

use proptest::prelude::*;

use super::Log;
use crate::*;

/// What a log says, with the paths looked up.
struct Translated {
    events: Vec<Event>,
    registry: Registry,
}

impl Translated {
    fn of(log: &[u8]) -> Translated {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, log).unwrap();
        Translated::file(&path)
    }

    fn file(path: &Path) -> Translated {
        let events: Vec<Event> = Log::open(path).unwrap().collect::<Result<_, _>>().unwrap();
        let mut registry = Registry::default();
        events.iter().for_each(|event| registry.take(event));
        Translated { events, registry }
    }

    fn calls(&self) -> Vec<&Call> {
        let calls = self.events.iter().filter_map(|event| match event {
            Event::Call(call) => Some(call),
            _ => None,
        });
        calls.collect()
    }

    fn named(&self, name: Name) -> Vec<&Call> {
        self.calls().into_iter().filter(|call| call.name == name).collect()
    }

    fn path(&self, id: PathId) -> String {
        String::from_utf8_lossy(self.registry.path(id)).into_owned()
    }

    /// Name and file of each call.
    fn files(&self) -> Vec<String> {
        let named = |call: &&Call| format!("{} {}", call.name, self.path(call.file));
        self.calls().iter().map(named).collect()
    }

    fn notes(&self) -> Vec<&str> {
        self.registry.notes().iter().map(|note| &*note.id).collect()
    }
}

#[test]
fn with_descriptors_written_out() {
    let translated = Translated::of(
        br#"7 execve("/bin/cat", ["cat", "a b"], 0x7ffc /* 3 vars */) = 0 <0.000200>
7 openat(AT_FDCWD</home/me>, "sub/../x.txt", O_RDONLY|O_CLOEXEC) = 3</home/me/x.txt> <0.000010>
7 newfstatat(3</home/me/x.txt>, "", {st_mode=S_IFREG|0644, st_size=5, ...}, AT_EMPTY_PATH) = 0
7 read(3</home/me/x.txt>, "hello", 131072) = 5
7 pread64(9</srv/kept (deleted)>(deleted), "", 10, 64) = 0
7 openat(3</home/me/x.txt>, "gone", O_RDONLY) = -1 ENOTDIR (Not a directory)
7 readlink("/proc/self/exe", "/bin/cat", 4096) = 8
7 write(1</dev/pts/0<char 136:0>>, "hello", 5) = 5
7 close(3</home/me/x.txt>)           = 0
7 exit_group(0)                     = ?
7 +++ exited with 0 +++
"#,
    );
    let files = [
        "execve /bin/cat", "openat /home/me/x.txt", "newfstatat /home/me/x.txt",
        "read /home/me/x.txt", "pread64 /srv/kept (deleted)", "openat /home/me/x.txt/gone",
        "readlink /proc/self/exe", "write /dev/pts/0", "close /home/me/x.txt", "exit_group ",
    ];
    assert_eq!(translated.files(), files);
    let results: Vec<i64> = translated.calls().iter().map(|call| call.result).collect();
    assert_eq!(results, [0, 3, 0, 5, 0, -20, 8, 5, 0, 0]);
    let calls = translated.calls();
    assert_eq!(calls[0].spent, 200_000);
    assert_eq!(translated.path(calls[1].path), "sub/../x.txt");
    assert_eq!(calls[1].arguments[..3], [0xffff_ff9c, 0, 0o2_000_000]);
    assert_eq!(calls[3].arguments, [3, 0, 131_072, 0, 0, 0]);
    assert_eq!((calls[3].moved, calls[7].moved), (5, 5));
    assert_eq!(translated.path(calls[6].second), "/bin/cat");
    let process = translated.registry.process(7).unwrap();
    assert_eq!((&*translated.path(process.program), process.parent), ("/bin/cat", 0));
    assert_eq!(process.arguments, [Text::from("cat"), Text::from("a b")]);
    assert!(translated.events.contains(&Event::Ended {
        process: 7,
        at: 0,
        status: 0,
        processor: 0
    }));
    assert_eq!(translated.events.last(), Some(&Event::End { at: 0 }));
}

#[test]
fn with_a_table_of_its_own_where_nothing_is_written_out() {
    let translated = Translated::of(
        br#"execve("/bin/x", ["x"], 0x7ffc /* 3 vars */) = 0
openat(AT_FDCWD, "a", O_RDONLY|O_DIRECTORY) = 3
openat(3, "b", O_RDONLY|O_CLOEXEC) = 4
dup(4) = 5
fcntl(4, F_DUPFD_CLOEXEC, 10) = 10
fcntl(5, F_SETFD, FD_CLOEXEC) = 0
dup2(3, 6) = 6
read(5, ""..., 0) = 0
chdir("/tmp") = 0
stat("c", 0x7ffd) = -1 ENOENT (No such file or directory)
fchdir(3) = 0
getcwd("/home/a", 4096) = 8
lstat("c", {st_mode=S_IFREG|0644, ...}) = 0
close(3) = 0
pipe2([3, 7], O_CLOEXEC) = 0
read(3, "", 1) = 0
execve("/bin/y", ["y"], 0x7ffc /* 3 vars */) = 0
read(3, 0x7ffc, 1) = -1 EBADF (Bad file descriptor)
read(10, 0x7ffc, 1) = -1 EBADF (Bad file descriptor)
read(6, 0x7ffc, 1) = -1 EISDIR (Is a directory)
close_range(6, 4294967295, 0) = 0
read(6, 0x7ffc, 1) = -1 EBADF (Bad file descriptor)
"#,
    );
    let files = [
        "execve /bin/x", "openat a", "openat a/b", "dup a/b", "fcntl a/b", "fcntl a/b", "dup2 a",
        "read a/b", "chdir /tmp", "stat /tmp/c", "fchdir a", "getcwd ", "lstat /home/a/c",
        "close a", "pipe2 ", "read pipe:[1]", "execve /bin/y", "read ", "read ", "read a",
        "close_range a", "read ",
    ];
    assert_eq!(translated.files(), files);
    assert_eq!(translated.registry.first().unwrap().id, 1);
    assert_eq!(translated.path(translated.registry.first().unwrap().program), "/bin/y");
}

#[test]
fn calls_in_two_parts_are_one_call() {
    let translated = Translated::of(
        br#"10 1000000000.000000 execve("/bin/x", ["x"], 0x7ffc /* 3 vars */) = 0
10 1000000000.000100 clone(child_stack=0x7f, flags=CLONE_VM|CLONE_THREAD <unfinished ...>
11 1000000000.000200 openat(AT_FDCWD, "/etc/a,b(", O_RDONLY <unfinished ...>
10 1000000000.000250 <... clone resumed>, child_tidptr=0x7f) = 11
10 1000000000.000300 read(0,  <unfinished ...>
11 1000000000.000400 <... openat resumed>) = 3 <0.000200>
11 1000000000.000450 exit(0) = ?
11 1000000000.000460 +++ exited with 0 +++
10 1000000000.000500 vfork( <unfinished ...>
12 1000000000.000600 read(3, "x", 1) = 1
12 1000000000.000700 execve("/bin/y", ["y"], 0x7ffc /* 3 vars */ <unfinished ...>
10 1000000000.000800 <... vfork resumed>) = 12
12 1000000000.000900 <... execve resumed>) = 0
12 1000000000.001000 futex(0x7f, FUTEX_WAIT <unfinished ...>
12 1000000000.001100 +++ killed by SIGSEGV (core dumped) +++
10 1000000000.001200 wait4(-1, [{WIFSIGNALED(s)}], 0, NULL) = ? ERESTARTSYS (To be restarted)
10 1000000000.001300 poll([{fd=3}], 1, 5 <detached ...>
"#,
    );
    // Name, process, thread, start, result.
    let summary = |call: &&Call| {
        let Call { name, process, thread, start, result, .. } = call;
        format!("{name} {process} {thread} {} {result}", start / 1000)
    };
    let got: Vec<_> = translated.calls().iter().map(summary).collect();
    let expected = [
        "execve 10 10 0 0", "clone 10 10 100 11", "openat 10 11 200 3", "exit 10 11 450 0",
        "read 10 10 300 -4", "read 12 12 600 1", "vfork 10 10 500 12", "execve 12 12 700 0",
        "futex 12 12 1000 -4", "wait4 10 10 1200 -4", "poll 10 10 1300 -4",
    ];
    assert_eq!(got, expected);
    // What the thread opened, the process has, and its child after it.
    assert_eq!(translated.path(translated.named(Name::Openat)[0].file), "/etc/a,b(");
    assert_eq!(translated.path(translated.named(Name::Read)[1].file), "/etc/a,b(");
    let child = translated.registry.process(12).unwrap();
    assert_eq!((child.parent, &*translated.path(child.program)), (10, "/bin/y"));
    let killed = Event::Ended { process: 12, at: 1_100_000, status: 11 | 0x80, processor: 0 };
    assert!(translated.events.contains(&killed));
    assert!(
        !translated.events.iter().any(|event| matches!(event, Event::Ended { process: 11, .. }))
    );
}

#[test]
fn processes_without_numbers_are_found_out() {
    let translated = Translated::of(
        br#"execve("/bin/x", ["x"], 0x7ffc /* 3 vars */) = 0
clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7f) = 21
strace: Process 21 attached
[pid    20] read(0,  <unfinished ...>
[pid    21] openat(AT_FDCWD, "/a", O_RDONLY) = 3
[pid    21] +++ exited with 3 +++
<... read resumed>"x", 1) = 1
--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=21, si_uid=0} ---
close(0) = 0
+++ exited with 0 +++
"#,
    );
    let processes: Vec<_> = translated.calls().iter().map(|call| call.process).collect();
    assert_eq!(processes, [1, 1, 21, 1, 1]);
    assert_eq!(translated.registry.process(21).unwrap().parent, 1);
    assert!(translated.events.contains(&Event::Ended {
        process: 21,
        at: 0,
        status: 3 << 8,
        processor: 0
    }));
    assert!(translated.notes().is_empty());
}

#[test]
fn another_thread_may_run_the_program() {
    let translated = Translated::of(
        br#"30 execve("/bin/x", ["x"], 0x7ffc /* 3 vars */) = 0
30 clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD, stack=0x7f}, 88) = 31
31 execve("/bin/y", ["y"], 0x7ffc /* 3 vars */ <unfinished ...>
30 +++ superseded by execve in pid 31 +++
30 <... execve resumed>) = 0
30 +++ exited with 0 +++
"#,
    );
    assert_eq!(translated.named(Name::Execve).len(), 2);
    assert_eq!(translated.path(translated.registry.first().unwrap().program), "/bin/y");
    assert!(translated.events.contains(&Event::Ended {
        process: 30,
        at: 0,
        status: 0,
        processor: 0
    }));
}

#[test]
fn the_same_answer_is_the_same_whenever_it_was_looked_at() {
    let translated = Translated::of(
        br#"stat("/a", {st_mode=0, st_atime=1 /* 1970 */, st_atime_nsec=5, st_mtime=2}) = 0
stat("/a", {st_mode=0, st_atime=2 /* 1970 */, st_atime_nsec=6, st_mtime=2}) = 0
stat("/a", {st_mode=0, st_atime=2 /* 1970 */, st_atime_nsec=6, st_mtime=3}) = 0
statx(AT_FDCWD, "/a", 0, STATX_ALL, {stx_atime={tv_sec=1, tv_nsec=1}, stx_size=1}) = 0
statx(AT_FDCWD, "/a", 0, STATX_ALL, {stx_atime={tv_sec=2, tv_nsec=1}, stx_size=1}) = 0
stat("/b", 0x7f) = -1 ENOENT (No such file or directory)
openat(AT_FDCWD, "/proc/stat", O_RDONLY) = 3
read(3, "cpu  1"..., 100) = 100
openat(AT_FDCWD, "/etc/stat", O_RDONLY) = 4
read(4, "cpu  1"..., 100) = 100
read(4, "cpu  1"..., 100) = 99
access("/a", R_OK) = 0
"#,
    );
    let answers: Vec<u64> = translated.calls().iter().map(|call| call.answer).collect();
    assert_eq!(answers[0], answers[1]);
    assert_ne!(answers[0], answers[2]);
    assert_eq!(answers[3], answers[4]);
    assert_eq!((answers[5], answers[7]), (0, 0));
    assert_ne!(answers[9], answers[10]);
    assert!([0, 3, 9, 11].iter().all(|&at| answers[at] != 0));
}

#[test]
fn stacks_belong_to_the_call_before() {
    let translated = Translated::of(
        br#"openat(AT_FDCWD, "/a", O_RDONLY) = 3
 > /lib/libc.so.6(open+0x1f) [0x100]
 > /bin/x(main+0x2) [0x200] x.c:17
--- SIGCHLD {si_signo=SIGCHLD} ---
 > /bin/x(nobody+0x2) [0x300]
close(3) = 0
openat(AT_FDCWD, "/a", O_RDONLY) = 3
 > /lib/libc.so.6(open+0x1f) [0x100]
 > /bin/x(main+0x2) [0x200] x.c:17
"#,
    );
    let stacks: Vec<StackId> = translated.calls().iter().map(|call| call.stack).collect();
    assert_eq!(stacks, [StackId(1), StackId::NONE, StackId(1)]);
    let frames: Vec<_> = translated.registry.stack(StackId(1)).collect();
    assert_eq!(translated.path(frames[1].module), "/bin/x");
    let location = |function: &str, file: &str, line| Location {
        function: function.to_owned(),
        file: file.to_owned(),
        line,
    };
    assert_eq!(frames[0].locations, [location("open", "", 0)]);
    assert_eq!(
        (frames[1].address, &frames[1].locations[..]),
        (0x200, &[location("main", "x.c", 17)][..])
    );
}

#[test]
fn what_is_not_understood_is_said() {
    let translated = Translated::of(
        b"hello from the program\n7 close(3) = 0\n7 ugetrlimit(3) = 0\nclose(3) = zero\n\
          strace: [ Process PID=9 runs in 32 bit mode. ]\n",
    );
    assert_eq!(translated.calls().len(), 2);
    assert_eq!(translated.calls()[1].name, Name::Foreign(u32::MAX));
    assert_eq!(translated.notes(), ["foreign", "foreign", "limit"]);
    let limit = &translated.registry.notes()[2].text;
    assert_eq!(limit, "2 lines of the log are not strace's, the first is line 1");
    for (text, end) in [(&b""[..], "system call"), (b"a\nb\n", "system call")] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, text).unwrap();
        let events: Vec<_> = Log::open(&path).unwrap().collect();
        assert_eq!(events.len(), 1);
        assert!(events[0].as_ref().unwrap_err().to_string().ends_with(end));
    }
    let mut zeros = Log::open("/dev/zero").unwrap();
    assert!(zeros.next().unwrap().is_err() && zeros.next().is_none());
}

/// A log of a script of the shell, made by the strace that is here.
fn traced(options: &[&str], script: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut strace = Command::new("strace");
    strace.args(options).arg("-o").arg(&log).args(["/bin/sh", "-c", script]);
    let status = strace.current_dir(folder.path()).status().unwrap();
    assert_eq!(status.code(), Some(3));
    (folder, log)
}

/// How many lines of a log begin a call, by name: as `grep -c` would count them.
fn counted(log: &Path) -> BTreeMap<String, usize> {
    let text = String::from_utf8_lossy(&fs::read(log).unwrap()).into_owned();
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        let line = line.trim_start_matches(|first: char| "0123456789.: ".contains(first));
        let name = line.split('(').next().unwrap();
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if name.len() < line.len() && name.chars().all(is_name) {
            *counts.entry(name.to_owned()).or_insert(0) += 1;
        }
    }
    counts
}

#[test]
fn what_strace_wrote_here_is_counted_as_grep_does() {
    let script = "ls -l / | cat >/dev/null; (cd /usr; cat nosuch 2>/dev/null); \
                  for i in 1 2 3; do cat /etc/passwd >/dev/null & done; wait; exit 3";
    let ways: [&[&str]; 5] = [
        &["-f", "-yy", "-T"],
        &["-f"],
        &["-f", "-y", "-tt", "-v", "-s", "1024"],
        &["-f", "-r", "-T"],
        &["-f", "-ttt", "-n"],
    ];
    for options in ways {
        let (_folder, log) = traced(options, script);
        let translated = Translated::file(&log);
        let mut counts = BTreeMap::new();
        for call in translated.calls() {
            *counts.entry(call.name.to_string()).or_insert(0) += 1;
        }
        if options.contains(&"-n") {
            assert!(counts["openat"] > 10, "{options:?}");
        } else {
            assert_eq!(counts, counted(&log), "{options:?}");
        }
        assert!(translated.notes().is_empty(), "{options:?}: {:?}", translated.registry.notes());
        let ended = translated.events.iter().filter(|event| matches!(event, Event::Ended { .. }));
        let processes: FxHashMap<u32, u32> = translated
            .events
            .iter()
            .filter_map(|event| if let Event::Process(p) = event { Some(p) } else { None })
            .map(|process| (process.id, process.parent))
            .collect();
        assert_eq!(ended.count(), processes.len(), "{options:?}");
        // The shell, ls, cat, the parentheses with or without a process of their own for cat, and
        // three cats; all but the shell are its children.
        assert!((7..=8).contains(&processes.len()), "{options:?}: {processes:?}");
        let first = translated.registry.first().unwrap().id;
        assert_eq!(processes.values().filter(|parent| **parent == 0).count(), 1, "{options:?}");
        assert_eq!(processes[&first], 0);
        let passwd = translated.named(Name::Openat);
        let passwd = passwd.iter().filter(|call| translated.path(call.file) == "/etc/passwd");
        assert!(passwd.count() >= 3, "{options:?}");
        let missed = translated.named(Name::Openat);
        let missed = missed.iter().filter(|call| translated.path(call.file) == "/usr/nosuch");
        assert!(missed.filter(|call| call.errno() == Some(2)).count() == 1, "{options:?}");
        assert!(
            translated
                .named(Name::Read)
                .iter()
                .any(|call| translated.path(call.file) == "/etc/passwd")
        );
    }
}

#[test]
fn names_with_anything_in_them_come_through() {
    let script =
        "printf x > 'a<b>->\n\t\"\\,(é\u{1}'; cat 'a<b>->\n\t\"\\,(é\u{1}' >/dev/null; exit 3";
    let (folder, log) = traced(&["-f", "-yy"], script);
    let translated = Translated::file(&log);
    let name = folder.path().join("a<b>->\n\t\"\\,(é\u{1}").to_str().unwrap().to_owned();
    let files = |wanted: Name| {
        let calls = translated.named(wanted);
        calls.iter().filter(|call| translated.path(call.file) == name).count()
    };
    assert_eq!(files(Name::Openat), 2);
    assert!(files(Name::Read) >= 2 && files(Name::Write) == 1 && files(Name::Close) >= 1);
}

#[test]
fn stacks_of_strace_are_read() {
    let (_folder, log) = traced(&["-f", "-k", "-e", "trace=openat"], "cat /etc/passwd >&-; exit 3");
    let translated = Translated::file(&log);
    let calls = translated.calls();
    assert!(!calls.is_empty() && calls.iter().all(|call| call.stack != StackId::NONE));
    let named = |call: &&Call| {
        translated.registry.stack(call.stack).any(|frame| {
            let module = translated.path(frame.module);
            module.starts_with('/') && frame.locations.iter().any(|it| !it.function.is_empty())
        })
    };
    assert!(calls.iter().all(named));
}

/// Bits of real lines, so that what is random gets somewhere.
fn line() -> impl Strategy<Value = Vec<u8>> {
    const BITS: &[&str] = &[
        "7 ", "8 ", "[pid 9] ", "12:34:56.7 ", "1795284575.1 ", " > ", "+++ ", "--- ", "<... ",
        "openat(", "clone(", "clone3({flags=", "execve(", "vfork(", "close(", "fcntl(", "pipe2([",
        "readlink(", "read(", "stat(", "AT_FDCWD", "</a>", "3", "-1", "0x7f", "\"x\"", "\"\\3\\x",
        "CLONE_THREAD|", "O_CLOEXEC", "{st_atime=1", "}", "]", ", ", ")", " = ", "?", " ENOENT",
        " <unfinished ...>", " resumed>", "read resumed>", "exited with 1 +++", "(deleted)",
        "<0.1>", "killed by SIGKILL +++", "superseded by execve in pid 8 +++", "<", ">", "/* ",
        "[0x1]", "99999999999999999999", "4294967295", "F_DUPFD", "<TCP:[", "->",
    ];
    let bit = prop_oneof![
        9 => proptest::sample::select(BITS).prop_map(|bit| bit.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(bit, 0..12).prop_map(|bits| bits.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_is_read_to_its_end(lines in proptest::collection::vec(line(), 0..30)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, lines.join(&b'\n')).unwrap();
        let events: Vec<_> = Log::open(&path).unwrap().collect();
        let calls = events.iter().filter(|event| matches!(event, Ok(Event::Call(_)))).count();
        prop_assert!(calls <= lines.len());
        let is_ended = matches!(events.last(), Some(Err(_) | Ok(Event::End { .. })));
        prop_assert!(is_ended);
    }
}
