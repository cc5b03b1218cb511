//! Numbers and question marks on the right of a column.

/// No number has more digits.
const DIGITS: usize = 20;

/// Appends the blanks before something that takes `columns` of `width`.
///
/// Price: none.
#[inline]
pub fn push_blanks(width: usize, columns: usize, out: &mut Vec<u8>) {
    if width > columns {
        out.resize(out.len() + width - columns, b' ');
    }
}

/// Appends a number in decimal on the right of `width` columns.
///
/// Price: none.
pub fn push_right(width: usize, number: u64, out: &mut Vec<u8>) {
    let mut text = [b' '; DIGITS];
    let start = write_digits(number, &mut text);
    push_blanks(width, DIGITS, out);
    out.extend_from_slice(&text[start.min(DIGITS.saturating_sub(width))..]);
}

/// Appends a text on the left of `width` columns, and at least one blank.
///
/// Price: none.
pub fn push_left(width: usize, text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(text);
    push_blanks(width, text.len().min(width.saturating_sub(1)), out);
}

/// Appends a question mark on the right of `width` columns.
///
/// Price: none.
pub fn push_unknown(width: usize, out: &mut Vec<u8>) {
    push_blanks(width, 1, out);
    out.push(b'?');
}

/// Appends a number in decimal.
///
/// Price: none.
pub fn push_number(number: u64, out: &mut Vec<u8>) {
    let mut text = [0; DIGITS];
    let start = write_digits(number, &mut text);
    out.extend_from_slice(&text[start..]);
}

/// Writes a number at the end of a text, and returns where it begins.
#[inline]
fn write_digits(mut number: u64, text: &mut [u8; DIGITS]) -> usize {
    let mut start = DIGITS;
    loop {
        start -= 1;
        text[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return start;
        }
    }
}

/// How many digits a number has.
///
/// Price: none.
#[must_use]
pub fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values are those of printf %*d.
    #[test]
    fn numbers_stand_on_the_right() {
        for (width, number, expected) in [
            (0, 0, "0"),
            (1, 123, "123"),
            (6, 42, "    42"),
            (20, u64::MAX, "18446744073709551615"),
            (23, u64::MAX, "   18446744073709551615"),
            (23, 7, "                      7"),
        ] {
            let mut out = Vec::new();
            push_right(width, number, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected, "{number} in {width}");
        }
    }
}
