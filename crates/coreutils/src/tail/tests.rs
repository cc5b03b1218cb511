//! `tail` beside the real one.

use crate::tests::compare::{Comparison, same, words};

const INPUT: &[u8] = b"one\ntwo\n\nfour\0five\nsix";

#[test]
fn lines_and_bytes() {
    for number in ["0", "1", "3", "9", "+0", "+1", "+2", "+9", "-2", "+5", "5", "006"] {
        for (flag, end) in [("-n", ""), ("-c", ""), ("-zn", ""), ("-n", "\n")] {
            let input = [INPUT, end.as_bytes()].concat();
            assert!(same("tail", &[flag, number], &input));
            assert!(Comparison::new().pieces(4).same("tail", &[flag, number], &input));
        }
    }
    let long = b"some line\n".repeat(300_000);
    for line in ["-n 2", "-c 9", "-n299999", "-c 1500000"] {
        assert!(same("tail", &words(line), &long));
    }
}

#[test]
fn other_forms() {
    for line in ["", "-2", "-2 -", "--lines=+2", "--bytes 3 -", "-v"] {
        assert!(same("tail", &words(line), INPUT), "{line}");
    }
    for line in ["-n", "-n 1k", "-n x", "-2 -q", "-f", "-2c"] {
        assert!(!Comparison::new().supports("tail", &words(line)), "{line}");
    }
}

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), b"1\n2\n3").unwrap();
    std::fs::write(folder.path().join("big"), b"line\nlonger line\n".repeat(20_000)).unwrap();
    std::fs::create_dir(folder.path().join("d")).unwrap();
    let comparison = Comparison::new().within(folder.path());
    for flag in ["-n1", "-qn2", "-vc3", "-n+1", "-c+1", "-n0", "-n+0", "-c0", "-n15000"] {
        let arguments = [flag, "none", "a", "d", "-", "big", "a b"];
        assert!(comparison.same("tail", &arguments, b"x\ny\n"));
        assert!(comparison.same("tail", &[flag, "a"], b""));
        assert!(comparison.same("tail", &[flag, "d"], b""));
        assert!(comparison.same("tail", &[flag, "big"], b""));
    }
    assert!(comparison.same("tail", &["-n", "40001", "big"], b""));
    assert!(comparison.same("tail", &["-zn", "1", "big"], b""));
    assert!(comparison.same("tail", &["-c", "100000", "big"], b""));
}
