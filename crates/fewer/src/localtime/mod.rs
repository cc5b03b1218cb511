//! Local time from one read of the zone's file.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Zone`]: the rules |
//! | `source` | the value of `TZ`: which file, or which rule |
//! | `leaps` | leap seconds, if a file has them |
//! | `clock` | from seconds to year, month, day, hour, …, with a cache of spans |
//! | `format` | `%Y-%m-%d` and all the others of date(1) and strftime(3) |
//! | `column` | a column of times, in the styles of ls(1) |
//!
//! The C library looks at /etc/localtime for every time that it converts, unless `TZ` is set.

mod clock;
pub(crate) mod column;
mod format;
mod leaps;
mod source;

use jiff::tz::{Offset, TimeZone};

pub use clock::{Civil, Clock};
use format::{Format, Writer};
use leaps::Leaps;

/// The rules of a time zone: of the one that `TZ` names, otherwise of this machine's.
///
/// `TZ` may have the forms that glibc takes: the name of a file below /usr/share/zoneinfo or below
/// `TZDIR`; an absolute path; a rule such as `EST5EDT,M3.2.0,M11.1.0` or `<+03>-3`; a colon in
/// front of any of them; an empty value for UTC. Without `TZ` it is /etc/localtime. A value that
/// cannot be read or parsed is UTC, under the name that it starts with. Files with leap seconds
/// (those below `right/`) are supported.
///
/// Differences from glibc: a rule with a summer time but without dates (`ABC5DEF`, and no such
/// file) means the dates of the United States since 2007 in all years; a rule holds before 1970
/// too (glibc up to 2.36 takes all that is older for the beginning of 1970: no summer time in the
/// north, nothing else in the south), and beyond the year 5,000,000; a file whose last transition
/// contradicts its own rule for the time after it is refused; and a rule that gives its dates, or
/// has no summer time, is not looked for among the files first.
#[derive(Clone, Debug)]
pub struct Zone {
    rules: Rules,
    leaps: Leaps,
}

#[derive(Clone, Debug)]
enum Rules {
    Changing(TimeZone),
    /// Seconds east of Greenwich, and the name.
    Fixed(i32, Box<str>),
}

impl Zone {
    /// Coordinated universal time.
    #[must_use]
    pub fn utc() -> Zone {
        Zone::fixed(0, "UTC")
    }

    /// The zone of this process.
    ///
    /// Price: open, read and close of the zone's file (one more read at the end of a damaged file;
    /// only the open for a missing one); nothing for UTC by an empty `TZ` or for a rule.
    #[must_use]
    pub fn local() -> Zone {
        use sys::OsStrExt;
        let tz = std::env::var_os("TZ");
        Zone::from_tz(tz.as_deref().map(OsStrExt::as_bytes))
    }

    /// The zone that `TZ` with this value names; `None` stands for a missing variable.
    ///
    /// Price: as [`local`](Zone::local).
    #[must_use]
    pub fn from_tz(tz: Option<&[u8]>) -> Zone {
        source::zone(tz)
    }

    /// The zone that these bytes describe in the format of tzfile(5); `None` if they do not.
    ///
    /// Price: none.
    #[must_use]
    pub fn from_tzif(bytes: &[u8]) -> Option<Zone> {
        let rules = TimeZone::tzif("", bytes).ok()?;
        Some(Zone { rules: Rules::Changing(rules), leaps: Leaps::of(bytes) })
    }

    /// Appends one time in a format of date(1): `%Y-%m-%d` and all the others, in the C locale.
    /// Many are better written by a [`TimeColumn`](crate::present::TimeColumn).
    ///
    /// Price: none.
    pub fn write(&self, format: &[u8], time: sys::Time, out: &mut Vec<u8>) {
        Format::new(format).write(&self.clock().civil(time.seconds), time, out);
    }

    /// Appends one time in a format of strftime(3), as glibc has it, in the C locale: no
    /// nanoseconds, and small differences to [`write`](Zone::write) in widths and years.
    ///
    /// Price: none.
    pub fn strftime(&self, format: &[u8], seconds: i64, out: &mut Vec<u8>) {
        let time = sys::Time { seconds, nanoseconds: 0 };
        Format::of(Writer::Strftime, format).write(&self.clock().civil(seconds), time, out);
    }

    fn changing(rules: TimeZone) -> Zone {
        Zone { rules: Rules::Changing(rules), leaps: Leaps::default() }
    }

    fn fixed(east: i32, name: &str) -> Zone {
        Zone { rules: Rules::Fixed(east, name.into()), leaps: Leaps::default() }
    }

    /// A converter for one time after the other.
    ///
    /// Price: none.
    #[must_use]
    pub fn clock(&self) -> Clock<'_> {
        Clock::new(self)
    }

    /// For conversions in the other direction, which do not know leap seconds.
    pub(crate) fn rules(&self) -> TimeZone {
        match &self.rules {
            Rules::Changing(rules) => rules.clone(),
            Rules::Fixed(east, _) => {
                Offset::from_seconds(*east).map_or(TimeZone::UTC, TimeZone::fixed)
            }
        }
    }
}
