//! Numbers and question marks on the right of a column.

/// Prints the blanks before something that takes `columns` of `width`.
#[inline]
pub(crate) fn push_blanks(width: usize, columns: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + width.saturating_sub(columns), b' ');
}

/// Prints a number on the right of `width` columns.
#[inline]
pub(crate) fn push_right(width: usize, number: u64, out: &mut Vec<u8>) {
    push_blanks(width, digits(number), out);
    push_number(number, out);
}

/// Prints a question mark on the right of `width` columns.
pub(crate) fn push_unknown(width: usize, out: &mut Vec<u8>) {
    push_blanks(width, 1, out);
    out.push(b'?');
}

/// Appends a number in decimal.
pub(crate) fn push_number(mut number: u64, out: &mut Vec<u8>) {
    let mut text = [0; 20];
    let mut start = text.len();
    loop {
        start -= 1;
        text[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return out.extend_from_slice(&text[start..]);
        }
    }
}

/// How many digits a number has.
pub(crate) fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}
