//! A command in a scratch copy changes nothing outside of it, and finds there what is outside.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::ffi::OsString;
use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fewer_trace::count::Counts;
use fewer_trace::source::scratch::{Failure, Input, Left, Outcome, Scratch, Variant};
use fewer_trace::source::{Answers, Ending, Options};
use fewer_trace::watch;

/// A run that is watched waits for all children of this process.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

const LIMIT: Duration = Duration::from_secs(60);

fn shell(script: &str, input: Input, network: bool) -> Scratch {
    let command = ["sh", "-c", script].map(OsString::from).into();
    Scratch { command, directory: None, input, network, read_only: Vec::new() }
}

/// What a script does. `None`, with the reason printed, where no scratch can be made.
fn run(script: &str) -> Option<Outcome> {
    outcome(shell(script, Input::Nothing, false).run(&Variant::default(), LIMIT))
}

fn outcome(result: Result<Outcome, Failure>) -> Option<Outcome> {
    match result {
        Ok(outcome) => Some(outcome),
        Err(Failure::NoScratch(why)) => {
            assert!(std::env::var_os("FEWER_NEEDS_SCRATCH").is_none(), "no scratch: {why}");
            eprintln!("skipped: no scratch copy can be made here: {why}");
            None
        }
        Err(other) => panic!("{other}"),
    }
}

fn out(outcome: &Outcome) -> &str {
    std::str::from_utf8(&outcome.out).unwrap()
}

#[test]
fn what_is_written_is_gone_and_known() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for name in ["kept", "changed", "removed"] {
        fs::write(here.join(name), name).unwrap();
    }
    let at = here.display();
    let script = format!(
        "cd {at} && cat kept && echo more >> changed && rm removed && echo new > made && ls; exit 3"
    );
    let Some(outcome) = run(&script) else { return };
    assert_eq!(outcome.ending, Ending::Exited(3));
    assert_eq!(out(&outcome), "keptchanged\nkept\nmade\n");
    let names: Vec<_> = fs::read_dir(here).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3);
    assert_eq!(fs::read_to_string(here.join("changed")).unwrap(), "changed");
    let left = |name: &str| outcome.contents.get(&here.join(name));
    assert_eq!(left("removed"), Some(&Left::Removed));
    assert_eq!(left("kept"), None);
    assert!(left("changed").is_some() && left("made").is_some());
}

#[test]
fn what_runs_on_is_ended() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("still");
    let at = file.display();
    let start = std::time::Instant::now();
    let Some(outcome) = run(&format!("(sleep 40; echo late > {at}) & echo done")) else { return };
    assert_eq!(out(&outcome), "done\n");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_takes_too_long_is_ended() {
    let _alone = alone();
    let ended = shell("sleep 60", Input::Nothing, false)
        .run(&Variant::default(), Duration::from_millis(300));
    match ended {
        Err(Failure::TooLong(_)) => {}
        other => assert!(outcome(other).is_none()),
    }
}

#[test]
fn no_other_process_is_seen() {
    let _alone = alone();
    // This test's own process could be ended by a command that is root.
    let own = std::process::id();
    let script = format!("kill -0 {own} 2>/dev/null && echo seen; ls /proc | grep -c '^[0-9]'");
    let Some(outcome) = run(&script) else { return };
    let processes: u32 = out(&outcome).trim().parse().unwrap();
    assert!((2..10).contains(&processes), "{processes}");
}

#[test]
fn nothing_is_connected_to() {
    let _alone = alone();
    use std::net::TcpListener;
    use std::os::unix::net::UnixListener;
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    let inet = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = inet.local_addr().unwrap().port();
    let script = format!(
        "import socket\n\
         for kind, to in ((socket.AF_UNIX, {socket:?}), (socket.AF_INET, ('127.0.0.1', {port}))):\n\
         \x20   try: socket.socket(kind).connect(to); print('connected')\n\
         \x20   except OSError: print('refused')"
    );
    let command: Vec<OsString> = ["python3", "-c", &script].map(OsString::from).into();
    // Outside, both accept.
    let outside = std::process::Command::new(&command[0]).args(&command[1..]).output();
    let Ok(outside) = outside else { return eprintln!("skipped: there is no python3") };
    assert_eq!(outside.stdout, b"connected\nconnected\n");
    let scratch = Scratch {
        command,
        directory: None,
        input: Input::Nothing,
        network: false,
        read_only: Vec::new(),
    };
    let Some(inside) = outcome(scratch.run(&Variant::default(), LIMIT)) else { return };
    assert_eq!(out(&inside), "refused\nrefused\n");
}

#[test]
fn settings_and_devices_cannot_be_written_to() {
    let _alone = alone();
    let script = "for file in /proc/sys/kernel/domainname /sys/kernel/profiling; do \
                  [ -e $file ] || echo $file is missing; \
                  (echo 0 > $file) 2>/dev/null && echo $file; done; \
                  umount /proc/sys 2>/dev/null && echo unmounted; ls /dev | tr '\\n' ' '";
    let Some(outcome) = run(script) else { return };
    assert_eq!(out(&outcome), "fd full null random shm stderr stdin stdout urandom zero ");
}

#[test]
fn each_run_reads_the_same_input() {
    let _alone = alone();
    for (input, size) in [
        (Input::Pipe(b"a\nb\n"[..].into()), 4),
        (Input::File(b"a\nb\nc\n"[..].into()), 6),
        (Input::Nothing, 0),
    ] {
        let scratch = shell("wc -c", input, false);
        for _ in 0..2 {
            let Some(outcome) = outcome(scratch.run(&Variant::default(), LIMIT)) else { return };
            assert_eq!(out(&outcome), format!("{size}\n"));
        }
    }
}

#[test]
fn variables_are_set_and_taken_away() {
    let _alone = alone();
    let variant = Variant {
        environment: vec![("TZ".into(), Some(":/etc/x".into())), ("PATH".into(), None)],
        ..Variant::default()
    };
    let scratch = shell("echo $TZ; env | grep -c ^PATH=", Input::Nothing, false);
    let Some(outcome) = outcome(scratch.run(&variant, LIMIT)) else { return };
    assert!(out(&outcome).starts_with(":/etc/x\n"), "{}", out(&outcome));
    assert!(!outcome.contents.keys().any(|path| path.ends_with("ld.so.preload")));
}

#[test]
fn a_watched_run_is_counted_and_leaves_the_same() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made");
    let at = made.display();
    let scratch = shell(&format!("cat /etc/passwd > {at}; cat {at}"), Input::Nothing, false);
    let mut counts = Counts::default();
    let options = Options { stacks: true, ..Options::default() };
    let watched =
        watch::watch_in_scratch(&scratch, &Variant::default(), &options, &mut [&mut counts]);
    let Some(outcome) = outcome(watched.map(|(_, _, outcome)| outcome)) else { return };
    assert_eq!(outcome.out, fs::read("/etc/passwd").unwrap());
    assert!(outcome.contents.contains_key(&made) && !made.exists());
    let opened =
        counts.calls().by_kind().into_iter().find(|(name, _)| *name == fewer_trace::Name::Openat);
    assert!(opened.unwrap().1.calls >= 3);
}

/// The variable that says in which folder the copy of this program looks that sees a mount.
const MOUNTED: &str = "FEWER_TEST_MOUNTED";

#[test]
fn what_others_mount_is_not_what_was_left() {
    let _alone = alone();
    if let Some(folder) = std::env::var_os(MOUNTED) {
        return leaves_what_it_writes(std::path::Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let point = folder.path().join("point");
    fs::create_dir(&point).unwrap();
    leaves_what_it_writes(folder.path());
    // In there nobody else sees the mount.
    let script = "mount -t tmpfs none \"$1\" || exit 77; shift; exec \"$@\"";
    let mut again = std::process::Command::new("unshare");
    again.args(["--mount", "--propagation", "private", "sh", "-c", script, "sh"]);
    again.arg(&point).arg(std::env::current_exe().unwrap());
    again.args(["--exact", "what_others_mount_is_not_what_was_left"]);
    match again.env(MOUNTED, folder.path()).status() {
        Ok(status) if status.success() => {}
        Ok(status) if matches!(status.code(), Some(1 | 77)) => {
            eprintln!("skipped: this user may mount nothing");
        }
        other => panic!("{other:?}"),
    }
}

fn leaves_what_it_writes(folder: &std::path::Path) {
    let run = |script: String| run(&script).map(|outcome| outcome.contents);
    let Some(nothing) = run(":".to_owned()) else { return };
    assert_eq!(nothing, Default::default());
    let made = folder.join("made");
    let written = run(format!("echo x > {}", made.display())).unwrap();
    assert!(written.contains_key(&made));
    let mode = run(format!("chmod 701 {}", folder.display())).unwrap();
    assert!(mode.contains_key(folder));
    // What a Java machine removes depends on which others have just ended.
    let figures = folder.join("hsperfdata_nobody");
    fs::create_dir_all(&figures).unwrap();
    fs::write(figures.join("13234"), "").unwrap();
    let removed = run(format!("rm {}/13234", figures.display())).unwrap();
    assert!(!removed.keys().any(|path| path.starts_with(&figures)), "{removed:?}");
}

fn with_agent(answers: Answers) -> Variant {
    Variant { agent: Some(answers), ..Variant::default() }
}

/// How many calls an agent answered from memory; it prints and leaves what it does without one.
fn answered(script: &str, answers: Answers) -> Option<u64> {
    let scratch = shell(script, Input::Nothing, false);
    let plain = outcome(scratch.run(&Variant::default(), LIMIT))?;
    let outcome = outcome(scratch.run(&with_agent(answers), LIMIT))?;
    assert_eq!(out(&outcome), out(&plain));
    assert_eq!((&outcome.errors, outcome.ending), (&plain.errors, plain.ending));
    assert!(outcome.contents.keys().eq(plain.contents.keys()));
    Some(outcome.agent.unwrap().answered.calls)
}

#[cfg(target_arch = "x86_64")]
#[test]
fn an_agent_answers_what_was_asked_before() {
    let _alone = alone();
    let script = "i=0; while [ $i -lt 2000 ]; do test -d /usr || exit 1; test -e /dev/shm/none && \
                  exit 2; i=$((i + 1)); done; echo $i";
    let Some(none) = answered(script, Answers::Asked) else { return };
    assert_eq!(none, 0);
    let some = answered(script, Answers::Remembered).unwrap();
    assert!((3900..4000).contains(&some), "{some} of 4,000");
}

/// Each change is seen at once, those of the program and those of its children; and what is asked
/// behind it is answered again.
#[cfg(target_arch = "x86_64")]
#[test]
fn an_agent_answers_nothing_that_has_changed() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().display();
    let look = "for f in a b d d/a c; do for how in e f d s x h; do test -$how $f && \
                printf '%s%s ' $how $f; done; done; echo";
    let changes = [
        "true", ": > a", "echo more >> a", "rm a", "mkdir d", "echo x > d/a",
        "cd d; mv a ../b; \
         cd ..", "ln -s d/a c", "ln b d/a", "chmod +x b", "cd d",
        "cd ..", "(rm b)", "rm -r d", "echo y 2>/dev/null > b",
    ];
    let held_open = ["exec 3> a", "echo y >&3", "sh -c 'echo z >&3'", "exec 3>&-", "rm a"];
    let looks = |changes: &[&str]| {
        let one = |change: &&str| format!("{change}; look; look; look; look; look; ");
        changes.iter().map(one).collect::<String>()
    };
    let begin = format!("cd {at}; look() {{ {look}; }}; look; look; ");
    let script = format!("{begin}{}{}", looks(&changes), looks(&held_open));
    let Some(some) = answered(&script, Answers::Remembered) else { return };
    // 30 looks at a time, of which the first five rounds' first one is asked.
    let asked_again = 4 * 30 * changes.len() as u64;
    assert!(some > asked_again * 9 / 10, "{some} of {asked_again}");
}

/// The last one that had a ring is gone when another thread's file gets another name.
#[cfg(target_arch = "x86_64")]
#[test]
fn an_agent_answers_one_thread_after_the_other() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *look(void *nothing) {
    long found = 0;
    for (int i = 0; i < 3000; i++) found += access("a", F_OK) == 0;
    return (void *)found;
}
static void run(void) {
    pthread_t thread;
    void *found;
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, &found);
    printf("%ld\n", (long)found);
}
int main(void) {
    fclose(fopen("a", "w"));
    run(); rename("a", "b"); run(); rename("b", "a"); run();
    return 0;
}
"#;
    fs::write(folder.path().join("text.c"), text).unwrap();
    let at = folder.path().display();
    let compile = format!("cd {at} && cc -pthread -o program text.c");
    let compiled = std::process::Command::new("sh").args(["-c", &compile]).status().unwrap();
    assert!(compiled.success(), "the C compiler");
    let Some(some) = answered(&format!("cd {at}; ./program"), Answers::Remembered) else { return };
    assert!(some > 8800, "{some} of 9,000");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn an_agent_answers_each_program() {
    let _alone = alone();
    let loops = "i=0; while [ $i -lt 500 ]; do test -e /usr; i=$((i + 1)); done";
    let script = format!(
        "ls / > /dev/null; {loops}; sh -c '{loops}; echo inner'; ({loops}; echo child); {loops}"
    );
    let Some(some) = answered(&script, Answers::Remembered) else { return };
    assert!((1900..2000).contains(&some), "{some} of 2,000");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_run_with_an_agent_is_ended_if_it_takes_too_long() {
    let _alone = alone();
    let scratch = shell("while ! test -e /none; do :; done", Input::Nothing, false);
    let run = scratch.run(&with_agent(Answers::Remembered), Duration::from_secs(1));
    let Err(Failure::NoScratch(_)) = run else {
        assert!(matches!(run, Err(Failure::TooLong(_))), "{run:?}");
        return;
    };
}
