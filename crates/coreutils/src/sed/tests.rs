use proptest::prelude::*;

use crate::tests::compare::{Comparison, same, words};

#[test]
fn what_scripts_ask_for() {
    let input = b"it's \"$a\" `b` \\c/d\n\nX-y.z\n  last";
    for script in [
        r"s/'/'\\\\''/g", r#"s/\(["`$\\]\)/\\\1/g"#, r#"s/\(["`\\]\)/\\\1/g"#, "s/^X//", "s/$/!/",
        "s/[-+.]/_/g", "s,/,\\,,g", "s|\\(.*\\)/\\(.*\\)|\\2 \\1 &|",
        "y%*+%pp%;s%[^_abcdefghijklmnopqrstuvwxyz]%_%g", "y/a'/b\"/", "s/a/b/;s/b/c/\n s/c/d/g ; ",
        "s/[[:space:]]*$//", "s/^[ \t]*//", "s/.*/<&>/", "s/[]a]/x/g;s/[^]a]/y/g",
        r"s/\(a\)*b*/[\1]/", r"s/\./\&/", r"s/\/d/\//",
    ] {
        assert!(same("sed", &[script], input), "{script}");
        assert!(same("sed", &["-e", script], input), "{script}");
    }
    assert!(same("sed", &["-n", "s/a/b/p"], b"xay\nb\nca"));
    assert!(same("sed", &["-n", "s/a/b/gp"], b"xaay\nb\naca\n"));
    assert!(same("sed", &["s/./x/g"], b"a\0\xff\xc3\xa9\n\xe9"));
    assert!(Comparison::new().bytes().same("sed", &["s/./x/g"], b"a\0\xff\xc3\xa9\n\xe9"));
}

#[test]
fn other_forms_are_left_to_the_real_one() {
    for script in [
        "p", "1q", "s/a/b", "s//b/", "s/a/b/2", "s/a/b/w f", "s/a*/b/g", "s/\\n/b/", "s/a\\+/b/",
        "s/a/\\n/", "s/a/\\2/", "s/[\\n]/x/", "s/[/]/x/", "/a/s/a/b/", "s/a/b/p", "y/ab/c/",
        "y/\\n/c/", "s/a\\|b/c/", "s|a\\|b|c|", "", "s/\\(a/b/", "s/[a/b/", "s.a\\.b.c.",
    ] {
        assert!(!same("sed", &[script], b"a"), "{script}");
    }
    for line in ["-E s/a/b/", "s/a/b/ f", "-s s/a/b/", "-n", ""] {
        assert!(!same("sed", &words(line), b"a"), "{line}");
    }
    assert!(!Comparison::new().with("POSIXLY_CORRECT", "1").same("sed", &["s/a/b/"], b"a"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn any_script(
        input in "[ab.\\\\/\u{e9}\\x00\n]{0,30}",
        from in "(\\^|)([ab.\u{e9}*^$]|\\\\[(.*\\\\/)]|\\[\\^?[ab/.*\u{e9}]{1,2}\\]){1,5}",
        to in "([ab&]|\\\\[1&\\\\/]){0,4}",
        flags in prop::sample::select(vec!["", "g"]),
        pieces in 1_usize..9,
    ) {
        let script = format!("s/{from}/{to}/{flags}");
        Comparison::new().pieces(pieces).same("sed", &[&script], input.as_bytes());
        Comparison::new().bytes().pieces(pieces).same("sed", &[&script], input.as_bytes());
    }
}
