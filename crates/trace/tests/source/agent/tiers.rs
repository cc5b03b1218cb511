//! Runs a program unwatched, with stops, and with the agent, and compares the three.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use fewer_trace::source::{Ending, Options, Stage, Subject, Tier};
use fewer_trace::{Call, Class, Event, Name};

use crate::fixture::{Run, watched_with};

/// A run that takes longer hangs, also where all of the machine is busy.
const PATIENCE: Duration = Duration::from_secs(600);

/// A program, and what is expected of it.
pub(super) struct Case {
    pub(super) command: Vec<OsString>,
    /// At least so many calls have to be made by the agent.
    pub(super) by_agent: u64,
    /// Whether the calls of a process are in the same order in each run. Otherwise each is there
    /// as often.
    pub(super) in_order: bool,
    /// Whether calls are compared at all: whether they are the same in each run.
    pub(super) same_calls: bool,
    /// Calls that are another number of times in each run, or have other results.
    pub(super) apart: Vec<Name>,
    /// Whether the program does the same if it is watched at all.
    pub(super) is_itself: bool,
    /// Whether stacks are compared.
    pub(super) stacks: bool,
}

impl Case {
    pub(super) fn new(program: &Path, words: &[&str]) -> Case {
        let mut command: Vec<OsString> = vec![program.into()];
        command.extend(words.iter().map(OsString::from));
        Case {
            command,
            by_agent: 100,
            in_order: true,
            same_calls: true,
            apart: Vec::new(),
            is_itself: true,
            stacks: true,
        }
    }

    pub(super) fn shell(script: &str) -> Case {
        Case::new(Path::new("/bin/sh"), &["-c", script])
    }
}

/// A folder with what the programs expect: `fixed` and `tree`, which they do not change, and
/// `scratch`, which they do.
pub(super) struct TestFolder(tempfile::TempDir);

impl TestFolder {
    pub(super) fn new() -> TestFolder {
        let place = tempfile::tempdir().unwrap();
        let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(place.path(), everybody).unwrap();
        let fixed = place.path().join("fixed");
        std::fs::create_dir(&fixed).unwrap();
        for (name, text) in [("a", "hello, world\n"), ("b", "another\n"), ("empty", "")] {
            std::fs::write(fixed.join(name), text).unwrap();
        }
        for number in 0..300 {
            std::fs::write(fixed.join(format!("entry-{number}")), "").unwrap();
        }
        std::os::unix::fs::symlink("a", fixed.join("link")).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        std::os::unix::fs::symlink(source, place.path().join("tree")).unwrap();
        TestFolder(place)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Empties what may be changed.
    fn clear(&self) -> (PathBuf, PathBuf) {
        let scratch = self.path().join("scratch");
        if scratch.exists() {
            std::fs::remove_dir_all(&scratch).unwrap();
        }
        std::fs::create_dir(&scratch).unwrap();
        let everybody = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(&scratch, everybody).unwrap();
        let (out, input) = (self.path().join("out"), self.path().join("in"));
        std::fs::write(&out, "").unwrap();
        std::fs::write(&input, "").unwrap();
        (out, input)
    }
}

/// What a run looks like from outside.
#[derive(Debug, Eq, PartialEq)]
struct Outside {
    ending: Ending,
    out: String,
}

fn unwatched(case: &Case, place: &TestFolder) -> Outside {
    let (out, input) = place.clear();
    let word = word();
    let status = Command::new(&case.command[0])
        .args(&case.command[1..])
        .arg(&word)
        .current_dir(place.path())
        .stdin(std::fs::File::open(input).unwrap())
        .stdout(std::fs::File::options().append(true).open(&out).unwrap())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    let ending = match status.signal() {
        Some(signal) => Ending::Killed(signal),
        None => Ending::Exited(u8::try_from(status.code().unwrap()).unwrap()),
    };
    assert_eq!(processes_with(&word), Vec::<String>::new(), "{:?} alone", case.command);
    Outside { ending, out: read(&out) }
}

/// What the command lines of one run's processes have in common, and no other run's: the word ends
/// where its number does.
fn word() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("run-{}-{}-", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

/// Runs a command, in another thread: this one gives up if that hangs.
fn run(case: &Case, place: &TestFolder, tier: Tier) -> (Outside, Run) {
    let (out, input) = place.clear();
    let mut command = case.command.clone();
    let word = word();
    command.push(OsString::from(&word));
    let stage = Stage {
        directory: Some(place.path().into()),
        streams: [Some(input), Some(out.clone()), Some("/dev/null".into())],
    };
    let options = Options { stacks: case.stacks, tier, ..Options::default() };
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let run = watched_with(&Subject::Staged(command, stage), &options);
        // Whoever waited may have given up.
        let _late = sender.send(run);
    });
    let run = receiver.recv_timeout(PATIENCE);
    let run = run.unwrap_or_else(|error| panic!("{:?} {tier:?}: {error}", case.command));
    assert_eq!(processes_with(&word), Vec::<String>::new(), "{:?} {tier:?}", case.command);
    (Outside { ending: run.ending, out: read(&out) }, run)
}

/// The processes that have a word in their command line. One that ends just now gets some time.
fn processes_with(word: &str) -> Vec<String> {
    let begin = Instant::now();
    loop {
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let has_it = |path: &PathBuf| {
            let line = std::fs::read(path.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(word)
        };
        let found = entries.map(|entry| entry.path()).filter(has_it);
        let found: Vec<String> = found.map(|path| path.display().to_string()).collect();
        if found.is_empty() || begin.elapsed() > Duration::from_secs(30) {
            return found;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The calls of each process, by its place in the family: which child of which.
type Calls = BTreeMap<Vec<usize>, Vec<String>>;

fn calls(run: &Run, case: &Case) -> Calls {
    let mut places: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut children: HashMap<u32, usize> = HashMap::new();
    for event in &run.events {
        if let Event::Process(process) = event
            && !places.contains_key(&process.id)
        {
            let mut place = places.get(&process.parent).cloned().unwrap_or_default();
            let of_parent = children.entry(process.parent).or_default();
            place.push(*of_parent);
            *of_parent += 1;
            places.insert(process.id, place);
        }
    }
    let mut compared: BTreeMap<Vec<usize>, Vec<Call>> = BTreeMap::new();
    let is_compared = |call: &&Call| !case.apart.contains(&call.name) && !is_made_anew(call);
    for call in run.calls.iter().filter(is_compared) {
        let place = places.get(&call.process).cloned().unwrap_or_default();
        let of_process = compared.entry(place).or_default();
        let last = of_process.iter_mut().rev().find(|last| last.thread == call.thread);
        match last.filter(|last| is_rest(run, last, call)) {
            None => of_process.push(call.clone()),
            Some(last) => {
                last.result += call.result;
                last.moved += call.moved;
            }
        }
    }
    let lines = compared.into_iter().map(|(place, of_process)| {
        let mut lines: Vec<_> = of_process.iter().map(|call| line(run, call, case)).collect();
        if !case.in_order {
            lines.sort();
        }
        (place, lines)
    });
    lines.collect()
}

/// Whether a call reads on in a pipe: in how many pieces its text comes is by chance.
fn is_rest(run: &Run, last: &Call, call: &Call) -> bool {
    let same = |call: &Call| (call.name, call.file, call.stack);
    call.name == Name::Read
        && same(last) == same(call)
        && last.result > 0
        && call.result > 0
        && run.path(call.file).starts_with("pipe:")
}

/// A call, without what is another in each run.
fn line(run: &Run, call: &Call, case: &Case) -> String {
    let path = |id| usual(&run.path(id));
    let is_number = matches!(call.name.class(), Class::Identity)
        || matches!(
            call.name,
            Name::Fork
                | Name::Vfork
                | Name::Clone
                | Name::Clone3
                | Name::Wait4
                | Name::Waitid
                | Name::Mmap
                | Name::Gettid
                | Name::SetTidAddress
        );
    // A program that reads what is mapped sees the agent.
    let is_map = run.path(call.file).ends_with("/maps");
    // Threads share descriptors: which one gets which number is by chance.
    let result = match is_number || is_map || !case.in_order {
        true => call.result.min(1),
        false => call.result,
    };
    let moved = if is_map { 0 } else { call.moved };
    let (path, file, second) = (path(call.path), path(call.file), path(call.second));
    // What differs: times and numbers of files that the program has made, and numbers of processes.
    // The loader's list of libraries is made anew when a package is installed meanwhile.
    let changes = |path: &String| {
        let is_in_place = path.contains("/.tmp") && !path.contains("/fixed") || path == "/tmp";
        let apart = ["scratch", "/proc/", "/dev/", "pipe:", "/etc/ld.so.cache"];
        is_in_place || apart.iter().any(|it| path.contains(it))
    };
    let is_fixed = ![&path, &file, &second].into_iter().any(changes);
    // So does how much room is left.
    let is_same = is_fixed && call.name.class() != Class::Statfs;
    let answer = if is_same { call.answer } else { 0 };
    let frames = run.registry.stack(call.stack);
    let frames = frames.map(|it| {
        let function = it.locations.first().map_or("", |location| &location.function);
        format!(" {}+{:x} {function}", usual(&run.path(it.module)), it.address)
    });
    let stack: String = if case.stacks { frames.collect() } else { String::new() };
    let cut = if run.registry.is_truncated(call.stack) { " cut" } else { "" };
    format!(
        "{} {path:?} {file:?} {second:?} = {result} moved {moved} answer {answer:x}{stack}{cut}",
        call.name
    )
}

/// Whether a signal came before a process was made, so that the kernel makes the call anew and no
/// program hears of it (`ERESTARTNOINTR`, kernel/fork.c): here that a child has ended meanwhile.
fn is_made_anew(call: &Call) -> bool {
    const EINTR: i32 = 4;
    call.name.class() == Class::Fork && call.errno() == Some(EINTR)
}

/// A path without numbers that differ: of pipes, sockets, files without a name, and processes.
fn usual(path: &str) -> String {
    let differs = ["pipe:[", "socket:[", "/#", "/proc/", "run-", "anon_inode:", "/memfd:"];
    match differs.iter().any(|part| path.contains(part)) {
        true => path.chars().filter(|letter| !letter.is_ascii_digit()).collect(),
        false => path.to_owned(),
    }
}

/// Says where two lists of calls differ first.
fn difference(stopping: &Calls, agent: &Calls) -> Option<String> {
    let places: Vec<_> = stopping.keys().chain(agent.keys()).collect();
    for place in places {
        let empty = Vec::new();
        let (of_stops, of_agent) =
            (stopping.get(place).unwrap_or(&empty), agent.get(place).unwrap_or(&empty));
        let length = of_stops.len().max(of_agent.len());
        if let Some(at) = (0..length).find(|at| of_stops.get(*at) != of_agent.get(*at)) {
            let around = |calls: &[String]| {
                let from = at.saturating_sub(2).min(calls.len());
                calls[from..(at + 3).min(calls.len())].join("\n  ")
            };
            return Some(format!(
                "process {place:?}, call {at} of {} and {}\nstops:\n  {}\nagent:\n  {}",
                of_stops.len(),
                of_agent.len(),
                around(of_stops),
                around(of_agent)
            ));
        }
    }
    None
}

/// Compares the three runs.
pub(super) fn compare(case: &Case) {
    compare_in(case, &TestFolder::new());
}

/// The same in a place. The run with the agent.
pub(super) fn compare_in(case: &Case, place: &TestFolder) -> Run {
    let alone = unwatched(case, place);
    let (outside, stopping) = run(case, place, Tier::Ptrace);
    if case.is_itself {
        assert_eq!(outside, alone, "{:?} is another if it stops", case.command);
    }
    let (outside_agent, agent) = run(case, place, Tier::Agent);
    assert_eq!(outside_agent, outside, "{:?}: stopping is right", case.command);
    assert_eq!(stopping.by_agent, 0);
    if case.same_calls
        && let Some(difference) = difference(&calls(&stopping, case), &calls(&agent, case))
    {
        panic!("{:?}: {difference}", case.command);
    }
    let (by_agent, all) = (agent.by_agent, agent.calls.len());
    eprintln!("{:?}: {by_agent} of {all}", case.command);
    assert!(by_agent >= case.by_agent, "{:?}: only {by_agent} of {all}", case.command);
    agent
}

/// Runs a command with the agent alone.
pub(super) fn with_agent(case: &Case, place: &TestFolder) -> Run {
    run(case, place, Tier::Agent).1
}
