//! `ls` beside the real one.

use crate::tests::compare::words;
use crate::tests::twins::{InTwins, Twins};

#[test]
fn names_are_listed() {
    in_one_tree(&[
        "", "-1", "-a", "-A", "-d", "-dp", "-p", "-r", "-t", "-S", "-U", "-tr", "-Sr",
        "-rt full e", ".", "full", "full/", "f", "f g", "g f full d", "-r g f full d", "ld",
        "-d ld", "lf", "dang", "-d full ld f", "-p full ld f", "-dp full ld f", "-a full",
        "-A full d", "-t f g lf full", "-S f g it's", "-U g f full d it's", "d d d",
        "it's n\nl gr\u{fc}n", "-1a full/..", "-- -dash", "--all -r", "loop", "-d .", "-dr . ..",
        "-u full", "-c -r d", "-ap", "p", "-tU", "-Ut", "-aA full",
    ]);
}

/// Two trees have different times.
fn in_one_tree(lines: &[&str]) {
    let twins = Twins::new();
    let comparison = twins.comparison().within(&twins.ours());
    for line in lines {
        assert!(comparison.same("ls", &words(line), b""), "ls {line}");
    }
}

#[test]
fn what_is_not_there_is_told() {
    InTwins("ls").same(&[
        "none", "none f", "f none full", "none full", "f/ d", "none/x f/x", "ro", "ns", "ns/f",
        "ns d", "-t ns ?", "ro ns d none", "''", "'' d", "it's/x", "loop/", "dang/", "-d none",
        "n\nl/",
    ]);
}

#[test]
fn what_is_not_ours_is_left() {
    for line in ["-l", "-C", "-F", "-R", "--color=always", "-i", "-s", "-x", "-m", "-Q", "-h"] {
        InTwins("ls").same(&[&format!("{line} ?")]);
    }
}
