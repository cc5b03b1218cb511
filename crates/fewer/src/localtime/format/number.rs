//! Fields that are numbers: value, digits, sign and padding.

use super::super::clock::{Civil, is_leap_year};
use super::{Field, Moment};

#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) value: u64,
    pub(super) negative: bool,
    /// The width if the field has none.
    pub(super) digits: usize,
    /// The padding if the field has none.
    pub(super) pad: u8,
    /// With a plus unless it is negative.
    pub(super) signed: bool,
    /// The number of colons between pairs of digits, from the end.
    pub(super) colons: usize,
    /// It takes its padding from the field that it is part of, and gets a plus if it has more
    /// digits than usual.
    pub(super) is_year: bool,
}

impl Number {
    /// The number that the letter stands for, if any.
    pub(super) fn of(letter: u8, moment: Moment<'_>) -> Option<Number> {
        let civil = moment.civil;
        let hour_12 = match civil.hour % 12 {
            0 => 12,
            hour => hour,
        };
        let small = |digits, value: u8| Number::new(digits, value.into());
        let spaced = |value| Number { pad: b'_', ..small(2, value) };
        Some(match letter {
            b'd' => small(2, civil.day),
            b'e' => spaced(civil.day),
            b'H' => small(2, civil.hour),
            b'k' => spaced(civil.hour),
            b'I' => small(2, hour_12),
            b'l' => spaced(hour_12),
            b'm' => small(2, civil.month),
            b'M' => small(2, civil.minute),
            b'S' => small(2, civil.second),
            b'j' => Number::new(3, u64::from(civil.yearday) + 1),
            b'q' => small(1, (civil.month - 1) / 3 + 1),
            b'u' => small(1, (civil.weekday + 6) % 7 + 1),
            b'w' => small(1, civil.weekday),
            b'U' => small(2, week(civil, 0)),
            b'W' => small(2, week(civil, 1)),
            b'V' => small(2, iso_week(civil).1),
            b's' => Number::with_sign(1, moment.time.seconds),
            b'Y' => Number::year(4, civil.year),
            b'G' => Number::year(4, iso_week(civil).0),
            b'y' => Number::year_of_century(civil.year),
            b'g' => Number::year_of_century(iso_week(civil).0),
            b'C' => Number {
                is_year: true,
                value: civil.year.unsigned_abs() / 100,
                ..Number::with_sign(2, civil.year)
            },
            _ => return None,
        })
    }

    /// The number by the rules of strftime(3).
    pub(super) fn foreign(self, letter: u8, civil: &Civil<'_>) -> Number {
        match letter {
            b's' => Number { pad: b'_', ..self },
            _ => Number::foreign_year(letter, civil).unwrap_or(self),
        }
    }

    /// Years by the rules of strftime(3): unpadded, and centuries rounded down.
    pub(super) fn foreign_year(letter: u8, civil: &Civil<'_>) -> Option<Number> {
        let year = if matches!(letter, b'g' | b'G') { iso_week(civil).0 } else { civil.year };
        match letter {
            b'C' => Some(Number::with_sign(1, year.div_euclid(100))),
            b'G' | b'Y' => Some(Number::with_sign(1, year)),
            b'g' | b'y' => Some(Number::with_sign(2, year.rem_euclid(100))),
            _ => None,
        }
    }

    pub(super) fn new(digits: usize, value: u64) -> Number {
        let (negative, signed, colons, is_year) = (false, false, 0, false);
        Number { value, negative, digits, pad: b'0', signed, colons, is_year }
    }

    fn with_sign(digits: usize, value: i64) -> Number {
        Number { negative: value < 0, ..Number::new(digits, value.unsigned_abs()) }
    }

    fn year(digits: usize, year: i64) -> Number {
        Number { is_year: true, ..Number::with_sign(digits, year) }
    }

    fn year_of_century(year: i64) -> Number {
        Number { is_year: true, ..Number::new(2, year.unsigned_abs() % 100) }
    }

    /// Appends the number as the field wants it; a year is padded with `year_pad` unless the field
    /// says how.
    pub(super) fn write(mut self, field: &Field, year_pad: Option<u8>, out: &mut Vec<u8>) {
        if self.write_usual(field, year_pad, out) {
            return;
        }
        let mut pad = field.pad.unwrap_or(self.pad);
        if self.is_year {
            pad = field.pad.or(year_pad).unwrap_or(self.pad);
            let most = if self.digits == 2 { 99 } else { 9999 };
            let wider = field.width.is_some_and(|width| width > self.digits);
            self.signed = pad == b'+' && (self.value > most || wider);
        }
        let mut buffer = [0; 32];
        let digits = self.spell(&mut buffer);
        let mut width = match field.width {
            None if pad == b'-' => 0,
            None => self.digits,
            // For strftime(3) a narrow field is one without a width.
            Some(width) if !field.is_of_date() && pad != b'-' => width.max(self.digits),
            Some(width) => width,
        };
        let sign = match (self.negative, self.signed) {
            (true, _) => Some(b'-'),
            (false, true) => Some(b'+'),
            (false, false) => None,
        };
        if let Some(sign) = sign {
            // Spaces go before the sign, zeros behind it.
            width = width.saturating_sub(1);
            if matches!(pad, b'_' | b'-') {
                field.fill_up(Some(pad), width, digits.len(), out);
                width = 0;
            }
            out.push(sign);
        }
        field.fill_up(Some(pad), width, digits.len(), out);
        out.extend_from_slice(digits);
    }

    /// Appends a number of two digits or a year of four, if the field has no flags; returns false
    /// otherwise.
    #[inline]
    fn write_usual(&self, field: &Field, year_pad: Option<u8>, out: &mut Vec<u8>) -> bool {
        let odd = self.negative || self.signed || self.colons > 0 || year_pad.is_some();
        if odd || field.pad.is_some() || field.width.is_some() {
            return false;
        }
        let value = self.value;
        match (self.digits, value) {
            (2, 0..10) if self.pad == b'_' => out.extend_from_slice(&[b' ', digit(value)]),
            (2, 0..100) => out.extend_from_slice(&[digit(value / 10), digit(value)]),
            (4, 1000..10_000) => {
                let year = [digit(value / 1000), digit(value / 100), digit(value / 10)];
                out.extend_from_slice(&year);
                out.push(digit(value));
            }
            _ => return false,
        }
        true
    }

    /// The digits with their colons, at the end of the buffer.
    fn spell<'b>(&self, buffer: &'b mut [u8; 32]) -> &'b [u8] {
        let (mut rest, mut at, mut pairs) = (self.value, buffer.len(), self.colons);
        let mut written = 0;
        // 20 digits and 2 colons at most.
        while rest > 0 || written == 0 || pairs > 0 {
            if written > 0 && written % 2 == 0 && pairs > 0 {
                at -= 1;
                buffer[at] = b':';
                pairs -= 1;
            }
            at -= 1;
            buffer[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            written += 1;
        }
        &buffer[at..]
    }
}

fn digit(value: u64) -> u8 {
    b'0' + (value % 10) as u8
}

/// The week of the year that begins on `first`; days before it are in week 0.
fn week(civil: &Civil<'_>, first: u8) -> u8 {
    let since = (civil.weekday + 7 - first) % 7;
    ((civil.yearday + 7 - u16::from(since)) / 7) as u8
}

/// ISO 8601: the week that has the year's first Thursday is its first.
fn iso_week(civil: &Civil<'_>) -> (i64, u8) {
    let yearday = i64::from(civil.yearday);
    // The Thursday of this week, counted from the first of January.
    let thursday = yearday - i64::from((civil.weekday + 6) % 7) + 3;
    let days = |year: i64| 365 + i64::from(is_leap_year(year));
    let (year, thursday) = match thursday {
        ..0 => (civil.year - 1, thursday + days(civil.year - 1)),
        _ if thursday >= days(civil.year) => (civil.year + 1, thursday - days(civil.year)),
        _ => (civil.year, thursday),
    };
    (year, (thursday / 7 + 1) as u8)
}
