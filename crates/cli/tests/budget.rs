//! `fewer budget` from end to end, on programs that are compiled here. Expected counts are written
//! by hand, or strace's.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use folder::{Folder, err, expect, out, send, wait_until};

fn budget(folder: &Folder, arguments: &[&str]) -> Output {
    folder.fewer(&[&["budget"], arguments].concat())
}

fn budget_in(directory: &Path, folder: &Folder, arguments: &[&str]) -> Output {
    let mut fewer = folder.command(&[&["budget"], arguments].concat());
    fewer.current_dir(directory).output().unwrap()
}

/// A directory of so many files.
fn files(folder: &Folder, directory: &str, count: u32) {
    fs::create_dir(folder.0.join(directory)).unwrap();
    for number in 0..count {
        folder.write(&format!("{directory}/f{number:03}"), "");
    }
}

/// The line that holds this text, from 1.
fn line_of(source: &str, text: &str) -> usize {
    source.lines().position(|line| line.contains(text)).unwrap() + 1
}

const LISTER: &str = r#"
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

static void show(DIR *directory, const char *name) {
    struct stat status;
    /* here */
    puts(name);
}

int main(int count, char **words) {
    DIR *directory = opendir(words[1]);
    struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        show(directory, entry->d_name);
    return 0;
}
"#;

fn with_stat() -> String {
    LISTER.replace("/* here */", "fstatat(dirfd(directory), name, &status, 0);")
}

#[test]
fn a_stat_more_for_each_entry_fails_and_names_the_line() {
    let folder = Folder::new();
    files(&folder, "tree", 100);
    folder.compile("lister", LISTER);
    let said = expect(&budget(&folder, &["record", "b.toml", "--", "./lister", "tree"]), 0);
    assert!(said.starts_with("b.toml: recorded: ./lister tree: "), "{said}");
    expect(&budget(&folder, &["check", "b.toml"]), 0);

    folder.compile("lister", &with_stat());
    let said = expect(&budget(&folder, &["check", "b.toml"]), 1);
    // 100 files and "..", and "." which is the directory itself.
    let stat = if cfg!(target_arch = "x86_64") { "newfstatat" } else { "fstatat" };
    let new = format!("  101 new {stat} on ./tree/**: 101, 0 allowed");
    assert!(said.contains(&new), "{said}");
    let from = format!("101 from show at lister.c:{}", line_of(&with_stat(), "fstatat("));
    assert!(said.contains(&from), "{said}");
    assert!(said.contains("failed: ./lister tree\n"), "{said}");
    assert!(
        said.ends_with(
            "b.toml: 0 passed, 1 failed\n--bless writes down what commands ask for now\n"
        )
    );
}

#[test]
fn blessing_keeps_what_is_written_by_hand() {
    let folder = Folder::new();
    files(&folder, "tree", 100);
    folder.compile("lister", LISTER);
    expect(&budget(&folder, &["record", "b.toml", "--", "./lister", "tree"]), 0);
    let mine = folder.read("b.toml").replace("total = ", "# as few as can be\ntotal = ");
    fs::write(folder.0.join("b.toml"), &mine).unwrap();
    expect(&budget(&folder, &["check", "--bless", "b.toml"]), 0);
    assert_eq!(folder.read("b.toml"), mine, "nothing to bless, nothing changes");

    folder.compile("lister", &with_stat());
    let said = expect(&budget(&folder, &["check", "--bless", "b.toml"]), 0);
    assert!(said.starts_with("blessed: ./lister tree\n"), "{said}");
    let blessed = folder.read("b.toml");
    assert!(blessed.contains("# as few as can be\ntotal = "), "{blessed}");
    assert!(blessed.contains("\"./tree/**\" = { "), "{blessed}");
    expect(&budget(&folder, &["check", "b.toml"]), 0);

    folder.compile("lister", LISTER);
    let said = expect(&budget(&folder, &["check", "b.toml"]), 0);
    assert!(said.contains("fewer newfstatat: ") || said.contains("fewer fstatat: "), "{said}");
    expect(&budget(&folder, &["check", "--bless", "b.toml"]), 0);
    assert_eq!(folder.read("b.toml"), mine);
}

/// Its own number in a name, a random name, an address that differs: none of it is new.
const NOISY: &str = r#"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

int main(void) {
    char name[100], random[100], inside[100];
    unsigned char drawn[6];
    struct stat status;
    snprintf(name, sizeof name, "/proc/%d/stat", getpid());
    close(open(name, O_RDONLY));
    snprintf(name, sizeof name, "work/log.%d", getpid());
    close(open(name, O_CREAT | O_WRONLY, 0600));
    unlink(name);
    snprintf(name, sizeof name, "work/%p", (void *) &status);
    stat(name, &status);
    // mkdtemp() draws again now and then, which would be a call more.
    getentropy(drawn, sizeof drawn);
    for (int i = 0; i < 6; i++) drawn[i] = LETTERS[drawn[i] % 62];
    snprintf(random, sizeof random, "work/tmp.%.6s", (char *) drawn);
    if (mkdir(random, 0700) == 0) {
        snprintf(inside, sizeof inside, "%s/x", random);
        close(open(inside, O_CREAT | O_WRONLY, 0600));
        unlink(inside);
        rmdir(random);
    }
    return 0;
}
"#;

#[test]
fn noise_is_not_new() {
    let folder = Folder::new();
    files(&folder, "work", 0);
    folder.compile("noisy", NOISY);
    let said = expect(&budget(&folder, &["record", "b.toml", "--runs", "3", "--", "./noisy"]), 0);
    assert!(!said.contains("varies"), "{said}");
    let written = folder.read("b.toml");
    for pattern in ["\"/proc/*/stat\" = { ", "\"./work/*", "/x\" = { "] {
        assert!(written.contains(pattern), "{pattern}: {written}");
    }
    for _ in 0..3 {
        let said = expect(&budget(&folder, &["check", "b.toml"]), 0);
        assert!(!said.contains("fewer "), "{said}");
    }
}

#[test]
fn the_loader_does_not_count() {
    let folder = Folder::new();
    folder.compile("lister", LISTER);
    expect(&budget(&folder, &["record", "b.toml", "--", "./lister", "."]), 0);
    let written = folder.read("b.toml");
    assert!(!written.contains("ld.so.cache") && !written.contains("libc.so"), "{written}");
    // More libraries, and a place to look for them that has none.
    let mut more = folder.command(&["budget", "check", "b.toml"]);
    more.env("LD_LIBRARY_PATH", "/nonexistent/a:/nonexistent/b");
    let said = expect(&more.output().unwrap(), 0);
    assert!(!said.contains("fewer "), "{said}");
}

/// strace's counts of the calls that have to do with files, by name.
fn strace(directory: &Path, words: &[&str]) -> BTreeMap<String, i64> {
    let log = directory.join("strace.log");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-c", "-U", "name,calls", "-o"]).arg(&log).args(words);
    strace.env("LC_ALL", "C").current_dir(directory);
    assert!(strace.output().unwrap().status.success(), "strace");
    let text = fs::read_to_string(&log).unwrap();
    let rows = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.parse().ok()?))
    });
    rows.filter(|(name, _)| name != "total").collect()
}

#[test]
fn calls_per_item_of_find_are_straces() {
    let folder = Folder::new();
    for n in [20, 50] {
        for number in 0..n {
            fs::create_dir_all(folder.0.join(format!("d{n}/s{number}"))).unwrap();
        }
    }
    let few = strace(&folder.0, &["find", "d20"]);
    let many = strace(&folder.0, &["find", "d50"]);
    let said = expect(&budget(&folder, &["--scale", "find d{n}", "--n", "20,50", "--json"]), 0);
    let found: serde_json::Value = serde_json::from_str(&said).unwrap();
    let names = found["per_item"]["calls"].as_object().unwrap();
    assert!(names.len() >= 4, "{said}");
    let mut total = 0;
    for (name, per_item) in names {
        let count = |of: &BTreeMap<String, i64>| of.get(name).copied().unwrap_or(0);
        assert_eq!(per_item.as_i64().unwrap() * 30, count(&many) - count(&few), "{name}");
        total += per_item.as_i64().unwrap();
    }
    assert_eq!(found["per_item"]["total"], total);
    assert_eq!(names["openat"], 1);
}

#[test]
fn calls_per_item_are_recorded_and_checked() {
    let folder = Folder::new();
    files(&folder, "d10", 10);
    files(&folder, "d20", 20);
    folder.compile("lister", LISTER);
    let record = ["record", "b.toml", "--n", "10,20", "--", "./lister", "d{n}"];
    let said = expect(&budget(&folder, &record), 0);
    assert!(said.contains("./lister d{n}: 0 calls per item"), "{said}");
    expect(&budget(&folder, &["check", "b.toml"]), 0);
    folder.compile("lister", &with_stat());
    let said = expect(&budget(&folder, &["check", "b.toml"]), 1);
    assert!(said.contains("  1 calls per item, 0 allowed"), "{said}");
    assert!(said.contains("at per item, 0 allowed\n    1 from show at lister.c:"), "{said}");
    expect(&budget(&folder, &["check", "--bless", "b.toml"]), 0);
    expect(&budget(&folder, &["check", "b.toml"]), 0);
}

#[test]
fn a_failure_does_not_keep_others_from_being_checked() {
    let folder = Folder::new();
    let shell = "echo said >&2; exit $(cat status)";
    folder.write("status", "0");
    folder.compile("lister", LISTER);
    expect(&budget(&folder, &["record", "b.toml", "--", "./lister", "."]), 0);
    expect(&budget(&folder, &["record", "b.toml", "--", "sh", "-c", shell]), 0);
    expect(&budget(&folder, &["record", "b.toml", "--", "true"]), 0);
    fs::remove_file(folder.0.join("lister")).unwrap();
    folder.write("status", "7");
    let xml = folder.0.join("j.xml");
    let check = ["check", "b.toml", "--junit", xml.to_str().unwrap()];
    let said = expect(&budget(&folder, &check), 1);
    for expected in [
        "failed: ./lister .\n  cannot run './lister': No such file or directory\n",
        "  ended with exit status 7, recorded with exit status 0\n  stderr: said\n",
        "passed: true\n",
        "b.toml: 1 passed, 2 failed\n",
    ] {
        assert!(said.contains(expected), "{expected}{said}");
    }
    let xml = fs::read_to_string(xml).unwrap();
    assert!(xml.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{xml}");
    // Neither is blessed.
    let before = folder.read("b.toml");
    expect(&budget(&folder, &["check", "--bless", "b.toml"]), 1);
    assert_eq!(folder.read("b.toml"), before);
}

#[test]
fn commands_run_where_they_were_recorded() {
    let folder = Folder::new();
    files(&folder, "tree", 3);
    folder.compile("lister", LISTER);
    let below = folder.0.join("tree");
    expect(&budget_in(&below, &folder, &["record", "../b.toml", "--", "../lister", "."]), 0);
    let written = folder.read("b.toml");
    assert!(written.contains("directory = \"tree\""), "{written}");
    let path = folder.0.join("b.toml");
    expect(&budget_in(Path::new("/"), &folder, &["check", path.to_str().unwrap()]), 0);
    fs::rename(&below, folder.0.join("other")).unwrap();
    let said = expect(&budget(&folder, &["check", "b.toml"]), 1);
    assert!(said.contains("cannot enter directory"), "{said}");
}

#[test]
fn a_budget_of_the_same_command_is_replaced() {
    let folder = Folder::new();
    for _ in 0..2 {
        expect(&budget(&folder, &["record", "b.toml", "--", "true"]), 0);
        expect(&budget(&folder, &["record", "b.toml", "--all", "--", "true"]), 0);
    }
    let written = folder.read("b.toml");
    assert_eq!(written.matches("[[command]]").count(), 2, "{written}");
    assert_eq!(written.matches("all = true").count(), 1, "{written}");
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let folder = Folder::new();
    let check = |text: &str| {
        folder.write("b.toml", text);
        let output = budget(&folder, &["check", "b.toml"]);
        expect(&output, 2);
        err(&output)
    };
    for (text, said) in [
        ("[[command]\n", "'b.toml', line 1: "),
        ("\n\n[[command]]\nrun = ['x']\ncals = 1\n", "'b.toml', line 5: unknown field `cals`"),
        ("[[command]]\nrun = 7\n", "a list of words"),
        ("a = \"\u{1b}[2J\"", "'b.toml', line 1: "),
        ("\"\\u001b[2J\" = 1", "unknown field `\\x1b[2J`"),
    ] {
        let error = check(text);
        assert!(error.starts_with("fewer: ") && error.contains(said), "{said}: {error}");
        assert!(!error.contains('\u{1b}') && error.lines().count() == 1, "{error}");
    }
    let missing = budget(&folder, &["check", "nosuch.toml"]);
    expect(&missing, 2);
    assert_eq!(err(&missing), "fewer: cannot read 'nosuch.toml': No such file or directory\n");
    let directory = budget(&folder, &["check", "."]);
    expect(&directory, 2);
    assert!(err(&directory).contains("Is a directory"), "{}", err(&directory));
    let nothing = budget(&folder, &["record", "c.toml", "--", "nosuch-program"]);
    expect(&nothing, 2);
    assert_eq!(err(&nothing), "fewer: cannot run 'nosuch-program': No such file or directory\n");
    assert!(!folder.0.join("c.toml").exists());
}

/// Root may write to any file: only a file system that is read-only keeps it out.
#[test]
fn what_cannot_be_written_is_said_before_anything_runs() {
    let folder = Folder::new();
    expect(&budget(&folder, &["record", "b.toml", "--", "true"]), 0);
    let text = folder.read("b.toml");
    fs::create_dir(folder.0.join("b")).unwrap();
    let shell = "mount --bind b.toml b.toml && mount -o remount,ro,bind b.toml && exec \"$@\"";
    let run = |arguments: &[&str]| {
        let mut unshare = Command::new("unshare");
        unshare.args(["-m", "sh", "-c", shell, "sh", env!("CARGO_BIN_EXE_fewer"), "budget"]);
        unshare.args(arguments).current_dir(&folder.0).output().unwrap()
    };
    let probe = run(&["check", "b.toml"]);
    if probe.status.code() != Some(0) {
        eprintln!("skipped: no read-only mount here: {}", err(&probe));
        return;
    }
    let record = run(&["record", "b.toml", "--", "touch", "ran"]);
    expect(&record, 2);
    assert_eq!(err(&record), "fewer: cannot write to 'b.toml': Read-only file system\n");
    assert!(!folder.0.join("ran").exists());
    expect(&run(&["check", "--bless", "b.toml"]), 2);
    assert_eq!(folder.read("b.toml"), text);
}

#[test]
fn names_cannot_steer_a_terminal() {
    let folder = Folder::new();
    files(&folder, "tree", 0);
    folder.compile("lister", &LISTER.replace("/* here */", "fopen(name, \"r\");"));
    expect(&budget(&folder, &["record", "b.toml", "--", "./lister", "tree"]), 0);
    let name = std::ffi::OsString::from("evil\u{1b}[2J\n\u{202e}");
    fs::write(folder.0.join("tree").join(name), "").unwrap();
    let output = budget(&folder, &["check", "b.toml"]);
    let said = expect(&output, 1);
    assert!(said.contains("./evil\\x1b[2J\\n\\u{202e}"), "{said}");
    assert!(!said.contains('\u{1b}') && !said.contains('\u{202e}'));
    let json = out(&budget(&folder, &["check", "b.toml", "--json"]));
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(found["failed"], 1);
}

/// Whatever the command makes of it: here it ends well.
#[test]
fn a_signal_ends_all_runs() {
    let folder = Folder::new();
    let traps = "trap 'kill $!; exit 0' TERM; ";
    for (trap, command) in [("", "exec sleep 60"), (traps, "sleep 60 & wait")] {
        let mut fewer = Command::new(env!("CARGO_BIN_EXE_fewer"));
        let text = format!("echo run >>log; {trap}echo ready >ready; {command}");
        fewer.args(["budget", "record", "--runs", "3", "b.toml", "--", "sh", "-c", &text]);
        let mut fewer = fewer.current_dir(&folder.0).env("LC_ALL", "C").spawn().unwrap();
        // What is in the log is written by then, and the trap is set.
        wait_until("it runs", || fs::read(folder.0.join("ready")).is_ok_and(|it| it == b"ready\n"));
        send(fewer.id(), "TERM");
        assert!(!fewer.wait().unwrap().success());
        assert_eq!(folder.read("log"), "run\n", "{command}");
        assert!(!folder.0.join("b.toml").exists(), "{command}");
        for name in ["log", "ready"] {
            fs::remove_file(folder.0.join(name)).unwrap();
        }
    }
}

#[test]
fn a_file_without_budgets_allows_nothing_to_pass() {
    let folder = Folder::new();
    folder.write("empty.toml", "");
    let output = budget(&folder, &["check", "empty.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "fewer: 'empty.toml' has no budget\n");
}

/// Asks so often for the time of day that it is a waste.
const CLOCK: &str = "#include <time.h>\n#include <stdlib.h>\nint main(void) { for (time_t t = 0; \
    t < 4000; t++) if (!localtime(&t)) return 2; return 0; }\n";

#[test]
fn a_remedy_that_works_fails_where_none_may() {
    let folder = Folder::new();
    folder.compile("prog", CLOCK);
    let run = |words: &[&str]| {
        let mut run = folder.command(words);
        run.env_remove("TZ").stdin(std::process::Stdio::null()).output().unwrap()
    };
    let record = run(&["budget", "record", "--prove", "b.toml", "--", "./prog"]);
    if err(&record).contains("no scratch copy can be made here") {
        assert!(std::env::var_os("FEWER_NEEDS_SCRATCH").is_none(), "{}", err(&record));
        return eprintln!("skipped: {}", err(&record));
    }
    // How many of the two work is a matter of what else the machine does.
    let said = expect(&record, 0);
    assert!(said.contains("  remedies that work: "), "{said}");
    assert!(err(&record).contains("times more"), "{}", err(&record));
    let recorded = folder.read("b.toml");
    let line = recorded.lines().find(|line| line.starts_with("proved = ")).unwrap();
    folder.write("b.toml", &recorded.replace(line, "proved = 2"));
    expect(&run(&["budget", "check", "b.toml"]), 0);
    folder.write("b.toml", &recorded.replace(line, "proved = 0"));
    let none = run(&["budget", "check", "--junit", "b.xml", "b.toml"]);
    if none.status.code() == Some(0) {
        assert!(folder::out(&none).starts_with("passed: ./prog\n"), "{}", folder::out(&none));
    } else {
        let said = expect(&none, 1);
        assert!(said.contains("  remedies that work: "), "{said}");
        assert!(said.contains(", 0 allowed\n    same-stat: "), "{said}");
        assert!(folder.read("b.xml").contains("type=\"proved\""), "{}", folder.read("b.xml"));
    }
    // A program that does nothing twice has nothing to try: the file says so, and it runs once.
    folder.compile("prog", "int main(void) { return 0; }");
    let few = expect(&run(&["budget", "check", "b.toml"]), 0);
    assert!(few.starts_with("passed: ./prog\n"), "{few}");
    // What takes a change of the source is no remedy that works.
    folder.write("settings", "a = 1\n");
    let reads = "#include <fcntl.h>\n#include <unistd.h>\nint main(void) { char text[4096]; \
                 for (int i = 0; i < 3000; i++) { int file = open(\"settings\", O_RDONLY); \
                 while (read(file, text, sizeof text) > 0); close(file); } return 0; }\n";
    folder.compile("prog", reads);
    let said = expect(&run(&["budget", "record", "--prove", "c.toml", "--", "./prog"]), 0);
    assert!(said.contains("  remedies that work: 0\n"), "{said}");
}
