//! Times as Windows has them: units of 100 ns since 1601.

use crate::Time;

const UNITS: i64 = 10_000_000;
const SECONDS_TO_1970: i64 = 11_644_473_600;

/// From units of 100 ns since 1601; 0 is no time.
pub(crate) fn time(units: i64) -> Time {
    if units == 0 {
        return Time { seconds: 0, nanoseconds: 0 };
    }
    let nanoseconds = units.rem_euclid(UNITS) as u32 * 100;
    Time { seconds: units.div_euclid(UNITS) - SECONDS_TO_1970, nanoseconds }
}

/// A time in these units; what is less than one is left out. `None` where they end: up to the first
/// moment of 1601, which stands for no time, and after 30827.
pub(crate) fn units_of(time: Time) -> Option<i64> {
    let seconds = time.seconds.checked_add(SECONDS_TO_1970)?;
    let units = seconds.checked_mul(UNITS)?.checked_add(i64::from(time.nanoseconds / 100))?;
    (units > 0).then_some(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2000-01-01T00:00:00Z is 125,911,584,000,000,000 units ("FILETIME of Y2K", any converter).
    #[test]
    fn a_time_goes_to_units_and_back() {
        let y2k = Time { seconds: 946_684_800, nanoseconds: 0 };
        assert_eq!(units_of(y2k), Some(125_911_584_000_000_000));
        for (seconds, nanoseconds) in [(0, 0), (-1, 999_999_900), (1_700_000_000, 100)] {
            let it = Time { seconds, nanoseconds };
            assert_eq!(units_of(it).map(time), Some(it));
        }
        assert_eq!(units_of(Time { seconds: 0, nanoseconds: 199 }), Some(116_444_736_000_000_001));
    }

    #[test]
    fn what_the_units_have_no_room_for_is_no_time() {
        for seconds in [i64::MIN, -SECONDS_TO_1970 - 1, -SECONDS_TO_1970, i64::MAX, 1 << 50] {
            assert_eq!(units_of(Time { seconds, nanoseconds: 0 }), None, "{seconds}");
        }
    }
}
