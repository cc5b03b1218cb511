//! Times in text form.

use std::path::Path;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};
use sys::Time;

use crate::error::Error;
use crate::localtime::Zone;
use crate::scope::Scope;

/// Parses a time; `None` if the text is none.
///
/// `@SECONDS` since 1970; an age such as `90s`, `10min`, `2h`, `3d`, `1w` or `1 month`; a date
/// `2026-01-31`, a date and time `2026-01-31 10:00[:00]` (or with a `T`), both local, or with `Z`
/// or an offset behind it.
///
/// Price: for ages and for local times what [`Zone::local`] costs, else nothing.
#[must_use]
pub fn parse_time(text: &str) -> Option<Time> {
    let timestamp = parse(text, Timestamp::now(), || Zone::local().rules())?;
    // The fraction counts forwards from the second, before 1970 as well.
    let nanoseconds = timestamp.as_nanosecond();
    Some(Time {
        seconds: i64::try_from(nanoseconds.div_euclid(1_000_000_000)).ok()?,
        nanoseconds: u32::try_from(nanoseconds.rem_euclid(1_000_000_000)).ok()?,
    })
}

/// The modification time of the file at `path`; links are followed. In another directory:
/// [`Scope::modified`].
///
/// Price: one `statx`.
///
/// # Errors
/// The kernel's number with the path.
pub fn modified(path: &Path) -> Result<Time, Error> {
    Scope::start().modified(path)
}

fn parse(text: &str, now: Timestamp, zone: impl Fn() -> TimeZone) -> Option<Timestamp> {
    let text = text.trim();
    if let Some(seconds) = text.strip_prefix('@') {
        return since_1970(seconds);
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp);
    }
    if let Ok(local) = text.parse::<DateTime>() {
        return local.to_zoned(zone()).ok().map(|zoned| zoned.timestamp());
    }
    let age: Span = text.parse().ok()?;
    let now = Zoned::new(now, zone());
    now.checked_sub(age.abs()).ok().map(|then| then.timestamp())
}

fn since_1970(text: &str) -> Option<Timestamp> {
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = fraction.bytes().all(|byte| byte.is_ascii_digit()) && !fraction.is_empty();
    if !digits || fraction.len() > 9 {
        return None;
    }
    let fraction: i32 = format!("{fraction:0<9}").parse().ok()?;
    let sign = if seconds.starts_with('-') { -1 } else { 1 };
    Timestamp::new(seconds.parse().ok()?, sign * fraction).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-31T12:00:00Z; the zone is two hours ahead of UTC.
    fn seconds(text: &str) -> Option<i64> {
        let zone = || TimeZone::fixed(jiff::tz::offset(2));
        parse(text, Timestamp::new(1_769_860_800, 0).unwrap(), zone).map(|t| t.as_second())
    }

    #[test]
    fn a_time_is_written_in_many_ways() {
        for (text, expected) in [
            ("@0", 0),
            ("@-5", -5),
            ("@1769860800.25", 1_769_860_800),
            ("2026-01-31T12:00:00Z", 1_769_860_800),
            ("2026-01-31 12:00Z", 1_769_860_800),
            ("2026-01-31T12:00:00+02:00", 1_769_853_600),
            ("2026-01-31", 1_769_810_400),
            ("2026-01-31 14:00", 1_769_860_800),
            ("2026-01-31T14:00:00", 1_769_860_800),
            ("90s", 1_769_860_710),
            ("10min", 1_769_860_200),
            ("2h", 1_769_853_600),
            ("3d", 1_769_601_600),
            ("1w", 1_769_256_000),
        ] {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in ["", "@", "@x", "@1.", "tomorrowish", "2026-13-01", "file.txt", "12"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
