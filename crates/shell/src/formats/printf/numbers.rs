//! The arguments of `%d` and `%f`.

use super::directive::Directive;
use super::{Printf, World};
use crate::arithmetic;
use crate::formats::float::{self, Precision, Size};

/// What stands at the start of a text.
struct Integer {
    negative: bool,
    /// `None` if it has more than 64 bits.
    value: Option<u64>,
    length: usize,
    digits: bool,
}

/// As `strtoimax` with base 0.
fn integer(text: &[u8]) -> Integer {
    let white = text.iter().take_while(|b| matches!(b, b' ' | 9..=13)).count();
    let (negative, start) = match text.get(white) {
        Some(b'-') => (true, white + 1),
        Some(b'+') => (false, white + 1),
        _ => (false, white),
    };
    let hexadecimal = matches!(&text[start..], [b'0', b'x' | b'X', d, ..] if d.is_ascii_hexdigit());
    let (base, mut at) = match text.get(start) {
        _ if hexadecimal => (16, start + 2),
        Some(b'0') => (8, start),
        _ => (10, start),
    };
    let first = at;
    let mut value = Some(0u64);
    while let Some(digit) = text.get(at).and_then(|byte| char::from(*byte).to_digit(base)) {
        value = value
            .and_then(|value| value.checked_mul(u64::from(base)))
            .and_then(|value| value.checked_add(u64::from(digit)));
        at += 1;
    }
    let digits = at > first;
    Integer { negative, value, length: if digits { at } else { 0 }, digits }
}

impl<T: AsRef<[u8]>, W: World> Printf<'_, T, W> {
    /// The number that `'c` stands for.
    fn quoted_character(&mut self, text: &[u8]) -> Option<i64> {
        let [b'\'' | b'"', rest @ ..] = text else {
            return None;
        };
        if self.rules.warns_of_no_character && rest.is_empty() {
            self.complain(&[b"warning: ", text, b": invalid character constant"]);
        }
        let first = rest.first().copied().unwrap_or(0);
        if self.escapes.utf8 && first >= 0x80 && self.dialect.profile().multibyte {
            let chunk = rest.utf8_chunks().next();
            if let Some(character) = chunk.and_then(|chunk| chunk.valid().chars().next()) {
                return Some(i64::from(u32::from(character)));
            }
            return Some(i64::from(first as i8));
        }
        Some(i64::from(first))
    }

    pub(super) fn signed(&mut self, argument: Option<&[u8]>) -> i64 {
        let Some(text) = argument else {
            return 0;
        };
        if let Some(value) = self.quoted_character(text) {
            return value;
        }
        if self.rules.numbers_are_expressions {
            return self.evaluated(text) as i64;
        }
        let integer = integer(text);
        self.check(text, integer.length, integer.digits);
        let value = match (integer.negative, integer.value) {
            (false, Some(value)) => i64::try_from(value).ok(),
            (true, Some(value)) => 0i64.checked_sub_unsigned(value),
            (_, None) => None,
        };
        value.unwrap_or_else(|| {
            self.out_of_range(text);
            if integer.negative { i64::MIN } else { i64::MAX }
        })
    }

    pub(super) fn unsigned(&mut self, argument: Option<&[u8]>) -> u64 {
        let Some(text) = argument else {
            return 0;
        };
        if let Some(value) = self.quoted_character(text) {
            return value as u64;
        }
        if self.rules.numbers_are_expressions {
            return self.evaluated(text);
        }
        let integer = integer(text);
        self.check(text, integer.length, integer.digits);
        match integer.value {
            Some(value) if integer.negative => value.wrapping_neg(),
            Some(value) => value,
            None => {
                self.out_of_range(text);
                u64::MAX
            }
        }
    }

    /// Complains unless all of the text was a number.
    fn check(&mut self, text: &[u8], length: usize, found: bool) {
        if length == text.len() {
            return;
        }
        self.complain(&[&(self.rules.not_a_number)(text, found)]);
    }

    fn out_of_range(&mut self, text: &[u8]) {
        let status = self.outcome.status;
        self.complain(&[&self.rules.out_of_range.of(text)]);
        if !self.rules.out_of_range_fails {
            self.outcome.status = status;
        }
    }

    /// The value of an arithmetic expression.
    fn evaluated(&mut self, text: &[u8]) -> u64 {
        if let Some(value) = arithmetic::parse_integer(text, self.dialect) {
            return value as u64;
        }
        let read = float::read(text, Precision::Long);
        if read.length > 0 && read.length == text.len() {
            return self.whole(text, read.value);
        }
        match self.world.arithmetic(text) {
            Ok(value) => value as u64,
            Err(message) => {
                self.complain(&[&message]);
                let letter = b"d";
                self.complain(&[b"warning: invalid argument of type ", letter]);
                integer(text).value.unwrap_or(0)
            }
        }
    }

    /// A floating-point number cut to an integer.
    fn whole(&mut self, text: &[u8], value: float::Float) -> u64 {
        let size = match value.size {
            Size::Finite(mantissa, exponent @ -63..=0) => mantissa >> -exponent,
            Size::Finite(_, exponent) if exponent < 0 => 0,
            _ => u64::MAX,
        };
        let most = i64::MAX as u64 + u64::from(value.negative);
        if size > most {
            self.out_of_range(text);
        }
        let size = size.min(most);
        if value.negative { size.wrapping_neg() } else { size }
    }

    pub(super) fn float(&mut self, directive: &Directive<'_>, argument: Option<&[u8]>) {
        let kind = if self.rules.long_doubles { Precision::Long } else { Precision::Double };
        let text = argument.unwrap_or(b"");
        let value = match self.quoted_character(text) {
            Some(character) => float::read(character.to_string().as_bytes(), kind).value,
            None => {
                let read = float::read(text, kind);
                if read.length < text.len() && self.rules.numbers_are_expressions {
                    // An expression that is no plain number.
                    let value = self.evaluated(text) as i64;
                    float::read(value.to_string().as_bytes(), kind).value
                } else {
                    self.check(text, read.length, read.length > 0);
                    if read.out_of_range {
                        self.out_of_range(text);
                    }
                    read.value
                }
            }
        };
        let finite = matches!(value.size, Size::Finite(..));
        let mut digits = float::write(
            value.size,
            float::Style {
                letter: directive.letter,
                precision: directive.precision,
                alternate: directive.alternate,
                kind,
                half_up: self.rules.rounds_half_up,
            },
        );
        let mut prefix = directive.sign(value.negative).to_vec();
        // Zeros go behind the 0x.
        if finite && matches!(directive.letter, b'a' | b'A') {
            prefix.extend(digits.drain(..2));
        }
        directive.number(&prefix, &digits, finite, self.out);
    }
}
