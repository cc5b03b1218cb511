//! The order of names with numbers in them: as GNU's version sort does (coreutils manual, "Version
//! sort ordering").
//!
//! Empty, `.` and `..` come first, then names that start with a dot. Endings that look like file
//! extensions (a dot, a letter or `~`, then letters, digits and `~`, repeated) are ignored unless
//! the rest is the same. The rest is compared piece by piece: text without digits, in which `~`
//! comes before the end, letters before everything else; then a number by its value.

use std::cmp::Ordering;

/// Compares two names.
pub(super) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    first(a, b).unwrap_or_else(|| {
        let (a_stem, b_stem) = (stem(a), stem(b));
        let by_stem = pieces(&a[..a_stem], &b[..b_stem]);
        by_stem.then_with(|| pieces(a, b))
    })
}

/// The order of two names if one of them is of those that come first.
fn first(a: &[u8], b: &[u8]) -> Option<Ordering> {
    let rank = |name: &[u8]| match name {
        b"" => 0,
        b"." => 1,
        b".." => 2,
        [b'.', ..] => 3,
        _ => 4,
    };
    let order = rank(a).cmp(&rank(b));
    (order.is_ne() || rank(a) < 3).then_some(order)
}

/// The length of the name without its endings: the shortest beginning that only endings follow.
fn stem(name: &[u8]) -> usize {
    let mut stem = 0;
    loop {
        let end = stem + endings(&name[stem..]);
        if end >= name.len() {
            return stem;
        }
        stem = end + 1;
    }
}

/// The length of the endings that `text` begins with.
fn endings(text: &[u8]) -> usize {
    let mut at = 0;
    while text.get(at) == Some(&b'.')
        && text.get(at + 1).is_some_and(|&b| b.is_ascii_alphabetic() || b == b'~')
    {
        at += 2;
        while text.get(at).is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'~') {
            at += 1;
        }
    }
    at
}

fn pieces(mut a: &[u8], mut b: &[u8]) -> Ordering {
    while !(a.is_empty() && b.is_empty()) {
        let order = text(&mut a, &mut b).then_with(|| number(&mut a, &mut b));
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

/// Takes and compares the text before the next digits.
fn text(a: &mut &[u8], b: &mut &[u8]) -> Ordering {
    loop {
        let (x, y) = (weight(a.first()), weight(b.first()));
        if x != y {
            return x.cmp(&y);
        }
        match (a.split_first(), b.split_first()) {
            (Some((x, a_rest)), Some((_, b_rest))) if !x.is_ascii_digit() => {
                (*a, *b) = (a_rest, b_rest);
            }
            _ => return Ordering::Equal,
        }
    }
}

/// `~`, then the end of the name or of the text, then letters, then everything else.
fn weight(byte: Option<&u8>) -> i32 {
    match byte {
        None => 0,
        Some(b'~') => -1,
        Some(byte) if byte.is_ascii_digit() => 0,
        Some(byte) if byte.is_ascii_alphabetic() => i32::from(*byte),
        Some(byte) => i32::from(*byte) + 256,
    }
}

/// Takes and compares the digits at the beginning, by the value of the number.
fn number(a: &mut &[u8], b: &mut &[u8]) -> Ordering {
    let (x, y) = (digits(a), digits(b));
    x.len().cmp(&y.len()).then_with(|| x.cmp(y))
}

/// Takes the digits at the beginning; without zeros in front.
fn digits<'t>(text: &mut &'t [u8]) -> &'t [u8] {
    let end = text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    *text = rest;
    let zeros = number.iter().take_while(|&&digit| digit == b'0').count();
    &number[zeros..]
}
