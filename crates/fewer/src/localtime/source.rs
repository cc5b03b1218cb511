//! The value of `TZ`: which file, or which rule.

use std::ffi::CString;

use jiff::tz::TimeZone;
use sys::{CWD, OsStrExt};

use super::Zone;

/// The largest file of the time zone database has 4 KiB.
const LIMIT: usize = 1 << 20;

/// The dates of tzset(3) for a rule with a summer time but without dates.
const USUAL: &str = "M3.2.0,M11.1.0";

pub(super) fn zone(tz: Option<&[u8]>) -> Zone {
    let Some(tz) = tz else {
        let whole = || file(b"/etc/localtime".to_vec());
        return data(None).or_else(whole).unwrap_or_else(Zone::utc);
    };
    let tz = tz.strip_prefix(b":").unwrap_or(tz);
    if tz.is_empty() {
        return Zone::utc();
    }
    if stands_alone(tz) {
        return rule(tz);
    }
    let folder = std::env::var_os("TZDIR").filter(|folder| !folder.is_empty());
    let path = match folder.as_deref().map(|folder| folder.as_bytes()) {
        _ if tz.starts_with(b"/") => tz.to_vec(),
        Some(folder) => [folder, b"/", tz].concat(),
        None => match data(Some(tz)) {
            Some(zone) => return zone,
            None => [b"/usr/share/zoneinfo/", tz].concat(),
        },
    };
    file(path).unwrap_or_else(|| rule(tz))
}

/// A zone whose data is in no file.
fn data(name: Option<&[u8]>) -> Option<Zone> {
    sys::zone_data(name).and_then(Zone::from_tzif)
}

fn file(path: Vec<u8>) -> Option<Zone> {
    let path = CString::new(path).ok()?;
    let mut zone = None;
    let is_whole = |bytes: &[u8]| {
        zone = Zone::from_tzif(bytes);
        zone.is_some() || !bytes.starts_with(b"TZif")
    };
    sys::read_until(CWD, &path, LIMIT, is_whole).ok()?;
    zone
}

/// Whether this can only be a rule, because no file has such a name: it has dates, or a name in
/// brackets, or no summer time.
fn stands_alone(tz: &[u8]) -> bool {
    if tz.starts_with(b"<") || tz.contains(&b',') {
        return true;
    }
    let end = part(tz).and_then(|(_, rest)| offset(rest)).map(|(_, rest)| rest);
    end.is_some_and(<[u8]>::is_empty)
}

/// `STDOFFSET[DST[OFFSET][,START,END]]`, as leniently as glibc reads it.
fn rule(tz: &[u8]) -> Zone {
    let Some((name, rest)) = part(tz) else { return Zone::fixed(0, "") };
    let Some((west, rest)) = offset(rest) else { return Zone::fixed(0, name) };
    let fixed = || Zone::fixed(-west, name);
    let Some((summer, rest)) = part(rest) else { return fixed() };
    let (summer_west, rest) = offset(rest).unwrap_or((west - 3600, rest));
    // Text behind the two dates does not matter.
    let end = rest.iter().enumerate().filter(|(_, byte)| **byte == b',').nth(2);
    let rest = end.map_or(rest, |(end, _)| &rest[..end]);
    let dates = rest.strip_prefix(b",").and_then(|dates| std::str::from_utf8(dates).ok());
    let with = |dates: &str| {
        let (standard, summer) = (posix(name, west), posix(summer, summer_west));
        TimeZone::posix(&format!("{standard}{summer},{dates}")).ok()
    };
    let rules = dates.and_then(with).or_else(|| with(USUAL));
    rules.map_or_else(fixed, Zone::changing)
}

fn posix(name: &str, west: i32) -> String {
    let (sign, west) = (if west < 0 { "-" } else { "" }, west.abs());
    format!("<{name}>{sign}{}:{:02}:{:02}", west / 3600, west / 60 % 60, west % 60)
}

/// A name: three letters or more, or anything between brackets.
fn part(text: &[u8]) -> Option<(&str, &[u8])> {
    let (name, rest) = match text.strip_prefix(b"<") {
        Some(text) => {
            let end = text.iter().position(|&byte| byte == b'>')?;
            (&text[..end], &text[end + 1..])
        }
        None => {
            let letters = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            text.split_at(letters)
        }
    };
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-');
    let is_name = name.len() >= 3 && name.iter().all(fits);
    is_name.then(|| Some((std::str::from_utf8(name).ok()?, rest)))?
}

/// `[+-]HOURS[:MINUTES[:SECONDS]]`, in seconds west of Greenwich; values that are too large become
/// the largest.
fn offset(text: &[u8]) -> Option<(i32, &[u8])> {
    let (sign, rest) = match text.first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let (hours, mut rest) = digits(rest)?;
    let mut seconds = hours.min(24) * 3600;
    for unit in [60, 1] {
        let Some((number, behind)) = rest.strip_prefix(b":").and_then(digits) else { break };
        (seconds, rest) = (seconds + number.min(59) * unit, behind);
    }
    Some((sign * seconds, rest))
}

fn digits(text: &[u8]) -> Option<(i32, &[u8])> {
    let end = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..end]).ok()?;
    (end > 0).then(|| (number.parse().unwrap_or(i32::MAX), &text[end..]))
}
