//! Patterns by example, what they cost, and what they must never cost.

use std::time::{Duration, Instant};

use fewer::Scope;
use fewer_shell::pattern::cases::{Case, change};
use fewer_shell::pattern::files::{FileOptions, expand, is_pattern};
use fewer_shell::pattern::regex::Regex;
use fewer_shell::pattern::replace::{Replacement, Style, Which, replace};
use fewer_shell::pattern::slices::{EndBeforeStart, length, slice};
use fewer_shell::pattern::{Options, Pattern};
use sys::Call;

const USUAL: Options =
    Options { extended: true, utf8: true, fold_case: false, plain_classes: false };

fn pattern(text: &str) -> Pattern {
    Pattern::new(text.as_bytes(), USUAL)
}

fn replaced(text: &str, pattern_text: &str, which: Which, by: &str) -> String {
    let mut out = Vec::new();
    let replacement = Replacement { text: by.as_bytes(), style: Style::Ampersand };
    replace(text.as_bytes(), &pattern(pattern_text), which, &replacement, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn stars_classes_and_groups_match_as_in_bash() {
    for (text, pat, expected) in [
        ("abc", "a*c", true),
        ("abc", "a?d", false),
        ("é", "?", true),
        ("aab", "*(a|b)", true),
        ("abc", "!(abc)", false),
        ("abcd", "!(abc)", true),
        ("a", "!(a)*", true),
        ("aab", "*a*a*a*b", false),
        ("aaab", "*a*a*a*b", true),
        ("x.tar.gz", "*.@(tar.gz|zip)", true),
        ("é", "[[:alpha:]]", true),
        ("a-z", "a[\\-x]z", true),
        ("]", "[]]", true),
        ("[a", "[a", true),
        ("@(a", "@(a", true),
        ("*", "\\*", true),
        ("x", "\\*", false),
    ] {
        assert_eq!(pattern(pat).matches(text.as_bytes()), expected, "{text} {pat}");
    }
}

#[test]
fn a_text_that_is_not_utf_8_is_matched_by_bytes() {
    for (text, pat, expected) in [
        (&b"\xff"[..], &b"?"[..], true),
        (b"\xc3\xa9\xff", b"???", true),
        (b"\xc3\xa9\xff", b"??", false),
        (b"\xc3\xa9", b"*\xa9", true),
        (b"\xc3\xa9", b"?", true),
    ] {
        assert_eq!(Pattern::new(pat, USUAL).matches(text), expected, "{text:?} {pat:?}");
    }
}

#[test]
fn what_has_a_meaning_is_a_pattern() {
    assert!(is_pattern(b"a*", false) && !is_pattern(b"a\\*", false) && !is_pattern(b"a[", false));
    assert!(is_pattern(b"@(a)", true) && !is_pattern(b"@(a)", false));
}

#[test]
fn the_longest_and_the_shortest_are_cut_off() {
    assert_eq!(pattern("*/").prefix(b"a/b/c", true), Some(4));
    assert_eq!(pattern("*/").prefix(b"a/b/c", false), Some(2));
    assert_eq!(pattern("/*").suffix(b"a/b/c", true), Some(1));
    assert_eq!(pattern("/*").suffix(b"a/b/c", false), Some(3));
    assert_eq!(pattern("+([0-9])").suffix(b"ab12", true), Some(2));
    assert_eq!(pattern("x").prefix(b"a/b/c", true), None);
    assert_eq!(pattern("+([0-9])").find(b"ab123c4", 0), Some((2, 5)));
    assert_eq!(pattern("+([0-9])").find(b"ab123c4", 5), Some((6, 7)));
    assert_eq!(pattern("b*c").find(b"abcbcd", 0), Some((1, 5)));
}

/// `r='\n'; echo "${x/b/$r}"` and so on, in bash.
#[test]
fn replacements_say_what_was_matched() {
    for (by, expected) in [
        ("\\n", "a\\nc"),
        ("\\\\", "a\\c"),
        ("\\\\n", "a\\nc"),
        ("\\&", "a&c"),
        ("\\\\&", "a\\bc"),
        ("&&", "abbc"),
        ("a\\", "aa\\c"),
    ] {
        assert_eq!(replaced("abc", "b", Which::First, by), expected, "{by}");
    }
}

#[test]
fn empty_matches_are_replaced_as_in_bash() {
    for (text, pat, which, expected) in [
        ("abc", "*(z)", Which::First, "-abc"),
        ("abc", "*(z)", Which::All, "-a-b-c"),
        ("abc", "?(b)", Which::All, "-a--c"),
        ("abc", "", Which::Prefix, "-abc"),
        ("abc", "", Which::Suffix, "abc-"),
        ("abc", "", Which::First, "abc"),
        ("abc", "", Which::All, "abc"),
        ("", "*", Which::First, "-"),
        ("", "?(a)", Which::First, ""),
        ("aaa", "a", Which::All, "---"),
        ("aaa", "%", Which::All, "aaa"),
    ] {
        assert_eq!(replaced(text, pat, which, "-"), expected, "{text} {pat} {which:?}");
    }
}

#[test]
fn cases_change_where_the_pattern_matches() {
    let changed = |text: &str, case, all, pat: Option<&str>| {
        let (pat, mut out) = (pat.map(pattern), Vec::new());
        change(text.as_bytes(), case, all, pat.as_ref(), true, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    };
    assert_eq!(changed("äöü", Case::Upper, false, None), "Äöü");
    assert_eq!(changed("äöü", Case::Upper, true, Some("[ö]")), "äÖü");
    assert_eq!(changed("ÄbC", Case::Lower, true, Some("[A-C]")), "Äbc");
    assert_eq!(changed("ßǆıŉ", Case::Upper, true, None), "ßǄIŉ");
    let mut out = Vec::new();
    change(b"\xffa\xc3\xa4", Case::Upper, true, None, false, &mut out);
    assert_eq!(out, b"\xffA\xc3\xa4");
}

/// As `${z:…}` in bash for z=aaa.
#[test]
fn slices_are_those_of_bash() {
    let z = |offset, length| slice(b"aaa", offset, length, true).map(<[u8]>::len);
    for (offset, length, expected) in [
        (5, None, Ok(0)),
        (3, None, Ok(0)),
        (2, Some(5), Ok(1)),
        (0, Some(-1), Ok(2)),
        (-5, None, Ok(0)),
        (-5, Some(2), Ok(0)),
        (1, Some(-1), Ok(1)),
        (2, Some(-2), Err(EndBeforeStart)),
        (4, Some(-2), Ok(0)),
        (0, Some(-3), Ok(0)),
        (0, Some(-4), Err(EndBeforeStart)),
        (-5, Some(-1), Ok(0)),
        (i64::MIN, Some(i64::MIN), Ok(0)),
        (0, Some(i64::MAX), Ok(3)),
    ] {
        assert_eq!(z(offset, length), expected, "{offset} {length:?}");
    }
    assert_eq!(slice("äöü".as_bytes(), 1, Some(1), true), Ok("ö".as_bytes()));
    assert_eq!(slice("äöü".as_bytes(), -2, None, true), Ok("öü".as_bytes()));
    assert_eq!(length("äöü".as_bytes(), true), 3);
    assert_eq!(length(b"\xffa", true), 2);
    assert_eq!(length("äöü".as_bytes(), false), 6);
}

#[test]
fn a_regular_expression_gives_its_groups() {
    let found = Regex::new(b"b(x)?(.)", true, false).map(|it| it.captures("abé".as_bytes()));
    assert_eq!(found, Ok(Some(vec![Some((1, 4)), None, Some((2, 4))])));
    assert!(Regex::new(b"(", true, false).is_err());
    let bytes = Regex::new(b"^..$", false, false);
    assert!(bytes.is_ok_and(|it| it.captures(b"\xc3\xa9").is_some()));
}

/// What makes other shells stand still.
#[test]
fn no_pattern_takes_for_ever() {
    let started = Instant::now();
    let text = [&b"a".repeat(2000)[..], b"c"].concat();
    for pat in [
        "*a*a*a*a*a*a*a*b", "*(a)*(a)*(a)*(a)*(a)b", "*(*(*(*(*(a)))))b", "+(a|aa|aaa)b",
        "*(a|*(a|*(a|*(a))))b", "?*?*?*?*b", "*[a]*[a]*[a]*[b]",
    ] {
        let pat = pattern(pat);
        assert!(!pat.matches(&text));
        assert_eq!((pat.prefix(&text, true), pat.suffix(&text, false)), (None, None));
        assert_eq!(pat.find(&text, 0), None);
    }
    let short = &text[1800..];
    assert!(pattern("!(!(!(a*b)))").matches(short));
    let negated = pattern("*(!(a|!(b)))b*");
    assert!(negated.matches(b"bbx") && !negated.matches(b"ab"));
    let deep = "@(".repeat(20_000) + "a" + &")".repeat(20_000);
    assert!(!pattern(&deep).matches(b"b"));
    assert!(!pattern(&"[".repeat(20_000)).matches(b"b"));
    let many = "a ".repeat(20_000);
    assert_eq!(replaced(&many, "+([[:space:]])", Which::All, "").len(), 20_000);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn names_of_files_cost_three_calls_a_directory() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    for dir in ["a", "b", "c"] {
        std::fs::create_dir(root.path().join(dir))?;
        for file in ["x.txt", "y.c", ".hidden"] {
            std::fs::write(root.path().join(dir).join(file), "")?;
        }
    }
    std::fs::write(root.path().join("file"), "")?;
    let scope = Scope::start().enter(root.path())?;
    let options = FileOptions { extended: true, utf8: true, ..FileOptions::default() };
    for (pat, found, directories, others) in [
        ("*", 4, 1, 0),
        ("*/*.txt", 3, 4, 0),
        ("a/*", 2, 1, 0),
        ("*/", 3, 1, 0),
        ("*/x.txt", 3, 1, 3),
        ("*/.*", 3, 4, 0),
        ("nothing", 0, 0, 0),
        ("a\\*", 0, 0, 0),
    ] {
        let before = sys::calls();
        let names = expand(&scope, pat.as_bytes(), &options);
        let calls = sys::calls().since(&before);
        assert_eq!(names.len(), found, "{pat}: {names:?}");
        let of = |call| calls.of(call);
        assert_eq!((of(Call::Openat), of(Call::Close)), (directories, directories), "{pat}");
        // Twice where the file system does not mark the end of a directory.
        assert!((directories..=2 * directories).contains(&of(Call::Getdents64)), "{pat}");
        assert_eq!(calls.total() - 2 * directories - of(Call::Getdents64), others, "{pat}");
    }
    Ok(())
}
