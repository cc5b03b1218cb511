//! The median of a few differences, and an interval that holds the true one.
//!
//! The interval lies between two of the differences themselves, in order, so that nothing is
//! assumed of how they are distributed: the number of them that are below the true median is
//! binomial with one half. (H. A. David and H. N. Nagaraja, Order Statistics, third edition,
//! section 7.1: distribution-free confidence intervals for quantiles.)

/// Of fewer differences there is no interval of 95 %: 2 × 0.5^5 is more than 5 %.
pub const LEAST_PAIRS: usize = 6;

/// How many pairs are made unless the user says otherwise.
pub const PAIRS: usize = 10;

/// A median, and between what it lies in at least 95 of 100 cases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// The median.
    pub median: f64,
    /// It is hardly below this,
    pub low: f64,
    /// nor above this.
    pub high: f64,
}

/// Computes it. `None` of fewer than [`LEAST_PAIRS`].
#[must_use]
pub fn median_interval(differences: &[f64]) -> Option<Interval> {
    if differences.len() < LEAST_PAIRS {
        return None;
    }
    let mut sorted = differences.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (count, half) = (sorted.len(), sorted.len() / 2);
    let median = match count % 2 {
        0 => f64::midpoint(sorted[half - 1], sorted[half]),
        _ => sorted[half],
    };
    let rank = rank(count);
    Some(Interval { median, low: sorted[rank - 1], high: sorted[count - rank] })
}

/// The largest rank, from 1, of which the interval up to the same rank from above is wrong in at
/// most 5 of 100 cases.
fn rank(count: usize) -> usize {
    // The probability that exactly so many of them are below the median.
    let mut exactly = 0.5f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
    let (mut below, mut rank) = (0.0, 0);
    loop {
        below += exactly;
        if 2.0 * below > 0.05 || 2 * (rank + 1) > count {
            return rank.max(1);
        }
        rank += 1;
        exactly *= (count - rank + 1) as f64 / rank as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W. J. Conover, Practical Nonparametric Statistics, and R: `qbinom(0.025, n, 0.5)`.
    #[test]
    fn ranks_are_those_of_the_tables() {
        for (count, wanted) in
            [(6, 1), (8, 1), (9, 2), (10, 2), (11, 2), (12, 3), (15, 4), (20, 6), (25, 8), (50, 18)]
        {
            assert_eq!(rank(count), wanted, "{count}");
        }
    }

    #[test]
    fn the_interval_lies_between_two_of_them() {
        let ten: Vec<f64> = [7, 3, 10, 1, 5, 9, 2, 8, 6, 4].map(f64::from).into();
        let interval = median_interval(&ten).unwrap();
        assert_eq!(interval, Interval { median: 5.5, low: 2.0, high: 9.0 });
        assert_eq!(median_interval(&ten[..5]), None);
        let six = median_interval(&ten[..6]).unwrap();
        assert_eq!((six.low, six.high), (1.0, 10.0));
        let odd = median_interval(&ten[..7]).unwrap();
        assert_eq!(odd.median, 5.0);
    }
}
