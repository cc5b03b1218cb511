//! Nesting without end, and scripts that would take forever.

use std::time::{Duration, Instant};

use crate::Dialect;
use crate::syntax::{ErrorKind, parse};

const DIALECTS: [Dialect; 3] = [Dialect::Posix, Dialect::Bash, Dialect::Ksh];

/// What opens a level, what is inside, what closes it.
const LEVELS: &[(&str, &str, &str)] = &[
    ("( ", "a", " )"),
    ("{ ", "a", "; }"),
    ("if a; then ", "a", "; fi"),
    ("while a; do ", "a", "; done"),
    ("case a in a) ", "a", ";; esac"),
    ("$(", "a", ")"),
    ("\"$(", "a", ")\""),
    ("${a-", "a", "}"),
    ("\"${a-", "a", "}\""),
    ("${a#", "a", "}"),
    ("$((1+", "1", "))"),
    ("f() { ", "a", "; }"),
];

/// Quotes in the word of a quoted expansion are for ksh itself.
fn fits(open: &str, dialect: Dialect) -> bool {
    open != "\"${a-" || dialect != Dialect::Ksh
}

#[test]
fn ten_thousand_levels_are_read_and_taken_down_again_on_a_small_stack() {
    for (open, inside, close) in LEVELS {
        // A function and its body are two levels.
        let levels = if open.starts_with('f') { 5_000 } else { 10_000 };
        let script = format!("{}{inside}{}", open.repeat(levels), close.repeat(levels));
        for dialect in DIALECTS.into_iter().filter(|d| fits(open, *d)) {
            assert!(parse(script.as_bytes(), dialect).is_ok(), "{open} in {dialect:?}");
        }
    }
}

#[test]
fn too_many_levels_are_refused_with_the_limit() {
    for (open, ..) in LEVELS {
        let script = open.repeat(100_000);
        for dialect in DIALECTS.into_iter().filter(|d| fits(open, *d)) {
            let error = parse(script.as_bytes(), dialect).expect_err(open);
            assert_eq!(error.kind, ErrorKind::Unsupported, "{open} {error}");
            assert_eq!(error.message, "nested deeper than 20000 levels", "{open}");
        }
    }
}

#[test]
fn what_could_be_read_in_two_ways_takes_no_more_than_quadratic_time() {
    for repeated in ["((", "$((", "a[$(", "a[", "(( (", "a=([$(", "`", "\"${a-", "@(", "[[ ("] {
        let script = repeated.repeat(150);
        for dialect in DIALECTS {
            let began = Instant::now();
            let _ = parse(script.as_bytes(), dialect);
            assert!(began.elapsed() < Duration::from_secs(20), "{repeated} in {dialect:?}");
        }
    }
}

#[test]
fn a_long_row_is_not_deep() {
    for (first, repeated, last) in [
        ("[[ a", " && a", " ]]"),
        ("[[ ", "! ", "a ]]"),
        ("a", " && a", ""),
        ("a", " | a", ""),
        ("", "a; ", ""),
        ("a ", "a", ""),
        ("a ", "'a'$a", ""),
        ("if a; then a", "; elif a; then a", "; fi"),
    ] {
        let script = format!("{first}{}{last}", repeated.repeat(50_000));
        assert!(parse(script.as_bytes(), Dialect::Bash).is_ok(), "{repeated}");
    }
}
