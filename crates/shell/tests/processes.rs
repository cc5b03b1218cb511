//! Limits as the three shells word them, and a umask of its own for a thread.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use fewer_shell::Dialect;
use fewer_shell::processes::{Limit, Umask, Which};

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
