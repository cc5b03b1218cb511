//! `tr` beside the real one.

use proptest::prelude::*;

use crate::tests::compare::{Comparison, same, words};

#[test]
fn usual_sets() {
    let every: Vec<u8> = (0..=255).chain(*b"aabbccAABBCC  \n\n--  zz[]]").collect();
    for line in [
        "a-z A-Z", "[:lower:] [:upper:]", "[:upper:] [:lower:]", "[A-Z] [a-z]", "[:space:] _",
        "abc x", "abc xy", "-t abc x", "a xyz", "aa xy", "-d \\n", "-d a-c[:digit:]",
        "-cd [:alnum:]\n", "-s ␣", "-s [:space:] \\n", "-cs A-Za-z \\n", "-cs A-Za-z [\\n*]",
        "-C a-z .", "-ds a b", "-s a-z A-Z", "-sc a", "\\000-\\037 ?", "\\\\/ /\\\\", "[=a=] x",
        "a-c [x*2]y", "a-c [x*]y", "a-d x[y*02]z", "a\\-z 123", "-- -a _b", "a- _b", "- _",
        "\\a\\b\\f\\r\\t\\v 123456", "[:xdigit:][:punct:] x", "-d [:blank:][:cntrl:][:graph:]",
        "-dc [:print:]", "[ (", "[] ()", "'' ''", "-d ''", "-c '' x", "[a] (b)",
        "[:lower:]x [:upper:]y", "x[:lower:] y[:upper:]", "\\q x", "[: 12", "[a* 1234",
        "a-\\d 1234", "[:lower:] a-c", "\\12 x", "é e",
    ] {
        let arguments = &words(line);
        assert!(same("tr", arguments, &every), "{arguments:?}");
        assert!(Comparison::new().pieces(3).same("tr", arguments, &every));
    }
}

#[test]
fn what_is_wrong_or_rare_is_left_to_the_real_one() {
    for line in [
        "", "a", "a b c", "-d a b", "z-a x", "a ''", "[:foo:] x", "a [:alpha:]",
        "[:alpha:] [:upper:]", "a-z [:upper:]", "[x*] a", "abc [x*][y*]", "a\\ bc", "\\400 x",
        "-c [:alpha:] xy", "-ds a",
    ] {
        assert!(!same("tr", &words(line), b"abc"), "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_sets(
        first in prop::collection::vec(
            "[abc-]|[a-b]-[b-d]|\\[:(lower|upper|digit|alpha|space):\\]|\\\\[0-2n]|\\[a|\\]",
            0..5,
        ),
        second in prop::collection::vec(
            "[abc-]|[a-b]-[b-d]|\\[:(lower|upper):\\]|\\\\[0-2n]|\\[[xn]\\*[0-3]?\\]",
            0..5,
        ),
        flags in prop::sample::select(vec![
            "-s", "-d", "-c", "-t", "-ds", "-cs", "-cd", "-ct", "-cds",
        ]),
        input in "[ABCabcdxn\\[\\]: \n-]{0,40}",
        pieces in 1_usize..9,
    ) {
        let comparison = Comparison::new().pieces(pieces);
        let (first, second) = (first.concat(), second.concat());
        comparison.same("tr", &["--", &first, &second], input.as_bytes());
        comparison.same("tr", &[flags, "--", &first, &second], input.as_bytes());
        comparison.same("tr", &[flags, "--", &first], input.as_bytes());
    }
}
