//! `rmdir` beside the real one.

use crate::tests::twins::InTwins;

#[test]
fn empty_directories_go() {
    InTwins("rmdir").same(&[
        "d/ ?", "full/x", "full/x full/e", "-v full/x", "-p deep/a/b/c", "-pv full/x",
        "--ignore-fail-on-non-empty full full/x", "-p --ignore-fail-on-non-empty full/x",
        "-pv ./full/x", "--parents --verbose full//x//", "ld/../full/x",
    ]);
}

#[test]
fn what_stays_is_told() {
    InTwins("rmdir").same(&[
        "f", "full", "f/", "full/", "none", "none/x", "''", ".", "..", "full/x/.", "full/x/..",
        "/", "ld", "ld/", "dang/", "lf/", "loop/", "loop", "p", "it's", "n\nl", "-v f full full/x",
        "-p full", "-p f", "-pv ld/", "full/x f full/e", "ro/d", "ro/d/x", "-p ro/d/x", "ns/x",
        "--ignore-fail-on-non-empty ro/d ?", "-p full/x/.",
    ]);
}
