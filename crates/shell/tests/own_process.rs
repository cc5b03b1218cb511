//! A script's descriptors where they are the process's own: each test is a process, this program
//! again, that somebody else has started with descriptors of his choice.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::ffi::CString;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fewer::Scope;
use fewer_shell::processes::{Run, exec, fork, spawn, wait};
use fewer_shell::streams::{Ended, How, Open, Table};
use sys::Forked;

/// Not a test: what the others start, as the variable says.
#[test]
#[ignore = "started by the other tests"]
fn role() {
    let table = Table::start();
    match std::env::var("ROLE").unwrap_or_default().as_str() {
        "read a line" => say(&table, 3, &line(&table.get(0).unwrap())),
        "close standard output" => {
            drop(table.put(1, None));
            until_there(Path::new("seen"));
            say(&table, 3, "ended\n");
        }
        "swap and exec" => {
            let (three, four) = (table.get(3), table.get(4));
            table.put(3, four);
            table.put(4, three);
            let null = table.open(&Scope::start(), b"/dev/null", How::Write).unwrap();
            table.put(1, Some(null));
            say(&table, 3, "first\n");
            let scope = Scope::start().enter("/usr").unwrap();
            let script = "echo gone; echo three >&3; pwd >&4; trap >&4";
            let failed = run(script, |run| exec(run, &table, &scope));
            panic!("{failed}");
        }
        "fork in a capture" => fork_in_a_capture(&table),
        "both streams" => {
            for round in 0..3 {
                say(&table, 1, &format!("out {round}\n"));
                say(&table, 2, &format!("err {round}\n"));
            }
        }
        "inherit" => {
            // Named and unnamed numbers go on to children; one that is closed does not.
            assert!(table.get(3).is_some() && table.get(9).is_none());
            drop(table.put(5, None));
            let script = "echo 3 >&3; echo 4 >&4; echo 5 2>/dev/null >&5; :";
            let child = run(script, |run| spawn(run, &table, &Scope::start())).unwrap();
            assert_eq!(sys::ExitStatus::from_wait(wait(child, &table).unwrap()).in_shell(), 0);
        }
        _ => {}
    }
    table.finish().unwrap();
}

/// Waits until there is such a file; after half a minute in vain.
fn until_there(path: &Path) {
    let begun = Instant::now();
    while !path.exists() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn fork_in_a_capture(table: &Table) {
    let capture = table.capture(1 << 20);
    let before = table.put(1, Some(capture.clone()));
    say(table, 1, "parent\n");
    match fork(table).unwrap() {
        Forked::Child => {
            say(table, 1, &"child\n".repeat(50_000));
            table.finish().unwrap();
            std::process::exit(7);
        }
        Forked::Parent(child) => {
            assert_eq!(sys::ExitStatus::from_wait(wait(child, table).unwrap()).in_shell(), 7);
            say(table, 1, "parent again\n");
            table.put(1, before);
            let all = String::from_utf8(capture.collected().unwrap()).unwrap();
            let expected = format!("parent\n{}parent again\n", "child\n".repeat(50_000));
            say(table, 3, if all == expected { "all\n" } else { "not all\n" });
        }
    }
}

fn run<T>(script: &str, f: impl FnOnce(&Run<'_>) -> T) -> T {
    let arguments = ["sh", "-c", script].map(|word| CString::new(word).unwrap());
    let environment = [c"PATH=/usr/bin:/bin".to_owned()];
    f(&Run {
        path: c"/bin/sh",
        arguments: &arguments,
        environment: &environment,
        default_signals: &[13],
    })
}

fn say(table: &Table, number: u32, text: &str) {
    table.get(number).unwrap().write(text.as_bytes()).unwrap();
}

fn line(open: &Open) -> String {
    let mut bytes = Vec::new();
    let ended = open.read_until(b'\n', &mut bytes, usize::MAX, None).unwrap();
    assert_eq!(ended, Ended::Delimiter);
    String::from_utf8(bytes).unwrap() + "\n"
}

/// Runs a script in `place` in which `$me` is this program in a role.
fn script(place: &Path, role: &str, script: &str) -> String {
    // Its path may have blanks in it, its name has none.
    let me = std::env::current_exe().unwrap();
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let folders = me.parent().map(Path::to_owned).into_iter();
    let path = std::env::join_paths(folders.chain(std::env::split_paths(&inherited))).unwrap();
    let me = me.file_name().unwrap().to_str().unwrap();
    let mut command = Command::new("bash");
    command.args(["-c", script]).current_dir(place).env("ROLE", role).env("PATH", path);
    command.env("me", format!("{me} -q --ignored --exact role"));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{role}: {script}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("lines"), "1\n2\n3\n").unwrap();
    place
}

#[test]
fn what_was_not_used_is_left_to_whoever_comes_next() {
    let place = place();
    for (source, end) in [
        ("cat lines |", ""),
        ("cat <(cat lines; sleep 0.1) |", ""),
        ("", "<lines"),
        ("cat lines >fifo &", "<fifo"),
    ] {
        let text = format!(
            "[ -p fifo ] || mkfifo fifo; {source} {{ $me 3>f >/dev/null; cat >g; }} {end}; \
             cat f; echo --; cat g"
        );
        let said = script(place.path(), "read a line", &text);
        assert_eq!(said, "1\n--\n2\n3\n", "{source} {end}");
    }
}

#[test]
fn closing_standard_output_ends_the_pipe_at_once() {
    let text = "$me 3>ended | { cat >/dev/null; cat ended; echo eof; : >seen; }; cat ended";
    assert_eq!(script(place().path(), "close standard output", text), "eof\nended\n");
}

#[test]
fn a_program_in_its_place_gets_what_the_script_has() {
    let place = place();
    let said = script(place.path(), "swap and exec", "$me 3>a 4>b; cat a; echo --; cat b");
    assert_eq!(said.split("--\n").last().unwrap(), "first\nthree\n");
    assert!(said.contains("/usr\n"), "{said}");
    assert!(!said.contains("gone"), "{said}");
}

#[test]
fn a_copy_of_the_process_writes_to_the_capture() {
    let said = script(place().path(), "fork in a capture", "$me 3>f >/dev/null; cat f");
    assert_eq!(said, "all\n");
}

#[test]
fn output_and_errors_keep_their_order_in_one_place() {
    let expected = "out 0\nerr 0\nout 1\nerr 1\nout 2\nerr 2\n";
    for text in ["$me >f 2>&1; cat f", "$me 2>&1 | cat", "$me >>f2 2>>f2; cat f2"] {
        let said = script(place().path(), "both streams", text);
        let ours: String = said
            .lines()
            .filter(|line| line.contains(['0', '1', '2']))
            .filter(|line| line.starts_with("out") || line.starts_with("err"))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(ours, expected, "{text}");
    }
}

#[test]
fn what_the_process_was_given_goes_on_to_children() {
    let text = "$me 3>a 4>b 5>c >/dev/null; cat a b; echo --; cat c";
    assert_eq!(script(place().path(), "inherit", text), "3\n4\n--\n");
}
