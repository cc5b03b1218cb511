//! `mv` beside the real one.

use crate::tests::twins::InTwins;

#[test]
fn names_change() {
    InTwins("mv").same(&[
        "f x", "f g", "-v f g", "f lf", "f full", "-v f full/", "f full/.", "d x", "d x/",
        "d full", "-v d/ e", "e full ?", "ld full", "ld x", "f dang", "dang x", "f loop", "f ld",
        "f g full", "-T f g", "-T f x", "-T d x", "-t full f g", "-n f g", "-n f x", "-v f x",
        "-f f g", "p x", "full/f .", "d/ full/x", "hf g", "-nv f full d",
        "--verbose --force f g ld full", "--target-directory=full f d", "-fv f full", "it's n\nl",
        "-v it's n\nl", "-v gr\u{fc}n x", "-- -dash x", "-T full/e d ?", "-v deep/a/b .",
        "-v full/f ./", "-n full/f full/g",
    ]);
}

#[test]
fn what_stays_is_told() {
    InTwins("mv").same(&[
        "f f ?", "f ./f ?", "f hf ?", "lf f ?", "f none/ ?", "f none/x", "none x", "none full",
        "d f", "d d ?", "d d/x ?", "full full/x ?", "f e", "f f/x ?", "f g/ ?", "ld/ full ?",
        "d ld ?", "f dang/ ?", "f none full", "f g none ?", "f g hf ?", "full/f f full ?",
        "-T f full", "-T d full", "-T d e", "-T d ld", ". x ?", "d/. x ?", "f '' ?", "'' x ?",
        "full/.hidden none/x", "it's none/x", "x/ y", "f/ y ?", "lf/ g ?", "full/e e ?",
        "-f none x", "d full/.. ?", "f d e", "f ro ?", "ro/f x ?", "ro/f ro/x ?", "f ro/f ?",
        "ro x ?", "ro/d x ?", "ns x ?", "ns/f x ?", "f ns ?", "secret x ?", "f secret ?",
        "f ro/d ?", "x ?", " ?",
    ]);
}
