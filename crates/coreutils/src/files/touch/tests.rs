//! `touch` beside the real one.

use crate::tests::twins::{InTwins, Twins};

#[test]
fn files_are_made_or_become_new() {
    InTwins("touch").same(&[
        "x", "f", "f x y", "d", "d/", "ld", "lf", "dang", "p", "full/x", "-c x", "-c f", "-a f",
        "-m f", "-am f", "-r g f", "-r g x", "-ar g f", "-mr g x", "-c -r g x", "-f f",
        "--no-create x f", "--reference=f g", "-- -x", "it's", "n\nl",
    ]);
}

#[test]
fn what_cannot_be_made_is_told() {
    InTwins("touch").same(&[
        "none/x", "f/x", "''", "f x none/y f/y", "-c none/x", "-c f/x", "loop ?", "none/ ?",
        "dang/ ?", "f/ ?", "-c f/ ?", "x none/y", "ro/x ?", "ro/f ?", "ns/f ?", "secret ?",
        "x ro/y ?", "-a ro/f ?", "-c ro/x", "-c ns/f ?", "-r none f ?", "- ?", "-t 0101 f ?",
        "-d now f ?", "it's/x", "n\nl/x",
    ]);
}

#[test]
fn nothing_becomes_old_by_mistake() {
    let twins = Twins::new();
    let file = twins.ours().join("f");
    let modified = || file.metadata().unwrap().modified().unwrap();
    let before = modified();
    assert!(twins.same("touch", &["-a", "f"]));
    assert_eq!(modified(), before);
    assert!(twins.same("touch", &["f"]));
    assert!(modified() > before + std::time::Duration::from_secs(1_000_000));
}
