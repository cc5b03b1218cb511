//! Listings on a terminal: columns, quotes, colours.
//!
//! `script` makes the terminal and `stty` its width. By design `fewer ls` uses colours there by
//! default, so it is compared with `ls --color=auto`.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::line::{Line, Programs};
use crate::tree::quoted;
use crate::{flags, rich_tree, scratch, verdict};

/// The output on a terminal of that many columns.
fn screen(program: &[String], line: &Line, columns: u32, here: &Path) -> Vec<u8> {
    let words = line.words();
    let words = words.iter().map(|word| quoted(word.as_encoded_bytes()));
    let words: Vec<String> = program.iter().cloned().chain(words).collect();
    // bash reads the quotes; sh might not. Error messages differ by design.
    let list = format!("stty cols {columns} rows 30; exec {} 2>/dev/null", words.join(" "));
    let mut command = Command::new("script");
    command.args(["-qefc", &list, "/dev/null"]).current_dir(here).stdin(Stdio::null());
    command.env_clear().envs(line.environment()).env("SHELL", "/bin/bash").process_group(0);
    if !line.env.iter().any(|(name, _)| name == "TERM") {
        command.env("TERM", "xterm-256color");
    }
    command.output().unwrap().stdout
}

fn shell(words: &[std::ffi::OsString]) -> Vec<String> {
    words.iter().map(|word| quoted(word.as_encoded_bytes())).collect()
}

fn compare(programs: &Programs, line: &Line, columns: u32, here: &Path) -> Option<String> {
    // A flag about colours comes later, and so is the one that counts.
    let gnu = [quoted(programs.gnu.as_os_str().as_encoded_bytes()), "--color=auto".to_owned()];
    let expected = screen(&gnu, line, columns, here);
    let actual = screen(&shell(&programs.ours), line, columns, here);
    if expected == actual {
        return None;
    }
    let difference = verdict::diff(&expected, &actual);
    Some(format!("{columns} columns: {}\n{difference}", line.shown()))
}

fn lines() -> Vec<Line> {
    let mut lines: Vec<Line> = flags::kinds().iter().map(|flag| Line::of(&[flag], &[])).collect();
    for flag in ["-l", "-a", "-F", "-m", "-x", "-N", "-q", "-b", "-s", "-i", "-Q", "-R", "-1"] {
        for when in ["--color=never", "--color=always", "--hyperlink=auto", "--zero"] {
            lines.push(Line::of(&[&[flag.to_owned()], &[when.to_owned()]], &[]));
        }
        lines.push(Line::of(&[&[flag.to_owned()]], &[b"to-dir", b"dir", b"gone", b"a b"]));
    }
    for (name, value) in [
        ("COLUMNS", "33"),
        ("COLUMNS", "0"),
        ("TABSIZE", "0"),
        ("TERM", "dumb"),
        ("LS_COLORS", "di=1:ln=target:*.c=3:mi=4:or=5:rs=6"),
        ("QUOTING_STYLE", "literal"),
        ("QUOTING_STYLE", "nonsense"),
    ] {
        let env = vec![(name.to_owned(), value.to_owned())];
        lines.push(Line { env: env.clone(), ..Line::default() });
        lines.push(Line { env, ..Line::of(&[&["-l".to_owned()]], &[]) });
    }
    lines
}

fn a_terminal_shows_the_same(unicode: bool) {
    let programs = scratch::programs();
    let place = scratch::Scratch::new(0);
    let here = place.make(&rich_tree::tree());
    let mut wrong = Vec::new();
    let widths = [80, 20, 133, 0];
    for (number, line) in lines().into_iter().enumerate() {
        let line = Line { unicode, ..line };
        wrong.extend(compare(&programs, &line, widths[number % widths.len()], &here));
    }
    assert!(wrong.is_empty(), "{} screens differ from ls:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
#[ignore = "needs the released binary"]
fn a_terminal_shows_what_ls_with_colours_shows() {
    a_terminal_shows_the_same(false);
}

#[test]
#[ignore = "needs the released binary"]
fn a_terminal_shows_what_ls_with_colours_shows_in_utf_8() {
    a_terminal_shows_the_same(true);
}
