//! Small texts.

use crate::Text;
use crate::pattern::cases::{self, Case};

/// A number's digits.
#[inline]
pub(crate) fn number(value: i64) -> Text {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    Text::from_slice(&digits[at..])
}

/// The number that a text is, and nothing else.
pub(crate) fn parsed<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// A text in upper or lower case.
pub(crate) fn in_case(text: &[u8], upper: bool, utf8: bool) -> Text {
    let case = if upper { Case::Upper } else { Case::Lower };
    let mut out = Vec::with_capacity(text.len());
    cases::change(text, case, true, None, utf8, &mut out);
    Text::from_vec(out)
}

/// ksh: adds a value as a pattern. A backslash before some letters makes a class of them.
pub(super) fn with_classes(value: &[u8], out: &mut Text) {
    // In a bracket it does not.
    if memchr::memchr(b'\\', value).is_none() || value.contains(&b'[') {
        return out.extend_from_slice(value);
    }
    let mut bytes = value.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some(letter) = bytes.next() else { return out.push(byte) };
        let class: &[u8] = match letter {
            b'a' => b"\x07",
            b'e' | b'E' => b"\x1b",
            b'f' => b"\x0c",
            b'n' => b"\n",
            b'r' => b"\r",
            b't' => b"\t",
            b'v' => b"\x0b",
            b'd' => b"[[:digit:]]",
            b'D' => b"[![:digit:]]",
            b's' => b"[[:space:]]",
            b'S' => b"[![:space:]]",
            b'w' => b"[_[:alnum:]]",
            b'W' => b"[!_[:alnum:]]",
            // Places, which no character is.
            b'b' | b'A' | b'Z' | b'z' => b"",
            b'c' | b'x' | b'B' | b'C' => b"!(*)",
            other => {
                out.extend_from_slice(&[b'\\', other]);
                continue;
            }
        };
        out.extend_from_slice(class);
    }
}

/// Bytes as a path.
pub(crate) fn as_path(bytes: &[u8]) -> &std::path::Path {
    use std::os::unix::ffi::OsStrExt;
    std::path::Path::new(std::ffi::OsStr::from_bytes(bytes))
}
