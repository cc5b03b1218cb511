//! `${x^p}`, `${x,,p}`, `${x~~p}` and `declare -u`: upper and lower case.

use super::Pattern;
use super::character::{decode, push};

/// What becomes of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `^`
    Upper,
    /// `,`
    Lower,
    /// `~`: the other one.
    Other,
}

/// The text with the case of its first character, or of `all`, changed where the pattern (none:
/// anything) matches that character; behind `out`. Where characters are bytes, only ASCII has
/// cases.
pub fn change(
    text: &[u8],
    case: Case,
    all: bool,
    pattern: Option<&Pattern>,
    utf8: bool,
    out: &mut Vec<u8>,
) {
    let mut at = 0;
    while at < text.len() {
        let (code, length) = match utf8 {
            true => decode(text, at),
            false => (u32::from(text[at]), 1),
        };
        let character = &text[at..at + length];
        at += length;
        if pattern.is_some_and(|pattern| !pattern.matches(character)) || !utf8 && code > 127 {
            out.extend_from_slice(character);
        } else if code < 128 {
            out.push(changed(code, case) as u8);
        } else {
            push(out, changed(code, case));
        }
        if !all {
            break;
        }
    }
    out.extend_from_slice(&text[at..]);
}

fn changed(code: u32, case: Case) -> u32 {
    match case {
        Case::Upper => sys::to_upper(code),
        Case::Lower => sys::to_lower(code),
        Case::Other => match sys::to_lower(code) {
            same if same == code => sys::to_upper(code),
            lower => lower,
        },
    }
}
