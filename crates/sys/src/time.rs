//! A point in time, as the kernel tells it.

use std::fmt;
use std::time::{Duration, SystemTime};

/// A point in time: seconds since 1970-01-01T00:00:00Z and nanoseconds after that second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    /// Whole seconds, negative before 1970.
    pub seconds: i64,
    /// 0 to 999,999,999, counted forwards also before 1970.
    pub nanoseconds: u32,
}

impl Time {
    /// The current time. Price: no call.
    #[must_use]
    pub fn now() -> Time {
        SystemTime::now().into()
    }
}

/// A [`Time`] that the standard library's [`SystemTime`] has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOutOfRange;

impl fmt::Display for TimeOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the time is out of range")
    }
}

impl std::error::Error for TimeOutOfRange {}

impl TryFrom<Time> for SystemTime {
    type Error = TimeOutOfRange;

    fn try_from(time: Time) -> Result<SystemTime, TimeOutOfRange> {
        let whole = Duration::from_secs(time.seconds.unsigned_abs());
        let second = match time.seconds < 0 {
            true => SystemTime::UNIX_EPOCH.checked_sub(whole),
            false => SystemTime::UNIX_EPOCH.checked_add(whole),
        };
        let rest = Duration::from_nanos(time.nanoseconds.into());
        second.and_then(|second| second.checked_add(rest)).ok_or(TimeOutOfRange)
    }
}

impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Time {
        let seconds = |whole: Duration| i64::try_from(whole.as_secs()).unwrap_or(i64::MAX);
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => Time { seconds: seconds(since), nanoseconds: since.subsec_nanos() },
            Err(before) => {
                let before = before.duration();
                match before.subsec_nanos() {
                    0 => Time { seconds: -seconds(before), nanoseconds: 0 },
                    part => {
                        Time { seconds: -seconds(before) - 1, nanoseconds: 1_000_000_000 - part }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_goes_to_the_standard_library_and_back() {
        for seconds in [0, 1, -1, 1_700_000_000, -1_700_000_000, i64::from(i32::MIN)] {
            for nanoseconds in [0, 1, 999_999_999] {
                let time = Time { seconds, nanoseconds };
                let standard = SystemTime::try_from(time).unwrap();
                assert_eq!(Time::from(standard), time);
            }
        }
        let half_before = SystemTime::UNIX_EPOCH - Duration::from_millis(500);
        assert_eq!(Time::from(half_before), Time { seconds: -1, nanoseconds: 500_000_000 });
        let latest = Time { seconds: i64::MAX, nanoseconds: u32::MAX };
        assert_eq!(SystemTime::try_from(latest), Err(TimeOutOfRange));
    }
}
