//! Converts seconds since 1970 to the date and time of a calendar and a clock.

use std::ops::Range;

use jiff::Timestamp;
use jiff::tz::TimeZoneTransition;

use super::{Rules, Zone};

pub(super) const DAY: i64 = 86_400;

/// The calendar repeats itself after so many seconds, weekdays and rules included.
const YEARS_400: i64 = 146_097 * DAY;

/// The years 9000 and -9000: jiff supports a thousand more either way, so the changes before and
/// after are still in its range.
const LATEST: i64 = 221_845_392_000;
const EARLIEST: i64 = -346_178_707_200;

/// No zone has had more changes, and no listing has more years.
const SPANS: usize = 1024;

/// Date and time in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil<'c> {
    /// In the Gregorian calendar, also before it existed; the year before 1 is 0.
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 60.
    pub second: u8,
    /// 0 for Sunday to 6.
    pub weekday: u8,
    /// 0 for the first of January to 365.
    pub yearday: u16,
    /// Seconds ahead of UTC, negative west of Greenwich.
    pub offset: i32,
    /// The zone's name at this time: `CEST`.
    pub abbreviation: &'c str,
}

/// Converts times, and caches the spans of those nearby. Each thread has one of its own.
///
/// Price: no calls.
#[derive(Clone, Debug)]
pub struct Clock<'z> {
    zone: &'z Zone,
    /// The spans seen so far, in order.
    spans: Vec<Span>,
    last: usize,
    day: Day,
}

/// A span of time in which the offset does not change.
#[derive(Clone, Debug)]
struct Span {
    during: Range<i64>,
    /// Seconds to add to a time to get local seconds.
    shift: i64,
    offset: i32,
    is_leap: bool,
    abbreviation: Box<str>,
}

impl Span {
    fn has(&self, time: i64) -> bool {
        self.during.start <= time && time < self.during.end
    }
}

#[derive(Clone, Copy, Debug)]
struct Day {
    /// Local seconds since 1970.
    number: i64,
    year: i64,
    month: u8,
    day: u8,
    weekday: u8,
    yearday: u16,
}

impl<'z> Clock<'z> {
    pub(super) fn new(zone: &'z Zone) -> Clock<'z> {
        Clock { zone, spans: Vec::new(), last: 0, day: Day::new(0) }
    }

    /// Date and time so many seconds after 1970-01-01T00:00:00Z.
    #[inline]
    pub fn civil(&mut self, seconds: i64) -> Civil<'_> {
        if !self.spans.get(self.last).is_some_and(|span| span.has(seconds)) {
            self.find(seconds);
        }
        let span = &self.spans[self.last];
        let wall = seconds.saturating_add(span.shift);
        let number = wall.div_euclid(DAY);
        if number != self.day.number {
            self.day = Day::new(number);
        }
        let Day { year, month, day, weekday, yearday, .. } = self.day;
        // Below 86,400.
        let within = wall.rem_euclid(DAY) as u32;
        Civil {
            year,
            month,
            day,
            hour: (within / 3600) as u8,
            minute: (within / 60 % 60) as u8,
            second: (within % 60) as u8 + u8::from(span.is_leap),
            weekday,
            yearday,
            offset: span.offset,
            abbreviation: &span.abbreviation,
        }
    }

    /// The times around this one with the same offset and name.
    pub(super) fn even(&self) -> Range<i64> {
        self.spans.get(self.last).map_or(0..0, |span| span.during.clone())
    }

    /// Makes the span of this time the current one.
    #[cold]
    fn find(&mut self, time: i64) {
        self.last = self.spans.partition_point(|span| span.during.end <= time);
        if self.spans.get(self.last).is_some_and(|span| span.has(time)) {
            return;
        }
        if self.spans.len() >= SPANS {
            self.spans.clear();
            self.last = 0;
        }
        let span = self.zone.span(time);
        self.spans.insert(self.last, span);
    }
}

impl Zone {
    fn span(&self, time: i64) -> Span {
        let leap = self.leaps.at(time);
        let (even, offset, abbreviation) = match &self.rules {
            Rules::Fixed(offset, name) => (i64::MIN..i64::MAX, *offset, name.clone()),
            Rules::Changing(rules) => even(rules, time),
        };
        let (start, end) = (even.start.max(leap.during.start), even.end.min(leap.during.end));
        // The very last second has none after it.
        let end = if time == i64::MAX { end } else { end.max(time + 1) };
        Span {
            during: start.min(time)..end,
            shift: i64::from(offset) - leap.extra,
            offset,
            is_leap: leap.is_it,
            abbreviation,
        }
    }
}

/// The span around this time in which the rules change nothing, the offset and the name.
fn even(rules: &jiff::tz::TimeZone, time: i64) -> (Range<i64>, i32, Box<str>) {
    // Outside of jiff's range it is the same as so many times 400 years nearer.
    let cycles = match time {
        ..EARLIEST => (time - EARLIEST).div_euclid(YEARS_400),
        EARLIEST..LATEST => 0,
        LATEST.. => (time - LATEST) / YEARS_400 + 1,
    };
    let away = cycles * YEARS_400;
    // In range after this.
    let near = Timestamp::from_second(time - away).unwrap_or_default();
    let info = rules.to_offset_info(near);
    let just_after = near.saturating_add(jiff::SignedDuration::from_secs(1)).unwrap_or(near);
    let start = rules.preceding(just_after).next();
    let end = rules.following(near).next();
    // A change before the first possible second may have no number.
    let at = |change: TimeZoneTransition<'_>| change.timestamp().as_second().saturating_add(away);
    let (start, end) = (start.map_or(i64::MIN, at), end.map_or(i64::MAX, at));
    (start..end, info.offset().seconds(), info.abbreviation().into())
}

impl Day {
    /// The calendar is counted in periods of 400 years from the first of March of year 0, so that a
    /// leap day is the last day of its year.
    fn new(number: i64) -> Day {
        let days = number + 719_468;
        let period = days.div_euclid(146_097);
        let day = days.rem_euclid(146_097);
        // Without the leap days before: after 4, 100 and 400 years.
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let yearday = day - (365 * year + year / 4 - year / 100);
        // From March on, months have 31, 30, 31, 30, 31 days, repeatedly: 153 in five.
        let month = (5 * yearday + 2) / 153;
        let day = yearday - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        let year = year + 400 * period + next;
        let yearday = match next {
            1 => yearday - 306,
            _ => yearday + 59 + i64::from(is_leap_year(year)),
        };
        Day {
            number,
            year,
            month: month as u8,
            day: day as u8,
            weekday: (number + 4).rem_euclid(7) as u8,
            yearday: yearday as u16,
        }
    }
}

/// Whether the year has a 29th of February.
pub(super) fn is_leap_year(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}
