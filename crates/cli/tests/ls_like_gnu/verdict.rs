//! Compares the output of both programs, and shrinks command lines and trees that show a
//! difference.

use std::ffi::OsString;
use std::path::Path;
use std::process::Output;

use crate::line::{Line, Programs};
use crate::tree::Tree;

/// More lines of a difference than this are counted, not shown.
const SHOWN: usize = 12;

/// What is wrong with our output; empty if both print the same.
pub(crate) fn difference(programs: &Programs, line: &Line, here: &Path) -> Option<String> {
    let gnu = line.run(&[OsString::from(&programs.gnu)], here);
    let ours = line.run(&programs.ours, here);
    let mut wrong = String::new();
    if gnu.stdout != ours.stdout {
        wrong.push_str(&diff(&gnu.stdout, &ours.stdout));
    }
    // Each program has its own numbers for failures.
    if gnu.status.success() != ours.status.success() && !asks_more_than_ours(line) {
        wrong.push_str(&format!("exit: ls {}, ours {}\n", end(&gnu), end(&ours)));
    } else if !ours.status.success() && ours.stderr.is_empty() {
        wrong.push_str("stderr: ls says why it failed, ours says nothing\n");
    } else if ours.status.code().is_none_or(|code| code > 2) {
        wrong.push_str(&format!("exit: ours {}\n", end(&ours)));
    }
    if !wrong.is_empty() && !ours.stderr.is_empty() {
        let first = ours.stderr.split(|&byte| byte == b'\n').next().unwrap_or_default();
        wrong.push_str(&format!("stderr of ours: {}\n", shown(first)));
    }
    (!wrong.is_empty()).then_some(wrong)
}

/// With these flags ls makes a call for each entry even where it prints the same without, and fails
/// in a directory that may be read and not searched. `fewer ls` makes no call then; root can search
/// all directories.
fn asks_more_than_ours(line: &Line) -> bool {
    let is_one =
        |word: &String| word.starts_with("--hyperlink") || word == "--group-directories-first";
    (line.nobody || !crate::scratch::is_root()) && line.flags.iter().flatten().any(is_one)
}

fn end(output: &Output) -> String {
    output.status.to_string()
}

/// The lines between the common beginning and the common end: `-` is the output of ls, `+` ours.
pub(crate) fn diff(expected: &[u8], actual: &[u8]) -> String {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (expected, actual) = (lines(expected), lines(actual));
    let start = expected.iter().zip(&actual).take_while(|(a, b)| a == b).count();
    let (expected, actual) = (&expected[start..], &actual[start..]);
    let pairs = expected.iter().rev().zip(actual.iter().rev());
    let tail = pairs.take_while(|(a, b)| a == b).count();
    let mut text = format!("from line {}:\n", start + 1);
    for (sign, lines) in [('-', expected), ('+', actual)] {
        let lines = &lines[..lines.len() - tail];
        for line in lines.iter().take(SHOWN) {
            text.push_str(&format!("{sign} {}\n", shown(line)));
        }
        if lines.len() > SHOWN {
            text.push_str(&format!("{sign} and {} lines more\n", lines.len() - SHOWN));
        }
    }
    text
}

fn shown(line: &[u8]) -> String {
    const LONGEST: usize = 1000;
    let mut text = String::new();
    for &byte in line.iter().take(LONGEST) {
        match byte {
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(byte)),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\x1b' => text.push_str("\\e"),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    if line.len() > LONGEST { text + "…" } else { text }
}

/// Drops as many flags, variables and operands as it can while the lines still differ.
pub(crate) fn shrink(programs: &Programs, line: &Line, here: &Path) -> Line {
    let mut smallest = line.clone();
    loop {
        let before = smallest.clone();
        let candidates = smaller(&before);
        let next = candidates.into_iter().find(|line| difference(programs, line, here).is_some());
        match next {
            Some(line) => smallest = line,
            None => return smallest,
        }
    }
}

fn smaller(line: &Line) -> Vec<Line> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Line)| {
        let mut changed = line.clone();
        change(&mut changed);
        all.push(changed);
    };
    (0..line.flags.len()).for_each(|at| add(&|line| drop(line.flags.remove(at))));
    (0..line.env.len()).for_each(|at| add(&|line| drop(line.env.remove(at))));
    (0..line.operands.len()).for_each(|at| add(&|line| drop(line.operands.remove(at))));
    if line.bundle {
        add(&|line| line.bundle = false);
    }
    if line.operands_first && !line.operands.is_empty() {
        add(&|line| line.operands_first = false);
    }
    if line.nobody {
        add(&|line| line.nobody = false);
    }
    if line.unicode {
        add(&|line| line.unicode = false);
    }
    all
}

/// Leaves out of the tree what the difference does not need; `make` builds it anew and returns its
/// path.
pub(crate) fn shrink_tree(
    programs: &Programs,
    line: &Line,
    tree: &Tree,
    make: &dyn Fn(&Tree) -> std::path::PathBuf,
) -> Tree {
    let mut smallest = tree.clone();
    let mut size = smallest.0.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        while at < smallest.0.len() {
            let mut candidate = smallest.clone();
            let end = (at + size).min(candidate.0.len());
            candidate.0.drain(at..end);
            match difference(programs, line, &make(&candidate)) {
                Some(_) => smallest = candidate,
                None => at += size,
            }
        }
        if size == 1 {
            return smallest;
        }
        size /= 2;
    }
}

/// The kind of a failure: the names of what could not be dropped.
pub(crate) fn kind(line: &Line) -> String {
    let flags = line.flags.iter().map(|words| words.join(" "));
    let names = line.env.iter().map(|(name, value)| format!("{name}={value}"));
    let mut parts: Vec<String> = names.chain(flags).collect();
    if line.nobody {
        parts.insert(0, "(as nobody)".to_owned());
    }
    if line.unicode {
        parts.insert(0, "(C.UTF-8)".to_owned());
    }
    if !line.operands.is_empty() {
        parts.push("OPERANDS".to_owned());
    }
    parts.join(" ")
}
