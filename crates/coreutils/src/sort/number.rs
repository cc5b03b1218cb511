//! The number that a line begins with, of any length.

use std::cmp::Ordering;

/// Blanks, a minus, digits, a point, digits. Each may be missing; no digits are 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Number<'t> {
    negative: bool,
    /// Without zeros in front.
    whole: &'t [u8],
    /// Without zeros at the end.
    behind: &'t [u8],
}

impl<'t> Number<'t> {
    pub(super) fn new(line: &'t [u8]) -> Number<'t> {
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n')).count();
        let line = &line[blanks..];
        let unsigned = line.strip_prefix(b"-").unwrap_or(line);
        let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (whole, rest) = unsigned.split_at(digits(unsigned));
        let behind = rest.strip_prefix(b".").unwrap_or_default();
        let behind = &behind[..digits(behind)];
        let zeros = whole.iter().take_while(|&&digit| digit == b'0').count();
        let whole = &whole[zeros..];
        let end = behind.iter().rposition(|&digit| digit != b'0').map_or(0, |last| last + 1);
        let behind = &behind[..end];
        let is_zero = whole.is_empty() && behind.is_empty();
        Number { negative: unsigned.len() < line.len() && !is_zero, whole, behind }
    }

    fn size(&self, other: &Number<'_>) -> Ordering {
        let longer = self.whole.len().cmp(&other.whole.len());
        longer.then_with(|| self.whole.cmp(other.whole)).then_with(|| self.behind.cmp(other.behind))
    }
}

impl Ord for Number<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.size(other),
            (true, true) => other.size(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Number<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
