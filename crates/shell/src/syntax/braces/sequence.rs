//! `{1..9}`, `{a..e..2}`

use super::{Unclear, Unit, WORDS_LIMIT};
use crate::dialect::Braces;
use crate::syntax::tree::Piece;

/// The words of `first..last` or `first..last..step`; none if it is neither.
pub(super) fn expand(text: &[u8], rules: &Braces) -> Result<Option<Vec<Vec<Unit>>>, Unclear> {
    let Some((first, rest)) = cut(text) else { return Ok(None) };
    let (last, step) = match cut(rest) {
        Some((last, step)) => (last, Some(step)),
        None => (rest, None),
    };
    let step = match step.map(integer) {
        None => 1,
        Some(Some(step)) => step,
        Some(None) => return Ok(None),
    };
    let octal = |text: &[u8]| width(text, b"") > 0;
    if rules.only_plain && (octal(first) || octal(last)) {
        return Err(Unclear::OnlyKsh);
    }
    let numbers = integer(first).zip(integer(last));
    let (from, to) = match (numbers, first, last) {
        (Some(numbers), ..) => numbers,
        (None, [a], [b]) if letters(*a, *b, rules) => (i64::from(*a), i64::from(*b)),
        _ if rules.only_plain && first.iter().chain(last).any(u8::is_ascii_digit) => {
            return Err(Unclear::OnlyKsh);
        }
        _ => return Ok(None),
    };
    let Some(step) = direction(from, to, step, rules) else { return Ok(None) };
    let width = if numbers.is_some() && rules.padded_numbers { width(first, last) } else { 0 };
    let mut words = Vec::new();
    let mut value = from;
    loop {
        words.push(if numbers.is_some() { number(value, width) } else { letter(value) });
        if words.len() > WORDS_LIMIT {
            return Err(Unclear::TooMany);
        }
        value = match value.checked_add(step) {
            Some(next) if if step > 0 { next <= to } else { next >= to } => next,
            _ => return Ok(Some(words)),
        };
    }
}

fn cut(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let dots = text.windows(2).position(|w| w == b"..")?;
    Some((&text[..dots], &text[dots + 2..]))
}

/// A decimal number with or without a sign.
fn integer(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn letters(a: u8, b: u8, rules: &Braces) -> bool {
    let same_case = a.is_ascii_lowercase() == b.is_ascii_lowercase();
    a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && (same_case || rules.mixed_cases)
}

/// The step with the sign that leads from the one to the other, unless its own sign counts: then it
/// is left as it is, and may not be 0.
fn direction(from: i64, to: i64, step: i64, rules: &Braces) -> Option<i64> {
    if rules.signed_steps {
        // Without a step, it is -1 downwards.
        let step = if step == 1 && from > to { -1 } else { step };
        let wrong = step > 0 && from > to || step < 0 && from < to;
        return match step {
            0 => None,
            // Only the first word.
            _ if wrong => Some(if from < to { i64::MAX } else { i64::MIN }),
            step => Some(step),
        };
    }
    let size = if step == 0 { 1 } else { step.checked_abs()? };
    Some(if from > to { -size } else { size })
}

/// How wide numbers are made by zeros: as wide as the wider one, if one of them begins with a zero.
fn width(first: &[u8], last: &[u8]) -> usize {
    let padded = |text: &[u8]| match text {
        [b'0', rest @ ..] | [b'-', b'0', rest @ ..] => !rest.is_empty(),
        _ => false,
    };
    if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 }
}

fn number(value: i64, width: usize) -> Vec<Unit> {
    format!("{value:0width$}").into_bytes().into_iter().map(Unit::Byte).collect()
}

fn letter(value: i64) -> Vec<Unit> {
    match u8::try_from(value) {
        // Between `Z` and `a`: it quotes nothing, and goes.
        Ok(b'\\') | Err(_) => vec![Unit::Other(Piece::Quoted(Vec::new()))],
        Ok(byte) => vec![Unit::Byte(byte)],
    }
}
