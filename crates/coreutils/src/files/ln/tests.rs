//! `ln` beside the real one.

use crate::tests::twins::InTwins;

/// The absolute path is on another file system: a hard link to a file of the machine's, even one
/// that is gone at once, changes its times under whoever looks at it (`why` on look-ups of users).
const PAIRS: &[&str] = &[
    "f x", "f ro", "ro/f x", "f ro/f", "ns/f x", "f ns/x", "f ns", "f g", "f f", "f hf", "f lf",
    "lf x", "f full", "f full/", "f none/", "f none/x", "none x", "none full", "d full", "d x",
    "f e", "f f/x", "f g/", "f dang", "dang x", "f loop", "f ld", "f ld/", "f dang/", "full/f f",
    "full/f .", "it's n\nl", "it's none/x", "full/f", "none/x", "f", "full/", "f g full",
    "f none full", "f g none", "f g hf", "/ d", "full/f f full", "f ''", "'' x", "f lf/", "d f",
    "x/ y", "/proc/version x", ". x", "/", "../x/y x", "f d", "f d/", "deep/a/1 deep/a/b/2 full",
    "gr\u{fc}n x", "p x", "d ld", "d e",
];

#[test]
fn links_are_made_as_the_real_one_makes_them() {
    for options in ["", "-s ", "-fv ", "-sf ", "-sfn ", "-sT ", "-sfT "] {
        for pair in PAIRS {
            InTwins("ln").same(&[&format!("{options}{pair} ?")]);
        }
    }
}

#[test]
fn what_scripts_do_fits() {
    InTwins("ln").same(&[
        "f x", "-s f x", "-s f x/.. '' ?", "-s f full", "-sf f g", "-sf none g", "-sfn e ld",
        "-nsf e ld", "-s f g", "f none/x", "none x", "-f f g", "-s full/f .", "-s full/g",
        "-s -t full f g", "-sf -T g lf", "--symbolic --force none lf", "-sv f x",
    ]);
}
