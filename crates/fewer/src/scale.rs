//! Sizes in units.

use crate::align::{digits, push_blanks, push_number, push_right};

/// The unit in which a number of bytes is printed. Price of its functions: none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scale {
    /// In units of so many bytes, with this behind the number.
    Unit(u64, String),
    /// In the unit that leaves the fewest digits; powers of this.
    Human(u64),
}

const LETTERS: &[u8] = b"KMGTPEZY";

impl Scale {
    /// Single bytes.
    pub const BYTES: Scale = Scale::Unit(1, String::new());

    /// In units of so many bytes.
    #[must_use]
    pub fn unit(bytes: u64) -> Scale {
        Scale::Unit(bytes, String::new())
    }

    /// From a word as `--block-size` takes it: `1M`, `KB`, `512`, `human-readable`, `si`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Scale> {
        let text = text.strip_prefix('\'').unwrap_or(text);
        match text {
            "human-readable" => return Some(Scale::Human(1024)),
            "si" => return Some(Scale::Human(1000)),
            _ => {}
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let number: u64 = if number.is_empty() { 1 } else { number.parse().ok()? };
        let (factor, name) = unit_of(unit)?;
        let bytes = number.checked_mul(factor).filter(|&bytes| bytes > 0)?;
        // A unit alone is shown behind the numbers.
        let name = if digits == 0 { name } else { String::new() };
        (digits > 0 || !unit.is_empty()).then_some(Scale::Unit(bytes, name))
    }

    /// Whether the unit is chosen by the size.
    #[must_use]
    pub fn is_human(&self) -> bool {
        matches!(self, Scale::Human(_))
    }

    /// Appends a number of bytes, rounded up.
    pub fn push(&self, bytes: u64, out: &mut Vec<u8>) {
        match self {
            Scale::Unit(1, name) if name.is_empty() => push_number(bytes, out),
            Scale::Unit(unit, name) => {
                push_number(bytes.div_ceil(*unit), out);
                out.extend_from_slice(name.as_bytes());
            }
            Scale::Human(base) => push_human(bytes, *base, out),
        }
    }

    /// The same on the right of `width` columns.
    pub fn push_right(&self, width: usize, bytes: u64, out: &mut Vec<u8>) {
        match self {
            Scale::Unit(1, name) if name.is_empty() => push_right(width, bytes, out),
            _ => {
                push_blanks(width, self.columns(bytes), out);
                self.push(bytes, out);
            }
        }
    }

    /// How many columns that takes.
    #[must_use]
    pub fn columns(&self, bytes: u64) -> usize {
        match self {
            Scale::Unit(1, name) if name.is_empty() => digits(bytes),
            Scale::Unit(unit, name) => digits(bytes.div_ceil(*unit)) + name.len(),
            Scale::Human(_) => {
                let mut text = Vec::with_capacity(8);
                self.push(bytes, &mut text);
                text.len()
            }
        }
    }
}

/// How many bytes a unit is, and how its name is written.
fn unit_of(unit: &str) -> Option<(u64, String)> {
    let Some(letter) = unit.bytes().next() else { return Some((1, String::new())) };
    if unit == "B" {
        return Some((1, "B".to_owned()));
    }
    let (base, rest) = match &unit[1..] {
        "" => (1024u64, ""),
        "iB" => (1024, "iB"),
        "B" => (1000, "B"),
        _ => return None,
    };
    let power = LETTERS.iter().position(|&l| l == letter.to_ascii_uppercase())?;
    if letter.is_ascii_lowercase() && !b"kmgt".contains(&letter) {
        return None;
    }
    let shown = match (base, power) {
        (1000, 0) => 'k',
        _ => char::from(LETTERS[power]),
    };
    Some((base.checked_pow(power as u32 + 1)?, format!("{shown}{rest}")))
}

/// With one decimal below ten, rounded up: a file is never shown smaller than it is.
fn push_human(bytes: u64, base: u64, out: &mut Vec<u8>) {
    if bytes < base {
        return push_number(bytes, out);
    }
    let (bytes, base) = (u128::from(bytes), u128::from(base));
    let (mut unit, mut power) = (base, 0);
    while bytes >= unit * base || bytes.div_ceil(unit) >= base {
        unit *= base;
        power += 1;
    }
    let tenths = (bytes * 10).div_ceil(unit);
    if tenths < 100 {
        push_number((tenths / 10) as u64, out);
        out.extend_from_slice(&[b'.', b'0' + (tenths % 10) as u8]);
    } else {
        push_number(bytes.div_ceil(unit) as u64, out);
    }
    out.push(if base == 1000 && power == 0 { b'k' } else { LETTERS[power] });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values are those of GNU ls -h and --si.
    #[test]
    fn sizes_are_rounded_up_to_what_people_read() {
        for (bytes, human, si) in [
            (0, "0", "0"),
            (999, "999", "999"),
            (1000, "1000", "1.0k"),
            (1023, "1023", "1.1k"),
            (1024, "1.0K", "1.1k"),
            (1025, "1.1K", "1.1k"),
            (10137, "9.9K", "11k"),
            (10138, "10K", "11k"),
            (1_048_575, "1.0M", "1.1M"),
            (1_048_577, "1.1M", "1.1M"),
            (u64::MAX, "16E", "19E"),
        ] {
            for (base, expected) in [(1024, human), (1000, si)] {
                let mut text = Vec::new();
                Scale::Human(base).push(bytes, &mut text);
                assert_eq!(String::from_utf8_lossy(&text), expected, "{bytes} in {base}");
                assert_eq!(Scale::Human(base).columns(bytes), expected.len());
            }
        }
    }

    #[test]
    fn a_unit_alone_is_shown_and_one_with_a_number_is_not() {
        for (text, bytes, shown) in [
            ("1K", 2048, "2"),
            ("K", 2048, "2K"),
            ("KiB", 2049, "3KiB"),
            ("KB", 2001, "3kB"),
            ("MB", 1, "1MB"),
            ("512", 513, "2"),
            ("'1", 5, "5"),
        ] {
            let mut out = Vec::new();
            Scale::parse(text).unwrap().push(bytes, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), shown, "{text}");
        }
        for text in ["", "0", "x", "1Q", "KiBs", "99999999999999999999"] {
            assert_eq!(Scale::parse(text), None, "{text}");
        }
    }
}
