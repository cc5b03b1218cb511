//! What the tools of files cost: each line of arguments, in a fresh directory, and its calls.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::os::unix::fs::symlink;

use fewer::{Errno, Scope};
use fewer_coreutils::{Input, Io, Output, ToolError, find};
use sys::calls;

struct Nothing;

impl Input for Nothing {
    fn fill(&mut self) -> Result<&[u8], Errno> {
        Ok(&[])
    }
    fn consume(&mut self, _bytes: usize) {}
}

impl Output for Nothing {
    fn write(&mut self, _bytes: &[u8]) -> Result<(), ToolError> {
        Ok(())
    }
}

/// Status and calls, in the order of their names.
fn cost(line: &str, input_is_terminal: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for directory in ["d", "full/e", "tree/a"] {
        std::fs::create_dir_all(root.join(directory)).unwrap();
    }
    for file in ["f", "g", "full/f", "tree/x", "tree/a/y"] {
        std::fs::write(root.join(file), "text").unwrap();
    }
    symlink("f", root.join("lf")).unwrap();
    let scope = Scope::start().enter(root).unwrap();
    let mut words = line.split(' ').map(str::as_bytes);
    let tool = find(words.next().unwrap()).unwrap();
    let arguments: Vec<&[u8]> = words.collect();
    let mut io = Io {
        scope: &scope,
        input: &mut Nothing,
        output: &mut Nothing,
        errors: &mut Nothing,
        environment: &|_| None,
        utf8: true,
        input_is_terminal,
        output_is_terminal: false,
        variables: &|_| {},
        interrupted: &|| true,
        sleep: &sys::sleep,
    };
    let before = calls();
    let job = tool.prepare(&arguments, &io).expect(line);
    let status = job.run(&mut io);
    let mut rows = calls().since(&before).by_name();
    rows.sort_unstable();
    let status = status.map_or_else(|error| format!("{error:?}"), |status| status.to_string());
    rows.into_iter().fold(status, |text, (name, count)| format!("{text} {name} {count}"))
}

/// One test, as the counters are the process's.
#[test]
fn each_tool_makes_the_calls_that_it_says() {
    for (line, expected) in [
        ("mkdir x", "0 mkdirat 1"),
        ("mkdir d", "1 mkdirat 1"),
        ("mkdir -p d", "0 mkdirat 1 statx 1"),
        ("mkdir -p x", "0 mkdirat 1"),
        ("mkdir -p d/x/y", "0 mkdirat 3 statx 1"),
        ("mkdir -m 700 x", "0 mkdirat 1 statx 1"),
        ("rmdir d", "0 unlinkat 1"),
        ("rmdir -p full/e", "1 unlinkat 2"),
        ("rm f", "0 unlinkat 1"),
        ("rm f g", "0 unlinkat 2"),
        ("rm -f none", "0 unlinkat 1"),
        ("rm -rf tree", "0 close 2 getdents64 2 openat 2 statx 2 unlinkat 5"),
        ("touch f", "0 utimensat 1"),
        ("touch x", "0 mknodat 1 utimensat 1"),
        ("mv f x", "0 renameat2 1"),
        ("mv f d", "0 renameat2 2 statx 1"),
        ("mv f g", "0 renameat2 2 statx 2"),
        ("mv f g d", "0 renameat2 2 statx 1"),
        ("ln -s f x", "0 symlinkat 1"),
        ("ln f x", "0 linkat 1"),
        ("ln -s f d", "0 statx 1 symlinkat 2"),
        ("ln -sf g lf", "0 renameat2 1 statx 3 symlinkat 2"),
        ("cp f x", "0 close 2 copy_file_range 1 openat 2 statx 1"),
        ("cp f g", "0 close 2 copy_file_range 1 openat 3 statx 2"),
        ("ls", "0 close 1 getdents64 2 openat 1"),
        ("ls d", "0 close 1 getdents64 2 openat 1 statx 1"),
        ("ls f", "0 statx 1"),
        ("readlink lf", "0 readlinkat 1"),
        ("readlink -f lf", "0 close 1 openat 1 readlinkat 1 statx 2"),
        ("realpath x", "0 close 1 openat 2 readlinkat 2 statx 2"),
        ("mktemp -p d", "0 mknodat 1"),
        ("mktemp -d xXXX", "0 mkdirat 1"),
        ("env", "0"),
        ("fold f", "0 close 1 openat 1 read 2"),
        ("pwd", "0 readlinkat 1 statx 2"),
    ] {
        assert_eq!(cost(line, false), expected, "{line}");
    }
    for (line, expected) in [
        ("rm f", "0 faccessat2 1 statx 1 unlinkat 1"),
        ("rm lf", "0 statx 1 unlinkat 1"),
        ("rm -r tree", "Unsupported statx 1"),
        ("rm -rf tree", "0 close 2 getdents64 2 openat 2 statx 2 unlinkat 5"),
        ("mv f x", "0 renameat2 1"),
        ("mv f g", "0 faccessat2 1 renameat2 2 statx 2"),
        ("mv -f f g", "0 renameat2 2 statx 2"),
    ] {
        assert_eq!(cost(line, true), expected, "{line}, where somebody can be asked");
    }
}
