//! `fewer why` and `fewer count` from end to end: what they run, how they end, where reports go.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use folder::{Folder, err, expect};

/// Every way to watch a command, but for those that ask for more runs.
const WAYS: [&[&str]; 7] = [
    &["why", "--"],
    &["why", "--json", "-o", "report", "--html", "page", "--"],
    &["why", "--prices", "prices", "--"],
    &["why", "--record", "calls", "--"],
    &["count", "--"],
    &["count", "--all", "--"],
    &["budget", "record", "b.toml", "--"],
];

fn watched(folder: &Folder, way: &[&str], command: &[&str]) -> Output {
    fs::copy(REFERENCE, folder.0.join("prices")).unwrap();
    folder.fewer(&[way, command].concat())
}

#[test]
fn a_command_is_run_once() {
    for way in WAYS {
        let folder = Folder::new();
        expect(&watched(&folder, way, &["sh", "-c", "echo once >> log"]), 0);
        assert_eq!(folder.read("log"), "once\n", "{way:?}");
        folder.write("a", "");
        expect(&watched(&folder, way, &["mv", "a", "b"]), 0);
        assert!(folder.0.join("b").exists());
    }
}

#[test]
fn an_option_that_is_none_is_no_command() {
    for verb in ["why", "count"] {
        let folder = Folder::new();
        for option in ["--no-such-option", "-Q"] {
            let output = folder.fewer(&[verb, option, "touch", "made"]);
            expect(&output, 2);
            assert!(err(&output).contains(option), "{}", err(&output));
        }
        assert!(!folder.0.join("made").exists());
        // Behind the command they are the command's; one that begins so stands behind `--`.
        expect(&folder.fewer(&[verb, "touch", "--no-create", "made"]), 0);
        expect(&folder.fewer(&[verb, "--", "--no-such-option"]), 127);
    }
}

#[test]
fn a_check_and_a_blessing_run_a_command_once() {
    let folder = Folder::new();
    let script = "echo once >> log; ls -d $(cat what) > /dev/null";
    folder.write("what", "/");
    expect(&folder.fewer(&["budget", "record", "b.toml", "--", "sh", "-c", script]), 0);
    expect(&folder.fewer(&["budget", "check", "b.toml"]), 0);
    folder.write("what", "/ /usr /etc");
    expect(&folder.fewer(&["budget", "check", "b.toml"]), 1);
    expect(&folder.fewer(&["budget", "check", "--bless", "b.toml"]), 0);
    assert_eq!(folder.read("log"), "once\n".repeat(4));
    expect(&folder.fewer(&["budget", "check", "b.toml"]), 0);
    folder.write("what", "/ /usr /etc /tmp");
    expect(&folder.fewer(&["budget", "check", "--runs", "3", "b.toml"]), 1);
    assert_eq!(folder.read("log"), "once\n".repeat(8));
}

#[test]
fn a_commit_is_made_once() {
    if Command::new("git").arg("--version").output().is_err() {
        eprintln!("skipped: there is no git");
        return;
    }
    for way in WAYS {
        let folder = Folder::new();
        let git = |words: &[&str]| expect(&folder.program("git", words).output().unwrap(), 0);
        git(&["init", "-q"]);
        let commit = "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one";
        let commit: Vec<&str> = commit.split(' ').collect();
        expect(&watched(&folder, way, &commit), 0);
        assert_eq!(git(&["rev-list", "--count", "HEAD"]), "1\n", "{way:?}");
    }
}

#[test]
fn a_second_run_is_announced_before_it_starts() {
    let folder = Folder::new();
    let script = "echo run >> log; echo started >&2";
    let output = folder.fewer(&["why", "--baseline", "-o", "report", "--", "sh", "-c", script]);
    expect(&output, 0);
    assert_eq!(folder.read("log"), "run\nrun\n");
    let announced =
        "fewer: --baseline: the command is run twice, the second time unwatched\nstarted\n";
    assert_eq!(err(&output), announced);
    expect(
        &folder.fewer(&["budget", "record", "b.toml", "--runs", "3", "--", "sh", "-c", script]),
        0,
    );
    assert_eq!(folder.read("log"), "run\n".repeat(5));
}

#[test]
fn a_run_that_was_ended_is_not_repeated() {
    let folder = Folder::new();
    let script = "echo run >> log; kill -INT $$";
    let output = folder.fewer(&["why", "--baseline", "-o", "report", "--", "sh", "-c", script]);
    assert_eq!(output.status.code(), None);
    assert_eq!(folder.read("log"), "run\n");
}

const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../trace/src/price/reference.toml");

/// A thousand looks at a file that is not there.
const LOOKS: &str = "i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); [ -e /no/such ]; done; exit 0";

#[test]
fn the_time_of_a_run_is_an_estimate_unless_it_is_measured() {
    let folder = Folder::new();
    let report = |more: &[&str]| {
        let command = ["--json", "-o", "report", "--", "sh", "-c", LOOKS];
        expect(&folder.fewer(&[&["why"], more, &command].concat()), 0);
        folder.read("report")
    };
    let estimated = report(&[]);
    assert!(estimated.contains(r#""run_basis":"estimated","baseline":null"#), "{estimated}");
    assert!(estimated.contains(r#""no_baseline":"--baseline was not given""#), "{estimated}");
    assert!(report(&["--baseline"]).contains(r#""run_basis":"measured","baseline":{"wall_ns":"#));
    let priced = report(&["--prices", REFERENCE]);
    assert!(priced.contains(r#""run_ns":null"#), "{priced}");
}

#[test]
fn what_is_ignored_or_held_back_stays_so_for_the_command() {
    let own = "grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status";
    let ignored = "HUP,INT,QUIT,PIPE,CHLD,TERM,RTMAX,USR1";
    for option in [&["--default-signal"][..], &["--ignore-signal", ignored]] {
        let masks = |before: &[&str]| {
            let folder = Folder::new();
            let mut env = Command::new("env");
            env.arg("--default-signal").arg("env");
            match option {
                [_, signals] => env.arg(format!("--ignore-signal={signals}")),
                _ => env.arg(option[0]),
            };
            env.arg("--block-signal=USR2,RTMAX").args(before).args(["sh", "-c", own]);
            let status = expect(&env.current_dir(&folder.0).output().unwrap(), 0);
            let mask = |line: &str| {
                let mask = line.split_once('\t').unwrap().1;
                // 32 and 33 belong to the C library, which does with them what it likes.
                u64::from_str_radix(mask, 16).unwrap() & !(3 << 31)
            };
            status.lines().map(mask).collect::<Vec<u64>>()
        };
        let alone = masks(&[]);
        assert_eq!(alone.len(), 3, "{alone:?}");
        let fewer = env!("CARGO_BIN_EXE_fewer");
        assert_eq!(masks(&[fewer, "why", "-o", "report", "--"]), alone);
        assert_eq!(masks(&[fewer, "count", "-o", "report", "--"]), alone);
    }
}

#[test]
fn a_report_that_cannot_be_written_hides_no_status() {
    let folder = Folder::new();
    let ways: [&[&str]; 6] = [
        &["why", "-o", "/dev/full"],
        &["why", "--json", "-o", "/dev/full"],
        &["why", "--html", "/dev/full"],
        &["why", "--flame", "/dev/full"],
        &["why", "--record", "/dev/full"],
        &["count", "-o", "/dev/full"],
    ];
    for way in ways {
        for status in [0, 7] {
            let script = format!("ls / > /dev/null; exit {status}");
            let output = folder.fewer(&[way, &["--", "sh", "-c", &script]].concat());
            expect(&output, status);
            // folded stacks of a program without any are empty: nothing fails there
            let reported = err(&output).contains("'/dev/full': No space left on device");
            assert!(reported || way.contains(&"--flame"), "{way:?} {}", err(&output));
        }
    }
    let output = folder.fewer(&["why", "-o", "/dev/full", "--", "sh", "-c", "kill -TERM $$"]);
    assert_eq!(output.status.code(), None);
}

#[test]
fn what_cannot_be_written_to_is_said_before_the_command_is_run() {
    let folder = Folder::new();
    let ways: [&[&str]; 6] = [
        &["why", "-o", "no/where"],
        &["why", "--html", "no/where"],
        &["why", "--flame", "."],
        &["why", "--record", "no/where"],
        &["why", "--prices", "no/where"],
        &["count", "-o", "no/where"],
    ];
    for way in ways {
        let output = folder.fewer(&[way, &["--", "touch", "ran"]].concat());
        expect(&output, 2);
        assert!(err(&output).starts_with("fewer: cannot "), "{}", err(&output));
        assert!(!folder.0.join("ran").exists(), "{way:?}");
    }
}

#[test]
fn a_program_that_cannot_be_run_has_the_status_of_env() {
    let folder = Folder::new();
    folder.write("text", "no program");
    for verb in ["why", "count"] {
        for words in [&["nosuch"][..], &["./nosuch"], &["./text"], &["/"], &[""]] {
            let theirs = Command::new("env").args(words).current_dir(&folder.0).output().unwrap();
            let ours = folder.fewer(&[&[verb, "--"], words].concat());
            assert_eq!(ours.status.code(), theirs.status.code(), "{words:?} {}", err(&ours));
        }
        let twice = folder.fewer(&[verb, "-p", "1", "--", "true"]);
        expect(&twice, 2);
    }
}

#[test]
fn a_recording_that_is_damaged_is_an_error_or_says_so() {
    let folder = Folder::new();
    expect(&folder.fewer(&["why", "--record", "calls", "--", "ls", "/"]), 0);
    let whole = fs::read(folder.0.join("calls")).unwrap();
    for (at, length) in (0..20).map(|at| (at, whole.len() * at / 20)) {
        for verb in ["why", "count"] {
            fs::write(folder.0.join("part"), &whole[..length]).unwrap();
            let output = folder.fewer(&[verb, "--from", "part"]);
            assert!(matches!(output.status.code(), Some(0 | 2)), "{at} {}", err(&output));
            assert!(err(&output).starts_with("fewer: "), "{at} {}", err(&output));
            let mut damaged = whole.clone();
            damaged[length..].iter_mut().take(3).for_each(|byte| *byte ^= 0x55);
            fs::write(folder.0.join("part"), &damaged).unwrap();
            let output = folder.fewer(&[verb, "--from", "part"]);
            assert!(matches!(output.status.code(), Some(0 | 2)), "{at} {}", err(&output));
        }
    }
}

/// Starts it in a group of its own, waits until it has written "ready", and sends its group a
/// signal, as a terminal does.
fn signalled(folder: &Folder, signal: &str, arguments: &[&str]) -> std::process::ExitStatus {
    let ready = folder.0.join("ready");
    let _ = fs::remove_file(&ready);
    let mut fewer = folder.command(arguments);
    let mut fewer = fewer.stderr(Stdio::null()).process_group(0).spawn().unwrap();
    let begun = Instant::now();
    while fs::read(&ready).is_ok_and(|text| text.is_empty()) || !ready.exists() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    let group = format!("-{}", fewer.id());
    assert!(
        Command::new("sh")
            .args(["-c", "kill -s $0 -- $1", signal, &group])
            .status()
            .unwrap()
            .success()
    );
    loop {
        if let Some(status) = fewer.try_wait().unwrap() {
            return status;
        }
        if begun.elapsed() > Duration::from_secs(60) {
            let _ = Command::new("sh").args(["-c", "kill -s KILL -- $0", &group]).status();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_signal_ends_the_run_and_nothing_is_started_again() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        for verb in [&["why"][..], &["why", "--baseline"], &["count"]] {
            let folder = Folder::new();
            let script = "echo run >> log; echo ready > ready; while :; do sleep 0.05; done";
            let status = signalled(
                &folder,
                signal,
                &[verb, &["--json", "-o", "report", "--", "sh", "-c", script]].concat(),
            );
            assert_eq!(status.signal(), Some(number), "{verb:?} {signal}");
            assert_eq!(folder.read("log"), "run\n", "{verb:?} {signal}");
            assert!(folder.read("report").starts_with('{'), "{verb:?} {signal}");
        }
    }
}

#[test]
fn a_program_that_heeds_a_signal_ends_as_it_wants() {
    let folder = Folder::new();
    let script =
        "trap 'echo heard >> log; exit 9' INT; echo ready > ready; while :; do sleep 0.05; done";
    let status = signalled(&folder, "INT", &["why", "-o", "report", "--", "sh", "-c", script]);
    assert_eq!(status.code(), Some(9));
    assert_eq!(folder.read("log"), "heard\n");
}

#[test]
fn two_recordings_are_compared() {
    let folder = Folder::new();
    let program = |name: &str, times: u32| {
        let text = format!(
            "#include <unistd.h>\nint look(void) {{ return access(\"/\", 0) + 1; }}\n\
             int main(void) {{ int n = 0; for (int i = 0; i < {times}; i++) n += look(); \
             return n != {times}; }}"
        );
        folder.compile("lister", &text);
        expect(&folder.fewer(&["why", "--record", name, "--", "./lister"]), 0);
    };
    program("slow", 4000);
    program("fast", 1);
    let said = expect(&folder.fewer(&["why", "--diff", "slow", "fast"]), 0);
    assert!(said.contains("gone  same-stat in lister, look ("), "{said}");
    assert!(said.contains("-3,999  access\n"), "{said}");
    let said = expect(&folder.fewer(&["why", "--diff", "fast", "slow", "--json"]), 1);
    assert!(said.starts_with("{\"v\":1,\"worse\":true,\"calls\":["), "{said}");
    assert!(said.contains("\"change\":\"new\",\"id\":\"same-stat\""), "{said}");
    let said = expect(&folder.fewer(&["why", "--diff", "slow", "slow", "-o", "report"]), 0);
    assert_eq!(said, "");
    assert!(folder.read("report").ends_with("1 finding is the same\n"));
    expect(&folder.fewer(&["why", "--diff", "slow", "none"]), 2);
    expect(&folder.fewer(&["why", "--diff", "slow", "--", "true"]), 2);
    // It is compressed, as every program knows it.
    let text = folder.program("zcat", &["slow"]).output().unwrap().stdout;
    assert!(text.starts_with(b"{\"fewer\":\"recording\",\"v\":1,"));
    let size = fs::metadata(folder.0.join("slow")).unwrap().len();
    assert!(size * 8 < text.len() as u64, "{size} of {}", text.len());
    fs::write(folder.0.join("plain"), &text).unwrap();
    expect(&folder.fewer(&["why", "--diff", "plain", "slow"]), 0);
}
