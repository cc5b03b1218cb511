//! The command line of `fewer sh`: words and statuses as those of dash, bash and ksh93.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../fewer/tests/scene/program.rs"]
mod program;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use program::copy_program;
use tempfile::TempDir;

const FEWER: &str = env!("CARGO_BIN_EXE_fewer");

/// Runs `fewer sh` with these words in a folder.
fn sh(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let mut fewer = Command::new(FEWER);
    said(fewer.arg("sh").args(words).current_dir(folder).stdin(Stdio::null()).output().unwrap())
}

fn said(output: Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Scripts to run.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let (written, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (name, text) in files {
        let path = written.path().join(name);
        fs::write(&path, text).unwrap();
        copy_program(&path, &folder.path().join(name)).unwrap();
    }
    folder
}

#[test]
fn what_is_no_flag_is_wrong_usage() {
    let here = folder(&[]);
    for words in [&["--nonsense"][..], &["-Z"], &["-Z", "-c", "echo a"], &["+Z", "-c", "echo a"]] {
        let (status, out, errors) = sh(here.path(), words);
        assert_eq!((status, &*out), (2, ""), "{words:?}: {errors}");
        assert!(!errors.contains("cannot open"), "{errors}");
    }
    for words in [&["-o", "nonsense", "-c", ":"][..], &["+o", "nonsense", "-c", ":"], &["-c"]] {
        assert_eq!(sh(here.path(), words).0, 2, "{words:?}");
    }
    assert_eq!(sh(here.path(), &["nosuch"]).0, 127);
    assert_eq!(sh(here.path(), &["/"]).0, 126);
}

#[test]
fn words_are_taken_as_a_shell_takes_them() {
    let here = folder(&[("-x", "echo file $1"), ("s", "echo \"$0\" \"$@\"")]);
    for (words, expected) in [
        (&["-c", "--", "echo \"$0\" \"$@\"", "-x", "--bash"][..], "-x --bash\n"),
        (&["-c", "echo \"$0\" \"$@\"", "--", "-x"], "-- -x\n"),
        (&["-c", "-", "echo x"], "x\n"),
        (&["-e", "+e", "-c", "false; echo $-"], "\n"),
        (&["+e", "-ef", "-c", "echo $-"], "fe\n"),
        (&["+o", "noglob", "-fc", "echo $-"], "f\n"),
        (&["-f", "+o", "noglob", "+x", "-c", "echo $-."], ".\n"),
        (&["-x", "+x", "--", "s", "-e", "+e", "--"], "s -e +e --\n"),
        (&["-euo", "noglob", "-c", "echo $-"], "ufe\n"),
        (&["s", "--strict", "-c"], "s --strict -c\n"),
        (&["-", "-x", "a"], "file a\n"),
        (&["--", "-x", "a"], "file a\n"),
        (&["+e", "-", "-x", "a"], "file a\n"),
        (&["-s", "--", "+e"], ""),
    ] {
        assert_eq!(sh(here.path(), words), (0, expected.into(), String::new()), "{words:?}");
    }
}

#[test]
fn a_name_that_is_not_here_is_looked_for_in_path() {
    let here = folder(&[("here", "echo here")]);
    let there = folder(&[("here", "echo there"), ("tool", "echo \"$0 $1\""), ("handed", HANDED)]);
    let run = |words: &[&str]| {
        let path = format!("/nosuch:{}:/usr/bin:/bin", there.path().display());
        let mut fewer = Command::new(FEWER);
        said(fewer.arg("sh").args(words).current_dir(&here).env("PATH", path).output().unwrap())
    };
    assert_eq!(run(&["here"]).1, "here\n");
    assert_eq!(run(&["tool", "a"]).1, "tool a\n");
    assert_eq!(run(&["handed", "a"]).1, "1 a\n");
    assert_eq!(run(&["./tool"]).0, 127);
}

/// Not run here: bash does it.
const HANDED: &str = "#!/bin/bash\ncoproc cat\necho ${#COPROC_PID[@]} $1\n";

#[test]
fn what_a_flag_asks_for_is_done_or_handed_over() {
    let here = folder(&[("s", "echo a\n: b\n"), ("v", "#!/bin/sh -v\necho a\n")]);
    // dash shows the lines.
    assert_eq!(sh(here.path(), &["-v", "s"]), (0, "a\n".into(), "echo a\n: b\n".into()));
    assert_eq!(sh(here.path(), &["./v"]).2, "#!/bin/sh -v\necho a\n");
    assert_eq!(sh(here.path(), &["-v", "+v", "s"]), (0, "a\n".into(), String::new()));
    for words in [&["-v"][..], &["-o", "verbose"], &["--bash", "-o", "keyword"]] {
        let (status, out, errors) = sh(here.path(), &[words, &["--strict", "s"]].concat());
        assert_eq!((status, &*out), (2, ""), "{words:?}: {errors}");
        assert!(errors.starts_with("fewer: s: line 1: "), "{errors}");
        assert!(errors.ends_with("' is not run here\n"), "{errors}");
    }
}

#[test]
fn the_first_line_is_read_as_the_kernel_reads_it() {
    let bash = |line: &str| format!("{line}\na=(1 2); echo ${{a[1]}} $- ${{A-}}\n");
    let here = folder(&[
        ("e", "#!/bin/sh -e\nfalse\necho no\n"),
        ("env", &bash("#!/usr/bin/env bash")),
        ("dash", &bash("#! /bin/bash -")),
        ("crlf", "#!/bin/sh\r\necho hi\n"),
        ("none", "#!\necho hi\n"),
        ("split", &bash("#!/usr/bin/env -S A=b bash -f")),
        ("awk", "#!/usr/bin/awk -f\nBEGIN { print \"awk\", ARGV[1] }\n"),
        ("two", "#!/bin/bash -x -e\necho no\n"),
        ("long", "#!/bin/bash --posix\nset -o | grep posix\n"),
        ("gone", "#!/no/such/shell\necho no\n"),
    ]);
    for (name, status, out) in [
        ("./e", 1, ""),
        ("./env", 0, "2 hB\n"),
        ("./dash", 0, "2 hB\n"),
        ("./crlf", 0, "hi\n"),
        ("./none", 0, "hi\n"),
        ("./split", 0, "2 fhB b\n"),
        ("./awk", 0, "awk word\n"),
        ("./two", 2, ""),
        ("./long", 0, "posix          \ton\n"),
        ("./gone", 127, ""),
    ] {
        let (really, written, errors) = sh(here.path(), &[name, "word"]);
        assert_eq!((really, &*written), (status, out), "{name}: {errors}");
    }
    let (status, _, errors) = sh(here.path(), &["--strict", "long"]);
    let expected = "fewer: long: line 1: '#!/bin/bash --posix' is not run here\n";
    assert_eq!((status, &*errors), (2, expected));
}

#[test]
fn options_of_the_first_line_go_along_to_another_shell() {
    let script = "#!/bin/sh -f\ncoproc cat\necho \"$-\"\n";
    let here = folder(&[("s", script)]);
    assert_eq!(sh(here.path(), &["--bash", "s"]).1, "fhB\n");
}

/// That would go round for ever.
#[test]
fn a_script_is_not_handed_over_to_fewer_sh_itself() {
    let here = folder(&[]);
    let other = here.path().join("sh-of-mine");
    std::os::unix::fs::symlink(FEWER, &other).unwrap();
    // A first line has no way to say that a blank is part of a path.
    let plain = (!FEWER.contains(' ')).then_some(FEWER);
    for first in plain.into_iter().chain(other.to_str()) {
        let script = format!("#!{first} sh\nalias a='echo handed over'\na\n");
        fs::write(here.path().join("s"), script).unwrap();
        let mut fewer = Command::new("timeout");
        fewer.args(["10", FEWER, "sh", "s"]).current_dir(here.path());
        assert_eq!(said(fewer.output().unwrap()).1, "handed over\n", "{first}");
    }
}

#[test]
fn what_was_closed_is_closed() {
    let here = folder(&[]);
    // What dash and bash come to.
    for (redirection, flags, script, status, out) in [
        (">&-", "-c", "echo a", 1, ""),
        (">&-", "--bash -c", "echo a", 1, ""),
        (">&-", "--ksh -c", "echo a", 1, ""),
        (">&-", "-c", ":", 0, ""),
        (">&-", "-c", "echo a >&2", 0, ""),
        (">&-", "-c", "exec 3>&1; echo not here >&2", 2, ""),
        (">&-", "-c", "/bin/echo a", 1, ""),
        (">&-", "-c", "cat /dev/null; x=$(echo a); [ $x = a ]", 0, ""),
        (">&-", "-c", "exec >/dev/null; echo a", 0, ""),
        (">&-", "-c", "coproc cat; echo a", 1, ""),
        (">&-", "--bash -c", "coproc cat; echo a", 1, ""),
        ("2>&-", "-c", "echo a", 0, "a\n"),
        ("2>&-", "-c", "echo a >&2", 2, ""),
        ("<&-", "-c", "read x; echo $?", 0, "1\n"),
        ("<&-", "-c", "cat || echo no", 0, "no\n"),
        ("<&- >&-", "-c", "echo a", 1, ""),
        ("", "-c", "echo a", 0, "a\n"),
        ("</dev/null >/dev/null", "-c", "echo a", 0, ""),
        ("<>/dev/null >&0", "-c", "echo a", 0, ""),
    ] {
        let text = format!("exec \"$0\" sh {flags} \"$1\" {redirection}");
        let mut dash = Command::new("/bin/sh");
        let dash = dash.args(["-c", &text, FEWER, script]).current_dir(&here);
        let (really, written, _) = said(dash.output().unwrap());
        assert_eq!((really, &*written), (status, out), "{script} {redirection}");
    }
}

#[test]
fn what_is_found_only_when_it_runs_ends_the_script() {
    let here = folder(&[]);
    for (dialect, script, what) in [
        ("--bash", "c=bind; $c -l", "bind"),
        ("--bash", "c=jobs; command $c", "jobs"),
        ("--ksh", "f=float; $f x=1.5", "float"),
        ("--posix", "o=-m; set $o", "set -m"),
        ("--bash", "set +$(echo B)", "set +B"),
        ("--posix", "set -$(echo ev)", "set -v"),
        ("--bash", "d=DEBUG; trap 'echo step' $d", "trap … DEBUG"),
        ("--ksh", "d=DEBUG; trap 'echo step' $d", "trap … DEBUG"),
        ("--bash", "c='set -k'; eval \"$c\"", "set -k"),
    ] {
        let script = format!("echo before; {script}; echo after");
        let (status, out, errors) = sh(here.path(), &[dialect, "-c", &script]);
        assert_eq!((status, &*out), (2, "before\n"), "{script}: {errors}");
        assert!(errors.ends_with(&format!("'{what}' is not run here\n")), "{errors}");
    }
    // An option that an expansion produces is known before the command runs, and left to the shell
    // that has it.
    for (dialect, script) in [
        ("--ksh", "set +o $(echo braceexpand)"),
        ("--bash", "shopt -s $(echo expand_aliases)"),
        ("--bash", "shopt -so $(echo keyword)"),
        ("--bash", "shopt -u $(echo promptvars)"),
    ] {
        let script = format!("echo before; {script}; echo after");
        let (status, out, errors) = sh(here.path(), &[dialect, "-c", &script]);
        assert_eq!((status, &*out), (0, "before\nafter\n"), "{script}: {errors}");
    }
    for script in ["c=coproc; eval \"$c cat\"", ". /dev/stdin <<<'coproc cat'"] {
        let script = format!("echo before; ( {script}; echo after ); echo $?");
        let (status, out, errors) = sh(here.path(), &["--bash", "-c", &script]);
        assert_eq!((status, &*out), (0, "before\n2\n"), "{script}: {errors}");
        assert!(errors.ends_with("not supported: coproc\n"), "{errors}");
    }
}

/// An error with the line, and what was written is not lost.
#[test]
fn a_text_that_grows_for_ever_ends_the_script() {
    let here = folder(&[("s", "echo before\nx=a\nwhile :; do x=$x$x; done\necho after\n")]);
    let said = "s: line 3: a text of more than 536870912 bytes\n";
    assert_eq!(sh(here.path(), &["--bash", "s"]), (1, "before\n".into(), said.into()));
}

#[test]
fn strict_names_the_line_and_the_feature() {
    let here = folder(&[]);
    for (dialect, script, line, what) in [
        ("--bash", "echo a\ncoproc cat", 2, "not supported: coproc"),
        ("--bash", ":\n:\nf() {\n  shopt -s extdebug\n}", 4, "'shopt -s extdebug' is not run here"),
        ("--bash", "echo a\n\ncommand fg", 3, "'fg' is not run here"),
        ("--bash", "f() { :; }\ndeclare -f f", 2, "a function as bash would write it"),
        ("--bash", ":\necho {1..2000000}", 2, "braces that only the shell itself can expand"),
        ("--ksh", ":\n:\necho $((1.5))", 3, "floating point"),
        ("--posix", ":\nalias ll='ls -l'\nll", 2, "'ll' is an alias: not run here"),
        ("--bash", ":\n\neval 'set -k'", 3, "'set -k' is not run here"),
        ("--bash", "trap 'coproc cat' EXIT", 1, "not supported: coproc"),
        ("--posix", "set -o monitor", 1, "'set -o monitor' is not run here"),
        ("--posix", "echo a; jobs", 1, "'jobs' is not run here"),
    ] {
        let said = sh(here.path(), &["--strict", dialect, "-c", script, "name"]);
        let expected = format!("fewer: name: line {line}: {what}\n");
        assert_eq!(said, (2, String::new(), expected), "{script}");
    }
}

#[test]
fn a_script_from_a_pipe_is_waited_for_and_handed_over_whole() {
    let here = folder(&[]);
    for (script, out) in
        [("echo \"one $1\"", "one word\n"), ("coproc cat; echo \"two $1\"", "two word\n")]
    {
        for pause in ["", "sleep 0.2;"] {
            let text = format!("exec \"$0\" sh --bash <({pause} printf '%s' \"$1\") word");
            let mut bash = Command::new("bash");
            let bash = bash.args(["-c", &text, FEWER, script]).current_dir(&here);
            let said = said(bash.stdin(Stdio::null()).output().unwrap());
            assert_eq!(said, (0, out.into(), String::new()), "{script}: {pause}");
        }
    }
}

#[test]
fn children_have_a_status_where_the_parent_ignores_its_own() {
    let here = folder(&[]);
    let script = "sh -c 'exit 5'; echo $?; x=$(sh -c 'exit 6'); echo $?; sh -c 'exit 7' & wait $!";
    // bash leaves a signal ignored for what takes its place.
    let text = "trap '' CHLD; exec \"$0\" sh -c \"$1\"";
    let mut bash = Command::new("bash");
    let bash = bash.args(["-c", text, FEWER, script]).current_dir(&here).stdin(Stdio::null());
    assert_eq!(said(bash.output().unwrap()), (7, "5\n6\n".into(), String::new()));
}

/// What dash and bash do when standard output takes nothing; ksh93 forgets some of it.
#[test]
fn an_output_that_takes_nothing_fails_as_in_the_other_shells() {
    let here = folder(&[]);
    let scripts = [
        "echo hi",
        "echo hi; echo $? >&2",
        "echo a && echo b >&2 || echo c >&2",
        "pwd; echo $? >&2; trap 'echo t >&2' EXIT; echo b",
        "(echo a); echo $? >&2; { echo a; echo b; }; echo $? >&2",
        "f() { echo a; }; f; echo $? >&2; for i in 1 2; do echo $i; done; echo $? >&2",
        "set -e; echo hi; echo after >&2",
        "exec echo hi",
        "cat /etc/passwd; echo $? >&2",
        "x=$(echo a); echo $x >&2; echo a | cat; echo $? >&2",
        "printf x; seq 3; basename /a/b; echo $? >&2",
        "",
    ];
    for outputs in [">&-", ">/dev/full", ">&- <&-", "2>&-", ">&- 2>&-", "2>/dev/full", "<&-"] {
        for script in scripts {
            for (judge, dialect) in [("dash", "--posix"), ("bash", "--bash")] {
                let run = |words: &[&str]| {
                    let mut bash = Command::new("bash");
                    let text = format!("exec \"$@\" {outputs}");
                    bash.args(["-c", &text, "bash"]).args(words).args(["-c", script, "name"]);
                    let (status, out, errors) = said(bash.current_dir(&here).output().unwrap());
                    let plain = |line: &&str| !line.contains(':');
                    let errors: Vec<_> = errors.lines().filter(plain).map(str::to_owned).collect();
                    (status, out, errors)
                };
                let ours = run(&[FEWER, "sh", dialect]);
                assert_eq!(ours, run(&[judge]), "{judge} {outputs}: {script}");
            }
        }
    }
}

/// An error of any call at the start leads to a message, or does not matter.
#[test]
fn no_call_at_the_start_fails_in_silence() {
    let here = folder(&[("s", "echo hi\n")]);
    if Command::new("strace").arg("-V").output().is_err() {
        return println!("skipped: there is no strace");
    }
    // Those that a filter may refuse, and those that a disk or a limit may.
    let calls = [
        "statx", "getcwd", "poll", "sigaltstack", "prlimit64", "fcntl", "ioctl", "lseek", "uname",
        "sched_getaffinity", "rt_sigprocmask", "madvise", "faccessat2", "memfd_create", "clone3",
        "pipe2", "wait4", "readlinkat", "getdents64", "openat", "read", "write",
    ];
    for dialect in ["--posix", "--bash", "--ksh"] {
        for script in [&["-c", "echo hi"][..], &["-c", "x=$(echo hi); echo $x"], &["s"]] {
            for call in calls {
                for errno in ["EIO", "EPERM", "ENOSYS"] {
                    let inject = match call {
                        // The first ones are the loader's.
                        "openat" | "read" => format!("inject={call}:error={errno}:when=5+"),
                        // Else the message could not be written, either.
                        "write" => format!("inject={call}:error={errno}:when=1"),
                        _ => format!("inject={call}:error={errno}"),
                    };
                    let mut strace = Command::new("strace");
                    strace.args(["-o", "/dev/null", "-e", &inject, FEWER, "sh", dialect]);
                    let strace = strace.args(script).env("LC_ALL", "C").current_dir(&here);
                    let done = strace.stdin(Stdio::null()).output().unwrap();
                    let (status, out, errors) = said(done);
                    let well = status == 0 && out == "hi\n";
                    let reported = status > 0 && !errors.is_empty() && !errors.contains("panicked");
                    assert!(
                        well || reported,
                        "{dialect} {script:?} {call} {errno}: {status} {errors}"
                    );
                }
            }
        }
    }
}

/// Behind a line that is not supported the rest is explained, as far as it can be told apart.
const PARTS: &str = "line 2: 'jobs' is not run here\nline 4: not supported: coproc\n\
    line 6: not supported: coproc\nline 7: 'fc' is not run here\nis handed to /bin/bash\n";
const UNCLEAR: &str = "line 2: 'jobs' is not run here\nline 3: not supported: coproc\n\
    line 4: 'fc' is not run here\nis handed to /bin/bash\n";
const QUOTED: &str = "line 2: not supported: coproc\nis handed to /bin/bash\n";

#[test]
fn what_is_handed_over_is_explained_by_construct_and_line() {
    let handed = "#!/bin/bash\necho ran > ran\njobs\nif :; then\n  set -m; fc -l\nfi\n\
        eval 'history; bind'\n. \"$PWD/none\"\n";
    let all = "line 3: 'jobs' is not run here\nline 5: 'set -m' is not run here\n\
        line 5: 'fc' is not run here\nline 7: 'history' is not run here\n\
        line 7: 'bind' is not run here\nis handed to /bin/bash\n";
    // What the parser does not know ends neither the block that it is in nor the script.
    let parts = "#!/bin/bash\njobs\nif :; then\n  coproc cat\nfi\ncoproc cat\nfc\n";
    let here = folder(&[
        ("handed", handed),
        ("well", "#!/bin/bash\necho ran > ran; [[ a ]] && a=(1 2)\n"),
        ("unreadable", "echo ran > ran\nif\n"),
        ("parts", parts),
        ("unclear", "#!/bin/bash\njobs\nif coproc cat; then\n  fc\nfi\ncoproc cat\n"),
        ("quoted", "#!/bin/bash\ncoproc echo 'a\ncoproc b'\ncoproc cat\n"),
        ("python", "#!/usr/bin/python3\nprint()\n"),
    ]);
    for (words, status, expected) in [
        (&["handed", "x"][..], 1, all),
        (&["well"], 0, "is run here\n"),
        (&["parts"], 1, PARTS),
        (&["unclear"], 1, UNCLEAR),
        (&["quoted"], 1, QUOTED),
        (&["unreadable"], 1, "line 3: Syntax error: end of file unexpected\nis handed to sh\n"),
        (
            &["python"],
            1,
            "line 1: '#!/usr/bin/python3' is not run here\nis handed to /usr/bin/python3\n",
        ),
        (&["-i", "well"], 1, "line 1: '-i' is left to another shell\nis handed to /bin/bash\n"),
        (&["-m", "well"], 1, "line 1: 'set -m' is not run here\nis handed to /bin/bash\n"),
    ] {
        let (got, out, errors) = sh(here.path(), &[&["--explain"], words].concat());
        let name = words[usize::from(words[0].starts_with('-'))];
        assert_eq!(out.replace(&format!("{name}: "), ""), expected, "{words:?}: {errors}");
        assert_eq!((got, &*errors), (status, ""), "{words:?}");
        assert!(!here.path().join("ran").exists(), "{words:?}");
    }
    // What it says is what happens.
    assert_eq!(sh(here.path(), &["--strict", "handed"]).0, 2);
    assert_eq!(sh(here.path(), &["--strict", "well"]).0, 0);
    let (status, out, _) = sh(here.path(), &["--explain", "--bash", "-c", "coproc cat", "x"]);
    assert_eq!((status, out.lines().count()), (1, 2), "{out}");
}
