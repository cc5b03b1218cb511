//! `rm` beside the real one.

use crate::tests::compare::words;
use crate::tests::twins::{InTwins, Twins, is_there};

#[test]
fn files_go() {
    InTwins("rm").same(&[
        "f", "f g", "-f f", "-v f g", "ld", "dang", "loop", "lf", "p", "full/f", "-- -dash",
        "it's", "n\nl -v", "-d full/x", "-dv full/x f", "-r f", "-r full", "-rf full deep",
        "-R deep/", "-r ld", "-r full/../deep f", "-f", "-f none f", "-rf none d",
        "--recursive --force full", "--dir full/x",
    ]);
}

#[test]
fn what_stays_is_told() {
    InTwins("rm").same(&[
        "full", "d/", "f/", "full/", "none", "none/x", "f/x", "''", ".", "..", "d/.", "d/..",
        "ld/", "dang/", "loop/", "/", "-f full", "-f d/", "-f f/", "-f none/x", "-f f/x", "-f ''",
        "-f .", "-f ld/", "-f dang/", "-f loop/", "-d full", "-d f/ ?", "-d ld/ ?", "-d none",
        "-dv dang/ ?", "-r f/", "-r none", "-r ''", "-r ld/ ?", "-r f/x", "-rf f/", "-rf ''",
        "-rf ld/ ?", "-rf f/x", "-r dang/", "f none g", "none full f", "-v f d g", "ro/f", "ro/d",
        "-r ro", "-rf ro full", "ns/f", "ns", "-rf ns", "secret", "-r ro/d d", "-d ro/d/x",
        "-f ro/f", "f ro/f g", "-r full none it's", "gr\u{fc}n/x",
    ]);
}

#[test]
fn what_is_not_ours_is_left() {
    let twins = Twins::new();
    for line in ["-r .", "-r d/..", "-rf /", "-i f", "", "-I f", "-rv d", "--no-preserve-root"] {
        assert!(twins.comparison().ours("rm", &words(line), b"").is_none(), "{line}");
        assert!(is_there(&twins.ours().join("f")));
    }
}
