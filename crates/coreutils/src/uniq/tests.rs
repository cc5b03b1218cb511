//! `uniq` beside the real one.

use proptest::prelude::*;

use crate::tests::compare::{Comparison, same, words};

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), b"x\nx\n\n\ny\0\nX\nx").unwrap();
    std::fs::create_dir(folder.path().join("d")).unwrap();
    let comparison = Comparison::new().within(folder.path());
    for name in ["a", "none", "-"] {
        assert!(comparison.same("uniq", &[name], b"a\na"));
        assert!(comparison.same("uniq", &[name, "-ci"], b"a\nA"));
    }
}

#[test]
fn other_forms_are_left_to_the_real_one() {
    for line in ["-f1", "-D", "a b", "+1", "-1", "-w 2"] {
        assert!(!same("uniq", &words(line), b""), "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn any_text(
        input in "[abAB\u{e9}\\x00\n]{0,30}",
        flags in prop::sample::subsequence(vec!["-c", "-d", "-u", "-i", "-z"], 0..4),
        pieces in 1_usize..9,
    ) {
        assert!(Comparison::new().pieces(pieces).same("uniq", &flags, input.as_bytes()));
    }
}
