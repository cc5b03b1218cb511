//! What the kernel records is what stopping at each call shows. It takes root: without that all of
//! it is skipped, and says so.
#![cfg(feature = "kernel")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fewer_trace::source::{Ended, Ending, Options, Stage, Subject, Target, Tier, trace};
use fewer_trace::{Call, Error, Event, Name, Registry};
use object::{Object, ObjectSection};

/// A tree that nothing changes meanwhile.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

struct Run {
    calls: Vec<Call>,
    registry: Registry,
    ended: Ended,
}

impl Run {
    /// How often each call was made on each path. Numbers of pipes and processes differ.
    fn by_path(&self) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for call in &self.calls {
            let path = String::from_utf8_lossy(self.registry.path(call.file)).into_owned();
            let path = path.replace(|char: char| char.is_ascii_digit(), "");
            let failed = if call.succeeded() { "" } else { " failed" };
            *counts.entry(format!("{} {path}{failed}", call.name)).or_default() += 1;
        }
        counts
    }

    /// How often each call was made from each stack.
    fn by_stack(&self) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for call in &self.calls {
            let frames = self.registry.stack(call.stack).filter(|frame| {
                // Functions of the shell's script are read from its memory.
                self.registry.path(frame.module).starts_with(b"/")
            });
            let frames = frames.map(|frame| {
                let module = String::from_utf8_lossy(self.registry.path(frame.module));
                format!(" {module}+{:x}", frame.address)
            });
            *counts.entry(format!("{}{}", call.name, frames.collect::<String>())).or_default() += 1;
        }
        counts
    }

    fn note(&self) -> &str {
        let is_it = |text: &&str| text.contains("the kernel recorded");
        let mut notes = self.registry.notes().iter().map(|note| &*note.text);
        notes.find(is_it).unwrap_or_default()
    }
}

fn run(subject: &Subject, options: &Options) -> Result<Run, Error> {
    run_and(subject, options, &mut || {})
}

/// The same. Something else is done at the first call that is told.
fn run_and(subject: &Subject, options: &Options, at_first: &mut dyn FnMut()) -> Result<Run, Error> {
    let (mut calls, mut registry) = (Vec::new(), Registry::default());
    let ended = trace(subject, options, &mut |batch| {
        assert!(batch.len() <= 4096);
        for event in batch {
            registry.take(&event);
            if let Event::Call(call) = event {
                if calls.is_empty() {
                    at_first();
                }
                calls.push(call);
            }
        }
    })?;
    Ok(Run { calls, registry, ended })
}

/// By the kernel. `None`, and a line about it, where it does not do that.
fn by_kernel(subject: &Subject, options: Options) -> Option<Run> {
    by_kernel_and(subject, options, &mut || {})
}

/// The same. Something else is done at the first call that is told.
fn by_kernel_and(subject: &Subject, options: Options, at_first: &mut dyn FnMut()) -> Option<Run> {
    match run_and(subject, &Options { tier: Tier::Kernel, ..options }, at_first) {
        Err(error @ Error::Unsupported { .. }) => {
            eprintln!("skipped: {error}");
            None
        }
        result => Some(result.unwrap()),
    }
}

fn subject(words: &[&str]) -> Subject {
    let quiet = "exec \"$@\" </dev/null >/dev/null 2>&1";
    let words = ["/bin/sh", "-c", quiet, "sh"].into_iter().chain(words.iter().copied());
    // Some programs make files.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernel-folder");
    std::fs::create_dir_all(&folder).unwrap();
    let directory = Some(folder.canonicalize().unwrap());
    let stage = Stage { directory, ..Stage::default() };
    Subject::Staged(words.map(OsString::from).collect(), stage)
}

/// A program of the tests of the other sources.
fn compiled(name: &str, flags: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernel");
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join(format!("{name}{}", flags.concat()));
    let text = format!("{}/tests/source/programs/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-pthread", "-w", "-D_GNU_SOURCE", "-o"]).arg(&program).args(flags).arg(text);
    assert!(cc.status().unwrap().success(), "{name} does not compile");
    program
}

/// Both ways: the same calls on the same paths, and the same end.
fn compare(words: &[&str], options: Options) -> Option<(Run, Run)> {
    let subject = subject(words);
    let kernel = by_kernel(&subject, options)?;
    let stopped = run(&subject, &Options { tier: Tier::Ptrace, ..options }).unwrap();
    assert!(kernel.note().ends_with("none was lost"), "{words:?}: {}", kernel.note());
    same(&kernel.by_path(), &stopped.by_path(), words);
    assert_eq!(kernel.ended.ending, stopped.ended.ending, "{words:?}");
    Some((kernel, stopped))
}

/// Fails with the rows that differ.
fn same(kernel: &BTreeMap<String, u64>, stopped: &BTreeMap<String, u64>, words: &[&str]) {
    let only = |these: &BTreeMap<String, u64>, others: &BTreeMap<String, u64>| {
        let rows = these.iter().filter(|(row, count)| others.get(*row) != Some(count));
        rows.map(|(row, count)| format!("\n  {count} {row}")).collect::<String>()
    };
    let (more, less) = (only(kernel, stopped), only(stopped, kernel));
    assert!(kernel == stopped, "{words:?}\nby the kernel:{more}\nby stops:{less}");
}

#[test]
fn calls_are_those_that_stops_show() {
    for words in [
        &["find", SOURCE, "-maxdepth", "2", "-size", "+1k"][..],
        &["sh", "-c", "for i in 1 2 3; do (cd /usr; cat /etc/hostname | wc -l); done; exit 7"],
        &["sh", "-c", &format!("cd {SOURCE}/count/../source && ls -l .. && exec env -i true")],
        // Where it is by now says nothing of where it was.
        &["sh", "-c", "for i in 1 2 3 4 5; do cd /usr/share; [ -e a ]; cd ../lib; [ -e a ]; done"],
        &["sh", "-c", "kill -TERM $$"],
        &["/nowhere/at/all"],
        &["ls", "-l", &"/".repeat(900), &format!("/{}", "long/".repeat(200))],
    ] {
        compare(words, Options::default());
    }
}

#[test]
fn families_threads_and_static_programs_are_no_exception() {
    let programs = [
        (compiled("paths", &[]), Options::default()),
        (compiled("descriptors", &[]), Options::default()),
        (compiled("thread_exec", &[]), Options::default()),
        (compiled("spawns", &[]), Options::default()),
        (compiled("reads", &["-static"]), Options::default()),
        (compiled("reads", &["-static"]), Options { all: true, ..Options::default() }),
    ];
    for (program, options) in programs {
        compare(&[program.to_str().unwrap()], options);
    }
    let threads = compiled("threads", &[]);
    let Some(run) = by_kernel(&subject(&[threads.to_str().unwrap()]), Options::default()) else {
        return;
    };
    let reads = run.calls.iter().filter(|call| call.name == Name::Read);
    let reads = reads.filter(|call| run.registry.path(call.file) == b"/etc/passwd");
    assert_eq!(reads.count(), 800);
}

#[test]
fn stacks_are_those_that_stops_show() {
    let words = ["find", SOURCE, "-empty"];
    let options = Options { stacks: true, ..Options::default() };
    if let Some((kernel, stopped)) = compare(&words, options) {
        // Of a deep stack, as that of the dynamic linker, only the innermost part is copied.
        let own = |run: &Run| {
            let mut stacks = run.by_stack();
            stacks.retain(|stack, _| stack.contains("/find+"));
            stacks
        };
        assert!(own(&kernel).len() > 5);
        same(&own(&kernel), &own(&stopped), &words);
    }
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What /proc says of a process: its state, and who traces it.
fn status(process: u32, label: &str) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(label))?;
    Some(line.trim().to_owned())
}

#[test]
fn a_running_process_is_never_stopped() {
    // It waits until its watcher has read its descriptors and told of a call, and in the end until
    // it was looked at often enough; but not for ever, if that does not come.
    let script = "
        await() { n=0; until [ -e \"$1\" ] || [ $((n += 1)) -gt 2000 ]; do sleep 0.05; done; }
        await \"$0/watched\"
        i=0; while [ $i -lt 2000 ]; do i=$((i+1)); : </etc/hostname; done
        await \"$0/looked\"";
    let place = tempfile::tempdir().unwrap();
    let [watched, looked] = ["watched", "looked"].map(|name| place.path().join(name));
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", script]).arg(place.path()).stdin(Stdio::null()).stdout(Stdio::null());
    let shell = Running(shell.spawn().unwrap());
    let id = shell.0.id();
    let is_watched = watched.clone();
    let looking = std::thread::spawn(move || {
        let (mut looks, began) = (0, Instant::now());
        while began.elapsed() < Duration::from_secs(300) {
            let Some(state) = status(id, "State:").filter(|state| !state.starts_with('Z')) else {
                break;
            };
            assert!(!state.starts_with(['t', 'T']), "{state}");
            assert_eq!(status(id, "TracerPid:").unwrap_or("0".to_owned()), "0");
            // Those count that come while it is watched.
            looks += u32::from(is_watched.exists());
            if looks == 101 {
                std::fs::write(&looked, "").unwrap();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        looks
    });
    let subject = Subject::Running(vec![Target::Process(id)]);
    let options = Options { interval: Some(Duration::from_millis(50)), ..Options::default() };
    let mut let_go_on = || std::fs::write(&watched, "").unwrap();
    let Some(run) = by_kernel_and(&subject, options, &mut let_go_on) else { return };
    assert!(looking.join().unwrap() > 100);
    assert_eq!(run.ended.ending, Ending::Exited(0));
    let opened = run.calls.iter().filter(|call| call.name == Name::Openat);
    let opened = opened.filter(|call| run.registry.path(call.file) == b"/etc/hostname");
    assert_eq!(opened.count(), 2000);
    assert!(run.note().ends_with("none was lost"), "{}", run.note());
}

#[test]
fn what_is_lost_is_counted() {
    let words = ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=100000"];
    let options = Options { ring: Some(1), stacks: true, ..Options::default() };
    let Some(run) = by_kernel(&subject(&words), options) else { return };
    let lost = run.note().split("; ").nth(1).and_then(|text| text.split(' ').next());
    let lost: usize = lost.unwrap().parse().unwrap_or_else(|_| panic!("{}", run.note()));
    assert!(lost > 0 && run.calls.len() + lost >= 200_000, "{lost}, {}", run.calls.len());
    assert!(run.note().contains("the figures are too low"), "{}", run.note());
    assert_eq!(run.ended.ending, Ending::Exited(0));
}

#[test]
fn the_program_is_what_its_source_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/source/kernel");
    let version = Command::new("clang").arg("--version").output();
    let version = version.map(|out| String::from_utf8_lossy(&out.stdout).into_owned());
    if !version.is_ok_and(|version| version.contains("clang version 14.")) {
        return eprintln!("skipped: the object was made by clang 14, which is not installed");
    }
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("calls.bpf.o");
    let mut clang = Command::new("clang");
    clang.args(["-O2", "-g", "-fdebug-compilation-dir=.", "-target", "bpf", "-Werror", "-Wall"]);
    clang.args(["-c", "calls.bpf.c", "-o"]).arg(&built).current_dir(&folder);
    assert!(clang.status().unwrap().success());
    let kept = std::fs::read(folder.join("calls.bpf.o")).unwrap();
    let (kept, built) = (instructions(&kept), instructions(&std::fs::read(&built).unwrap()));
    assert_eq!(kept.len(), 6);
    assert!(kept == built, "build calls.bpf.o anew: calls.bpf.c says how");
}

/// The instructions of each function, by where in the kernel it is called.
fn instructions(file: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let file = object::File::parse(file).unwrap();
    let sections = file.sections().filter_map(|section| {
        let name = section.name().unwrap().strip_prefix("raw_tracepoint/")?;
        Some((name.to_owned(), section.data().unwrap().to_vec()))
    });
    sections.collect()
}
