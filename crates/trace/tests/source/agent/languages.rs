//! Programs in other languages than Python, which `runtimes` has (`tests/source/languages`):
//! wherever they look at a marked path, that says in which functions and lines they are, innermost
//! first.

use std::path::{Path, PathBuf};
use std::process::Command;

use fewer_trace::{Call, Name};

use super::runtimes::marked;
use super::tiers::{Case, TestFolder, compare_in};
use crate::fixture::{Run, installed};

/// How often the programs do all that they do, but Lisp and Java.
const TURNS: usize = 150;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/source/languages").join(name)
}

/// A program, after the words that run it. `None` if its runtime is not installed.
fn case(words: &[&str], name: &str) -> Option<Case> {
    let Some(runtime) = installed(words[0]) else {
        eprintln!("skipped without {}", words[0]);
        return None;
    };
    let source = source(name);
    let words = [&words[1..], &[source.to_str().unwrap()]].concat();
    // When memory is asked for, and looked through, depends on where it lies.
    let apart = vec![Name::Mmap, Name::Munmap, Name::Brk, Name::Getrandom, Name::ClockGettime];
    Some(Case { apart, ..Case::new(&runtime, &words) })
}

/// Programs whose threads do what they do at any time.
fn in_any_order(case: Case) -> Case {
    Case { in_order: false, same_calls: false, ..case }
}

/// Runs it in both tiers. All of so many marked calls have the functions that they say, and so many
/// calls are the agent's.
fn says(case: Case, name: &str, calls: usize, by_agent: u64) {
    let run = compare_in(&Case { by_agent, ..case }, &TestFolder::new());
    let mut count = 0;
    for (call, path) in marked(&run, "/marked/") {
        assert_eq!(functions(&run, call, name), path["/marked/".len()..]);
        count += 1;
    }
    assert_eq!(count, calls);
}

/// The functions and lines of a call that are a program's own, or those of a text that it
/// evaluates, with the number that perl gives that.
fn functions(run: &Run, call: &Call, name: &str) -> String {
    let locations = run.registry.stack(call.stack).flat_map(|frame| &frame.locations);
    let is_own = |file: &str| file.contains(name) || file == "made" || file.starts_with("(eval ");
    let own = locations.filter(|it| is_own(&it.file));
    let own: Vec<String> = own
        .map(|it| match it.file.starts_with("(eval ") {
            true => format!("{} {} of {}", it.function, it.line, it.file),
            false => format!("{} {}", it.function, it.line),
        })
        .collect();
    own.join(",")
}

/// How many marked calls functions make that call themselves up to so often, in so many turns.
fn deep(turns: usize, depth: usize) -> usize {
    (0..turns).map(|turn| turn % depth + 1).sum()
}

/// The same, of those that call themselves twice.
fn twice() -> usize {
    (0..TURNS).map(|turn| 1 << (turn % 4)).sum()
}

#[test]
fn functions_of_bash() {
    let Some(case) = case(&["bash"], "functions.bash") else { return };
    let calls = deep(TURNS, 9) + twice() + 20 * TURNS;
    says(case, "functions.bash", calls, 2500);
}

#[test]
fn functions_of_perl() {
    let Some(case) = case(&["perl"], "functions.pl") else { return };
    let calls = deep(TURNS, 9) + twice() + 18 * TURNS + TURNS / 2;
    says(case, "functions.pl", calls, 2500);
}

#[test]
fn threads_of_perl() {
    let has_threads = Command::new("perl").args(["-Mthreads", "-e", "1"]).status();
    if !has_threads.is_ok_and(|status| status.success()) {
        return eprintln!("skipped without a perl that has threads");
    }
    let Some(case) = case(&["perl"], "threads.pl") else { return };
    says(in_any_order(case), "threads.pl", 5 * (100 + 3 * 200 + 200), 2500);
}

#[test]
fn functions_of_ruby() {
    let Some(case) = case(&["ruby", "--disable-gems"], "functions.rb") else { return };
    let calls = deep(TURNS, 9) + twice() + 19 * TURNS;
    says(case, "functions.rb", calls, 2500);
}

#[test]
fn threads_of_ruby() {
    let Some(case) = case(&["ruby", "--disable-gems"], "threads.rb") else { return };
    says(in_any_order(case), "threads.rb", 5 * (100 + 3 * 100 + 200), 1500);
}

#[test]
fn functions_of_php() {
    let Some(case) = case(&["php", "-n"], "functions.php") else { return };
    let calls = deep(TURNS, 9) + twice() + 18 * TURNS;
    says(case, "functions.php", calls, 2500);
}

#[test]
fn functions_of_lua() {
    let Some(case) = case(&["lua5.4"], "functions.lua") else { return };
    says(case, "functions.lua", deep(TURNS, 9) + 14 * TURNS, 2000);
}

#[test]
fn functions_of_lisp() {
    let Some(case) = case(&["sbcl", "--script"], "functions.lisp") else { return };
    let case = Case { by_agent: 1000, same_calls: false, ..case };
    let run = compare_in(&case, &TestFolder::new());
    let mut count = 0;
    for (call, path) in marked(&run, "/marked/") {
        let found = functions(&run, call, "functions.lisp");
        // The outermost forms are not in the mark.
        assert!(found.starts_with(&path["/marked/".len()..]), "{found}: {path}");
        count += 1;
    }
    assert_eq!(count, 400 + 399 + 400);
}

#[test]
fn functions_of_java() {
    let Some(mut case) = case(&["java", "-cp"], "Functions.java") else { return };
    if installed("javac").is_none() {
        return eprintln!("skipped without javac");
    }
    let classes = tempfile::tempdir().unwrap();
    let mut javac = Command::new("javac");
    javac.arg("-d").arg(classes.path()).arg(source("Functions.java"));
    assert!(javac.status().unwrap().success());
    case.command.pop();
    case.command.extend([classes.path().into(), "Functions".into()]);
    let calls = deep(1500, 9) + deep(1500, 3) + 6 * 1500;
    says(in_any_order(case), "Functions.java", calls, 10_000);
}
