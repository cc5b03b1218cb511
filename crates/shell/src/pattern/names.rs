//! `[:…:]`, `[.….]` and `[=…=]`: names within brackets.

use super::character;

/// The name whose `:`, `.` or `=` is at `at`, and where its closing `]` has been passed.
pub(super) fn between(text: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let mark = *text.get(at)?;
    let rest = &text[at + 1..];
    let end = rest.windows(2).position(|pair| pair == [mark, b']'])?;
    Some((&rest[..end], at + 1 + end + 2))
}

/// The character of this name: itself, or as POSIX calls it.
pub(super) fn character(name: &[u8], utf8: bool) -> Option<u32> {
    match name {
        [] => None,
        [byte] => Some(u32::from(*byte)),
        _ if utf8 && character::decode(name, 0).1 == name.len() => {
            Some(character::decode(name, 0).0)
        }
        _ => CONTROLS.iter().position(|&it| it.as_bytes() == name).map(|code| code as u32).or_else(
            || {
                let found = PRINTED.iter().find(|(it, _)| it.as_bytes() == name);
                found.map(|&(_, byte)| u32::from(byte))
            },
        ),
    }
}

/// The first 32, in order (POSIX, table of the portable character set, and ISO 646).
const CONTROLS: [&str; 32] = [
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "alert", "backspace", "tab", "newline",
    "vertical-tab", "form-feed", "carriage-return", "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4",
    "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "IS4", "IS3", "IS2", "IS1",
];

const PRINTED: [(&str, u8); 54] = [
    ("BEL", 7),
    ("BS", 8),
    ("HT", 9),
    ("LF", 10),
    ("VT", 11),
    ("FF", 12),
    ("CR", 13),
    ("space", b' '),
    ("exclamation-mark", b'!'),
    ("quotation-mark", b'"'),
    ("number-sign", b'#'),
    ("dollar-sign", b'$'),
    ("percent-sign", b'%'),
    ("ampersand", b'&'),
    ("apostrophe", b'\''),
    ("left-parenthesis", b'('),
    ("right-parenthesis", b')'),
    ("asterisk", b'*'),
    ("plus-sign", b'+'),
    ("comma", b','),
    ("hyphen", b'-'),
    ("hyphen-minus", b'-'),
    ("minus", b'-'),
    ("dash", b'-'),
    ("period", b'.'),
    ("full-stop", b'.'),
    ("slash", b'/'),
    ("solidus", b'/'),
    ("zero", b'0'),
    ("one", b'1'),
    ("two", b'2'),
    ("three", b'3'),
    ("four", b'4'),
    ("five", b'5'),
    ("six", b'6'),
    ("seven", b'7'),
    ("eight", b'8'),
    ("nine", b'9'),
    ("colon", b':'),
    ("semicolon", b';'),
    ("less-than-sign", b'<'),
    ("equals-sign", b'='),
    ("greater-than-sign", b'>'),
    ("question-mark", b'?'),
    ("commercial-at", b'@'),
    ("left-square-bracket", b'['),
    ("backslash", b'\\'),
    ("right-square-bracket", b']'),
    ("circumflex", b'^'),
    ("underscore", b'_'),
    ("grave-accent", b'`'),
    ("left-brace", b'{'),
    ("right-brace", b'}'),
    ("tilde", b'~'),
];
