//! Many runners at once, with few descriptors, and what of the process they leave alone. This
//! changes limits of the process, so it has one of its own.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use fewer::Scope;
use fewer_shell::{Dialect, Runner};

const ALL: [Dialect; 3] = [Dialect::Posix, Dialect::Bash, Dialect::Ksh];

/// The kernel's number for the limit of descriptors (`RLIMIT_NOFILE`).
const DESCRIPTORS: u32 = 7;

/// A script, what it prints, and its status.
const SCRIPTS: [(&str, &str, u8); 8] = [
    ("x=$(echo a; sh -c 'echo b'); echo \"$x\" | sort -r; exit 3", "b\na\n", 3),
    ("sh -c 'exit 5' & wait $!; echo $?; (cd /; pwd); pwd", "5\n/\nHERE\n", 0),
    ("umask 077; echo x >f; exec 5<f; read l <&5; echo $l; exec 5<&-; rm f", "x\n", 0),
    ("f() { f; }; (f) 2>/dev/null; echo not here", "", 1),
    ("no_such_thing; set -e; false; echo not here", "", 1),
    ("sh -c 'kill -9 $$' 2>/dev/null; trap 'echo bye' EXIT; exec sh -c 'echo gone'", "gone\n", 0),
    ("while read l; do echo \"<$l>\"; done; cat; read l || echo end", "<one>\n<two>\nend\n", 0),
    ("export A=$(printf %05d 7); env | grep ^A=; seq 3 | (cat; cat /etc/no) 2>/dev/null", SEQ, 1),
];
const SEQ: &str = "A=00007\n1\n2\n3\n";

#[test]
fn what_is_the_processes_own_stays_so() {
    a_hundred_runners_in_eight_threads_with_few_descriptors();
    who_only_asks_for_the_umask_stays_where_the_process_is();
}

/// A thread with a umask of its own has a directory of its own as well.
fn who_only_asks_for_the_umask_stays_where_the_process_is() {
    let (before, there) = (std::env::current_dir().unwrap(), tempfile::tempdir().unwrap());
    let (tell, told) = std::sync::mpsc::channel();
    let (go, gone) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        let outcome = Runner::new(Dialect::Bash).run("umask; umask -S; (umask)").unwrap();
        tell.send(outcome.stdout).unwrap();
        gone.recv().unwrap();
        std::env::current_dir().unwrap()
    });
    assert_eq!(told.recv().unwrap(), b"0022\nu=rwx,g=rx,o=rx\n0022\n");
    std::env::set_current_dir(there.path()).unwrap();
    go.send(()).unwrap();
    assert_eq!(thread.join().unwrap(), there.path().canonicalize().unwrap());
    std::env::set_current_dir(before).unwrap();
}

fn a_hundred_runners_in_eight_threads_with_few_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let before = (umask(), std::env::current_dir().unwrap(), descriptors());
    let usual = sys::limit(DESCRIPTORS).unwrap();
    for few in [None, Some(before.2 as u64 + 24), Some(before.2 as u64 + 6), None] {
        let failed = AtomicUsize::new(0);
        let soft = few.or(usual.soft);
        sys::set_limit(DESCRIPTORS, sys::Limit { soft, hard: usual.hard }).unwrap();
        std::thread::scope(|threads| {
            for thread in 0..8 {
                let (folder, failed) = (folder.path(), &failed);
                threads.spawn(move || {
                    for number in (0..100).filter(|number| number % 8 == thread) {
                        failed.fetch_add(usize::from(!one(folder, number)), Relaxed);
                    }
                });
            }
        });
        assert!(few.is_some() || failed.load(Relaxed) == 0, "{failed:?} with enough descriptors");
    }
    assert_eq!((umask(), std::env::current_dir().unwrap(), descriptors()), before);
}

/// Whether a runner has done what it should; with too few descriptors it may say so instead.
fn one(folder: &Path, number: usize) -> bool {
    let (script, stdout, status) = SCRIPTS[number / 8 % SCRIPTS.len()];
    let folder = folder.join(number.to_string());
    if std::fs::create_dir_all(&folder).is_err() {
        return false;
    }
    let Ok(scope) = Scope::start().enter(&folder) else { return false };
    let runner = Runner::new(ALL[number % 3]).directory(scope).processes(true).depth(50);
    let mut runner = runner.environment([("PATH", "/usr/bin:/bin")]);
    runner.set_input("one\ntwo\n");
    let outcome = runner.run(script).unwrap();
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    // As dash does, `sh` does not say why it cannot enter a directory.
    let few = said.contains("Too many open files")
        || said.contains("os error 24")
        || ALL[number % 3] == Dialect::Posix && said.contains("can't cd to");
    let expected = stdout.replace("HERE", &folder.display().to_string());
    let right = outcome.stdout == expected.as_bytes() && outcome.status == status;
    assert!(right || few || outcome.status != 0, "{script}: {outcome:?}");
    // Whatever it was, the next run is a new one.
    let next = runner.run("echo \"alive $0\"; exit 4").unwrap();
    assert_eq!((&*next.stdout, next.status), (&b"alive sh\n"[..], 4), "{next:?}");
    right
}

fn umask() -> String {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
    status.lines().find(|line| line.starts_with("Umask")).unwrap().to_string()
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}
