//! Shell patterns from any text against any text: no panic, no endless work, and all answers about
//! one pattern agree with one another.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shell::pattern::cases::{Case, change};
use shell::pattern::files::is_pattern;
use shell::pattern::regex::Regex;
use shell::pattern::replace::{Replacement, Style, Which, replace};
use shell::pattern::slices::{length, slice};
use shell::pattern::{Options, Pattern};

// The first line is the pattern, behind a byte of options; the rest is the text.
fuzz_target!(|input: &[u8]| {
    let Some((&flags, input)) = input.split_first() else { return };
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
    let (pattern_text, text) = (&input[..end], input.get(end + 1..).unwrap_or_default());
    let (utf8, extended) = (flags & 1 != 0, flags & 2 != 0);
    let (fold_case, plain_classes) = (flags & 4 != 0, flags & 32 != 0);
    let options = Options { extended, utf8, fold_case, plain_classes };
    let pattern = Pattern::new(pattern_text, options);
    agree(&pattern, text);
    change_text(&pattern, text, utf8, flags);
    let _ = is_pattern(pattern_text, extended);
    if flags & 8 != 0
        && pattern_text.len() < 64
        && let Ok(regex) = Regex::new(pattern_text, utf8, false)
    {
        let _ = regex.captures(&text[..text.len().min(256)]);
    }
});

fn agree(pattern: &Pattern, text: &[u8]) {
    let matched = pattern.matches(text);
    let (short, long) = (pattern.prefix(text, false), pattern.prefix(text, true));
    assert_eq!(short.is_some(), long.is_some());
    assert!(short <= long);
    assert!(!matched || long == Some(text.len()));
    let (late, early) = (pattern.suffix(text, false), pattern.suffix(text, true));
    assert_eq!(late.is_some(), early.is_some());
    assert!(early <= late);
    assert!(!matched || early == Some(0));
    let found = pattern.find(text, 0);
    assert!(found.is_some() || long.is_none() && late.is_none());
    if let (Some(long), Some(found)) = (long, found) {
        assert_eq!(found, (0, long));
    }
}

fn change_text(pattern: &Pattern, text: &[u8], utf8: bool, flags: u8) {
    let replacement = Replacement { text: b"<&\\&>", style: Style::Ampersand };
    let mut out = Vec::new();
    for which in [Which::First, Which::All, Which::Prefix, Which::Suffix] {
        replace(text, pattern, which, &replacement, &mut out);
    }
    change(text, Case::Upper, flags & 16 != 0, Some(pattern), utf8, &mut out);
    let count = length(text, utf8) as i64;
    let offset = i64::from(flags >> 4);
    if let (Ok(front), Ok(back)) =
        (slice(text, 0, Some(offset), utf8), slice(text, offset, None, utf8))
    {
        assert_eq!([front, back].concat(), text);
        assert_eq!(length(back, utf8) as i64, (count - offset).max(0));
    }
}
