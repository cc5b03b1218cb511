//! `fewer why --prove` from end to end: verdicts, what is compared, how often a command runs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::process::{Output, Stdio};

use folder::{Folder, err};
use serde_json::Value;

/// Runs it where TZ is not set. `None`, with the reason printed, where no scratch can be made.
fn prove(folder: &Folder, flags: &[&str], command: &[&str]) -> Option<Output> {
    let mut run = folder.command(&[]);
    run.env_remove("TZ").arg("why").arg("--prove").args(flags).arg("--").args(command);
    let done = run.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    if said.contains("no scratch copy can be made here") {
        assert!(std::env::var_os("FEWER_NEEDS_SCRATCH").is_none(), "{said}");
        eprintln!("skipped: {said}");
        return None;
    }
    Some(done)
}

fn proofs(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|why| panic!("{why}: {}", err(output)))
}

const JSON: &[&str] = &["--json", "-o", "-", "--threshold", "milliseconds=0"];

/// Asks for the time so often that it is a waste, then prints what it is told to.
fn clock(more: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n\
         int main(void) {{ time_t t = 0; for (int i = 0; i < 3000; i++) {{ t = i * 86400L; \
         if (!localtime(&t)) return 2; }}\n{more}\nreturn 0; }}\n"
    )
}

fn verdict<'a>(report: &'a Value, remedy: &str) -> (&'a str, &'a str, u64) {
    let all = report["proofs"].as_array().unwrap();
    let has = |proof: &&Value| proof["remedy"].as_str().is_some_and(|it| it.contains(remedy));
    let proof = all.iter().find(has).unwrap_or_else(|| panic!("no {remedy}: {report}"));
    let why = proof["why"].as_str().unwrap_or_default();
    (proof["verdict"].as_str().unwrap(), why, proof["calls"].as_u64().unwrap_or_default())
}

#[test]
fn a_remedy_that_changes_nothing_else_saves_the_calls() {
    let folder = Folder::new();
    folder.compile("prog", &clock("puts(asctime(localtime(&t)));"));
    let Some(done) = prove(&folder, JSON, &["./prog"]) else { return };
    let report = proofs(&done);
    let plain = report["calls"].as_u64().unwrap();
    for remedy in ["TZ=", "localtime_r"] {
        let (verdict, why, calls) = verdict(&report, remedy);
        // Which of the two is a matter of what else the machine does.
        assert!(["proved", "no gain"].contains(&verdict), "{remedy}: {verdict}: {why}");
        // The first look remains, and a few calls more to load what is put in front.
        assert!((2950..=3000).contains(&(plain - calls)), "{remedy}: {calls} of {plain}");
    }
    let before = err(&done);
    // TZ: 1 + 20; localtime_r: 1 + 40; without: 20.
    assert!(before.contains("once watched; then, if a remedy can be tried, 20 times"), "{before}");
    assert!(before.contains("will be run 82 times more"), "{before}");
}

#[test]
fn a_remedy_that_the_program_prints_is_caught() {
    let folder = Folder::new();
    let prints = "puts(getenv(\"TZ\") ? getenv(\"TZ\") : \"none\");";
    folder.compile("prog", &clock(prints));
    let Some(done) = prove(&folder, JSON, &["./prog"]) else { return };
    let report = proofs(&done);
    let (found, why, _) = verdict(&report, "TZ=");
    assert_eq!(found, "output differs");
    assert_eq!(why, "standard output, line 1: ':/etc/localtime' instead of 'none'");
    // The other remedy for the same finding is none that it prints.
    assert_ne!(verdict(&report, "localtime_r").0, "output differs");
}

/// Reads a file byte by byte, and writes behind where it is: a block that was read ahead is old.
const REWRITES: &str = r#"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int in = open("text", O_RDONLY), out = open("text", O_WRONLY);
    char letter; long sum = 0;
    for (long at = 0; read(in, &letter, 1) == 1; at++) {
        sum += letter;
        if (at == 1000) pwrite(out, "zzzz", 4, 2000);
    }
    printf("%ld\n", sum);
    return 0;
}
"#;

#[test]
fn a_file_that_changes_while_it_is_read_is_caught() {
    let folder = Folder::new();
    folder.compile("prog", REWRITES);
    folder.write("text", &"a".repeat(4000));
    let Some(done) = prove(&folder, JSON, &["./prog"]) else { return };
    assert_eq!(verdict(&proofs(&done), "128 KiB").0, "output differs");
    // What the runs wrote is gone.
    assert_eq!(folder.read("text"), "a".repeat(4000));
}

#[test]
fn a_command_that_differs_by_itself_is_not_comparable() {
    let folder = Folder::new();
    let prints = "FILE *f = fopen(\"/proc/sys/kernel/random/uuid\", \"r\"); char line[40]; \
                  if (f && fgets(line, 40, f)) puts(line);";
    folder.compile("prog", &clock(prints));
    let Some(done) = prove(&folder, JSON, &["./prog"]) else { return };
    let report = proofs(&done);
    let why = report["not_comparable"].as_str().unwrap();
    let start = "two runs without a remedy differ: standard output, line 1: ";
    assert!(why.starts_with(start), "{why}");
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn the_command_writes_to_a_copy_only() {
    let folder = Folder::new();
    folder.write("kept", "as it was\n");
    let script = "echo once >> log; rm kept; mkdir made; echo said";
    let Some(done) = prove(&folder, &[], &["sh", "-c", script]) else { return };
    assert_eq!(folder.read("kept"), "as it was\n");
    assert!(!folder.0.join("log").exists() && !folder.0.join("made").exists());
    assert!(done.stdout.is_empty(), "what it prints is thrown away");
}

#[test]
fn what_takes_a_change_of_the_source_is_not_run_again() {
    let folder = Folder::new();
    folder.write("settings", "a = 1\n");
    let reads = "#include <fcntl.h>\n#include <unistd.h>\nint main(void) { char text[4096]; \
                 for (int i = 0; i < 3000; i++) { int file = open(\"settings\", O_RDONLY); \
                 while (read(file, text, sizeof text) > 0); close(file); } return 0; }\n";
    folder.compile("prog", reads);
    let Some(done) = prove(&folder, JSON, &["./prog"]) else { return };
    let report = proofs(&done);
    assert_eq!(report["proofs"][0]["verdict"], "not provable");
    assert_eq!(report["proofs"][0]["why"], "it takes a change of the program's source");
    assert_eq!((report["pairs"].as_u64(), done.status.code()), (None, Some(1)));
    assert!(!err(&done).contains("times more"), "{}", err(&done));
}

#[test]
fn what_cannot_be_proved_is_refused() {
    let folder = Folder::new();
    for flags in [&["-p", "1"][..], &["--baseline"], &["--record", "x"], &["--pairs", "9"]] {
        let words = [&["why", "--prove"], flags, &["--", "true"]].concat();
        assert_eq!(folder.fewer(&words).status.code(), Some(2), "{flags:?}");
    }
}

/// Looks at a file again and again, and in between does something that changes what it sees.
const CHANGES: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void look(const char *after)
{
    const char *names[] = { "file", "other", "link", "sub", "sub/file", "copied" };
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 6; i++) {
            struct stat s = { 0 }, l = { 0 };
            char target[100] = "", real[PATH_MAX] = "";
            int a = stat(names[i], &s), b = lstat(names[i], &l);
            int link = readlink(names[i], target, sizeof target - 1);
            int may = access(names[i], X_OK), fd = open(names[i], O_RDONLY);
            FILE *stream = fopen(names[i], "r");
            realpath(names[i], real);
            char *slash = strrchr(real, '/');
            printf("%s %s %d %o %ld %d %o %d %s %d %d %d %s\n", after, names[i], a, s.st_mode,
                (long)s.st_size, b, l.st_mode, link, target, may, fd >= 0, !!stream,
                slash ? slash : "");
            if (fd >= 0) close(fd);
            if (stream) fclose(stream);
        }
}

int main(void)
{
    for (int i = 0; i < 3000; i++) { struct stat s; stat("/etc/hostname", &s); }
    for (int i = 0; i < 20; i++) {
        char link[40], target[100] = "";
        int fd = open(i % 2 ? "/etc/passwd" : "/etc/hostname", O_RDONLY);
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        readlink(link, target, sizeof target - 1);
        puts(target);
        close(fd);
    }
    int fd = open("file", O_CREAT | O_WRONLY, 0644);
    look("made");
    write(fd, "abc", 3);
    look("written");
    close(fd);
    look("closed");
    FILE *stream = fopen("file", "a");
    fputs("more", stream);
    look("appended");
    fclose(stream);
    look("flushed");
    END
    fd = open("copied", O_CREAT | O_WRONLY, 0644);
    int again = dup(fd);
    close(fd);
    fd = again;
    look("duplicated");
    write(fd, "abc", 3);
    look("written again");
    close(fd);
    look("closed again");
    freopen("sub", "w", stderr);
    look("another stream");
    if (!fork()) {
        rename("other", "file");
        _exit(0);
    }
    wait(0);
    look("by a child");
    return 0;
}
"#;

/// What changes something, one after the other.
const CHANGE: &str = r#"
    symlink("file", "link"); look("linked");
    rename("file", "other"); look("renamed");
    symlink("other", "file"); look("linked otherwise");
    chmod("other", 0755); look("may be executed");
    truncate("other", 2); look("cut");
    unlink("file"); look("removed");
    mkdir("sub", 0755); look("directory");
    chdir("sub"); look("entered"); chdir("..");
    int dir = open(".", O_RDONLY); chdir("sub"); fchdir(dir); look("back"); close(dir);
    rmdir("sub"); look("removed directory");
    link("other", "file"); look("hard link");
    remove("file"); look("removed otherwise");
    syscall(SYS_unlink, "link"); look("removed by number");
"#;

/// Proves it, with the calls answered in front of the C library or, where there is none, in the
/// program; at least so many.
fn is_void_once_something_changes(folder: &Folder, least: u64) {
    let Some(done) = prove(folder, JSON, &["./prog"]) else { return };
    let report = proofs(&done);
    let (verdict, why, calls) = verdict(&report, "answered from memory");
    assert!(["proved", "no gain"].contains(&verdict), "{verdict}: {why}");
    let spared = report["calls"].as_u64().unwrap() - calls;
    assert!(spared > least, "{spared}");
}

#[test]
fn answers_are_void_once_something_changes() {
    let folder = Folder::new();
    folder.compile("prog", &CHANGES.replace("END", CHANGE));
    is_void_once_something_changes(&folder, 2800);
}

/// Of each look the second round is answered, 12 of them while no file is open for writing.
#[cfg(target_arch = "x86_64")]
#[test]
fn a_static_program_is_answered_by_an_agent() {
    let folder = Folder::new();
    folder.write("prog.c", &CHANGES.replace("END", CHANGE));
    let mut cc = folder.program("cc", &["-static", "-g", "-o", "prog", "prog.c"]);
    assert!(cc.status().unwrap().success(), "the C compiler");
    is_void_once_something_changes(&folder, 2990 + 12 * 20);
}
