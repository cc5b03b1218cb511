//! Java's own account of its stacks, and what is read from outside, with each machine that is
//! installed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustc_hash::FxHashSet;

use super::super::super::trial::{Folder, whose};
use super::super::{Loaded, RuntimeFile, Unwinder as _};
use super::layout::Layout;
use super::tables::Tables;
use super::threads::Threads;
use super::{Java, Known};
use crate::source::registers::Registers;
use crate::source::{Options, Subject, Tier, trace};
use crate::{Event, FrameId, Location, Registry};

/// Function, file and line.
type Line = (String, String, u32);

/// The machines on this computer, each once; none without a compiler.
fn machines() -> Vec<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
    let own = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let all = folders.map(|folder| folder.path()).chain(own);
    let whole = all.filter_map(|folder| folder.join("bin/java").canonicalize().ok());
    let distinct: FxHashSet<PathBuf> = whole.collect();
    let whole: Vec<PathBuf> = distinct.into_iter().filter(|java| library(java).is_file()).collect();
    if !whole.iter().any(|java| java.with_file_name("javac").is_file()) {
        eprintln!("skipped: no JDK is installed");
        return Vec::new();
    }
    whole
}

fn library(java: &Path) -> PathBuf {
    java.with_file_name("../lib/server/libjvm.so")
}

/// Compiles a program, with the compiler of any of them.
fn compiled(folder: &Folder, class: &str, text: &str) {
    let source = folder.0.join(format!("{class}.java"));
    std::fs::write(&source, text).unwrap();
    let mut compilers = machines().into_iter().map(|java| java.with_file_name("javac"));
    let Some(javac) = compilers.find(|javac| javac.is_file()) else { return };
    let mut javac = Command::new(javac);
    javac.args(["-g", "--release", "11", "-d"]).arg(&folder.0).arg(&source);
    assert!(javac.stderr(Stdio::null()).status().unwrap().success(), "javac {class}");
}

/// Runs a program and gives the Java functions of each marked call.
fn marked(command: &[&std::ffi::OsStr]) -> Vec<(String, Vec<Line>)> {
    let (mut registry, mut calls) = (Registry::default(), Vec::new());
    let mut sink = |events: Vec<Event>| {
        for event in &events {
            registry.take(event);
            if let Event::Call(call) = event {
                calls.push(call.clone());
            }
            if let Event::Note(note) = event {
                assert_ne!(note.id, "runtime", "{}", note.text);
            }
        }
    };
    let command = command.iter().map(OsString::from).collect();
    trace(
        &Subject::Command(command),
        &Options { stacks: true, tier: Tier::of_tests(), ..Options::default() },
        &mut sink,
    )
    .unwrap();
    let marks = calls.iter().filter_map(|call| {
        let mark = registry.path(call.path).strip_prefix(b"/trial/")?;
        let locations = registry.stack(call.stack).flat_map(|frame| &frame.locations);
        let ours = locations.filter(|it| it.file.ends_with(".java") || it.file.ends_with(".class"));
        let lines = ours.map(|it| (it.function.clone(), it.file.clone(), it.line));
        Some((String::from_utf8_lossy(mark).into_owned(), lines.collect()))
    });
    marks.collect()
}

/// What the program has written down. -2 for native methods.
fn written(path: &Path) -> Vec<(String, Vec<Line>)> {
    let text = std::fs::read_to_string(path).unwrap();
    let line = |text: &str| {
        let mut parts = text.split('|');
        let mut part = || parts.next().unwrap().to_owned();
        let (function, file, line) = (part(), part(), part());
        (function, file, line.parse::<i32>().map_or(0, |line| line.max(0).cast_unsigned()))
    };
    let mark = |text: &str| {
        let (mark, stack) = text.split_once('\t').unwrap();
        (mark.to_owned(), stack.split('\t').map(line).collect())
    };
    text.lines().map(mark).collect()
}

#[test]
fn java_methods_are_as_java_itself_tells_them() {
    let folder = Folder::new("java");
    let below = folder.0.join("below");
    std::fs::create_dir_all(below.join("further/on")).unwrap();
    let output = folder.0.join("found");
    compiled(&folder, "Marks", include_str!("Marks.java"));
    for java in machines() {
        for flags in [
            &[][..],
            &["-Xint"],
            &["-XX:TieredStopAtLevel=1"],
            &["-Xcomp"],
            &["-Xcomp", "-XX:-TieredCompilation"],
        ] {
            let mut words = vec![java.as_os_str(), "-cp".as_ref(), folder.0.as_os_str()];
            words.extend(flags.iter().map(std::ffi::OsStr::new));
            words.extend(["Marks".as_ref(), below.as_os_str(), output.as_os_str()]);
            let (found, expected) = (marked(&words), written(&output));
            let who = format!("{} {flags:?}", java.display());
            assert_eq!(found.len(), expected.len(), "{who}");
            assert!(found.len() > 50, "{who}");
            for (found, expected) in found.iter().zip(&expected) {
                check(found, expected, &who);
            }
        }
    }
}

fn check(found: &(String, Vec<Line>), expected: &(String, Vec<Line>), who: &str) {
    let who = format!("{who} {}", found.0);
    assert_eq!(found.0, expected.0, "{who}");
    let own = |lines: &[Line]| -> Vec<Line> {
        let own = lines.iter().filter(|line| line.0.starts_with("Marks"));
        own.cloned().collect()
    };
    // The innermost is `mark`, which asks for the stack and makes the call in different lines.
    let (ours, theirs) = (own(&found.1), own(&expected.1));
    assert_eq!((&*ours[0].0, ours[0].2), ("Marks.mark", 19), "{who}");
    let deepest = if found.0 == "deep" { ours.len() } else { theirs.len() };
    assert_eq!(ours[1..], theirs[1..deepest], "{who}");
    assert!(ours.len() == theirs.len() || ours.len() > 100, "{who}");
    // Java leaves out some of its own; of a virtual thread only the innermost are on the stack.
    if found.0 != "virtual" && found.0 != "deep" {
        let mut all = found.1.iter().skip_while(|line| line.0 != "Marks.mark").skip(1);
        for line in &expected.1[2..] {
            let is = |other: &&Line| {
                (&other.0, other.2) == (&line.0, line.2) && ["null", &other.1].contains(&&*line.1)
            };
            assert!(all.any(|other| is(&other)), "{who}: {line:?} of {:?}", found.1);
        }
    }
}

/// A program that kills itself while its threads make calls; they leave it the time to do so.
const KILLED: &str = r#"
import java.io.File;
public class Killed {
    public static void main(String[] words) throws Exception {
        for (int number = 0; number < 4; number++)
            new Thread(() -> look()).start();
        Thread.sleep(100);
        new ProcessBuilder("sh", "-c", "kill -9 $PPID").start();
        look();
    }
    static void look() {
        while (true) {
            new File("/trial/a").exists();
            java.util.concurrent.locks.LockSupport.parkNanos(1000000);
        }
    }
}
"#;

#[test]
fn a_machine_that_is_killed_ends_the_run() {
    let folder = Folder::new("killed");
    compiled(&folder, "Killed", KILLED);
    for java in machines() {
        let words = [java.as_os_str(), "-cp".as_ref(), folder.0.as_os_str(), "Killed".as_ref()];
        let found = marked(&words);
        assert!(found.iter().any(|found| found.0 == "a"));
    }
}

/// A process that is killed when the test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A program whose thread `main` has left Java, and the number of that thread.
fn sleeping(folder: &Folder, java: &Path) -> (Running, libc::pid_t) {
    const TEXT: &str = "public class Sleeps { public static void main(String[] words) throws \
        Exception { System.out.println(1); Thread.sleep(1000000); } }";
    compiled(folder, "Sleeps", TEXT);
    let mut command = Command::new(java);
    command.arg("-cp").arg(&folder.0).arg("Sleeps").stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = [0];
    let mut output = child.stdout.take().unwrap();
    std::io::Read::read_exact(&mut output, &mut line).unwrap();
    let (running, process) = (Running(child), 0);
    let threads = std::fs::read_dir(format!("/proc/{}/task", running.0.id())).unwrap().flatten();
    let mut numbers = threads.filter_map(|thread| thread.file_name().to_str()?.parse().ok());
    // The launcher's second thread runs `main`.
    let first = running.0.id().cast_signed();
    let main = numbers.by_ref().filter(|number| *number > first).min().unwrap_or(process);
    (running, main)
}

fn tables(process: libc::pid_t, java: &Path) -> Tables {
    let library = library(java).canonicalize().unwrap();
    let file = RuntimeFile::of(&library, b"libjvm.so").unwrap();
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
    let line = maps.lines().find(|line| line.ends_with("libjvm.so")).unwrap();
    let slide = u64::from_str_radix(line.split('-').next().unwrap(), 16).unwrap();
    Tables::read(process, &Loaded { file: &file, slide, path: b"libjvm.so" }).unwrap()
}

fn has(frames: &[Location], function: &str) -> bool {
    frames.iter().any(|frame| frame.function.contains(function))
}

/// What is there within half a minute.
fn eventually<T>(mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..3000 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("not within half a minute");
}

#[test]
fn nonsense_in_the_tables_does_no_harm() {
    let folder = Folder::new("nonsense");
    for java in machines() {
        let (_running, main) = sleeping(&folder, &java);
        let functions = |tables: &Tables, version: u64| {
            let layout = Layout::of(tables, version).ok()?;
            let (threads, known) = (Threads::default(), Known::default());
            let mut java = Java { layout, cache: None, threads, known };
            let mut frames = Vec::new();
            let mut name = |location| {
                frames.push(location);
                FrameId(frames.len() as u32)
            };
            java.functions(whose(main), &Registers::default(), &mut name);
            Some(frames)
        };
        let version = |tables: &Tables| super::version(main, tables).unwrap();
        let right = tables(main, &java);
        // The line is read before the thread has left `println`.
        let asleep = |frames: &Vec<_>| has(frames, "Thread.sleep") && has(frames, "Sleeps.main");
        let frames = eventually(|| functions(&right, version(&right)).filter(asleep));
        let (mut random, mut others) = (1u64, 0);
        for round in 0..400 {
            let mut wrong = tables(main, &java);
            wrong.distort(|| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let few = random >> 60 == 0;
                few.then_some(random >> (8 + 8 * (round % 7)))
            });
            others += u32::from(functions(&wrong, version(&right)).as_ref() != Some(&frames));
        }
        assert!(others > 100, "{others}");
    }
}
