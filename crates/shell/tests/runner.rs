//! Scripts inside of a program: what comes back, what stays, what stops them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::os::fd::OwnedFd;
use std::path::Path;

use fewer::Scope;
use fewer_shell::streams::Files;
use fewer_shell::{Dialect, Limit, Outcome, Runner};

const ALL: [Dialect; 3] = [Dialect::Posix, Dialect::Bash, Dialect::Ksh];

fn run(runner: &mut Runner, script: &str) -> Outcome {
    runner.run(script).unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A runner that may run programs, with a PATH.
fn with_programs(dialect: Dialect) -> Runner {
    Runner::new(dialect).processes(true).environment([("PATH", "/usr/bin:/bin")])
}

#[test]
fn what_is_written_comes_back_with_the_status() {
    for dialect in ALL {
        let outcome = run(&mut Runner::new(dialect), "echo out; echo err >&2; (exit 7)");
        assert_eq!(outcome.status, 7);
        assert_eq!(text(&outcome.stdout), "out\n");
        assert_eq!(text(&outcome.stderr), "err\n");
        assert_eq!(outcome.exceeded, None);
    }
}

#[test]
fn functions_variables_and_the_directory_stay_for_the_next_run() {
    let mut runner = Runner::new(Dialect::Bash);
    run(&mut runner, "f() { echo \"f $1 $x\"; }; x=1; cd /usr; a=(p q)");
    assert_eq!(text(&run(&mut runner, "f y; pwd; echo ${a[1]} $?").stdout), "f y 1\n/usr\nq 0\n");
    assert!(runner.scope().logical().unwrap().ends_with("usr"));
    run(&mut runner, "exit 3");
    assert_eq!(text(&run(&mut runner, "echo $?; f again").stdout), "3\nf again 1\n");
}

#[test]
fn variables_are_set_and_read_between_runs() {
    let mut runner = Runner::new(Dialect::Bash).environment([("GIVEN", "outside")]);
    runner.set("x", "a b").unwrap().set("y", [0xff_u8]).unwrap();
    run(&mut runner, "z=\"<$x>\"; readonly z; x=${#y}; l=(first second)");
    assert_eq!(runner.get("z").unwrap(), b"<a b>");
    assert_eq!(runner.get("x").unwrap(), b"1");
    assert_eq!(runner.get("y").unwrap(), [0xff]);
    assert_eq!(runner.get("GIVEN").unwrap(), b"outside");
    assert_eq!(runner.get("l").unwrap(), b"first");
    assert_eq!(runner.get("none"), None);
    assert!(runner.set("z", "2").unwrap_err().what.contains("read only"));
    assert!(runner.set("1x", "2").is_err());
}

#[test]
fn the_environment_is_the_one_that_was_given() {
    let mut runner = with_programs(Dialect::Posix).tools(false).environment([("A", "1")]);
    let names = text(&run(&mut runner, "env").stdout).to_string();
    let mut names: Vec<_> = names.lines().filter(|line| !line.starts_with("_=")).collect();
    names.sort_unstable();
    let pwd = format!("PWD={}", std::env::current_dir().unwrap().display());
    assert_eq!(names, ["A=1", "PATH=/usr/bin:/bin", &pwd]);
}

#[test]
fn input_arguments_and_name_are_given() {
    let mut runner = Runner::new(Dialect::Posix).name("job");
    runner.set_arguments(["a b", "c"]).set_input("one\ntwo\n");
    let outcome = run(&mut runner, "read l; echo $l; cat; echo \"$0 $# $1\"; nothing");
    assert_eq!(text(&outcome.stdout), "one\ntwo\njob 2 a b\n");
    assert_eq!(text(&outcome.stderr), "job: 1: nothing: not found\n");
    assert_eq!(outcome.status, 127);
    // From its beginning again.
    assert_eq!(text(&run(&mut runner, "read l; echo $l").stdout), "one\n");
}

#[test]
fn children_read_and_write_the_same_streams() {
    for tools in [true, false] {
        let mut runner = with_programs(Dialect::Bash).tools(tools);
        runner.set_input("one\ntwo\nthree\n");
        let outcome = run(&mut runner, "echo a; read l; cat; cat /no/such/file; echo b | tr b B");
        assert_eq!(text(&outcome.stdout), "a\ntwo\nthree\nB\n");
        assert!(text(&outcome.stderr).contains("No such file"), "{outcome:?}");
    }
}

#[test]
fn streams_can_be_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    std::fs::write(folder.path().join("in"), "x\ny\n").unwrap();
    let mut runner = with_programs(Dialect::Posix);
    let input = std::fs::File::open(folder.path().join("in")).unwrap();
    runner.set_output_to(OwnedFd::from(std::fs::File::create(&path).unwrap()));
    runner.set_input_from(OwnedFd::from(input));
    let outcome = run(&mut runner, "read a; echo got $a; echo e >&2");
    assert_eq!((text(&outcome.stdout), text(&outcome.stderr)), ("", "e\n"));
    let errors = folder.path().join("errors");
    runner.set_errors_to(OwnedFd::from(std::fs::File::create(&errors).unwrap()));
    let outcome = run(&mut runner, "read a; echo then $a; echo e >&2; sh -c 'echo child >&2'");
    assert_eq!((text(&outcome.stdout), text(&outcome.stderr)), ("", ""));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "got x\nthen y\n");
    assert_eq!(std::fs::read_to_string(&errors).unwrap(), "e\nchild\n");
}

#[test]
fn commands_of_a_pipeline_and_substitutions_need_no_copy_of_the_process() {
    let script = "f() { ls /no/such/file 2>/dev/null; echo b; echo a; }
        f | sort | { read x; echo \"$x\"; cat; }
        x=$(exec echo replaced; echo not); echo $x
        ( trap 'echo t' USR1; echo in )
        cat <(echo sub; f)";
    let outcome = run(&mut with_programs(Dialect::Bash), script);
    assert_eq!(text(&outcome.stdout), "a\nb\nreplaced\nin\nsub\nb\na\n");
    assert_eq!((outcome.exceeded, text(&outcome.stderr)), (None, ""));
}

#[test]
fn programs_run_beside_the_script() {
    let script = "sleep 30 & a=$!; sh -c 'exit 5' & b=$!
        wait -n; echo $?; kill $a; wait $a; echo $?; X=7 sh -c 'echo $X' & wait; kill -0 $$";
    let outcome = run(&mut with_programs(Dialect::Bash), script);
    assert_eq!(text(&outcome.stdout), "5\n143\n7\n");
    assert_eq!(outcome.exceeded, Some(Limit::Processes), "{outcome:?}");
    assert!(text(&outcome.stderr).contains("line 2: kill: "), "{outcome:?}");
    let outcome = run(&mut with_programs(Dialect::Bash), "echo a\n{ echo b; } &\necho c");
    assert_eq!(outcome.exceeded, Some(Limit::Copy));
    assert_eq!(text(&outcome.stdout), "a\n");
}

#[test]
fn exec_is_a_child_and_ends_the_run() {
    let mut runner = with_programs(Dialect::Posix);
    let outcome = run(&mut runner, "echo a; exec sh -c 'echo b; exit 4'; echo c");
    assert_eq!((outcome.status, text(&outcome.stdout)), (4, "a\nb\n"));
    assert_eq!(text(&run(&mut runner, "echo alive").stdout), "alive\n");
}

#[test]
fn traps_on_signals_are_kept_and_never_run_and_that_on_exit_runs_at_the_end() {
    let mut runner = with_programs(Dialect::Bash);
    let script = "trap 'echo sig' TERM INT; trap 'echo bye $?' EXIT; trap -p TERM; exit 2";
    let outcome = run(&mut runner, script);
    assert_eq!(text(&outcome.stdout), "trap -- 'echo sig' SIGTERM\nbye 2\n");
    assert_eq!(outcome.status, 2);
    let before = std::fs::read_to_string("/proc/self/status").unwrap();
    run(&mut runner, "trap '' HUP; trap 'x' USR1 USR2 PIPE");
    let after = std::fs::read_to_string("/proc/self/status").unwrap();
    let signals = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("Sig")).map(String::from).collect()
    };
    assert_eq!(signals(&before)[2..], signals(&after)[2..]);
}

#[test]
fn nothing_of_the_process_changes() {
    let folder = tempfile::tempdir().unwrap();
    let before = (std::env::current_dir().unwrap(), umask());
    let mut runner =
        Runner::new(Dialect::Bash).directory(Scope::start().enter(folder.path()).unwrap());
    let outcome = run(&mut runner, "umask 077; echo >a; cd /; umask");
    assert_eq!(text(&outcome.stdout), "0077\n");
    assert_eq!((std::env::current_dir().unwrap(), umask()), before);
    let outcome = run(&mut runner, "umask; ulimit -n 5");
    assert_eq!(text(&outcome.stdout), "0077\n");
    assert_eq!(text(&outcome.stderr), "sh: line 1: ulimit: the process is not the script's own\n");
    assert_eq!(outcome.status, 2);
    assert_eq!(umask(), before.1);
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(folder.path().join("a")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// That of this thread.
fn umask() -> String {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
    status.lines().find(|line| line.starts_with("Umask")).unwrap().to_string()
}

#[test]
fn endless_loops_and_recursion_are_stopped_by_steps() {
    let endless = [
        "while :; do :; done", "until false; do x=1; done", "f() { f; }; while :; do (f); done",
        "while :; do x=$(echo $(echo $(echo a))); done", "while :; do eval ':'; done",
        "while true | true; do :; done", "trap 'while :; do :; done' EXIT; exit 1",
        "while :; do no_such_thing; done 2>/dev/null",
    ];
    for dialect in ALL {
        for script in endless {
            let mut runner = Runner::new(dialect).steps(30_000).depth(100);
            let outcome = run(&mut runner, script);
            let allowed = [Some(Limit::Steps), Some(Limit::Depth)];
            assert!(allowed.contains(&outcome.exceeded), "{script}: {outcome:?}");
            assert_ne!(outcome.status, 0, "{script}");
            assert_eq!(text(&run(&mut runner, "echo on").stdout), "on\n");
        }
    }
    for script in ["for ((;;)); do :; done", "for ((;;)); do ((x++)); done"] {
        let outcome = run(&mut Runner::new(Dialect::Bash).steps(30_000), script);
        assert_eq!(outcome.exceeded, Some(Limit::Steps));
        assert_eq!(text(&outcome.stderr), "sh: line 1: more commands than are allowed\n");
    }
}

#[test]
fn recursion_without_end_is_told_with_the_functions_name() {
    for dialect in ALL {
        let mut runner = Runner::new(dialect);
        let outcome = run(&mut runner, "a() { b; }\nb() { a; }\na");
        assert_eq!(outcome.exceeded, Some(Limit::Depth), "{outcome:?}");
        assert!(text(&outcome.stderr).contains("maximum function nesting level exceeded (10000)"));
        let nested = "f() { x=$(f); }; f";
        assert_eq!(run(&mut runner, nested).exceeded, Some(Limit::Depth));
        assert_eq!(run(&mut runner, ": a run later").exceeded, None);
    }
}

#[test]
fn output_is_limited_for_the_script_its_tools_and_its_children() {
    let endless = [
        "while :; do echo 0123456789; done", "while :; do (echo 0123456789); done",
        "while :; do echo 0123456789 >&2; done", "while :; do no_such_thing; done",
        "seq 100000000", "yes", "while :; do seq 1000 | cat; done",
    ];
    for script in endless {
        let mut runner = with_programs(Dialect::Bash).output_bytes(100_000);
        let outcome = run(&mut runner, script);
        assert_eq!(outcome.exceeded, Some(Limit::Output), "{script}");
        assert!(outcome.stdout.len() <= 100_000, "{script}");
        assert!(outcome.stderr.len() <= 100_100, "{script}");
        let last = text(&outcome.stderr).lines().last().unwrap().to_string();
        assert_eq!(last, "sh: line 1: more output than is allowed", "{script}");
    }
}

#[test]
fn output_to_files_is_limited() {
    let folder = tempfile::tempdir().unwrap();
    let scope = Scope::start().enter(folder.path()).unwrap();
    let mut runner = Runner::new(Dialect::Posix).directory(scope).output_bytes(100_000);
    let outcome = run(&mut runner, "while :; do echo 0123456789; done >file");
    assert_eq!(outcome.exceeded, Some(Limit::Output));
    assert!(std::fs::metadata(folder.path().join("file")).unwrap().len() <= 100_000);
}

#[test]
fn what_is_captured_is_limited() {
    let scripts = [
        ("x=$(while :; do echo 0123456789; done); echo not here", false),
        ("x=$(yes); echo not here", true),
        ("x=$(seq 1000000000); echo not here", true),
        ("while :; do echo 0123456789; done | cat", false),
        ("x=0123456789; while :; do x=$x$x; done", false),
        ("x=0123456789; while :; do x+=$x; done", false),
        ("set -- a; while :; do set -- \"$@\" \"$@\"; done", false),
        ("a=(1); while :; do a+=(\"${a[@]}\"); done", false),
        ("x=0123456789; while :; do x=${x//[0-9]/$x}; done", false),
        ("read -r x </dev/zero", false),
        ("x=$(</dev/zero)", false),
    ];
    for (script, processes) in scripts {
        let mut runner = match processes {
            true => with_programs(Dialect::Bash).captured_bytes(1 << 20),
            false => Runner::new(Dialect::Bash).captured_bytes(1 << 20),
        };
        let outcome = run(&mut runner, script);
        assert_eq!(outcome.exceeded, Some(Limit::Captured), "{script}: {:?}", outcome.stderr);
        assert!(text(&outcome.stderr).starts_with("sh: line 1: "), "{script}");
        assert_eq!(text(&outcome.stdout), "", "{script}");
    }
}

#[test]
fn a_gigabyte_is_not_captured_by_usual_limits() {
    let script = "x=$(head -c 1073741824 /dev/zero | tr '\\0' x)\necho ${#x}";
    let outcome = run(&mut with_programs(Dialect::Bash), script);
    assert_eq!(outcome.exceeded, Some(Limit::Captured));
    let told = "sh: line 1: command substitution: more than 67108864 bytes\n";
    assert_eq!(text(&outcome.stderr), told);
}

#[test]
fn processes_are_refused_with_the_line() {
    for script in ["echo a\nsort", "echo a\nsort | cat", "echo a\nx=$(sort)", "echo a\nsort &"] {
        let outcome = run(&mut Runner::new(Dialect::Bash).tools(false), script);
        assert_eq!(outcome.exceeded, Some(Limit::Processes), "{script}");
        assert_eq!(text(&outcome.stdout), "a\n");
        let told = text(&outcome.stderr);
        assert!(told.starts_with("sh: line 2: ") && told.contains("not allowed"), "{told}");
    }
}

#[test]
fn tools_need_no_process() {
    let script = "mkdir d; echo x >d/f; cat d/f; rm -r d; find .";
    let folder = tempfile::tempdir().unwrap();
    let scope = Scope::start().enter(folder.path()).unwrap();
    let outcome = run(&mut Runner::new(Dialect::Bash).directory(scope), script);
    // `find` is not one of them.
    assert_eq!((outcome.exceeded, text(&outcome.stdout)), (Some(Limit::Processes), "x\n"));
}

#[test]
fn files_can_be_forbidden() {
    let mut runner = Runner::new(Dialect::Posix).files(Files::ReadOnly);
    let script = "read l </etc/passwd && echo read; echo x >/tmp/never-made; echo $?; : >/dev/null";
    let outcome = run(&mut runner, script);
    assert_eq!(text(&outcome.stdout), "read\n2\n");
    assert!(text(&outcome.stderr).contains("Permission denied"));
    assert!(!Path::new("/tmp/never-made").exists());
    let mut runner = Runner::new(Dialect::Posix).files(Files::None);
    runner.set_input("in\n");
    let script = "read l </dev/stdin; echo $l; (read l </etc/passwd) || echo no\n\
                  read x <<E\nhere\nE\necho $x";
    assert_eq!(text(&run(&mut runner, script).stdout), "in\nno\nhere\n");
}

#[test]
fn what_proc_has_of_descriptors_is_the_scripts_and_not_the_embedders() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "secret\n").unwrap();
    let theirs = std::fs::File::open(folder.path().join("secret")).unwrap();
    let number = std::os::fd::AsRawFd::as_raw_fd(&theirs);
    let mut runner = with_programs(Dialect::Bash);
    runner.set_input("in\n");
    for place in ["/dev/fd/N", "/proc/self/fd/N", "/proc/$$/fd/N"] {
        let place = place.replace('N', &number.to_string());
        let outcome = run(&mut runner, &format!("read l <{place}; echo \"$l\"; cat <{place}"));
        assert_eq!((text(&outcome.stdout), outcome.status), ("\n", 1), "{place}");
    }
    let script = "x=$(echo a >/proc/self/fd/1); echo [$x] >/proc/$$/fd/1; cat </proc/self/fd/0";
    assert_eq!(text(&run(&mut runner, script).stdout), "[a]\nin\n");
    let limited = run(&mut runner, "echo a\nif :; then\n\n{ echo b; } &\nfi");
    assert_eq!(text(&limited.stderr).split(": ").nth(1), Some("line 4"), "{limited:?}");
}

#[test]
fn output_that_cannot_be_written_is_told() {
    for script in ["echo a", "echo a; cat /dev/null", "echo a; sh -c :", "echo a; sh -c :; echo b"]
    {
        let mut runner = with_programs(Dialect::Bash);
        runner.set_output_to(OwnedFd::from(std::fs::File::open("/etc/passwd").unwrap()));
        let outcome = run(&mut runner, script);
        let told = text(&outcome.stderr);
        assert!(outcome.status == 1 && told.contains("Bad file descriptor"), "{script}: {told}");
        assert_eq!(run(&mut runner, ":").status, 0, "{script}");
    }
}

#[test]
fn a_value_has_no_nul_byte() {
    let mut runner = Runner::new(Dialect::Bash);
    assert!(runner.set("x", "a\0b").is_err());
    assert_eq!(runner.get("x"), None);
}

#[test]
fn what_is_not_understood_or_not_supported_names_its_line_and_runs_nothing() {
    let mut runner = Runner::new(Dialect::Bash);
    let refused = runner.run("echo a\necho b\nif true; fi").unwrap_err();
    assert_eq!(refused.line, 3);
    let refused = runner.run("echo a\ncoproc cat").unwrap_err();
    assert_eq!(refused.line, 2);
    let mut runner = Runner::new(Dialect::Ksh);
    let refused = runner.run("if true; then\n  echo $((1 + 1))\n  echo {a,\"{\"}\nfi").unwrap_err();
    assert_eq!(refused.line, 3);
    let refused = runner.run("x=1\nfor i in 1; do\n  :\n  x=$((x * 1.5))\ndone").unwrap_err();
    assert_eq!(refused.line, 4);
    assert!(runner.check("echo 'unterminated").is_err());
    assert_eq!(runner.check("echo fine"), Ok(()));
}

#[test]
fn what_is_deep_or_strange_ends_without_a_panic() {
    let deep =
        |open: &str, close: &str| format!("{}:{}", open.repeat(10_000), close.repeat(10_000));
    let scripts = [
        deep("( ", ")"),
        deep("{ ", "; }"),
        deep("$( ", ")"),
        deep("if :; then ", "; fi"),
        deep("while ", "; do break; done"),
        deep("for x in a; do ", "; done"),
        deep("case a in a) ", ";; esac"),
        deep("! ", ""),
        deep("time ", ""),
        deep("f() { ", "; }; f"),
        deep("echo \"${x:-", "}\""),
        deep("echo \"$(", ")\""),
        deep("x=${x:-$(", ")}"),
        deep("[[ ( ", " ) ]]").replace(':', "a"),
        deep("[[ ! ", " ]]").replace(':', "a").replace("[[ ! [[", "[[ !"),
        format!("[[ {}a{} ]]", "( ".repeat(10_000), " )".repeat(10_000)),
        format!("[[ {}a ]]", "! ".repeat(10_000)),
        format!("[[ a{} ]]", " && a".repeat(10_000)),
        format!(":{}", " && :".repeat(10_000)),
        format!(":{}", " | :".repeat(3_000)),
        format!("echo $(({}1{}))", "(".repeat(10_000), ")".repeat(10_000)),
        format!("echo $(({}1))", "-~".repeat(10_000)),
        format!("echo $((1{}))", "?1:1".repeat(10_000)),
        format!("x={}; echo $((x))", "1+(".repeat(10_000)),
        format!("[[ a == {}b{} ]]", "@(".repeat(10_000), ")".repeat(10_000)),
        format!("echo {}b{}", "{a,".repeat(5_000), "}".repeat(5_000)),
        format!("test {} a", "!".repeat(10_000)),
        format!("test {} a", "! ".repeat(10_000)),
        format!("test {}a{}", "\\( ".repeat(10_000), " \\)".repeat(10_000)),
        format!("expr {}1{}", "\\( ".repeat(10_000), " \\)".repeat(10_000)),
        format!("expr {}1", "length ".repeat(10_000)),
        format!("eval '{}'", deep("( ", ")")),
        format!("x='a[{}'; echo $((x))", "a[".repeat(10_000)),
        format!("{}x", "eval ".repeat(100)),
        format!("{}x", "command ".repeat(1_000)),
        format!("cat <<E\n{}\nE\n", deep("$( ", ")")),
        format!("cat <<E\n${{*:-{}}}\nE\n", deep("$( ", ")")),
        format!("export a={}", deep("$( ", ")")),
        "echo \u{0}a $'\\xff' ${x#\u{fffd}}".into(),
        "alias a='a a'; eval 'a'; a".into(),
        "x=x; echo $((x))".into(),
    ];
    for script in scripts {
        let shown = script[..script.len().min(60)].to_string();
        eprintln!("{shown}"); // the last one that is seen is the one that has ended the process
        let small = std::thread::Builder::new().stack_size(512 << 10);
        let thread = small.spawn(move || {
            for dialect in ALL {
                let _ = Runner::new(dialect).steps(10_000).run(&script);
            }
        });
        thread.unwrap().join().unwrap();
    }
}

#[test]
fn a_text_that_was_run_before_is_run_again() {
    let mut runner = Runner::new(Dialect::Posix);
    for round in 1..=1000 {
        let outcome = run(&mut runner, "n=$((n+1)); f() { echo $n; }; f");
        assert_eq!(text(&outcome.stdout), format!("{round}\n"));
    }
}

#[test]
fn a_hundred_runners_in_eight_threads_do_not_know_of_each_other() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|threads| {
        for thread in 0..8 {
            let folder = folder.path();
            threads.spawn(move || {
                let numbers = (0..100).filter(|number| number % 8 == thread);
                let mut runners: Vec<_> =
                    numbers.map(|number| (number, one(folder, number))).collect();
                for round in 0..5 {
                    for (number, runner) in &mut runners {
                        one_round(runner, *number, round);
                    }
                }
            });
        }
    });
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 100);
}

fn one(folder: &Path, number: usize) -> Runner {
    let folder = folder.join(number.to_string());
    std::fs::create_dir(&folder).unwrap();
    let mut runner =
        with_programs(ALL[number % 3]).directory(Scope::start().enter(&folder).unwrap());
    runner.set("me", number.to_string()).unwrap();
    run(
        &mut runner,
        "sum=0; umask 00$((me % 8))7; double() { echo $(($1 * 2)); }; mkdir sub; cd sub",
    );
    runner
}

fn one_round(runner: &mut Runner, number: usize, round: usize) {
    let script = "
        i=0
        while [ $i -lt 20 ]; do
            sum=$((sum + $(double $me)))
            i=$((i + 1))
            ( cd ..; sum=wrong; echo \"$me\" >file.$i )
        done
        cat ../file.* | sort -u
        sh -c 'exit 3' &
        wait $!
        echo \"$? $sum $(umask) ${PWD##*/}\"
        trap \"echo end\" EXIT";
    let outcome = run(runner, script);
    let sum = (round + 1) * 20 * number * 2;
    let mask = number % 8;
    // ksh has its own way to write it.
    let written = text(&outcome.stdout);
    let expected = format!("{number}\n3 {sum} 00{mask}7 sub\nend\n");
    assert_eq!(written, expected, "{}", text(&outcome.stderr));
}

#[test]
fn a_directory_that_was_removed_is_never_taken_for_another() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().canonicalize().unwrap();
    for dialect in ALL {
        let gone = here.join("p/gone");
        std::fs::create_dir_all(&gone).unwrap();
        let scope = Scope::start().enter(&gone).unwrap();
        std::fs::remove_dir(&gone).unwrap();
        let mut runner = Runner::new(dialect).directory(scope);
        let outcome = runner.run("pwd; cd ..; echo $?; pwd; cd ..; pwd; echo *").unwrap();
        let up = here.display();
        let expected = format!("0\n{up}/p\n{up}\np\n");
        let out = String::from_utf8_lossy(&outcome.stdout);
        assert_eq!(out.trim_start(), expected, "{dialect:?}");
    }
}
