//! Sizes in text form.

use std::cmp::Ordering;
use std::str::FromStr;

/// A condition on a size in bytes: `+N` larger than, `-N` smaller than, `N` exactly.
///
/// N is a number of bytes, or of a unit: K, M, G, T, P (or Ki, KiB, MiB, …) are powers of 1024, and
/// KB, MB, … powers of 1000, as in the GNU tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    is: Ordering,
    bytes: u64,
}

impl Size {
    /// The N, in bytes.
    #[must_use]
    pub fn bytes(self) -> u64 {
        self.bytes
    }

    pub(super) fn accept(self, bytes: u64) -> bool {
        bytes.cmp(&self.bytes) == self.is
    }
}

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Size, &'static str> {
        let (is, number) = match text.as_bytes().first() {
            Some(b'+') => (Ordering::Greater, &text[1..]),
            Some(b'-') => (Ordering::Less, &text[1..]),
            _ => (Ordering::Equal, text),
        };
        let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, unit) = number.split_at(digits);
        let number: u64 = number.parse().map_err(|_| "expected [+-]N[UNIT], such as +10K")?;
        let factor = factor(unit).ok_or("unknown unit: use K M G T P, KiB … or KB …")?;
        let bytes = number.checked_mul(factor).ok_or("too large")?;
        Ok(Size { is, bytes })
    }
}

fn factor(unit: &str) -> Option<u64> {
    let unit = unit.to_ascii_lowercase();
    if unit.is_empty() || unit == "c" {
        return Some(1);
    }
    let power = "kmgtp".find(unit.chars().next()?)? as u32 + 1;
    match &unit[1..] {
        "" | "i" | "ib" => Some(1024u64.pow(power)),
        "b" => Some(1000u64.pow(power)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_compares_and_a_unit_multiplies() {
        for (text, accepted, refused) in [
            ("+10", 11, 10),
            ("-10", 9, 10),
            ("10", 10, 11),
            ("0", 0, 1),
            ("+1K", 1025, 1024),
            ("-2kib", 2047, 2048),
            ("1KB", 1000, 1024),
            ("3M", 3 << 20, 3_000_000),
            ("+1P", u64::MAX, 1 << 50),
        ] {
            let size: Size = text.parse().unwrap();
            assert!(size.accept(accepted) && !size.accept(refused), "{text}");
        }
    }

    #[test]
    fn a_size_has_a_number_of_bytes() {
        for (text, bytes) in [("64M", 64 << 20), ("+1K", 1024), ("-7", 7), ("0", 0)] {
            assert_eq!(text.parse::<Size>().unwrap().bytes(), bytes, "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in ["", "+", "k", "1x", "1kk", "1.5M", "--1", "99999999999P", "1 K", "+ 1", "1é"]
        {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
