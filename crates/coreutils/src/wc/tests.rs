//! `wc` beside the real one.

use proptest::prelude::*;

use crate::tests::compare::{Comparison, same, words};

const INPUT: &[u8] = b"one two\n three\tfour\x0b\n\n\xc3\xa9t\xc3\xa9 \xe2\x82\xac\n\
    \xff\xfe \xc3 x\xe2\x82\x01\x02 \x03\n end\xc2\xa0ed\xe2";

#[test]
fn every_kind_of_count() {
    for line in ["-l", "-w", "-c", "-m", "", "-lw", "-mc -l", "-wm -", "-l -", "--lines --words"] {
        let arguments = &words(line);
        for comparison in
            [Comparison::new(), Comparison::new().pieces(1), Comparison::new().bytes()]
        {
            assert!(comparison.same("wc", arguments, INPUT), "{arguments:?}");
            assert!(comparison.same("wc", arguments, b""), "{arguments:?}");
        }
    }
}

#[test]
fn columns_are_as_wide_as_the_files_ask_for() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), INPUT).unwrap();
    std::fs::write(folder.path().join("b c"), b"word ".repeat(300)).unwrap();
    std::fs::write(folder.path().join("page"), b"word\n".repeat(4096)).unwrap();
    std::fs::write(folder.path().join("x\ny"), b"").unwrap();
    std::fs::create_dir(folder.path().join("d")).unwrap();
    let comparison = Comparison::new().within(folder.path());
    for line in [
        "a", "-l a", "-c a b␣c", "-c page", "-c b␣c", "a b␣c", "a -", "page none", "none",
        "-l none", "a d", "-l d", "-c d", "a x\ny",
    ] {
        assert!(comparison.same("wc", &words(line), b"in put\n"), "{line}");
    }
}

#[test]
fn other_flags_are_left_to_the_real_one() {
    for line in ["-L", "--files0-from=x", "--help", "''"] {
        assert!(!same("wc", &words(line), INPUT));
    }
    assert!(!Comparison::new().with("POSIXLY_CORRECT", "").supports("wc", &["-w"]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_text(
        parts in prop::collection::vec(prop::sample::select(vec![
            &b"a"[..], b" ", b"\n", b"\x01", b"\xff", b"\xe2\x82\xac", b"\xe2", b"\xc2\xa0",
            b"\xc2\x85", b"\xe2\x80\xa8", b"\xe3\x80\x80", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80",
            b"\xf4\x90\x80\x80", b"\x0b", b"\x7f", b"\xe2\x80\xaf", b"\xe2\x81\xa0", b"\0",
            b"\xe0\x80\x80", b"\xc0\x80",
        ]), 0..30),
        piece in 1_usize..7,
        utf8 in any::<bool>(),
    ) {
        let comparison = Comparison::new().pieces(piece);
        let comparison = if utf8 { comparison } else { comparison.bytes() };
        assert!(comparison.same("wc", &["-lwmc"], &parts.concat()));
    }
}
