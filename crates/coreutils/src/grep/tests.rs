//! `grep` beside the real one.

use proptest::prelude::*;

use crate::tests::compare::{Comparison, same, words};

const INPUT: &[u8] = b"foo\na foo b\nbar.baz\n\nfoofoo\n*star\nend foo\n$x^\\ [z]\nlast";

#[test]
fn texts_that_stand_for_themselves() {
    for line in [
        "foo", "-q foo", "-q none", "-c foo", "-v foo", "-cv foo", "-n foo", "-nv foo", "-l foo",
        "-H foo -", "^foo", "foo$", "^foo$", "-x foo", "-F r.b", "r\\.b", "-E r\\.b",
        "-F $x^\\␣[z]", "-e last", "-e -", "-- bar -", "-xF *star", "\\*st", "-E ^\\*st", "a␣f -c",
        "-vn x -H",
    ] {
        let arguments = &words(line);
        assert!(same("grep", arguments, INPUT), "{arguments:?}");
        assert!(Comparison::new().pieces(3).same("grep", arguments, INPUT), "{arguments:?}");
    }
}

#[test]
fn patterns_with_more_in_them_are_left_to_the_real_one() {
    for line in [
        "", "''", "^", "f.o", "fo*", "[f]", "-E a|b", "-E a+", "a\\|b", "a\nb", "-i foo", "-o foo",
        "-m1 foo", "-r foo", "-ql foo", "-EF foo", "-e a -e b", "a\\", "a\\/b", "a^b",
    ] {
        assert!(!Comparison::new().supports("grep", &words(line)), "{line}");
    }
}

#[test]
fn files_that_are_no_text() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("nul", &b"pat\0x\nno\npat2\n"[..]),
        ("invalid", b"pat \xff x\nno\npat2\npat3"),
        ("valid", b"pat \xc3\xa9\nno\n"),
        ("first", b"x\xff\npat\npat\xff\nx pat\n"),
        ("none", b""),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    std::fs::create_dir(folder.path().join("d")).unwrap();
    let comparison = Comparison::new().within(folder.path());
    for flag in ["-s", "-c", "-q", "-v", "-n", "-l", "-cv", "-nv", "-lv", "-h", "-x"] {
        for comparison in [comparison.clone(), comparison.clone().bytes()] {
            for name in ["nul", "invalid", "valid", "first", "none", "d", "missing"] {
                assert!(comparison.same("grep", &[flag, "pat", name], b""), "{flag} {name}");
            }
            let all = [flag, "pat", "missing", "first", "nul", "-", "d", "invalid", "a b"];
            assert!(comparison.same("grep", &all, b"x pat\n"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_text(
        pattern in "\\^?[ab]{1,3}\\$?",
        input in "[ab\n]{0,40}",
        flag in prop::sample::select(vec!["-n", "-c", "-v", "-q", "-nv", "-x", "-cvx", "-F"]),
        pieces in 1_usize..9,
    ) {
        let comparison = Comparison::new().pieces(pieces);
        assert!(comparison.same("grep", &[flag, "--", &pattern], input.as_bytes()));
    }
}
