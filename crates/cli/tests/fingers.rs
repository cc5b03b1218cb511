//! What fingers type: the commonest command lines of fd and find, from their manuals and from
//! questions asked about them. Behind `fewer walk`, the same words either print the same entries,
//! or are answered with the words that do.
//!
//! Expected entries are what fd and find print themselves; without them such a row is not judged.
//! fd's conditions on sizes are about files only, so those rows say `-t f`.
//! Three differences are everywhere and are taken out before comparing: fd leaves out its starting
//! point, `./` in front, and puts a slash behind directories. What it leaves out by default, hidden
//! and ignored, is in a tree of its own.

#![allow(clippy::unwrap_used, reason = "a test may")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use Expected::{Same, Told};

/// What `fewer walk` does with the words of another program.
enum Expected {
    /// It prints the same.
    Same,
    /// It names this flag or command line, and these words print the same, if there are any.
    Told(&'static str, &'static str),
}

const FD: &[(&str, Expected)] = &[
    ("netfl", Told("fewer walk -i -r netfl", "-i -r netfl")),
    ("'^x.*rc$'", Told("fewer walk -r '^x.*rc$'", "-r '^x.*rc$'")),
    ("main src", Told("fewer walk -i -r main src", "-i -r main src")),
    (". src", Told("fewer walk src", "src --min-depth 1")),
    ("-g '*.rs'", Same),
    ("-g '*.rs' src", Same),
    ("-g xyzrc .", Same),
    ("--glob 'READ*' -s", Same),
    ("-i -g 'read*'", Same),
    ("-p -g '**/src/*.rs'", Same),
    ("--full-path -g '**/docs/**'", Same),
    ("-e md", Same),
    ("-e rs -e toml", Same),
    ("--extension rs -t f", Same),
    ("-t f", Same),
    ("--type file", Same),
    ("-t d", Same),
    ("--type directory", Same),
    ("-tl", Same),
    ("-t f -t l", Same),
    ("-t x", Same),
    ("-tf -tx", Same),
    ("-t e", Same),
    ("-t f -t e", Same),
    ("--type empty --type directory", Same),
    ("-d 1", Same),
    ("--max-depth 2 -t f", Same),
    ("--min-depth 2", Same),
    ("--exact-depth 2", Same),
    ("-E target", Same),
    ("-E '*.md' -E target", Same),
    ("-t f -S +3k", Same),
    ("--size -3k -t f", Same),
    ("--size +100b", Told("--size '+100b'", "-t f --size +100")),
    ("--changed-within 2weeks -t f", Same),
    ("--changed-within 10h -t f", Same),
    ("--changed-before 2010-01-01", Same),
    ("--changed-before '2010-01-01 10:00:00' -e md", Same),
    ("--changed-within 1d -e rs", Same),
    ("-o '!12345' -t f", Same),
    ("-L -t f", Same),
    ("-a -e rs", Same),
    ("-0 -e rs", Same),
    ("--print0 -e md", Same),
    ("-1 -g xyzrc", Same),
    ("--max-results 1 -g netflix.md", Same),
    ("-j 1 -e rs", Same),
    ("-c never -e rs", Same),
    ("--one-file-system -e rs", Same),
    ("-e rs -x echo", Same),
    ("-e rs -x echo {} {/} {//} {.} {/.}", Same),
    ("-e md -x echo {.}.html", Same),
    ("-e rs -X wc -l", Same),
    ("-g '*.rs' -X echo files", Same),
    ("-tf -x wc -c", Same),
    ("-l", Told("-X ls -ld", "-0 --min-depth 1")),
    ("-F main.rs", Told("-g '*TEXT*'", "-g '*main.rs*'")),
    ("--strip-cwd-prefix -e rs", Told("--printf '%P\\n'", "-e rs --printf '%P\\n'")),
    ("-q netfl", Told("-1", "-1 -g 'no*such'")),
    ("--list-details", Told("fewer ls -lR", "")),
];

/// In a tree with hidden and ignored files.
const FD_ALL: &[(&str, Expected)] = &[
    ("-HI -e cfg", Same),
    ("-u", Same),
    ("-uu -t f", Same),
    ("--hidden --no-ignore -g '*.cfg'", Same),
    ("-HI -E .git", Same),
];

const FIND: &[(&str, Expected)] = &[
    ("", Same),
    (".", Same),
    ("src docs", Same),
    (". -name '*.rs'", Told("-g GLOB", ". -g '*.rs'")),
    ("-name xyzrc", Told("-g GLOB", "-g xyzrc")),
    (". -iname 'readme*'", Told("-i -g GLOB", "-i -g 'readme*'")),
    (". -type f", Told("-t TYPE", ". -t f")),
    (". -type d -name src", Told("-g GLOB", ". -t d -g src")),
    (". -maxdepth 1", Told("-d N", ". -d 1")),
    (". -mindepth 2 -type f", Told("--min-depth N", ". --min-depth 2 -t f")),
    (". -path './src/*.rs'", Told("-p -g GLOB", ". -p -g './src/**/*.rs'")),
    (". -regex '.*rs'", Told("-p -r REGEX", ". -p -r '^.*rs$'")),
    (". -type f -size +3k", Told("--size", ". -t f --size +3k")),
    (". -empty", Told("-t e", ". -t e")),
    (". -mtime -7", Told("--changed-within", ". --changed-within 7d")),
    (". -mmin -60", Told("--changed-within 10min", ". --changed-within 60min")),
    (". -newer docs/old.md", Told("--newer FILE", ". --newer ./docs/old.md")),
    (". -type f -newermt 2010-01-01", Told("--newer TIME", ". -t f --newer 2010-01-01")),
    (". -user 12345", Told("-o USER", "-o 12345")),
    (". -xdev", Told("--one-file-system", ". --one-file-system")),
    (". -print0", Told("-0", ". -0")),
    (". -printf '%p %s %y\\n'", Told("--printf TEMPLATE", ". --printf '%p %s %y\\n'")),
    (". -name '*.rs' -exec wc -l {} ;", Told("-x COMMAND", ". -j 1 -g '*.rs' -x wc -l")),
    (". -name '*.rs' -exec wc -l {} +", Told("-X COMMAND", ". -g '*.rs' -X wc -l")),
    (". -type f -perm /111", Told("-t x", ". -t x")),
    (". -name target -prune -o -print", Told("-E GLOB", ". -E target")),
    (". -not -name '*.rs'", Told("-E GLOB", "")),
    (". -name '*.md' -or -name '*.rs'", Told("-g A -g B", ". -g '*.md' -g '*.rs'")),
    (". -name '*.md' -delete", Told("-X rm", "")),
    (". -type f -ls", Told("--format '{mode}", "")),
    (". -name xyzrc -quit", Told("-1", "")),
    (". -follow -type f", Told("-L", ". -L -t f")),
];

fn make_tree(at: &Path, all: bool) {
    let file = |path: &str, text: &str| {
        let path = at.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    file("src/main.rs", "fn main() {}\n");
    file("src/bin/tool.rs", "one\ntwo\n");
    file("Cargo.toml", &"x".repeat(101));
    file("README.md", "read\n");
    file("docs/netflix.md", &"y".repeat(5000));
    file("docs/old.md", "");
    file("etc/xyzrc", "rc\n");
    file("target/debug/tool", &"z".repeat(70_000));
    fs::create_dir(at.join("none")).unwrap();
    fs::set_permissions(at.join("target/debug/tool"), PermissionsExt::from_mode(0o755)).unwrap();
    symlink("../README.md", at.join("docs/link")).unwrap();
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let old_file = fs::File::options().write(true).open(at.join("docs/old.md")).unwrap();
    old_file.set_modified(old).unwrap();
    if all {
        file(".config/a.cfg", "a");
        file(".gitignore", "*.cfg\n");
        file("b.cfg", "b");
        file(".git/config", "");
    }
}

/// Words with single quotes around some.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn run(program: &str, line: &str, at: &Path) -> Option<Output> {
    let (program, verb) = if program == "fewer" {
        (env!("CARGO_BIN_EXE_fewer"), Some("walk"))
    } else {
        (program, None)
    };
    let mut command = Command::new(program);
    command.args(verb).args(words(line)).current_dir(at);
    command.env("HOME", at).env("LC_ALL", "C").env("TZ", "UTC").output().ok()
}

/// Everything that was printed, as a sorted list of words: no name here has a blank in it.
fn entries(output: &Output, at: &Path, with_start: bool) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout).replace('\0', "\n");
    let start = at.to_string_lossy();
    let mut entries: Vec<String> = text
        .split_whitespace()
        .map(|word| word.strip_prefix("./").unwrap_or(word))
        .map(|word| word.trim_end_matches('/').to_owned())
        .filter(|word| with_start || (word != "." && **word != *start))
        .collect();
    entries.sort();
    entries
}

fn judge(peer: &str, rows: &[(&str, Expected)], at: &Path, faults: &mut Vec<String>) {
    for (line, expected) in rows {
        let ours = run("fewer", line, at).unwrap();
        let said = String::from_utf8_lossy(&ours.stderr).into_owned();
        let (ours, same_words) = match expected {
            Same => (ours, *line),
            Told(what, same_words) => {
                if !said.contains(what) {
                    faults.push(format!("{peer} {line}: '{what}' is not in: {said}"));
                }
                if same_words.is_empty() {
                    continue;
                }
                (run("fewer", same_words, at).unwrap(), *same_words)
            }
        };
        // Nothing can be compared with what prints other things than entries.
        let Some(theirs) = run(peer, line, at).filter(|output| output.stderr.is_empty()) else {
            continue;
        };
        let is_listing = line.starts_with("-l");
        let with_start = peer == "find";
        let (ours_are, theirs_are) =
            (entries(&ours, at, with_start), entries(&theirs, at, with_start));
        if !is_listing && ours_are != theirs_are {
            let said = String::from_utf8_lossy(&ours.stderr).into_owned();
            faults.push(format!(
                "{peer} {line}: {theirs_are:?}\nfewer walk {same_words}: {ours_are:?} {said}"
            ));
        }
    }
}

/// fd's name in Debian, or its own.
fn fd() -> &'static str {
    let is_there = |name| Command::new(name).arg("--version").output().is_ok();
    if is_there("fdfind") { "fdfind" } else { "fd" }
}

#[test]
fn the_commonest_lines_of_fd_and_find_do_the_same_or_are_told_what_does() {
    assert!(FD.len() + FIND.len() + FD_ALL.len() >= 60);
    let folder = tempfile::tempdir().unwrap();
    let (plain, all) = (folder.path().join("plain"), folder.path().join("all"));
    make_tree(&plain, false);
    make_tree(&all, true);
    let mut faults = Vec::new();
    judge(fd(), FD, &plain, &mut faults);
    judge(fd(), FD_ALL, &all, &mut faults);
    judge("find", FIND, &plain, &mut faults);
    assert!(faults.is_empty(), "{} rows:\n{}", faults.len(), faults.join("\n"));
}
