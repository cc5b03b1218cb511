//! Numbers in texts: constants of an expression, and values of variables.

use super::Kind;
use crate::Dialect;
use crate::dialect::Constants;

/// The value of a variable as a number, if it is a plain one: white space around, a sign, digits
/// of any base. `None`: bash and ksh evaluate it as an expression, dash says `Illegal number: …`.
/// The empty text is 0.
#[inline]
pub fn parse_integer(text: &[u8], dialect: Dialect) -> Option<i64> {
    if let Some(value) = short_decimal(text) {
        return Some(value);
    }
    parse_slowly(text, dialect)
}

/// Up to 18 digits, no leading zero, a minus sign at most.
#[inline]
fn short_decimal(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > 18 || (digits[0] == b'0' && digits.len() > 1) {
        return None;
    }
    let mut value = 0i64;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + i64::from(digit);
    }
    Some(if negative { -value } else { value })
}

#[cold]
fn parse_slowly(text: &[u8], dialect: Dialect) -> Option<i64> {
    let trimmed = text.trim_ascii();
    if trimmed.is_empty() {
        return Some(0);
    }
    match dialect.profile().arithmetic.constants {
        Constants::C => c_integer(trimmed),
        Constants::CAndBases | Constants::DecimalAndBases => literal(trimmed, dialect),
    }
}

/// A signed constant with nothing around it but white space.
pub(super) fn literal(text: &[u8], dialect: Dialect) -> Option<i64> {
    let text = text.trim_ascii();
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if !digits.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let (length, value) = constant(digits, dialect);
    let value = value.ok().filter(|_| length == digits.len())?;
    Some(if negative { value.wrapping_neg() } else { value })
}

/// As `strtoimax` with base 0: 0x for 16, 0 for 8; `None` if it is too large or not all of the
/// text.
fn c_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let (base, digits) = match digits {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for &byte in digits {
        let digit = i64::from(char::from(byte).to_digit(base)?);
        value = value.checked_mul(i64::from(base))?;
        value = if negative { value.checked_sub(digit)? } else { value.checked_add(digit)? };
    }
    Some(value)
}

/// The constant at the start of a text that begins with a digit: how many bytes, and the value or
/// what is wrong with it.
pub(super) fn constant(text: &[u8], dialect: Dialect) -> (usize, Result<i64, Kind>) {
    match dialect.profile().arithmetic.constants {
        Constants::C => c_constant(text),
        Constants::CAndBases => constant_with_bases(text),
        Constants::DecimalAndBases => decimal_with_bases(text),
    }
}

/// [`Constants::C`]: what follows the digits is another token; too large is the largest.
fn c_constant(text: &[u8]) -> (usize, Result<i64, Kind>) {
    let hex = matches!(text, [b'0', b'x' | b'X', d, ..] if d.is_ascii_hexdigit());
    let (base, skipped) = match text {
        _ if hex => (16, 2),
        [b'0', ..] => (8, 0),
        _ => (10, 0),
    };
    let mut value = Some(0i64);
    let mut length = skipped;
    while let Some(digit) = text.get(length).and_then(|&byte| char::from(byte).to_digit(base)) {
        value = value
            .and_then(|v| v.checked_mul(i64::from(base)))
            .and_then(|v| v.checked_add(i64::from(digit)));
        length += 1;
    }
    (length, Ok(value.unwrap_or(i64::MAX)))
}

/// [`Constants::CAndBases`]: letters, digits and `#@_` are one token; it wraps around.
fn constant_with_bases(text: &[u8]) -> (usize, Result<i64, Kind>) {
    let length = text
        .iter()
        .position(|&b| !(b.is_ascii_alphanumeric() || matches!(b, b'#' | b'@' | b'_')))
        .unwrap_or(text.len());
    let token = &text[..length];
    let (mut base, mut based, digits) = match token {
        [b'0', b'x' | b'X', rest @ ..] => (16, true, rest),
        [b'0', _, ..] => (8, true, &token[1..]),
        _ => (10, false, token),
    };
    let mut value = 0i64;
    for (at, &byte) in digits.iter().enumerate() {
        if byte == b'#' {
            if based {
                return (length, Err(Kind::InvalidNumber));
            }
            if !(2..=64).contains(&value) {
                return (length, Err(Kind::InvalidBase));
            }
            if at + 1 == digits.len() {
                return (length, Err(Kind::NoDigits));
            }
            (base, based, value) = (value, true, 0);
            continue;
        }
        match digit_of(byte, base) {
            Some(digit) => value = value.wrapping_mul(base).wrapping_add(digit),
            None => return (length, Err(Kind::DigitTooGreat)),
        }
    }
    (length, Ok(value))
}

/// The value of a digit if it is one in this base: beyond 36, small letters come before capitals.
fn digit_of(byte: u8, base: i64) -> Option<i64> {
    let digit = match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'z' => byte - b'a' + 10,
        b'A'..=b'Z' if base > 36 => byte - b'A' + 36,
        b'A'..=b'Z' => byte - b'A' + 10,
        b'@' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(i64::from(digit)).filter(|digit| *digit < base)
}

/// Digits alone, whatever they begin with.
fn c_decimal(digits: &[u8]) -> Option<i64> {
    let zeros = digits.iter().take_while(|b| **b == b'0').count();
    short_decimal(&digits[zeros..])
}

/// [`Constants::DecimalAndBases`]: a leading zero means nothing; what is too large would become
/// floating point.
fn decimal_with_bases(text: &[u8]) -> (usize, Result<i64, Kind>) {
    let (base, start) = match text {
        [b'0', b'x' | b'X', ..] => (16, 2),
        _ => match text.iter().position(|b| !b.is_ascii_digit()) {
            Some(at) if text[at] == b'#' => match c_decimal(&text[..at]) {
                Some(base @ 2..=64) => (base, at + 1),
                _ => return (at + 1, Err(Kind::InvalidBase)),
            },
            _ => (10, 0),
        },
    };
    let mut value = 0i64;
    let mut length = start;
    while let Some(digit) = text.get(length).and_then(|&byte| digit_of(byte, base)) {
        let more = value.checked_mul(base).and_then(|v| v.checked_add(digit));
        value = match more {
            Some(more) => more,
            None if base == 10 => return (length, Err(Kind::Unsupported)),
            None => value.wrapping_mul(base).wrapping_add(digit),
        };
        length += 1;
    }
    match text.get(length) {
        Some(b'.') => (length, Err(Kind::Unsupported)),
        Some(b'e' | b'E') if base == 10 => (length, Err(Kind::Unsupported)),
        Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'#' | b'@') => {
            (length, Err(Kind::DigitTooGreat))
        }
        _ if length == start => (length, Err(Kind::NoDigits)),
        _ => (length, Ok(value)),
    }
}
