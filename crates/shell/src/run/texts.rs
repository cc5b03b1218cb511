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

/// Where dash keeps a name, in a table of so many rows: what it lists comes row by row.
pub(crate) fn dash_bucket(name: &[u8], rows: u32) -> u32 {
    let first = u32::from(name.first().copied().unwrap_or_default()) << 4;
    name.iter().fold(first, |sum, byte| sum.wrapping_add(u32::from(*byte))) % rows
}

/// A text in upper or lower case.
pub(crate) fn in_case(text: &[u8], upper: bool, utf8: bool) -> Text {
    let case = if upper { Case::Upper } else { Case::Lower };
    let mut out = Vec::with_capacity(text.len());
    cases::change(text, case, true, None, utf8, &mut out);
    Text::from_vec(out)
}
