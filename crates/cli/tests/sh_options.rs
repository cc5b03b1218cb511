//! The options that callers of a shell use: done, or handed over, and never an error of the parser.
//! Compared with dash, bash and ksh93.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const FEWER: &str = env!("CARGO_BIN_EXE_fewer");
const SHELLS: [(&str, &str); 3] = [("dash", "--posix"), ("bash", "--bash"), ("ksh93", "--ksh")];

/// Whose options they are, and the words; a script of the name `s` is there.
const LINES: &[(&str, &[&str])] = &[
    (
        "dash bash ksh93",
        &[
            "-ce|echo $-; false; echo no|n", "-c|+e|echo x|n", "-eo|noglob|-c|echo $-|n",
            "-sc|echo c|n", "-c|-s|echo c|n", "-l|-c|echo hi|n", "-O|nonsense|-c|:", "-c",
            "-o|nonsense|-c|:", "-Z|-c|:", "--nonsense|-c|:", "-hc|echo $-|n", "-|s", "--|s|-e",
            "-e|-|s", "-c|--|echo x|n", "+o|noglob|-fc|echo $-|n", "-t|s", "-r|-c|cd /; echo $?|n",
            "-D|s", "-o|verbose|s", "-o|errtrace|-c|echo $-|n", "-o|globstar|-c|echo hi|n",
            "-o|vi|-c|echo hi|n", "-P|-c|echo hi|n", "-s|a|b", "-es|--|-e",
        ],
    ),
    ("dash bash", &["+c|echo $0 $-|n", "-oe|noglob|-c|echo $-|n", "-o", "+o"]),
    (
        "bash ksh93",
        &[
            "-euo|pipefail|-c|echo $-; false | true; echo no|n", "-eo|pipefail|s|a|b",
            "-e|-o|pipefail|--|s|-x", "--login|-c|echo hi|n", "--restricted|-c|cd /; echo $?|n",
            "+B|-c|echo {a,b}|n", "--version|-c|:",
        ],
    ),
    ("dash", &["-o|posix|-c|echo hi|n", "--restricted|-c|echo hi|n"]),
    (
        "bash",
        &[
            "-login|-c|echo hi|n", "-O|extglob|-c|case aa in +(a)) echo y;; esac|n",
            "+O|extglob|-c|shopt -q extglob; echo $?|n",
            "-O|nullglob|-O|dotglob|-c|echo *nothing; shopt -q dotglob; echo $?|n",
            "-O|execfail|-c|exec /nothing; echo still|n", "--norc|-c|echo hi|n",
            "--noprofile|--norc|-eo|pipefail|s", "--posix|-c|set -o; echo hi|n",
            "-o|posix|-c|set -o; echo hi|n", "--rcfile|/dev/null|-c|echo hi|n",
            "--init-file|/dev/null|s", "--rcfile", "-BEHT|-c|echo $-|n", "-O",
        ],
    ),
    ("ksh93", &["--posix|-c|echo hi|n"]),
];

fn run(words: &[&str]) -> (Option<i32>, String, String) {
    let here = tempfile::tempdir().unwrap();
    std::fs::write(here.path().join("s"), "echo \"$0|$*|$-\"\nfalse | true; echo $?\n").unwrap();
    let mut env = Command::new("env");
    env.args(["-i", "PATH=/usr/bin:/bin", "HOME=/proc/nonexistent", "LC_ALL=C"]).args(words);
    said(env.current_dir(here.path()).stdin(Stdio::null()).output().unwrap())
}

fn said(done: Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

#[test]
fn options_are_those_of_the_other_shells() {
    let lines = LINES.iter().flat_map(|(judges, lines)| lines.iter().map(move |it| (judges, it)));
    for (judges, line) in lines {
        for (judge, dialect) in SHELLS.iter().filter(|(judge, _)| judges.contains(judge)) {
            if Command::new(judge).args(["-c", ":"]).status().is_err() {
                println!("skipped: there is no {judge}");
                continue;
            }
            let words: Vec<&str> = line.split('|').collect();
            // A bar in a script is one.
            let words = joined(words);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let theirs = run(&[&[*judge][..], &words].concat());
            let ours = run(&[&[FEWER, "sh", dialect][..], &words].concat());
            assert_eq!((&ours.0, &ours.1), (&theirs.0, &theirs.1), "{judge} {line}: {}", ours.2);
            assert!(!ours.2.contains("unexpected argument"), "{judge} {line}: {}", ours.2);
        }
    }
}

/// Puts together again what `false | true` was split into.
fn joined(words: Vec<&str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        match all.last_mut() {
            Some(last) if word.starts_with(' ') => *last = format!("{last}|{word}"),
            _ => all.push(word.to_owned()),
        }
    }
    all
}

#[test]
fn a_shell_to_talk_with_is_the_real_one() {
    let (status, out, errors) = run(&[FEWER, "sh", "--bash", "--norc", "-i", "-c", "echo $-"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(out.contains('i'), "{out}");
    let strict = run(&[FEWER, "sh", "--bash", "--strict", "-i", "-c", "echo no"]);
    assert_eq!((strict.0, &*strict.1), (Some(2), ""), "{}", strict.2);
    assert!(strict.2.contains("'-i'"), "{}", strict.2);
}

#[test]
fn bash_reads_its_file_first() {
    let here = tempfile::tempdir().unwrap();
    let file = here.path().join("env");
    std::fs::write(&file, "echo first\n").unwrap();
    let run = |words: &[&str]| {
        let mut env = Command::new("env");
        env.arg(format!("BASH_ENV={}", file.display())).args(words).args(["-c", "echo second"]);
        said(env.output().unwrap()).1
    };
    assert_eq!(run(&[FEWER, "sh", "--bash"]), run(&["bash"]));
    assert_eq!(run(&[FEWER, "sh", "--posix"]), "second\n");
}

#[test]
fn a_script_from_an_input_that_is_not_ready_is_waited_for() {
    for (_, dialect) in SHELLS {
        for words in [&["-s"][..], &[]] {
            let (mut ours, theirs) = UnixStream::pair().unwrap();
            theirs.set_nonblocking(true).unwrap();
            let mut fewer = Command::new(FEWER);
            fewer.args(["sh", dialect]).args(words).stdin(OwnedFd::from(theirs));
            let child = fewer.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            drop(fewer);
            for line in ["echo one\n", "echo two; ", "echo 3\n"] {
                std::thread::sleep(Duration::from_millis(60));
                ours.write_all(line.as_bytes()).unwrap();
            }
            drop(ours);
            let (status, out, errors) = said(child.wait_with_output().unwrap());
            assert_eq!((status, &*out), (Some(0), "one\ntwo\n3\n"), "{dialect}: {errors}");
        }
    }
}
