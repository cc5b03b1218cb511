//! Dates for `%(…)T`, as the C library's `strftime` writes them in the C locale.

use fewer::localtime::{Civil, Clock, DAYS, MONTHS};

/// Appends a time in a format. Makes no calls.
pub fn format(format: &[u8], seconds: i64, clock: &mut Clock<'_>, out: &mut Vec<u8>) {
    let civil = clock.civil(seconds);
    write(format, seconds, &civil, out);
}

/// What stands between the `%` and its letter.
#[derive(Clone, Copy, Default)]
struct Flags {
    /// One of `_`, `-` and `0`.
    pad: Option<u8>,
    upper: bool,
    swap: bool,
    width: usize,
}

fn write(format: &[u8], seconds: i64, civil: &Civil<'_>, out: &mut Vec<u8>) {
    let mut rest = format;
    while let Some(at) = memchr::memchr(b'%', rest) {
        out.extend_from_slice(&rest[..at]);
        let start = &rest[at..];
        rest = &start[1..];
        let mut flags = Flags::default();
        while let Some(&flag) = rest.first() {
            match flag {
                b'_' | b'-' | b'0' => flags.pad = Some(flag),
                b'^' => flags.upper = true,
                b'#' => flags.swap = true,
                _ => break,
            }
            rest = &rest[1..];
        }
        while let Some(digit) = rest.first().filter(|byte| byte.is_ascii_digit()) {
            flags.width = (flags.width * 10 + usize::from(digit - b'0')).min(1023);
            rest = &rest[1..];
        }
        if let Some(b'E' | b'O') = rest.first() {
            rest = &rest[1..];
        }
        let known = match rest.first() {
            Some(&letter) => one(letter, flags, seconds, civil, out),
            None => false,
        };
        rest = rest.get(1..).unwrap_or(b"");
        if !known {
            out.extend_from_slice(&start[..start.len() - rest.len()]);
        }
    }
    out.extend_from_slice(rest);
}

/// False if there is no such letter.
fn one(letter: u8, flags: Flags, seconds: i64, civil: &Civil<'_>, out: &mut Vec<u8>) -> bool {
    let mut number = |value: i64, digits, pad| flags.number(value, digits, pad, out);
    let twelve = i64::from((civil.hour + 11) % 12 + 1);
    match letter {
        b'd' => number(i64::from(civil.day), 2, b'0'),
        b'e' => number(i64::from(civil.day), 2, b'_'),
        b'H' => number(i64::from(civil.hour), 2, b'0'),
        b'k' => number(i64::from(civil.hour), 2, b'_'),
        b'I' => number(twelve, 2, b'0'),
        b'l' => number(twelve, 2, b'_'),
        b'M' => number(i64::from(civil.minute), 2, b'0'),
        b'S' => number(i64::from(civil.second), 2, b'0'),
        b'm' => number(i64::from(civil.month), 2, b'0'),
        b'j' => number(i64::from(civil.yearday) + 1, 3, b'0'),
        b'Y' => number(civil.year, 1, b'0'),
        b'C' => number(civil.year.div_euclid(100), 2, b'0'),
        b'y' => number(civil.year.rem_euclid(100), 2, b'0'),
        b'G' => number(iso_week(civil).0, 1, b'0'),
        b'g' => number(iso_week(civil).0.rem_euclid(100), 2, b'0'),
        b'V' => number(iso_week(civil).1, 2, b'0'),
        b'U' => number(week(civil, 0), 2, b'0'),
        b'W' => number(week(civil, 1), 2, b'0'),
        b'u' => number(i64::from((civil.weekday + 6) % 7 + 1), 1, b'0'),
        b'w' => number(i64::from(civil.weekday), 1, b'0'),
        b's' => number(seconds, 1, b'0'),
        _ => return word(letter, flags, seconds, civil, out),
    }
    true
}

fn word(letter: u8, flags: Flags, seconds: i64, civil: &Civil<'_>, out: &mut Vec<u8>) -> bool {
    let day = DAYS[usize::from(civil.weekday) % 7];
    let month = MONTHS[usize::from(civil.month - 1) % 12];
    let half = if civil.hour < 12 { "AM" } else { "PM" };
    let parts: &[u8] = match letter {
        b'a' => &day.as_bytes()[..3],
        b'A' => day.as_bytes(),
        b'b' | b'h' => &month.as_bytes()[..3],
        b'B' => month.as_bytes(),
        b'p' if flags.swap => return flags.word(half.to_lowercase().as_bytes(), out),
        b'p' => half.as_bytes(),
        b'P' => return flags.word(half.to_lowercase().as_bytes(), out),
        b'Z' if flags.swap => {
            return flags.word(civil.abbreviation.to_lowercase().as_bytes(), out);
        }
        b'Z' => civil.abbreviation.as_bytes(),
        b'z' => return zone(flags, civil, out),
        b'n' => b"\n",
        b't' => b"\t",
        b'%' => b"%",
        _ => {
            let inner: &[u8] = match letter {
                b'c' => b"%a %b %e %H:%M:%S %Y",
                b'D' | b'x' => b"%m/%d/%y",
                b'F' => b"%Y-%m-%d",
                b'R' => b"%H:%M",
                b'r' => b"%I:%M:%S %p",
                b'T' | b'X' => b"%H:%M:%S",
                _ => return false,
            };
            let mut made = Vec::new();
            write(inner, seconds, civil, &mut made);
            let unchanged = Flags { swap: false, ..flags };
            return unchanged.word(&made, out);
        }
    };
    let shout = Flags { upper: flags.upper || (flags.swap && letter != b'Z'), ..flags };
    shout.word(parts, out)
}

fn zone(flags: Flags, civil: &Civil<'_>, out: &mut Vec<u8>) -> bool {
    let minutes = civil.offset.abs() / 60;
    let sign = if civil.offset < 0 { '-' } else { '+' };
    let value = minutes / 60 * 100 + minutes % 60;
    let text = match flags.pad {
        Some(b'-') => format!("{sign}{value}"),
        Some(b'_') => {
            format!("{sign}{value:>width$}", width = flags.width.saturating_sub(1).max(4))
        }
        _ => format!("{sign}{value:0width$}", width = flags.width.saturating_sub(1).max(4)),
    };
    out.extend_from_slice(text.as_bytes());
    true
}

impl Flags {
    fn number(self, value: i64, digits: usize, pad: u8, out: &mut Vec<u8>) {
        let pad = self.pad.unwrap_or(pad);
        let text = value.unsigned_abs().to_string();
        let sign = if value < 0 { "-" } else { "" };
        let wanted = if pad == b'-' && self.width == 0 { 0 } else { digits.max(self.width) };
        let missing = wanted.saturating_sub(text.len() + sign.len());
        if pad == b'_' {
            out.resize(out.len() + missing, b' ');
        }
        out.extend_from_slice(sign.as_bytes());
        if pad == b'0' {
            out.resize(out.len() + missing, b'0');
        }
        out.extend_from_slice(text.as_bytes());
    }

    /// Always true: there is such a letter.
    fn word(self, text: &[u8], out: &mut Vec<u8>) -> bool {
        let missing = self.width.saturating_sub(text.len());
        if self.pad != Some(b'-') {
            let with = if self.pad == Some(b'0') { b'0' } else { b' ' };
            out.resize(out.len() + missing, with);
        }
        let start = out.len();
        out.extend_from_slice(text);
        if self.upper {
            out[start..].make_ascii_uppercase();
        }
        true
    }
}

/// The week of the year, weeks beginning on this day.
fn week(civil: &Civil<'_>, first: i64) -> i64 {
    let weekday = (i64::from(civil.weekday) - first).rem_euclid(7);
    (i64::from(civil.yearday) + 7 - weekday) / 7
}

/// The year and the week of ISO 8601.
fn iso_week(civil: &Civil<'_>) -> (i64, i64) {
    let weekday = (i64::from(civil.weekday) + 6) % 7;
    // The Thursday of the same week decides.
    let thursday = i64::from(civil.yearday) - weekday + 3;
    let length = |year: i64| if is_leap(year) { 366 } else { 365 };
    let (year, day) = if thursday < 0 {
        (civil.year - 1, thursday + length(civil.year - 1))
    } else if thursday >= length(civil.year) {
        (civil.year + 1, thursday - length(civil.year))
    } else {
        (civil.year, thursday)
    };
    (year, day / 7 + 1)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}
