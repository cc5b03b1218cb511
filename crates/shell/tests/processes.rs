//! Signals, limits and umasks as the three shells word them, and children as they end.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use fewer_shell::Dialect;
use fewer_shell::processes::{
    Condition, Limit, Umask, Which, WrongMask, explain_signal, list_signals, octal_mask,
    parse_mask, symbolic_mask,
};

const SHELLS: [(&str, Dialect); 3] =
    [("dash", Dialect::Posix), ("bash", Dialect::Bash), ("ksh93", Dialect::Ksh)];

/// What a shell prints, and its status; `None` if that shell is not here.
fn ask(shell: &str, script: &str, arguments: &[&str]) -> Option<(String, i32)> {
    let mut command = Command::new(shell);
    let output = command.args(["-c", script, "sh"]).args(arguments).output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no {shell} here");
        return None;
    };
    Some((String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap()))
}

const WORDS: [&str; 58] = [
    "term", "SigTerm", "SIGTERM", "TERM", "ABRT", "IOT", "IO", "POLL", "CLD", "CHLD", "RTMIN",
    "RTMIN+0", "RTMIN+1", "rtmin+3", "RTMIN+15", "RTMIN+16", "RTMIN+30", "RTMIN+31", "RTMAX-15",
    "RTMAX-14", "RTMAX-0", "RTMAX", "STKFLT", "UNUSED", "PWR", "INFO", "LOST", "SYS", "0", "EXIT",
    "exit", "SIGEXIT", "ERR", "err", "DEBUG", "debug", "RETURN", "KEYBD", "1", "015", " 15", "+15",
    "64", "65", "66", "STOP", "32", "33", "SIG32", "SIG15", "SIG0", "x15", "SIG", "SIGSIGTERM",
    "RT", "RTMIN-1", "RTMAX+1", "6",
];

#[test]
fn trap_knows_what_each_shell_knows() {
    for (shell, dialect) in SHELLS {
        for word in WORDS {
            let Some((theirs, _)) = ask(shell, "trap : \"$1\" 2>&- && trap", &[word]) else {
                continue;
            };
            let ours = Condition::of(word.as_bytes(), dialect);
            let colon = if dialect == Dialect::Ksh { ":" } else { "':'" };
            let ours = ours.map(|it| format!("trap -- {colon} {}\n", it.name(dialect)));
            assert_eq!(ours.unwrap_or_default(), theirs, "{shell}: {word}");
        }
    }
}

#[test]
fn kill_explains_what_each_shell_explains() {
    for (shell, dialect) in SHELLS {
        for word in WORDS.iter().chain(&["128", "129", "143", "192", "193", "256", "271", "400"]) {
            let Some((theirs, _)) = ask(shell, "kill -l \"$1\" 2>&-", &[word]) else { continue };
            let ours = explain_signal(word.as_bytes(), dialect);
            assert_eq!(ours.unwrap_or_default(), theirs, "{shell}: {word}");
        }
        if let Some((theirs, _)) = ask(shell, "kill -l", &[]) {
            assert_eq!(list_signals(dialect), theirs, "{shell}");
        }
    }
}

#[test]
fn traps_are_listed_in_each_shells_order() {
    for (shell, dialect) in SHELLS {
        let words: &[&str] = match dialect {
            Dialect::Posix => &["TERM", "EXIT", "64", "HUP", "35"],
            Dialect::Bash => &["TERM", "ERR", "RETURN", "EXIT", "64", "DEBUG", "HUP", "35"],
            Dialect::Ksh => &["TERM", "ERR", "EXIT", "64", "HUP", "35"],
        };
        let Some((theirs, _)) = ask(shell, "trap : \"$@\"; trap", words) else { continue };
        let mut all: Vec<_> =
            words.iter().map(|word| Condition::of(word.as_bytes(), dialect).unwrap()).collect();
        Condition::sort(&mut all, dialect);
        let ours: Vec<_> = all.iter().map(|condition| condition.name(dialect)).collect();
        let theirs: Vec<_> = theirs.lines().filter_map(|line| line.rsplit(' ').next()).collect();
        assert_eq!(ours, theirs, "{shell}");
    }
}

#[test]
fn masks_are_read_as_each_shell_reads_them() {
    for (shell, dialect) in SHELLS {
        for word in [
            "22", "022", "777", "1777", "7777", "10000", "012345", "8", "09", "0x1",
            "u=rwx,g=rx,o=", "u-w", "g+w", "a=r", "=r", "+x", "u=g", "g=u,o=g", "ug=rw,o=x",
            "u+rwx-w", "u=rwxs", "X=r", "rw", ",", "u=r,", "u+X", "u=rt", "u=q", "u!", "+w", "a=",
            "u", "go-rwx,u+x", "u=rwx,,g=r", "uuu=r", "", "=", "u=u",
        ] {
            let script = "umask 027; umask \"$1\" 2>&- || exit 9; umask; umask -S";
            let Some((theirs, status)) = ask(shell, script, &[word]) else { continue };
            let ours = parse_mask(word.as_bytes(), 0o27, dialect);
            let text = |mask| format!("{}\n{}\n", octal_mask(mask), symbolic_mask(mask));
            let ours = ours.map(text).unwrap_or_default();
            assert_eq!((ours, status != 0), (theirs.clone(), theirs.is_empty()), "{shell}: {word}");
        }
    }
    assert_eq!(parse_mask(b"u!", 0, Dialect::Bash), Err(WrongMask::Operator(b'!')));
    assert_eq!(parse_mask(b"u", 0, Dialect::Bash), Err(WrongMask::Operator(b' ')));
    assert_eq!(parse_mask(b"u=rs", 0, Dialect::Bash), Err(WrongMask::Permission(b's')));
}

/// Limits are the process's, so one of these tests at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn limits_are_listed_as_each_shell_lists_them() {
    let _alone = alone();
    for (shell, dialect) in SHELLS {
        for (option, which) in [("-S", Which::Soft), ("-H", Which::Hard)] {
            let script = format!("ulimit {option} -a");
            let Some((theirs, _)) = ask(shell, &script, &[]) else { continue };
            let ours: String =
                Limit::all(dialect).map(|limit| limit.line(which).unwrap()).collect();
            assert_eq!(ours, theirs, "{shell}");
            for limit in Limit::all(dialect) {
                let letter = char::from(limit.letter());
                let script = format!("ulimit {option} -{letter}");
                let theirs = ask(shell, &script, &[]).unwrap().0;
                assert_eq!(limit.value(which).unwrap() + "\n", theirs, "{shell} -{letter}");
            }
        }
    }
}

#[test]
fn a_limit_is_set_in_the_shells_units() {
    let _alone = alone();
    for (shell, dialect) in SHELLS {
        let limit = Limit::of(b'c', dialect).unwrap();
        let before = limit.value(Which::Soft).unwrap();
        limit.set(Which::Soft, Some(16)).unwrap();
        assert_eq!(limit.value(Which::Soft).unwrap(), "16");
        if let Some((theirs, _)) = ask(shell, "ulimit -c", &[]) {
            assert_eq!(theirs, "16\n", "{shell}");
        }
        limit.set(Which::Soft, limit.parse(before.as_bytes()).unwrap()).unwrap();
    }
    let bash = Limit::of(b'n', Dialect::Bash).unwrap();
    assert_eq!(bash.name(), "open files");
    assert!(bash.parse(b"20+5").is_err() && bash.parse(b"99999999999999999999").is_err());
    assert_eq!(bash.parse(b"hard").unwrap().map(|it| it.to_string()), bash.value(Which::Hard).ok());
    assert!(Limit::of(b'T', Dialect::Bash).is_none());
}

#[test]
fn a_script_of_one_thread_has_its_own_umask() {
    std::thread::spawn(|| {
        let umask = Umask::default();
        let before = umask.get();
        umask.set(0o123);
        assert_eq!(umask.get(), 0o123);
        let seen = |thread: std::thread::JoinHandle<u32>| thread.join().unwrap();
        // A thread that it starts shares with it; the test's other threads do not.
        assert_eq!(seen(std::thread::spawn(|| Umask::default().get())), 0o123);
        drop(umask);
        assert_eq!(Umask::default().get(), before);
    })
    .join()
    .unwrap();
}
