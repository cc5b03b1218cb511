//! A number of nanoseconds that is not exactly known.

use std::ops::Add;

/// Nanoseconds: probably so many, hardly less than `least` and hardly more than `most`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Estimate {
    pub(super) middle: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Estimate {
    pub(super) fn exactly(nanoseconds: f64) -> Estimate {
        Estimate { middle: nanoseconds, least: nanoseconds, most: nanoseconds }
    }

    /// So many times that.
    pub(super) fn times(self, count: f64) -> Estimate {
        Estimate { middle: self.middle * count, least: self.least * count, most: self.most * count }
    }

    /// Known to no more than a factor.
    pub(super) fn within(nanoseconds: f64, factor: f64) -> Estimate {
        Estimate { middle: nanoseconds, least: nanoseconds / factor, most: nanoseconds * factor }
    }

    /// What is left of it without so much, but at least a quarter.
    pub(super) fn without(self, kept: Estimate) -> Estimate {
        let left = |whole: f64, kept: f64| (whole - kept).max(whole / 4.0);
        Estimate {
            middle: left(self.middle, kept.middle),
            least: left(self.least, kept.most),
            most: left(self.most, kept.least),
        }
    }
}

impl Add for Estimate {
    type Output = Estimate;

    fn add(self, other: Estimate) -> Estimate {
        Estimate {
            middle: self.middle + other.middle,
            least: self.least + other.least,
            most: self.most + other.most,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_makes_it_less_but_never_nothing() {
        let price = Estimate { middle: 100.0, least: 80.0, most: 120.0 };
        let left = price.without(Estimate::within(30.0, 2.0));
        assert_eq!(left, Estimate { middle: 70.0, least: 20.0, most: 105.0 });
        assert_eq!(price.without(Estimate::exactly(500.0)), price.times(0.25));
    }
}
