//! `cp` beside the real one.

use crate::tests::twins::{InTwins, Twins};

#[test]
fn files_are_copied() {
    InTwins("cp").same(&[
        "f x", "f g", "g f", "lf x", "f full", "f full/", "f full/.", "f d e/f", "-v f g",
        "-v f full", "-f f g", "-T f g", "-t full f g", "f it's n\nl full", "g /dev/null",
        "program x", "program g", "-p program x", "-p f g", "-p g x", "-pv f full", "f ld",
        "full/f x", "full/f g", "gr\u{fc}n x", "/etc/passwd x", "it's x", "-v it's n\nl",
        "-- -dash x", "f lf/../x ?", "/dev/null x ?", "deep/a/1 deep/a/b/2 f full",
    ]);
}

#[test]
fn what_is_not_copied_is_told() {
    InTwins("cp").same(&[
        "f f", "f ./f", "f hf", "f lf", "lf f", "f none/ ?", "f none/x", "none x", "none full",
        "d full", "d x", "f e", "f f/x ?", "f g/ ?", "f dang ?", "dang x", "f loop ?", "loop x",
        "f dang/ ?", "f none full", "f g none ?", "f g hf ?", "full/f f full ?", "-T f full",
        "f ''", "'' x", "d f", "secret x ?", "f secret", "f ro ?", "ro/f x", "f ro/f", "ns/f x",
        "f ns ?", "-p secret x ?", "f g secret ro/d", "f secret g full ?", "-f f secret ?",
        "-p ro/f x", ". x", "f/x y", "f/ y", "f d none full", "-f f f ?", "-p f f ?",
        "it's none/x", "p x ?", "f p full ?", "f lf/ ?", "-r d x ?", "-a f x ?", "x ?",
    ]);
}

#[test]
fn large_files_are_copied_whole() {
    let twins = Twins::new();
    let text: Vec<u8> = (0..3_000_000_u32).map(|place| (place % 251) as u8).collect();
    for tree in ["ours", "real"] {
        std::fs::write(twins.ours().with_file_name(tree).join("large"), &text).unwrap();
    }
    assert!(twins.same("cp", &["large", "copy"]));
    assert!(twins.same("cp", &["-p", "large", "f"]));
    assert!(std::fs::read(twins.ours().join("copy")).unwrap() == text);
}
