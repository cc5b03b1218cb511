//! Times in the zone of the process.

use sys::OsStringExt;

use fewer::locale::own_locale;
use fewer::present::{TimeColumn, TimeStyle};
use fewer::{Time, Zone};

use fewer::present::align::push_unknown;

/// The style of the options, and the zone, which is only read if times are shown.
pub(super) struct Times<'o> {
    style: &'o TimeStyle,
    zone: Zone,
}

/// Writes times, for one thread.
pub(super) struct TimeWriter<'t>(TimeColumn<'t>);

/// The style that the flag names, or else the environment (`TIME_STYLE`).
pub(super) fn style(flag: Option<Vec<u8>>) -> Result<TimeStyle, String> {
    let from_env = || std::env::var_os("TIME_STYLE").map(OsStringExt::into_vec);
    let Some(text) = flag.or_else(from_env) else { return Ok(TimeStyle::locale()) };
    let mut name = &*text;
    while let Some(rest) = name.strip_prefix(b"posix-") {
        // Only other locales than POSIX's take a style.
        if is_posix_locale() {
            return Ok(TimeStyle::locale());
        }
        name = rest;
    }
    let style = match name.strip_prefix(b"+") {
        Some(format) => TimeStyle::format(format),
        None => String::from_utf8_lossy(name).parse(),
    };
    style.map_err(|error| format!("invalid time style '{}': {error}", text.escape_ascii()))
}

fn is_posix_locale() -> bool {
    own_locale("LC_TIME").is_none_or(|name| name == b"C" || name == b"POSIX")
}

impl<'o> Times<'o> {
    /// Price: one read of the time zone's file, if `shown`.
    pub(super) fn new(style: &'o TimeStyle, shown: bool) -> Times<'o> {
        Times { style, zone: if shown { Zone::local() } else { Zone::utc() } }
    }

    pub(super) fn writer(&self) -> TimeWriter<'_> {
        TimeWriter(TimeColumn::new(&self.zone, self.style.clone()))
    }
}

impl TimeWriter<'_> {
    /// Prints a time; `?` if there is none.
    #[inline]
    pub(super) fn push(&mut self, time: Option<Time>, out: &mut Vec<u8>) {
        match time {
            Some(time) => self.0.write(time, out),
            None => push_unknown(self.0.width(), out),
        }
    }
}
