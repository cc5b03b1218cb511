//! Scripts that come from the standard input, which their commands read as well: what dash, bash
//! and ksh93 make of the same bytes, from a file, a pipe and a pipe whose writer takes its time.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod at_rest;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

const FEWER: &str = env!("CARGO_BIN_EXE_fewer");
const SHELLS: [(&str, &str); 3] = [("dash", "--posix"), ("bash", "--bash"), ("ksh93", "--ksh")];

/// Scripts and the data in them. What is no script is only reached where it is not read.
const SCRIPTS: &[&str] = &[
    "echo a; cat\ndata one\necho b\n",
    "read x\ndata\necho x=$x\n",
    "while read x; do echo \"got $x\"; done\none\ntwo\n",
    "while read l; do\n case $l in end) break;; esac\n echo \"l=$l\"\ndone\n1\n2\nend\necho over\n",
    "echo a\ncat <<E; read z\nhere\nE\nzdata\necho $z\n",
    "cat <<A; cat <<B\na\nA\nb\nB\nread p; read q\n1\n2\necho $p$q",
    "echo a; (read q; echo \"q=$q\")\nqd\n/bin/sh -c 'read r; echo r=$r'\nrd\nexec cat\nl1\nl2\n",
    "echo a\nbash -s p q\necho inner $1 $2\nexit 4\necho outer",
    "f() {\n  cat\n}\nf\nd1\nd2",
    "x=1\nif true; then\n  read a\n  read b\nfi\none\ntwo\necho \"$a $b\"\n",
    "echo $(cat)\n1\n2\n",
    "(cat; echo in) | tr a-z A-Z\none\n",
    "read a b\\\nx y\necho \"$a|$b\"\nfalse\n\n# comment\n\n",
    "echo a\\\nb\necho \"q\nr\"; x=$(\nread z; echo \"$z\"\n)\nzz\necho \"x=$x\"\n",
    "echo a\ncat\nit is a don't (line\n) ;; fi\n",
    "echo a\nif\n fi\necho b\n",
    "echo a\n(read x; echo \"bg $x\") & wait\ndata\necho done\n",
    "exec 3<&0 </dev/null\nread x; echo \"[$x]\"\nread y <&3\necho not reached\n",
    "exec <&-\necho after\n",
    "trap 'echo bye' EXIT\necho a; set -e\nfalse\necho no\n",
    "alias ll='echo aliased'\nll x\nread k </dev/null\nll\n",
    "echo $# $-\nset -f\necho $-\n",
    "echo one\nnosuchcommand 2>/dev/null\necho $?\nexit 3\necho ${not\n",
    "/bin/echo a\n/bin/echo b </dev/null\nread x\n/bin/echo c\necho \"$x\"\n",
    "",
    "\n# nothing\n",
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    File,
    Pipe,
    /// A line, and 5 ms later the next one.
    Lines,
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).env("PATH", "/usr/bin:/bin").env("LC_ALL", "C.UTF-8");
    command.stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    command
}

fn start(words: &[&str]) -> (Child, ChildStdin) {
    let mut child = command(words).stdin(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take().unwrap();
    (child, input)
}

fn end(child: Child) -> (String, Option<i32>) {
    let output = child.wait_with_output().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// A file at its beginning.
fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file
}

fn run(words: &[&str], script: &[u8], how: How) -> (String, Option<i32>) {
    if how == How::File {
        return end(command(words).stdin(file(script)).spawn().unwrap());
    }
    let (child, mut input) = start(words);
    if how == How::Pipe {
        let _ = input.write_all(script); // it may not want all of it
    } else {
        for line in script.split_inclusive(|byte| *byte == b'\n') {
            let _ = input.write_all(line);
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    drop(input);
    end(child)
}

#[test]
fn what_a_command_reads_is_not_run() {
    for (shell, dialect) in SHELLS {
        for script in SCRIPTS {
            for how in [How::File, How::Pipe, How::Lines] {
                let mut real = run(&[shell], script.as_bytes(), how);
                let ours = run(&[FEWER, "sh", dialect], script.as_bytes(), how);
                // What dash takes for commands is what has come by then.
                if shell == "dash" && how == How::Lines && ours != real {
                    real = run(&[shell], script.as_bytes(), How::Pipe);
                }
                assert_eq!(ours, real, "{dialect} {how:?}: {script}");
            }
        }
    }
}

/// Without another shell to leave it to.
#[test]
fn the_end_of_a_script_need_not_be_one() {
    for (shell, dialect) in SHELLS {
        for script in &SCRIPTS[..20] {
            for how in [How::File, How::Pipe] {
                let real = run(&[shell], script.as_bytes(), how);
                let ours = run(&[FEWER, "sh", "--strict", dialect], script.as_bytes(), how);
                assert_eq!(ours, real, "{dialect} {how:?}: {script}");
            }
        }
    }
}

#[test]
fn a_program_can_wait_for_each_answer() {
    let lines = [
        ("echo one; x=5\n", "one\n"),
        ("for i in 1 2\ndo echo $i$x; done\n", "15\n25\n"),
        ("/bin/echo three\n", "three\n"),
        ("read y; echo \"<$y>\"\n", ""),
        ("data\n", "<data>\n"),
        ("cat <<E\nhere\nE\n", "here\n"),
    ];
    for (_, dialect) in SHELLS {
        for words in [&[FEWER, "sh", dialect][..], &[FEWER, "sh", "--strict", dialect, "-s", "a"]] {
            let (mut child, mut input) = start(words);
            let mut output = child.stdout.take().unwrap();
            for (line, answer) in lines {
                input.write_all(line.as_bytes()).unwrap();
                if answer.is_empty() {
                    // What has come by then, dash takes for a command.
                    at_rest::wait_for(child.id());
                }
                let mut said = vec![0; answer.len()];
                output.read_exact(&mut said).unwrap();
                assert_eq!(String::from_utf8(said).unwrap(), answer, "{words:?}: {line}");
            }
            input.write_all(b"exit 7\necho no\n").unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(7), "{words:?}");
        }
    }
}

#[test]
fn a_socket_is_shared_as_well() {
    for (shell, dialect) in SHELLS {
        for blocking in [true, false] {
            let said = |words: &[&str]| {
                let (mut ours, theirs) = UnixStream::pair().unwrap();
                theirs.set_nonblocking(!blocking).unwrap();
                let child = command(words).stdin(OwnedFd::from(theirs)).spawn().unwrap();
                ours.write_all(b"echo a\nread x\n").unwrap();
                std::thread::sleep(Duration::from_millis(50));
                ours.write_all(b"data\necho \"x=$x\"\n").unwrap();
                drop(ours);
                end(child)
            };
            let real = said(&[shell]);
            // Whether a process reads the bytes or finds none differs from run to run.
            if blocking && shell != "dash" {
                assert_eq!(said(&[FEWER, "sh", dialect]), real, "{dialect}");
                assert_eq!(said(&[FEWER, "sh", "--strict", dialect]), real, "{dialect}");
            }
            assert!(said(&[FEWER, "sh", dialect]).0.starts_with("a\n"), "{dialect}");
        }
    }
}

/// More than a pipe holds, and more than is looked at in one go.
#[test]
fn a_script_may_be_long() {
    let mut script = String::from("cat <<E | wc -c\n");
    (0..15_000).for_each(|_| script.push_str(&("z".repeat(99) + "\n")));
    script.push_str("E\n");
    (0..3_000).for_each(|number| script.push_str(&format!("x={number}\n")));
    script.push_str("read y\nDATA\necho \"y=$y x=$x\"\n/bin/echo end\n");
    for (shell, dialect) in SHELLS {
        for how in [How::File, How::Pipe] {
            let real = run(&[shell], script.as_bytes(), how);
            for words in [&[FEWER, "sh", dialect][..], &[FEWER, "sh", "--strict", dialect]] {
                assert_eq!(run(words, script.as_bytes(), how), real, "{words:?} {how:?}");
            }
        }
    }
}

#[test]
fn it_begins_where_the_input_stands() {
    for (shell, dialect) in SHELLS {
        let said = |words: &[&str]| {
            let mut input = file(b"not this\necho a\nread x\ndata\n/bin/echo $x\nexit 3\nleft\n");
            input.seek(SeekFrom::Start(9)).unwrap();
            let child = command(words).stdin(input.try_clone().unwrap()).spawn().unwrap();
            let said = end(child);
            (said, input.stream_position().unwrap())
        };
        let (real, ours) = (said(&[shell]), said(&[FEWER, "sh", dialect]));
        assert_eq!(ours.0, real.0, "{dialect}");
        // bash does not give back its read-ahead when it ends: that is documented.
        let behind = if shell == "bash" { 48 } else { real.1 };
        assert_eq!(ours.1, behind, "{dialect}");
    }
}

#[test]
fn what_is_no_script_at_all() {
    for (shell, dialect) in SHELLS {
        for path in ["/dev/null", "/"] {
            let said = |words: &[&str]| {
                end(command(words).stdin(File::open(path).unwrap()).spawn().unwrap())
            };
            assert_eq!(said(&[FEWER, "sh", dialect]), said(&[shell]), "{dialect} {path}");
        }
        let said = |words: &str| {
            end(command(&["/bin/sh", "-c", &format!("{words} <&-")])
                .stdin(Stdio::null())
                .spawn()
                .unwrap())
        };
        assert_eq!(said(&format!("'{FEWER}' sh {dialect}")), said(shell), "{dialect}");
    }
}

#[test]
fn nothing_is_lost_for_another_interpreter() {
    for how in [How::File, How::Pipe, How::Lines] {
        let script = b"#!/usr/bin/env cat\nfirst\nsecond\n";
        let (out, status) = run(&[FEWER, "sh"], script, how);
        assert_eq!((out.as_bytes(), status), (&script[..], Some(0)), "{how:?}");
        let script = b"echo a\nread x\ndata\necho $x; coproc true\n";
        let (out, status) = run(&[FEWER, "sh", "--bash"], script, how);
        assert_eq!((&*out, status), ("a\ndata\n", Some(0)), "{how:?}");
    }
}

/// How often the shell itself makes a call on descriptor 0, `poll`s of the start aside.
fn calls_on_input(dialect: &str, script: &str, how: How) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("script"), script).unwrap();
    // What asks whether more comes is to find that nobody writes any more: not this process, and
    // none that another thread of it is about to start.
    let input = match how {
        How::File => "exec <script",
        _ => "mkfifo pipe; exec 3<>pipe; cat script >&3; exec <pipe 3>&-",
    };
    let (input, calls) = (format!("{input}; exec \"$@\""), "trace=read,lseek,tee,ppoll,recvfrom");
    let strace = ["strace", "-o", "log", "-e", calls, FEWER, "sh", dialect];
    let mut command = command(&[&["sh", "-c", &input, "sh"], &strace[..]].concat());
    command.current_dir(folder.path()).stdin(Stdio::null());
    let (out, status) = end(command.spawn().unwrap());
    assert_eq!((out.contains("data"), status), (true, Some(0)), "{out}");
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    let count = |call: &str| {
        let ways = [format!("{call}(0,"), format!("{call}([{{fd=0,")];
        log.lines().filter(|line| ways.iter().any(|way| line.starts_with(way))).count()
    };
    ["read", "lseek", "tee", "ppoll"].map(|call| format!("{call} {}", count(call))).join(", ")
}

#[test]
fn only_what_a_program_may_read_costs_more() {
    let plain = "x=1\nfor i in 1 2; do echo $i; done\nread y\ndata\necho data $y\n";
    let programs = "env true\nenv true </dev/null\nenv head -c 5\ndata\necho data\n";
    for dialect in ["--bash", "--ksh"] {
        // One for the text, one for its end.
        assert_eq!(calls_on_input(dialect, plain, How::File), "read 2, lseek 0, tee 0, ppoll 0");
        assert_eq!(calls_on_input(dialect, plain, How::Pipe), "read 1, lseek 0, tee 2, ppoll 1");
        assert_eq!(calls_on_input(dialect, programs, How::File), "read 4, lseek 2, tee 0, ppoll 0");
        assert_eq!(calls_on_input(dialect, programs, How::Pipe), "read 3, lseek 0, tee 4, ppoll 1");
    }
    let programs = "env true\nenv cat\necho data\n";
    assert_eq!(calls_on_input("--posix", programs, How::File), "read 2, lseek 0, tee 0, ppoll 0");
}
