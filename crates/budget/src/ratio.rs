//! Exact fractions: calls per item.

use std::cmp::Ordering;
use std::fmt;

/// An exact fraction in its lowest terms.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Ratio {
    above: i128,
    below: i128,
}

impl Ratio {
    /// `above / below`; nothing if `below` is 0.
    #[must_use]
    pub fn new(above: i64, below: i64) -> Option<Ratio> {
        Ratio::lowest(above.into(), below.into())
    }

    fn lowest(above: i128, below: i128) -> Option<Ratio> {
        let divisor = common(above.unsigned_abs(), below.unsigned_abs());
        // Both fit: they are no larger than what they divide.
        let divisor = i128::try_from(divisor).ok().filter(|_| below != 0)?;
        let divisor = if below < 0 { -divisor } else { divisor };
        Some(Ratio { above: above / divisor, below: below / divisor })
    }

    /// How much more this is than another; nothing if that has no place in 128 bits.
    #[must_use]
    pub fn more_than(self, other: Ratio) -> Option<Ratio> {
        let here = self.above.checked_mul(other.below)?;
        let there = other.above.checked_mul(self.below)?;
        Ratio::lowest(here.checked_sub(there)?, self.below.checked_mul(other.below)?)
    }

    /// The sum; nothing if that has no place in 128 bits.
    #[must_use]
    pub fn plus(self, other: Ratio) -> Option<Ratio> {
        self.more_than(other.times(-1)?)
    }

    /// Times a whole number; nothing if that has no place in 128 bits.
    #[must_use]
    pub fn times(self, number: i64) -> Option<Ratio> {
        Ratio::lowest(self.above.checked_mul(number.into())?, self.below)
    }

    /// Whether it is 0.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.above == 0
    }

    /// The whole number that it is, if it is one.
    #[must_use]
    pub fn whole(self) -> Option<i64> {
        i64::try_from(self.above).ok().filter(|_| self.below == 1)
    }

    /// Reads `3`, `-3`, `3/16`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Ratio> {
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        Ratio::new(above.parse().ok()?, below.parse().ok().filter(|below| *below > 0)?)
    }
}

impl Default for Ratio {
    fn default() -> Ratio {
        Ratio { above: 0, below: 1 }
    }
}

fn common(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        match self.more_than(*other) {
            Some(more) => more.above.cmp(&0),
            // Beyond 128 bits: no counts of calls are.
            None => self.above.cmp(&other.above),
        }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.below {
            1 => f.pad(&self.above.to_string()),
            _ => f.pad(&format!("{}/{}", self.above, self.below)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(text: &str) -> Ratio {
        Ratio::parse(text).unwrap()
    }

    #[test]
    fn fractions_are_in_their_lowest_terms() {
        assert_eq!(Ratio::new(100, 100).unwrap().to_string(), "1");
        assert_eq!(Ratio::new(6, 96).unwrap().to_string(), "1/16");
        assert_eq!(Ratio::new(6, -4).unwrap().to_string(), "-3/2");
        assert_eq!(Ratio::new(0, 7).unwrap(), Ratio::default());
        assert_eq!(Ratio::new(1, 0), None);
        assert_eq!(Ratio::new(i64::MIN, i64::MIN).unwrap().whole(), Some(1));
    }

    #[test]
    fn fractions_are_compared_exactly() {
        assert!(ratio("1/3") > ratio("333333333/1000000000"));
        assert_eq!(ratio("3/2").more_than(ratio("1/2")), Some(ratio("1")));
        assert_eq!(ratio("1/16").times(100), Some(ratio("25/4")));
        assert_eq!(ratio("5").whole(), Some(5));
        assert_eq!(ratio("1/2").whole(), None);
    }

    #[test]
    fn only_fractions_are_read() {
        for wrong in ["", "/", "1/0", "1/-2", "a", "1.5", "1/2/3", "99999999999999999999"] {
            assert_eq!(Ratio::parse(wrong), None, "{wrong}");
        }
        assert_eq!(ratio("-3/6").to_string(), "-1/2");
    }
}
