//! `head` beside the real one.

use crate::tests::compare::{Comparison, same, words};

const INPUT: &[u8] = b"one\ntwo\n\nfour\0five\nsix";

#[test]
fn lines_and_bytes() {
    for number in ["0", "1", "3", "9", "-0", "-1", "-2", "-9", "5", "-5", "006"] {
        for (flag, end) in [("-n", ""), ("-c", ""), ("-zn", ""), ("-n", "\n")] {
            let input = [INPUT, end.as_bytes()].concat();
            assert!(same("head", &[flag, number], &input));
            assert!(Comparison::new().pieces(4).same("head", &[flag, number], &input));
        }
    }
    let long = b"some line\n".repeat(300_000);
    for line in ["-n -2", "-c -9", "-n-299999", "-c 1500000"] {
        assert!(same("head", &words(line), &long));
    }
}

#[test]
fn other_forms() {
    for line in ["", "-2", "-2 -q", "--lines=2", "--bytes 3 -", "-v"] {
        assert!(same("head", &words(line), INPUT), "{line}");
    }
    for line in ["-n", "-n 1k", "-n x", "-n+1", "-2c", "-x"] {
        assert!(!same("head", &words(line), INPUT), "{line}");
    }
    assert!(!same("head", &["x", "-2"], INPUT));
    assert!(same("head", &["-", "-qn2"], INPUT));
    assert!(!Comparison::new().with("POSIXLY_CORRECT", "1").supports("head", &["-", "-qn2"]));
    assert!(!Comparison::new().with("POSIXLY_CORRECT", "1").supports("head", &["-", "--quiet"]));
}

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), b"1\n2\n3").unwrap();
    std::fs::write(folder.path().join("it's"), b"").unwrap();
    std::fs::create_dir(folder.path().join("d")).unwrap();
    let comparison = Comparison::new().within(folder.path());
    for flag in ["-n1", "-qn2", "-vc3", "-n-1", "-c-1", "-n0", "-n-0"] {
        let arguments = [flag, "none", "a", "d", "-", "it's", "a b"];
        assert!(comparison.same("head", &arguments, b"x\ny\n"));
        assert!(comparison.same("head", &[flag, "a"], b""));
        assert!(comparison.same("head", &[flag, "d"], b""));
    }
}
