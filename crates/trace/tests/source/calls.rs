//! What calls say: paths, descriptors, results, bytes.

use std::collections::HashSet;

use fewer_trace::source::{Ending, Options, Subject};
use fewer_trace::{Event, Name};

use super::fixture::{Run, compiled, quietly, traced};

fn run(name: &'static str, arguments: &[&str]) -> (Run, tempfile::TempDir) {
    let place = tempfile::tempdir().unwrap();
    let mut command = vec![compiled(name, &[]).into_os_string()];
    command.extend(arguments.iter().map(std::ffi::OsString::from));
    let run = traced(&quietly(place.path(), &command), false);
    (run, place)
}

#[test]
fn descriptors_stand_for_what_proc_says() {
    // It goes elsewhere, and appends to its list there.
    let place = tempfile::tempdir().unwrap();
    let list = place.path().join("list");
    let (run, _) = run("descriptors", &[list.to_str().unwrap()]);
    assert_eq!(run.ending, Ending::Exited(0));
    let list = std::fs::read_to_string(list).unwrap();
    let expected: Vec<(u32, i32, &str)> = list
        .lines()
        .map(|line| {
            let mut parts = line.splitn(3, ' ');
            let mut next = || parts.next().unwrap();
            (next().parse().unwrap(), next().parse().unwrap(), next())
        })
        .collect();
    assert!(expected.len() > 100);
    let (mut step, mut seen) = (0, Vec::new());
    for call in &run.calls {
        let path = run.path(call.path);
        if let Some(number) = path.strip_prefix("/step/") {
            step = number.parse().unwrap();
        } else if call.name == Name::Lseek && call.int(2) == SEEK_CUR {
            seen.push((step, call.int(0), run.path(call.file)));
        }
    }
    // A file without a name has none here either: the kernel makes one up.
    let plain = |path: &str| path.strip_suffix(" (deleted)").unwrap_or(path).to_owned();
    let expected: Vec<_> = expected.into_iter().map(|(s, f, path)| (s, f, plain(path))).collect();
    let seen: Vec<_> = seen
        .into_iter()
        .filter(|call| expected.iter().any(|e| (e.0, e.1) == (call.0, call.1)))
        .collect();
    assert_eq!(seen.len(), expected.len());
    for (seen, expected) in seen.iter().zip(&expected) {
        assert_eq!(seen, expected);
    }
}

#[test]
fn results_that_are_known_beforehand_are_the_kernels() {
    for arguments in [&["list"][..], &["list", "threads"]] {
        let (run, place) = run("copies", arguments);
        let list = std::fs::read_to_string(place.path().join("list")).unwrap();
        let expected: Vec<i64> = list.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(expected.len(), 6000);
        let place_of =
            |path: &str| run.calls.iter().position(|call| run.path(call.path) == path).unwrap();
        let calls = &run.calls[place_of("/begin") + 1..place_of("/end")];
        let seen: Vec<i64> = calls.iter().map(|call| call.result).collect();
        for (at, (seen, expected)) in seen.iter().zip(&expected).enumerate() {
            assert_eq!(seen, expected, "{at}: {:?}", calls[at]);
        }
        assert_eq!(seen.len(), expected.len());
    }
}

#[test]
fn hard_paths_are_read_whole_or_not_at_all() {
    let (run, place) = run("paths", &[]);
    let here = place.path().canonicalize().unwrap().display().to_string();
    let stats: Vec<_> = run
        .named(Name::Newfstatat)
        .filter(|call| matches!(call.int(3), 0 | AT_EMPTY_PATH))
        .map(|call| (run.path(call.path), run.path(call.file), call.errno().unwrap_or(0)))
        .collect();
    let at = stats.iter().position(|stat| stat.0 == "/etc/passwd").unwrap();
    let stats = &stats[at..];
    let name = "n".repeat(256);
    let long = format!("{}p", "./".repeat(2047));
    let expected = [
        ("/etc/passwd", "/etc/passwd".to_owned(), 0),
        ("", String::new(), 14),
        ("/etc/group", "/etc/group".to_owned(), 0),
        ("", String::new(), 14),
        ("", String::new(), 14),
        ("", String::new(), 14),
        (&name, format!("{here}/{name}"), 36),
        (&long, format!("{here}/p"), 2),
        ("", String::new(), 36),
        ("", String::new(), 2),
        ("", here.clone(), 0),
    ];
    for (stat, expected) in stats.iter().zip(&expected) {
        assert_eq!((&*stat.0, &stat.1, stat.2), (expected.0, &expected.1, expected.2));
    }
    let opened: Vec<_> = run.named(Name::Openat).map(|call| run.registry.path(call.path)).collect();
    assert!(opened.contains(&&b"\xff\xfe\n\x1b[1m"[..]));
    assert!(opened.contains(&"n".repeat(255).as_bytes()));
    let last = run.named(Name::Statx).last().unwrap();
    assert_eq!(run.path(last.file), "/dev/null");
}

// As in C.
const AT_EMPTY_PATH: i32 = 0x1000;
const SEEK_CUR: i32 = 1;

#[test]
fn bytes_and_answers_are_those_of_the_file() {
    let (run, _place) = run("reads", &[]);
    let here = |call: &&fewer_trace::Call| run.path(call.file).ends_with("/text");
    let moved =
        |name| -> Vec<u64> { run.named(name).filter(here).map(|call| call.moved).collect() };
    assert_eq!(moved(Name::Writev), [5004]);
    assert_eq!(moved(Name::Pread64), [2000, 2000, 2000]);
    assert_eq!(moved(Name::Readv), [5004]);
    let answers: Vec<u64> = run.named(Name::Pread64).filter(here).map(|call| call.answer).collect();
    assert_eq!(answers[0], answers[1]);
    assert_ne!(answers[0], answers[2]);
    // The first 1,024 bytes are the same, however they were read.
    assert_eq!(run.named(Name::Readv).next().unwrap().answer, answers[0]);
    let copied = run.named(Name::Sendfile).next().unwrap();
    assert!(run.path(copied.file).ends_with("/copy") && run.path(copied.second).ends_with("/text"));
    assert_eq!(copied.moved, 100);
    let copied = run.named(Name::CopyFileRange).next().unwrap();
    assert!(run.path(copied.file).ends_with("/text") && run.path(copied.second).ends_with("/copy"));
    let stats: Vec<u64> = run
        .calls
        .iter()
        .filter(|call| matches!(call.name, Name::Newfstatat | Name::Fstat))
        .filter(here)
        .map(|call| call.answer)
        .collect();
    assert_eq!(stats.len(), 4);
    assert_eq!(
        (stats[0], stats[1]),
        (stats[1], stats[2]),
        "a read changes the time of access only"
    );
    assert_ne!(stats[2], stats[3]);
}

#[test]
fn a_removed_directory_keeps_its_name() {
    let (run, place) = run("homeless", &[]);
    let here = place.path().canonicalize().unwrap();
    let accesses: Vec<_> = run.named(Name::Access).chain(run.named(Name::Faccessat)).collect();
    let access = accesses.iter().find(|call| run.path(call.path) == "x").unwrap();
    assert_eq!(run.path(access.file), here.join("gone/x").display().to_string());
    let getcwd = run.named(Name::Getcwd).last().unwrap();
    assert_eq!(getcwd.errno(), Some(2));
}

#[test]
fn what_clones_share_is_shared() {
    let (run, _place) = run("clones", &["untraced"]);
    assert_eq!(run.ending, Ending::Exited(0));
    let seeks: Vec<_> = run.named(Name::Lseek).map(|call| run.path(call.file)).collect();
    assert_eq!(seeks, ["", "/etc/hostname", "", ""]);
    let accesses: Vec<_> = run
        .calls
        .iter()
        .filter(|call| matches!(call.name, Name::Access | Name::Faccessat))
        .filter(|call| run.path(call.path) == "here")
        .map(|call| run.path(call.file))
        .collect();
    let first = accesses[0].clone();
    assert_eq!(accesses, [first, "/usr/share/here".into(), "/etc/here".into(), "/etc/here".into()]);
    let stats = run.files(Name::Newfstatat);
    assert_eq!(stats.iter().filter(|path| *path == "/usr/share/doc").count(), 5);
}

#[test]
fn programs_are_told_with_their_words_and_parents() {
    let place = tempfile::tempdir().unwrap();
    let run = traced(&quietly(place.path(), &["/bin/sh", "-c", "/bin/echo 'a b' ''; :"]), false);
    let processes: Vec<_> = run
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Process(process) => Some(process),
            _ => None,
        })
        .collect();
    assert_eq!(processes[0].parent, 0);
    let echo = processes.last().unwrap();
    assert_eq!(echo.parent, processes[0].id);
    let words: Vec<_> = echo.arguments.iter().map(|word| &*word.0).collect();
    assert_eq!(words, [&b"/bin/echo"[..], b"a b", b""]);
    assert!(run.path(echo.program).ends_with("/echo"));
    let ended: HashSet<u32> = run
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Ended { process, status: 0, .. } => Some(*process),
            _ => None,
        })
        .collect();
    assert_eq!(ended, processes.iter().map(|process| process.id).collect());
    // The words of the first `execve` belong to the program that it began.
    let first = &run.calls[0];
    assert_eq!((first.name, first.result), (Name::Execve, 0));
    assert_eq!(run.path(first.path), "/bin/sh");
}

#[test]
fn a_command_that_cannot_be_run_says_why() {
    let fails = |command: &str| {
        let subject = Subject::Command(vec![command.into()]);
        fewer_trace::source::trace(&subject, &Options::default(), &mut |_| {})
            .unwrap_err()
            .to_string()
    };
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("no");
    let missing = path.to_str().unwrap();
    assert_eq!(fails(missing), format!("cannot run '{missing}': No such file or directory"));
    assert_eq!(fails("no\nsuch"), "cannot run 'no\\nsuch': No such file or directory");
    assert_eq!(fails(""), "cannot run '': No such file or directory");
    assert_eq!(fails("/etc/passwd"), "cannot run '/etc/passwd': Permission denied");
    assert_eq!(fails("/etc"), "cannot run '/etc': Permission denied");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn calls_of_32_bit_programs_are_counted_and_said() {
    let (run, _place) = run("foreign", &[]);
    assert_eq!(run.ending, Ending::Exited(0));
    let counts = run.counts();
    assert_eq!((counts["i386_getpid"], counts["i386_access"]), (1, 1));
    assert_eq!(counts["i386_exit_group"], 1);
    let failed = run.calls.iter().filter(|call| call.name.is_foreign() && !call.succeeded());
    assert_eq!(failed.count(), 0);
    let notes = run.notes();
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].id, "foreign");
    assert!(notes[0].text.contains("foreign"), "{}", notes[0].text);
}

#[test]
fn a_program_sees_its_own_processors() {
    let place = tempfile::tempdir().unwrap();
    let script = "nproc > seen; taskset -c 0 nproc >> seen";
    traced(&quietly(place.path(), &["/bin/sh", "-c", script]), false);
    let seen = std::fs::read_to_string(place.path().join("seen")).unwrap();
    let all = std::thread::available_parallelism().unwrap();
    assert_eq!(seen, format!("{all}\n1\n"));
}
