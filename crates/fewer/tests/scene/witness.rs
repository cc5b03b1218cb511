//! Who else can say what is in a tree: GNU find, and a recursion over std's `read_dir`.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use super::{Line, records};

/// What GNU find has to say with `options` before the root and `tests` behind it, as
/// `kind depth path`, sorted.
pub(crate) fn find(options: &[&str], root: &Path, tests: &[&str]) -> Vec<Line> {
    find_as("%y %d %p\\0", options, root, tests)
}

/// As [`find`], in another format.
pub(crate) fn find_as(format: &str, options: &[&str], root: &Path, tests: &[&str]) -> Vec<Line> {
    let output = Command::new("find")
        .env("LC_ALL", "C")
        .args(options)
        .arg(root)
        .args(tests)
        .args(["-printf", format])
        .output()
        .unwrap();
    let mut lines = records(&output.stdout);
    lines.sort();
    lines
}

/// Depth-first, the names of each directory in byte order, links not followed.
pub(crate) fn in_order(root: &Path) -> Vec<Line> {
    let mut lines = Vec::new();
    let kind = std::fs::symlink_metadata(root).unwrap().file_type();
    visit(root, letter(kind), 0, &mut lines);
    lines
}

fn visit(path: &Path, letter: char, depth: usize, lines: &mut Vec<Line>) {
    let text = path.as_os_str().as_bytes();
    lines.push([format!("{letter} {depth} ").as_bytes(), text].concat());
    if letter != 'd' {
        return;
    }
    // Names rather than std's entries, each of which would keep the directory open.
    let entry = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        (entry.file_name(), self::letter(entry.file_type().unwrap()))
    };
    let mut entries: Vec<_> = std::fs::read_dir(path).unwrap().map(entry).collect();
    entries.sort();
    for (name, kind) in entries {
        visit(&path.join(name), kind, depth + 1, lines);
    }
}

fn letter(kind: std::fs::FileType) -> char {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_dir() => 'd',
        _ if kind.is_file() => 'f',
        _ if kind.is_symlink() => 'l',
        _ if kind.is_fifo() => 'p',
        _ if kind.is_socket() => 's',
        _ if kind.is_block_device() => 'b',
        _ => 'c',
    }
}
