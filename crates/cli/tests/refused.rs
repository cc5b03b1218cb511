//! Calls that are newer than some kernels (`ENOSYS`), or that filters of containers forbid
//! (`EPERM`): what is printed is the same without them, the refused call is tried once in a
//! process, and what takes its place is counted. strace refuses them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const FEWER: &str = env!("CARGO_BIN_EXE_fewer");

/// What is run, and the calls that it makes where `call` is refused.
struct Job {
    call: &'static str,
    words: &'static [&'static str],
    /// In the directory of the tree, by a shell that works everywhere: what is to be printed.
    like: &'static str,
    /// How often each is in the report of `--calls`, or `None` for a shell, which has no report.
    calls: &'static [(&'static str, usize)],
}

const JOBS: &[Job] = &[
    Job {
        call: "statx",
        words: &["ls", "-l", "--calls", "d"],
        like: "LC_ALL=C ls -l d",
        calls: &[("statx", 1), ("newfstatat", 23)],
    },
    Job {
        call: "statx",
        words: &["walk", "--sort", "--size", "+0", "-t", "f", "--calls", "d"],
        like: "find d -type f -size +0 | LC_ALL=C sort",
        calls: &[("statx", 1)],
    },
    Job {
        call: "statx",
        words: &["size", "--apparent-size", "--block-size", "1", "--calls", "d/s"],
        like: "du --apparent-size --block-size=1 d/s",
        calls: &[("statx", 1)],
    },
    // A thread that cannot be started is not needed.
    Job {
        call: "clone3",
        words: &["walk", "--sort", "-j", "4", "--calls", "many"],
        like: "find many | LC_ALL=C sort",
        calls: &[],
    },
    Job {
        call: "clone3",
        words: &["size", "-s", "-j", "4", "--apparent-size", "--block-size", "1", "many"],
        like: "du -s --apparent-size --block-size=1 many",
        calls: &[],
    },
    // Nor are the threads that run commands: the one that walks does it.
    Job {
        call: "clone3",
        words: &["walk", "-j", "4", "-t", "f", "--calls", "d", "--exec", "sh", "-c", "echo x"],
        like: "for n in d/* ; do [ -d $n ] || echo x; done",
        calls: &[("clone3", 1), ("clone", 21)],
    },
    Job {
        call: "clone3",
        words: &["walk", "--sort", "-t", "f", "--calls", "d", "--exec-batch", "echo"],
        like: "echo $(find d -type f | LC_ALL=C sort)",
        calls: &[("clone3", 1), ("clone", 1)],
    },
    Job {
        call: "clone3",
        words: &[
            "sh",
            "--bash",
            "-c",
            "echo x >e; cat e | grep -q x && \
            env A=b sh -c 'echo $A; pwd -P >&2' 2>/dev/null; echo $(env printf '%s' y); \
            (cd d && sh -c 'ls a'); no-such-program 2>/dev/null; echo $?; \
            ./d/a 2>/dev/null; echo $?; trap '' INT; sh -c 'kill -INT $$; echo on'; \
            exec 5>f; sh -c 'echo five >&5'; cat f; sh -c 'cat; exit 3' </dev/null; echo $?",
        ],
        like: "printf 'b\\ny\\na\\n127\\n126\\non\\nfive\\n3\\n'",
        calls: &[("clone3", 1)],
    },
    Job {
        call: "copy_file_range",
        words: &["sh", "--bash", "-c", "for n in 1 2 3; do cp d/a c$n; done; cat c1 c2 c3"],
        like: "cat d/a d/a d/a",
        calls: &[("copy_file_range", 1)],
    },
    Job {
        call: "faccessat2",
        words: &[
            "sh",
            "--bash",
            "-c",
            "for f in d/a d/none d/s d/1; do \
            [ -r $f ] && [ -w $f ] && echo $f; [ -x $f ] && echo $f; done",
        ],
        like: "printf 'd/a\\nd/s\\nd/s\\nd/1\\nd/1\\n'",
        calls: &[("faccessat2", 1)],
    },
    Job {
        call: "renameat2",
        words: &[
            "sh",
            "--bash",
            "-c",
            "cp d/a m; mv m n; mv -f n d/x; mkdir q; mv q r; \
            cp d/a d/y; mv -f d/x d/y; mv -n d/y d/a; ls d/x 2>&- || cat d/y d/a; ls -d r; \
            ln -sf /none r/l; ln -sf \"$PWD/d/y\" r/l; cat r/l; rm -r r d/y",
        ],
        like: "cat d/a d/a; echo r; cat d/a",
        calls: &[("renameat2", 1)],
    },
    Job {
        call: "getrandom",
        words: &["sh", "--bash", "-c", "declare -A a; a[x]=1 a[y]=2; echo ${a[x]}${a[y]}"],
        like: "echo 12",
        calls: &[],
    },
    Job {
        call: "memfd_create",
        words: &["sh", "--bash", "-c", "for n in 1 2; do env cat <<<$(seq 20000); done"],
        like: "seq 20000; seq 20000",
        calls: &[("memfd_create", 1)],
    },
];

fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("d/s")).unwrap();
    fs::write(at("d/a"), "x\ny\n").unwrap();
    for number in 0..20 {
        fs::write(at(&format!("d/{number}")), "").unwrap();
    }
    for number in 0..1000 {
        fs::create_dir_all(at(&format!("many/{}/{number}", number % 30))).unwrap();
    }
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(at("d/1"), executable).unwrap();
    folder
}

/// Runs it with what strace is to refuse; the calls are in the file `log`.
fn refusing(folder: &Path, call: &str, errno: &str, words: &[&str]) -> Output {
    let mut strace = Command::new("timeout");
    strace.args(["60", "strace", "-qq", "-o", "log"]);
    strace.arg(format!("--trace={call}")).arg(format!("--inject={call}:error={errno}"));
    strace.arg(FEWER).args(words).current_dir(folder).stdin(Stdio::null());
    strace.env("LC_ALL", "C").env("TZ", "UTC0").output().unwrap()
}

#[test]
fn what_is_refused_is_done_otherwise() {
    let works = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
    if !works.is_ok_and(|output| output.status.success()) {
        return eprintln!("skipped: strace is not there, or may not trace");
    }
    let mut wrong = Vec::new();
    for job in JOBS {
        for errno in ["ENOSYS", "EPERM"] {
            let folder = tree();
            let run = refusing(folder.path(), job.call, errno, job.words);
            let mut judge = Command::new("sh");
            judge.args(["-c", job.like]).env("TZ", "UTC0").current_dir(folder.path());
            let expected = String::from_utf8(judge.output().unwrap().stdout).unwrap();
            let printed = String::from_utf8_lossy(&run.stdout);
            let said = String::from_utf8_lossy(&run.stderr);
            let name = format!("{} {errno}: {}", job.call, job.words.join(" "));
            if *printed != expected || run.status.code() != Some(0) {
                wrong.push(format!("{name}: {:?} {printed} {said}", run.status));
            }
            let log = fs::read_to_string(folder.path().join("log")).unwrap();
            let tries = log.lines().filter(|line| line.contains("(INJECTED)")).count();
            wrong.extend((tries == 0).then(|| format!("{name}: nothing was refused")));
            for (call, number) in job.calls {
                // Which call it makes then is the C library's affair.
                if (job.call, errno) == ("clone3", "ENOSYS") {
                    continue;
                }
                let reported = said.lines().find_map(|line| {
                    let (number, name) = line.trim().split_once(' ')?;
                    (name == *call).then(|| number.parse().unwrap())
                });
                let made = reported.unwrap_or(if *call == job.call { tries } else { 0 });
                if made != *number {
                    wrong.push(format!("{name}: {made} {call}, not {number}: {said}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
