//! A working directory that is gone, or not where it was: a script is never taken to `/`, or
//! anywhere else, because a path is not known. Compared with dash, bash and ksh93.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

const FEWER: &str = env!("CARGO_BIN_EXE_fewer");
const SHELLS: [(&str, &str); 3] = [("dash", "--posix"), ("bash", "--bash"), ("ksh93", "--ksh")];

/// Starts what `words` say in a directory `p/gone` that is removed before.
fn in_gone(place: &Path, words: &[&str], pwd: Option<&str>) -> Output {
    let gone = place.join("p/gone");
    std::fs::create_dir_all(&gone).unwrap();
    std::fs::write(place.join("p/mark"), "").unwrap();
    // A shell in between would print a message of its own.
    let mut env = Command::new("env");
    env.args(["-C", gone.to_str().unwrap(), "sh", "-c", "rmdir ../gone; exec env \"$@\"", "sh"]);
    env.args(["-uPWD", "-uOLDPWD", "LC_ALL=C"]);
    if let Some(pwd) = pwd {
        env.arg(format!("PWD={pwd}"));
    }
    env.args(words);
    env.stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What the judge and fewer say, in a place that is called `T` in both.
fn both(judge: &str, dialect: &str, script: &str, pwd: &str) -> [(Option<i32>, String, String); 2] {
    let theirs: &[&str] = &[judge, "-c", script, "name"];
    let ours: &[&str] = &[FEWER, "sh", dialect, "-c", script, "name"];
    [theirs, ours].map(|words| {
        let place = tempfile::tempdir().unwrap();
        let here = place.path().to_str().unwrap();
        let pwd = (!pwd.is_empty()).then(|| pwd.replace('T', here));
        let done = in_gone(place.path(), words, pwd.as_deref());
        let said = |bytes: &[u8]| text(bytes).replace(here, "T");
        (done.status.code(), said(&done.stdout), said(&done.stderr))
    })
}

fn is_there(judge: &str) -> bool {
    let found = Command::new(judge).args(["-c", ":"]).status().is_ok();
    if !found {
        println!("skipped: there is no {judge}");
    }
    found
}

/// All three shells do the same with these, whatever PWD says.
const ALIKE: [&str; 9] = [
    "pwd; echo $?",
    "pwd -P; echo $?; /bin/pwd 2>/dev/null; echo $?",
    "cd sub; echo $?; cd ../p; echo $?",
    "echo *; echo .*; echo ../*; ls ..; [ -d . ]; echo $?",
    ": > f; echo $?",
    "cat < g; echo $?; mkdir x 2>/dev/null; echo $?; /bin/echo hi",
    "cd ..; echo $?; mkdir n; cd n; pwd; /bin/pwd; cd ..; pwd; cd -; /bin/pwd",
    "(cd ..; mkdir m; cd m; pwd); x=$(cd /; pwd); echo $x; cd /usr; echo $?; pwd",
    "rm -f ../mark; cd .. && echo * && cd /tmp && pwd",
];

#[test]
fn a_start_in_a_removed_directory_is_that_of_the_other_shells() {
    for (judge, dialect) in SHELLS {
        // ksh93 believes a PWD that lies, and goes to what is above that.
        let truths = if judge == "ksh93" {
            &["T/p/gone", ""][..]
        } else {
            &["T/p/gone", "", "/usr", "gone"]
        };
        for script in ALIKE.iter().filter(|_| is_there(judge)) {
            for pwd in truths {
                let [theirs, ours] = both(judge, dialect, script, pwd);
                assert_eq!(ours.0, theirs.0, "{judge}: {script}: PWD={pwd}: {}", ours.2);
                assert_eq!(ours.1, theirs.1, "{judge}: {script}: PWD={pwd}: {}", ours.2);
            }
        }
    }
}

#[test]
fn it_is_said_in_their_words() {
    for (judge, dialect) in SHELLS {
        for script in ["", "pwd", "cd ..", "pwd -P"] {
            if is_there(judge) {
                let [theirs, ours] = both(judge, dialect, script, "T/p/gone");
                assert_eq!(ours.2, theirs.2.replace("ksh93:", "name:"), "{judge}: {script}");
            }
        }
    }
}

#[test]
fn the_directory_above_is_the_true_one_and_never_the_root() {
    for (_, dialect) in SHELLS {
        for pwd in ["T/p/gone", "", "/usr", "/nonexistent/gone", "gone", "T/p/../p/gone", "/"] {
            let place = tempfile::tempdir().unwrap();
            let here = place.path().canonicalize().unwrap();
            let above = here.join("p").into_os_string().into_string().unwrap();
            let pwd = pwd.replace('T', here.to_str().unwrap());
            let script = "cd ..; echo $?; pwd; /bin/pwd; echo \"$PWD\"; cd ..; /bin/pwd; cd p; pwd";
            let words = [FEWER, "sh", dialect, "-c", script];
            let done = in_gone(&here, &words, Some(&pwd));
            let up = here.to_str().unwrap();
            let expected = format!("0\n{above}\n{above}\n{above}\n{up}\n{above}\n");
            assert_eq!(
                text(&done.stdout),
                expected,
                "{dialect}: PWD={pwd}: {}",
                text(&done.stderr)
            );
        }
    }
}

/// What happens to the directory while the script is in it.
const MEANWHILE: [(&str, &str); 9] = [
    ("dash bash ksh93", "mkdir d; cd d; rmdir ../d; cd x; echo $?; cd ..; echo $?; pwd; echo *"),
    ("dash ksh93", "mkdir d; cd d; rmdir ../d; pwd; pwd -P; cd .; echo $?; cd ..; pwd; /bin/pwd"),
    ("dash ksh93", "mkdir d; cd d; rmdir ../d; cd -P .; echo $?; pwd; cd -P ..; pwd; /bin/pwd"),
    ("dash bash ksh93", "mkdir d; cd d; mv ../d ../e; pwd; cd .; echo $?; pwd; cd ..; pwd; ls"),
    ("dash bash ksh93", "mkdir -p d/e; cd d/e; mv ../../d ../../f; cd ..; echo $?; pwd; /bin/pwd"),
    ("dash bash ksh93", "mkdir -p d/e/s; cd d/e; mv ../../d ../../f; cd s; echo $?; pwd; /bin/pwd"),
    ("dash ksh93", "mkdir -p d/e; cd d/e; rm -r ../../d; cd ..; echo $?; cd ../..; echo $?"),
    ("bash", "mkdir -p d/e; cd d/e; rm -r ../../d; cd ..; echo $?; cd ..; echo $?; /bin/pwd"),
    (
        "dash bash ksh93",
        "mkdir -p d/e; cd d/e; mv ../../d ../../f; mkdir -p ../../d/g; cd ../g; /bin/pwd",
    ),
];

#[test]
fn a_directory_that_goes_away_is_that_of_the_other_shells() {
    for (judges, script) in MEANWHILE {
        let shells = SHELLS.iter().filter(|(judge, _)| judges.split(' ').any(|it| it == *judge));
        for (judge, dialect) in shells.filter(|(judge, _)| is_there(judge)) {
            let script = format!("cd ..; cd \"$(/bin/pwd)\"; {script}");
            let [theirs, ours] = both(judge, dialect, &script, "T/p/gone");
            assert_eq!(ours.0, theirs.0, "{judge}: {script}: {}", ours.2);
            assert_eq!(ours.1, theirs.1, "{judge}: {script}: {}", ours.2);
        }
    }
}

#[test]
fn a_pwd_that_is_right_in_other_words_is_one_directory() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path().canonicalize().unwrap();
    std::fs::create_dir_all(here.join("real/sub")).unwrap();
    std::os::unix::fs::symlink("real", here.join("link")).unwrap();
    let script = "pwd; cd ..; echo $?; pwd; /bin/pwd; cd sub; pwd; cd ../..; pwd; /bin/pwd";
    for (judge, dialect) in SHELLS.iter().filter(|(judge, _)| is_there(judge)) {
        for pwd in ["link/sub", "link/sub/", "link//sub", "real", ""] {
            let run = |words: &[&str]| {
                let mut env = Command::new("env");
                env.arg(format!("PWD={}", here.join(pwd).display())).args(words);
                let done = env.args(["-c", script]).current_dir(here.join("link/sub")).output();
                text(&done.unwrap().stdout)
            };
            assert_eq!(run(&[FEWER, "sh", dialect]), run(&[judge]), "{judge}: {pwd}");
        }
    }
}
