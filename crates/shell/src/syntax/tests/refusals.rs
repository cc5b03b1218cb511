//! What a shell refuses is refused, in its words.

use super::{present, run};
use crate::Dialect;
use crate::syntax::{ErrorKind, parse};

const REFUSED: &[&str] = &[
    "fi", "echo a )", "echo ;;", "if true; then fi", "if; then :; fi", "{ }", "()", "( )",
    "while true; done", "for i in a b; do echo $i", "if true; then echo", "case a in a) echo",
    "{ echo", "( echo", "echo 'abc", "echo \"abc", "echo `abc", "echo ${abc", "echo $(abc",
    "echo a &&", "echo a |", "echo a && | b", "| a", "&& a", "; a", "a & ; b", "a ;; b", "echo >",
    "echo <", "echo > > a", "for", "for i in a; echo; done", "case a", "case a b",
    "case a in a b) esac", "do", "done", "then", "elif", "else", "esac", "}", "a() ", "a( ",
    "a(b) c", "if true; else echo; fi", "if true; then a; elif; fi", "until a; do b; fi",
    "{ a; } b", "(a) b", "echo \"$(fi)\"", "echo $(a", "\n\necho a\n\nfi\n",
    "for 1 in a; do b; done; (", "echo a > ; b", "case a in a) b;; c", "if a; then b; done",
    "( a; }", "{ a; )", "x=$(", "echo \"${a", "cat <<A\n$(fi)\nA\n", "a | | b", "a || || b",
    "! ;;",
];

/// The message without the name in front, and the line.
fn said(dialect: Dialect, script: &str) -> Option<(u32, String)> {
    let output = run(dialect, &["-n"], script.as_bytes())?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = text.lines().next()?;
    match dialect {
        Dialect::Ksh => {
            let (line, rest) = first.split_once(" at line ")?.1.split_once(": ")?;
            Some((line.parse().ok()?, format!("syntax error: {rest}")))
        }
        Dialect::Bash => {
            let (line, rest) = first.split_once(": line ")?.1.split_once(": ")?;
            Some((line.parse().ok()?, rest.into()))
        }
        Dialect::Posix => {
            let (line, rest) = first.split_once("script: ")?.1.split_once(": ")?;
            Some((line.parse().ok()?, rest.into()))
        }
    }
}

/// `words_too`: in the same words, on the same line.
fn refused_alike(dialect: Dialect, words_too: bool) {
    if !present(dialect) {
        return;
    }
    let mut different = String::new();
    for script in REFUSED {
        let theirs = said(dialect, script);
        let ours = match parse(script.as_bytes(), dialect) {
            Ok(_) => None,
            Err(error) if error.kind == ErrorKind::Unsupported => continue,
            Err(error) => Some((error.line, error.message)),
        };
        let same = if words_too { ours == theirs } else { ours.is_some() == theirs.is_some() };
        if !same {
            different += &format!("{script:?}\n  ours {ours:?}\n  theirs {theirs:?}\n");
        }
    }
    assert!(different.is_empty(), "{different}");
}

#[test]
fn what_dash_refuses_is_refused_in_its_words() {
    refused_alike(Dialect::Posix, true);
}

#[test]
fn what_bash_refuses_is_refused_in_its_words() {
    refused_alike(Dialect::Bash, true);
}

#[test]
fn what_ksh_refuses_is_refused() {
    refused_alike(Dialect::Ksh, false);
}
