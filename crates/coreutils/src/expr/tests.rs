//! `expr` beside the real one.

use proptest::prelude::*;

use crate::tests::compare::{Comparison, same, words};

#[test]
fn usual_expressions() {
    for text in [
        "1 + 2", "1 - 2 - 3", "2 + 3 * 4", "( 2 + 3 ) * 4", "-7 / 2", "-7 % 3", "7 % -3", "1 - 1",
        "0", "-0", "000", "-", "''", "x", "1 = 01", "a = a", "a == b", "a != b", "10 > 9",
        "a10 > a9", "-1 <= 0", "3 >= 4", "1 < 2 < 2", "0 | x", "'' | ''", "a | b", "-0 | 7",
        "a & b", "0 & b", "a & ''", "1 | 1 / 0", "0 & x + y", "length abc", "length ''",
        "index abc cb", "index abc x", "substr abcdef 2 3", "substr abcdef 0 3",
        "substr abcdef 5 99", "substr abcdef -1 x", "match abc a.", "+ length", "length + length",
        "-- 1 + 1", "length abc + 1", "( a )", "9223372036854775806 + 1", "2 * -3", "length 5 * 5",
    ] {
        assert!(same("expr", &words(text), b""), "{text}");
    }
}

#[test]
fn usual_patterns() {
    for text in [
        "abc : abc", "abc : b", "abc : .*c", "abc : a*", "/usr/lib/x.so : .*/\\(.*\\)\\.so",
        "X/usr/lib/ : X\\(.*[^/]\\)//*[^/][^/]*/*$", "X// : X\\(//\\)$", "X/a : X\\(//\\)[^/]",
        "X/a : X\\(/\\)", "X : X\\(/\\)", "2024 : [0-9]*$", "2024x : [0-9]*$",
        "2024 : [0-9]\\{4\\}$", "2024 : [0-9]\\{2,3\\}", "2024 : [0-9]\\{1,\\}",
        "2024 : [[:digit:]]\\+", "x2 : y\\?x\\?2", "*a : *a", "a]b : a[]]b", "a-b : a[a-]b",
        "a^b : a^b", "a$b : a$b", "abab : ^abab$", "--x=1 : --[^=]*=\\(.*\\)", "--x : \\(.*\\)=",
        "abcabc : \\(a.*\\)b\\(.*\\)", "abc : \\(a\\(b\\)c\\)", "a.b : a\\.b", "axb : a\\.b",
        "'' : \\(.*\\)", "'' : .*", "xaby : x*a*b*\\(a*b*y\\)", "a : \\(*\\)", "* : \\(*\\)",
        "a : \\(a\\)*", "a : a\\|b", "a : \\w", "a : ^*", "a : [[=a=]]", "a : \\(^a\\)",
        "a : \\(a$\\)", "ab : \\(b\\|a\\)b", "xab : a",
    ] {
        assert!(same("expr", &words(text), b""), "{text}");
    }
    assert!(Comparison::new().bytes().same("expr", &["length", "\u{e9}"], b""));
    assert!(same("expr", &["a\nb", ":", "a[^x]*"], b""));
}

#[test]
fn what_is_wrong_or_rare_is_left_to_the_real_one() {
    for text in [
        "--help", "1 +", "1 2", "( 1", ")", "1 + x", "1 / 0", "9223372036854775807 + 1",
        "99999999999999999999 + 1", "length", "a : \\(a", "a : \\(b\\)*", "a : \\(a\\)\\{2\\}",
        "a : a\\{256\\}", "a : a**", "a : a\\)", "aa : \\(a\\)\\1", "a : [a", "( 1 + 1 ) : 2",
    ] {
        assert!(!Comparison::new().supports("expr", &words(text)), "{text}");
    }
    assert!(!Comparison::new().supports("expr", &[] as &[&str]));
    assert!(!Comparison::new().supports("expr", &["length", "\u{e9}"]));
    let deep: Vec<&str> = std::iter::repeat_n("(", 5000).collect();
    assert!(!Comparison::new().supports("expr", &deep));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_pattern(
        text in "[ab/]{0,8}",
        parts in prop::collection::vec(prop::sample::select(vec![
            "a", "b", ".", "[ab]", "[^a]", "*", "\\(", "\\)", "\\+", "\\?", "\\{1,2\\}", "\\{2\\}",
            "$", "^", "/", ".*", "a*", "[^/]*", "\\(.*\\)", "\\(a*\\)", "b*",
        ]), 0..7),
    ) {
        same("expr", &[&text, ":", &parts.concat()], b"");
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(vec![
        "1", "0", "-2", "x", "", "+", "-", "*", "/", "%", "<", "<=", "=", "!=", ">", "|", "&",
        "(", ")", ":", "length", "index", "substr", "match", "10", "a.*", "abc",
    ]), 1..8)) {
        same("expr", &words, b"");
    }
}
