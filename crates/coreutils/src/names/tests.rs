//! `names` beside the real one.

use proptest::prelude::*;

use crate::tests::compare::{same, words};

#[test]
fn usual_paths() {
    for path in ["", "/", "//", "///", "a", "a/", "/a", "//a", "a/b", "a//b//", "./a.txt"] {
        assert!(same("basename", &[path], b""));
        assert!(same("basename", &[path, ".txt"], b""));
        assert!(same("basename", &[path, ""], b""));
        assert!(same("dirname", &[path], b""));
    }
    assert!(same("basename", &[".txt", ".txt"], b""));
    assert!(same("basename", &["/", "/"], b""));
}

#[test]
fn options() {
    assert!(same("basename", &["-a", "x/y", "z"], b""));
    assert!(same("basename", &["-as", "y", "x/zy", "z"], b""));
    assert!(same("basename", &["--suffix=y", "x/zy", "-q"], b""));
    assert!(same("basename", &["-z", "--", "-a"], b""));
    assert!(same("basename", &["x", "-a"], b""));
    assert!(same("dirname", &["-z", "x/y", "z"], b""));
    assert!(same("dirname", &["x/y", "-z"], b""));
}

#[test]
fn wrong_usage_is_left_to_the_real_one() {
    for tool in ["basename", "dirname"] {
        for line in ["", "-q x", "--zer x", "--help", "--zero=1"] {
            assert!(!same(tool, &words(line), b""));
        }
    }
    assert!(!same("basename", &["a", "b", "c"], b""));
    assert!(!same("basename", &["-s"], b""));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn any_paths(paths in prop::collection::vec("[/ab.]{0,8}", 20), suffix in "[ab.]{0,2}") {
        let mut arguments = vec!["-s", &suffix, "--"];
        arguments.extend(paths.iter().map(|path| &path[..]));
        assert!(same("basename", &arguments, b""));
        assert!(same("dirname", &arguments[2..], b""));
    }
}
