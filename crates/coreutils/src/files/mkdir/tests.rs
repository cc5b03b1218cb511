//! `mkdir` beside the real one.

use crate::tests::twins::InTwins;

#[test]
fn directories_are_made() {
    InTwins("mkdir").same(&[
        "x", "x y", "x/", "x//", "d/x", "d/x/", "ld/x", "./x", "full/../x", "-v x d/x", "-- -x",
        "x -v", "-m 700 x", "-m 0 x", "-m777 x", "--mode=2 x -v", "-m 750 full/y", "-p x",
        "-p x/y/z", "-pv x/y//z/", "-pv ./x/../y/./z", "-pv z/../y z/y/x", "-p d",
        "-p d/ ld full/x", "-pv d/x/y full/x/y ld/x", "-p -m 700 x/y", "-p -m 700 d",
        "--parents --verbose x/y", "-p full/y/z", "-p / /tmp", "-m 0755 -p -v d x d/x",
    ]);
}

#[test]
fn what_cannot_be_made_is_told() {
    InTwins("mkdir").same(&[
        "f", "f/", "f/x", "d", "d/", "none/x", "''", "it's", "n\nl", "n\nl/x", "gr\u{fc}n", "dang",
        "dang/", "loop", "ld", "lf", "/", "x f y", "-p f", "-p f/ ?", "-p it's", "-p ''",
        "-p f/x ?", "-p f/x/y ?", "-p dang ?", "-p dang/x ?", "-p loop ?", "-p lf", "-p loop/x ?",
        "-p x f y", "-p x f/y", "-p d/x/y f/y x/y", "ro/x", "-p ro/x/y ?", "-p x ro/x/y y",
        "-p ro/d/y/z ?", "ns/x", "-p ns/x/y ?", "-pv . .. d/. d/..", "-p x/y/z x/f/../y d",
        "-vp lf/x ?",
    ]);
}

#[test]
fn what_is_not_ours_is_left() {
    for line in ["", "-m u+x x", "-m 1777 x", "-Z x", "--help", "--mod 7 x", "-q x", "-m"] {
        InTwins("mkdir").same(&[&format!("{line} ?")]);
    }
}
