//! Runs that are ended from outside, and output that is handed over while the script runs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::cell::RefCell;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use fewer_shell::{Dialect, Limit, Outcome, Runner};

const ALL: [Dialect; 3] = [Dialect::Posix, Dialect::Bash, Dialect::Ksh];
const SHORT: Duration = Duration::from_millis(50);
/// Far less than what the scripts would take.
const SOON: Duration = Duration::from_secs(20);

/// Scripts that would go on for long, each in something else.
const LONG: [&str; 7] = [
    "while :; do :; done", "echo before; sleep 1000; echo after", "/bin/sleep 1000; echo after",
    "x=$(/bin/sleep 1000; echo after); echo $x", "echo a | /bin/sleep 1000; echo after",
    "/bin/sleep 1000 & wait; echo after", "read line; echo after",
];

/// A runner that may run programs, with standard input that nothing is written to.
fn runner(dialect: Dialect) -> (Runner, OwnedFd) {
    let (reader, writer) = std::io::pipe().unwrap();
    let mut runner = Runner::new(dialect).processes(true).environment([("PATH", "/usr/bin:/bin")]);
    runner.set_input_from(OwnedFd::from(reader));
    (runner, writer.into())
}

#[track_caller]
fn stopped_soon(script: &str, run: impl FnOnce() -> Outcome, limit: Limit) {
    let start = Instant::now();
    let outcome = run();
    assert!(start.elapsed() < SOON, "{script}");
    assert_eq!(outcome.exceeded, Some(limit), "{script}: {outcome:?}");
    assert!(!outcome.stdout.ends_with(b"after\n") && outcome.status != 0, "{script}: {outcome:?}");
}

#[test]
fn a_run_that_takes_too_long_is_ended_whatever_it_waits_for() {
    let each = |script| {
        for dialect in ALL {
            let (runner, _open) = runner(dialect);
            // Long enough for the run after it on a slow machine.
            let mut runner = runner.time(Duration::from_secs(1));
            stopped_soon(script, || runner.run(script).unwrap(), Limit::Time);
            // The next one has its time from the beginning.
            let outcome = runner.run("echo next").unwrap();
            assert_eq!((&*outcome.stdout, outcome.exceeded), (&b"next\n"[..], None), "{script}");
        }
    };
    // All at once, as they mostly wait.
    std::thread::scope(|threads| {
        for script in LONG {
            threads.spawn(move || each(script));
        }
    });
}

#[test]
fn another_thread_cancels_a_run() {
    for script in LONG {
        let (mut runner, _open) = runner(Dialect::Bash);
        let canceller = runner.canceller().unwrap();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(SHORT);
            canceller.cancel();
            canceller.cancel();
        });
        stopped_soon(script, || runner.run(script).unwrap(), Limit::Canceled);
        thread.join().unwrap();
        // It may have been canceled again after its end.
        let _ = runner.run(":").unwrap();
        assert_eq!(runner.run("echo next").unwrap().stdout, b"next\n", "{script}");
    }
}

#[test]
fn a_run_that_is_canceled_before_it_begins_does_nothing() {
    let mut runner = Runner::new(Dialect::Posix);
    runner.canceller().unwrap().cancel();
    let outcome = runner.run("echo x; y=1").unwrap();
    assert_eq!((&*outcome.stdout, outcome.exceeded), (&b""[..], Some(Limit::Canceled)));
    assert_eq!(runner.get("y"), None);
    assert_eq!(runner.run("echo x").unwrap().stdout, b"x\n");
}

#[test]
fn programs_in_the_background_end_with_a_run_that_is_stopped() {
    let (runner, _open) = runner(Dialect::Posix);
    // Long enough to start the program on a slow machine.
    let mut runner = runner.time(Duration::from_secs(2));
    let outcome = runner.run("/bin/sleep 1000 & echo $!; sleep 1000").unwrap();
    assert_eq!(outcome.exceeded, Some(Limit::Time));
    let process: u32 = String::from_utf8(outcome.stdout).unwrap().trim().parse().unwrap();
    assert!(!std::path::Path::new(&format!("/proc/{process}")).exists());
}

#[test]
fn output_comes_while_the_script_runs() {
    for dialect in ALL {
        let (runner, input) = runner(dialect);
        let mut runner = runner.time(Duration::from_secs(60));
        let all = Rc::new(RefCell::new(Vec::new()));
        let errors = Rc::new(RefCell::new(Vec::new()));
        let (to, errors_to) = (Rc::clone(&all), Rc::clone(&errors));
        let mut input = std::fs::File::from(input);
        runner
            .stream_output(move |bytes| {
                to.borrow_mut().extend_from_slice(bytes);
                // The child waits for that before it goes on.
                if to.borrow().ends_with(b"first\n") {
                    input.write_all(b"go on\n").unwrap();
                }
            })
            .stream_errors(move |bytes| errors_to.borrow_mut().extend_from_slice(bytes));
        let script = "echo own; sh -c 'echo first; read go; echo second'; echo err >&2; nothing";
        let outcome = runner.run(script).unwrap();
        assert_eq!((&*outcome.stdout, &*outcome.stderr), (&b""[..], &b""[..]));
        assert_eq!(outcome.exceeded, None, "all would come at the end");
        let all = String::from_utf8(all.borrow().clone()).unwrap();
        assert_eq!(all, "own\nfirst\nsecond\n");
        let errors = String::from_utf8(errors.borrow().clone()).unwrap();
        assert!(errors.starts_with("err\n") && errors.contains("nothing"), "{errors}");
    }
}

#[test]
fn output_that_is_handed_over_is_limited_all_the_same() {
    let count = Rc::new(RefCell::new(0));
    let counted = Rc::clone(&count);
    let mut runner = Runner::new(Dialect::Posix).output_bytes(1000);
    runner.stream_output(move |bytes| *counted.borrow_mut() += bytes.len());
    let outcome = runner.run("while :; do echo 0123456789; done").unwrap();
    assert_eq!(outcome.exceeded, Some(Limit::Output));
    assert!((900..=1000).contains(&*count.borrow()), "{}", count.borrow());
}
