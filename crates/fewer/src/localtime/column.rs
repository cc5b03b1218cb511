//! A column of times, in the styles of ls(1).

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use sys::Time;

use super::Zone;
use super::clock::Clock;
use super::format::Format;

/// Half of a year of 365.2425 days.
const HALF_A_YEAR: i64 = 31_556_952 / 2;

/// How to write times: one format for those of the last six months, one for all others.
#[derive(Clone, Debug)]
pub struct TimeStyle {
    old: Format,
    recent: Format,
}

impl TimeStyle {
    /// `2026-11-21 11:22:33.123456789 +0000`
    #[must_use]
    pub fn full_iso() -> TimeStyle {
        TimeStyle::both(b"%Y-%m-%d %H:%M:%S.%N %z")
    }

    /// `2026-11-21 11:22`
    #[must_use]
    pub fn long_iso() -> TimeStyle {
        TimeStyle::both(b"%Y-%m-%d %H:%M")
    }

    /// `11-21 11:22`, or `2026-11-21 ` when it is not recent.
    #[must_use]
    pub fn iso() -> TimeStyle {
        TimeStyle { old: Format::new(b"%Y-%m-%d "), recent: Format::new(b"%m-%d %H:%M") }
    }

    /// `Nov 21 11:22`, or `Nov 21  2026` when it is not recent: the style of the C locale.
    #[must_use]
    pub fn locale() -> TimeStyle {
        TimeStyle { old: Format::new(b"%b %e  %Y"), recent: Format::new(b"%b %e %H:%M") }
    }

    /// A format of date(1), as it stands behind the plus in `ls --time-style=+FORMAT`; if it has
    /// two lines, the first is for times that are not recent, the second for those that are.
    ///
    /// # Errors
    /// More than two lines.
    pub fn format(format: &[u8]) -> Result<TimeStyle, TimeStyleError> {
        let mut lines = format.split(|&byte| byte == b'\n');
        match (lines.next(), lines.next(), lines.next()) {
            (Some(old), Some(recent), None) => {
                Ok(TimeStyle { old: Format::new(old), recent: Format::new(recent) })
            }
            (_, None, _) => Ok(TimeStyle::both(format)),
            _ => Err(TimeStyleError),
        }
    }

    fn both(format: &[u8]) -> TimeStyle {
        TimeStyle { old: Format::new(format), recent: Format::new(format) }
    }
}

impl FromStr for TimeStyle {
    type Err = TimeStyleError;

    /// `full-iso`, `long-iso`, `iso`, `locale` or `+FORMAT`.
    fn from_str(text: &str) -> Result<TimeStyle, TimeStyleError> {
        match text {
            "full-iso" => Ok(TimeStyle::full_iso()),
            "long-iso" => Ok(TimeStyle::long_iso()),
            "iso" => Ok(TimeStyle::iso()),
            "locale" => Ok(TimeStyle::locale()),
            _ => TimeStyle::format(text.strip_prefix('+').ok_or(TimeStyleError)?.as_bytes()),
        }
    }
}

/// The text is no style of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeStyleError;

impl fmt::Display for TimeStyleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected full-iso, long-iso, iso, locale or +FORMAT of at most two lines")
    }
}

impl std::error::Error for TimeStyleError {}

/// Writes times in a style, and caches the last texts for times of the same day, minute or second.
/// Each thread has one of its own.
///
/// Price: no calls.
#[derive(Clone, Debug)]
pub struct TimeColumn<'z> {
    clock: Clock<'z>,
    style: TimeStyle,
    now: Time,
    /// Whether `now` follows the clock.
    runs: bool,
    width: usize,
    /// The texts written before. A time has one slot, found by its value.
    written: Vec<Written>,
    /// How often the slot of a time held another.
    misses: usize,
}

/// A text, and the times that it is right for.
#[derive(Clone, Debug, Default)]
struct Written {
    same: Range<i64>,
    recent: bool,
    text: Vec<u8>,
}

/// The number of slots at first, and when that is not enough.
const FEW: usize = 16;
const MANY: usize = 2048;

impl<'z> TimeColumn<'z> {
    /// A writer of one time after the other in a style.
    ///
    /// Price: none; "now" comes from the clock that the kernel shares with every process.
    #[must_use]
    pub fn new(zone: &'z Zone, style: TimeStyle) -> TimeColumn<'z> {
        let mut column = TimeColumn {
            clock: zone.clock(),
            style,
            now: Time::now(),
            runs: true,
            width: 0,
            written: vec![Written::default(); FEW],
            misses: 0,
        };
        let mut epoch = Vec::new();
        let time = Time { seconds: 0, nanoseconds: 0 };
        column.style.old.write(&column.clock.civil(0), time, &mut epoch);
        // As in the C locale, characters other than printable ASCII take no column.
        column.width = epoch.iter().filter(|byte| matches!(byte, b' '..=b'~')).count();
        column
    }

    /// Takes this time as the present, whatever the clock says.
    #[must_use]
    pub fn at(mut self, now: Time) -> TimeColumn<'z> {
        self.now = now;
        self.runs = false;
        self
    }

    /// The expected length of a time in bytes: the `?` that replaces a missing time is
    /// right-aligned in this width.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Appends this time. If its year does not fit 32 bits, appends its seconds since 1970,
    /// right-aligned in the width of the column.
    #[inline]
    pub fn write(&mut self, time: Time, out: &mut Vec<u8>) {
        let recent = self.is_recent(time);
        let grain = if recent { &self.style.recent } else { &self.style.old }.grain_seconds();
        if grain == 0 {
            self.convert(time, recent, out);
            return;
        }
        // Neighbouring times have different slots, so that the table holds all times of a small
        // range.
        let place = (time.seconds.div_euclid(grain) as usize) % self.written.len();
        let known = &self.written[place];
        if known.recent == recent && known.same.contains(&time.seconds) {
            return out.extend_from_slice(&known.text);
        }
        let start = out.len();
        let same = self.convert(time, recent, out);
        let written = &mut self.written[place];
        (written.same, written.recent) = (same, recent);
        written.text.clear();
        written.text.extend_from_slice(&out[start..]);
        self.misses += 1;
        if self.misses == 4 * FEW {
            self.written = vec![Written::default(); MANY];
        }
    }

    /// Appends a time; returns the times that the text is right for.
    fn convert(&mut self, time: Time, recent: bool, out: &mut Vec<u8>) -> Range<i64> {
        let civil = self.clock.civil(time.seconds);
        // The range of localtime(3): years since 1900 in an int.
        if i32::try_from(civil.year - 1900).is_err() {
            let text = time.seconds.to_string();
            // Not by a format of Rust's, whose widths end at 65,535.
            out.resize(out.len() + self.width.saturating_sub(text.len()), b' ');
            out.extend_from_slice(text.as_bytes());
            return 0..0;
        }
        let format = if recent { &self.style.recent } else { &self.style.old };
        format.write(&civil, time, out);
        let grain = format.grain_seconds();
        if grain == 0 || civil.second >= 60 {
            return 0..0;
        }
        let since_midnight =
            i64::from(civil.hour) * 3600 + i64::from(civil.minute) * 60 + i64::from(civil.second);
        let start = time.seconds - since_midnight % grain;
        let even = self.clock.even();
        start.max(even.start)..(start + grain).min(even.end)
    }

    /// Whether a time is within the last six months and not in the future.
    fn is_recent(&mut self, time: Time) -> bool {
        // A file may have changed after the clock was read.
        if self.runs && time > self.now {
            self.now = Time::now();
        }
        let seconds = self.now.seconds - HALF_A_YEAR;
        Time { seconds, ..self.now } < time && time < self.now
    }
}
