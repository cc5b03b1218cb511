//! `sort` beside the real one.

use proptest::prelude::*;

use crate::tests::compare::{Comparison, same, words};

#[test]
fn numbers_are_read_as_the_real_one_reads_them() {
    let input = b" 1\n-0\n0\n-1\n1e3\n.5\nx\n 00.50\n- 1\n+1\n-.5\n\n\t7\n10\n9\n\
        123456789012345678901234567890\n-99999999999999999999\n\
        1.\n1.0\n--1\n0x10\n1,000\n-\n.\n";
    for flags in ["-n", "-nr", "-nu", "-ns", "-nrs", "-nru", "-u", "-r", "-ru", "-s"] {
        assert!(same("sort", &[flags], input), "{flags}");
        assert!(Comparison::new().bytes().same("sort", &[flags], input), "{flags}");
    }
}

#[test]
fn files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), b"x\nb\n\xff\n\0").unwrap();
    std::fs::write(folder.path().join("b"), b"").unwrap();
    std::fs::create_dir(folder.path().join("d")).unwrap();
    let comparison = Comparison::new().within(folder.path());
    for names in [&["a"][..], &["a", "-", "b"], &["a", "none", "d"], &["a", "d"], &["it's"]] {
        assert!(comparison.same("sort", names, b"c\nlast"), "{names:?}");
    }
}

#[test]
fn other_forms_are_left_to_the_real_one() {
    for line in ["-k1", "-t:", "-f", "-o x", "-c", "+1", "-h", "-b"] {
        assert!(!same("sort", &words(line), b""), "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_text(
        input in "([ -]?[0-2]{0,3}(\\.[0-2]{0,2})?[ax\u{e9}\\x00]?\n){0,9}",
        flags in prop::sample::subsequence(vec!["-n", "-r", "-u", "-s", "-z"], 0..5),
    ) {
        assert!(Comparison::new().pieces(5).same("sort", &flags, input.as_bytes()));
    }
}
