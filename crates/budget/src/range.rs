//! From the least to the most: how often something happens where runs differ.

use std::fmt;

/// From the least to the most. Where runs agree both are the same.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Range {
    /// The least that was seen.
    pub least: u64,
    /// The most that is allowed.
    pub most: u64,
}

impl Range {
    /// What several runs allow. Where they differ, the next run may well go beyond them: as much
    /// room again is left above the most as there was between the least and the most.
    #[must_use]
    pub fn of_runs(counts: &[u64]) -> Range {
        let least = counts.iter().copied().min().unwrap_or(0);
        let most = counts.iter().copied().max().unwrap_or(0);
        Range { least, most: most.saturating_add(most - least) }
    }

    /// Whether runs agreed.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.least == self.most
    }

    /// How much beyond the most a count is.
    #[must_use]
    pub fn excess(self, count: u64) -> u64 {
        count.saturating_sub(self.most)
    }
}

impl From<u64> for Range {
    fn from(count: u64) -> Range {
        Range { least: count, most: count }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.is_exact() {
            true => write!(f, "{}", self.most),
            false => write!(f, "{} to {}", self.least, self.most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_agree_leave_no_room() {
        assert_eq!(Range::of_runs(&[7, 7, 7]), Range::from(7));
        assert_eq!(Range::from(7).excess(8), 1);
        assert_eq!(Range::from(7).excess(6), 0);
    }

    #[test]
    fn runs_that_differ_leave_as_much_again() {
        let range = Range::of_runs(&[10, 14, 11]);
        assert_eq!(range, Range { least: 10, most: 18 });
        assert_eq!(range.to_string(), "10 to 18");
        assert_eq!(Range::of_runs(&[0, u64::MAX]).most, u64::MAX);
        assert_eq!(Range::of_runs(&[]), Range::default());
    }
}
