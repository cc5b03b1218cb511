//! What is asked for through io_uring. What must be seen comes from what the program counts itself:
//! how much it submitted, how much was completed, and how much of that failed.

use std::collections::BTreeMap;
use std::process::Command;

use fewer_trace::source::Ending;
use fewer_trace::{Event, Name, Request};

use super::fixture::{Run, compiled, quietly, strace, traced};

const ENOENT: i32 = 2;

/// Runs it in a place of its own; `None` if this kernel has no such rings.
fn run(how: &str) -> Option<(Run, String)> {
    let program = compiled("uring", &[]);
    let place = tempfile::tempdir().unwrap();
    let plain = Command::new(&program).arg(how).current_dir(place.path()).status().unwrap();
    if let Some(77 | 78) = plain.code() {
        eprintln!("{how}: the kernel has no such rings");
        return None;
    }
    assert!(plain.success(), "{how}");
    let place = tempfile::tempdir().unwrap();
    let run = traced(&quietly(place.path(), &[program.as_os_str(), how.as_ref()]), false);
    assert_eq!(run.ending, Ending::Exited(0));
    let counted = std::fs::read_to_string(place.path().join("requests")).unwrap_or_default();
    Some((run, counted.trim().to_owned()))
}

fn requests(run: &Run) -> Vec<Request> {
    let requests = run.events.iter().filter_map(|event| match event {
        Event::Request(request) => Some(request.clone()),
        _ => None,
    });
    requests.collect()
}

/// As the program counts them.
fn counted(run: &Run) -> String {
    let requests = requests(run);
    let completed = requests.iter().filter(|request| request.result.is_some()).count();
    let failed = requests.iter().filter(|request| request.failed()).count();
    format!("{} {completed} {failed}", requests.len())
}

fn by_operation(run: &Run) -> String {
    let mut counts = BTreeMap::new();
    for request in requests(run) {
        *counts.entry(request.operation).or_insert(0) += 1;
    }
    let words = counts.iter().map(|(operation, count)| format!("{operation} {count}"));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_request_is_seen_with_its_result() {
    for how in ["plain", "single", "large", "own", "no-array", "registered", "memory"] {
        let Some((run, theirs)) = run(how) else { continue };
        assert_eq!(counted(&run), theirs, "{how}");
        assert!(run.notes().is_empty(), "{how}: {:?}", run.notes());
    }
}

#[test]
fn requests_are_told_apart_with_their_files() {
    let Some((run, _)) = run("plain") else { return };
    assert_eq!(
        by_operation(&run),
        "NOP 5 FSYNC 1 OPENAT 2 CLOSE 1 STATX 64 READ 9 WRITE 1 RENAMEAT 1 UNLINKAT 1 MKDIRAT 1"
    );
    let all = requests(&run);
    let of = |name: &str| {
        let mut found = Vec::new();
        for request in all.iter().filter(|request| request.operation.to_string() == name) {
            let path = run.path(request.file);
            let tail = path.rsplit_once("/tree/").map_or(&*path, |(_, tail)| tail).to_owned();
            found.push((tail, request.result, request.moved, request.batch));
        }
        found
    };
    let statx = of("STATX");
    assert!((0..64).all(|at| statx.contains(&(at.to_string(), Some(0), 0, 16))), "{statx:?}");
    assert_eq!(of("OPENAT")[1], ("/nowhere/at all".into(), Some(-ENOENT), 0, 1));
    // "tree/7" is 6 bytes; then a file that is registered as number 1.
    let reads = of("READ");
    assert_eq!(reads[..8], vec![("7".to_owned(), Some(6), 6, 8); 8]);
    assert_eq!(reads[8], ("9".to_owned(), Some(6), 6, 1));
    assert_eq!(of("WRITE"), [("7".to_owned(), Some(5), 5, 2)]);
    assert_eq!(of("UNLINKAT")[0].0, "renamed");
    let renamed = all.iter().find(|request| request.operation.to_string() == "RENAMEAT").unwrap();
    assert!(run.path(renamed.file).ends_with("/tree/made"));
    assert!(run.path(renamed.second).ends_with("/tree/renamed"));
    // What a ring opened is known to calls, too.
    assert!(run.files(Name::Lseek)[0].ends_with("/tree/7"));
}

#[test]
fn requests_are_no_calls() {
    if run("plain").is_none() {
        return;
    }
    let program = compiled("uring", &[]);
    for how in ["plain", "memory"] {
        let words = [program.as_os_str(), how.as_ref()];
        let place = tempfile::tempdir().unwrap();
        let mut theirs = strace(&quietly(place.path(), &words));
        theirs.retain(|name, _| Name::parse(name).is_some_and(Name::is_watched));
        let place = tempfile::tempdir().unwrap();
        assert_eq!(traced(&quietly(place.path(), &words), false).counts(), theirs, "{how}");
    }
}

#[test]
fn a_ring_that_a_child_uses_as_well_is_followed_in_both() {
    let Some((run, _)) = run("fork") else { return };
    assert_eq!(by_operation(&run), "NOP 9");
    let processes: BTreeMap<u32, usize> =
        requests(&run).iter().fold(BTreeMap::new(), |mut counts, request| {
            *counts.entry(request.process).or_default() += 1;
            counts
        });
    let mut counts: Vec<usize> = processes.into_values().collect();
    counts.sort_unstable();
    assert_eq!(counts, [3, 6]);
}

#[test]
fn what_a_thread_of_the_kernel_takes_is_seen_or_said() {
    let Some((run, theirs)) = run("polled") else { return };
    let submitted: usize = theirs.split(' ').next().unwrap().parse().unwrap();
    let seen = requests(&run).len();
    assert!(seen == submitted || run.notes().iter().any(|note| note.id == "io-uring"), "{seen}");
}

#[test]
fn nonsense_in_a_ring_makes_no_trouble_and_is_said() {
    let Some((run, _)) = run("hostile") else { return };
    assert!(requests(&run).len() < 1000);
    let notes = run.notes();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert_eq!(notes[0].id, "io-uring");
    assert!(notes[0].text.contains("not in the counts"), "{}", notes[0].text);
}
