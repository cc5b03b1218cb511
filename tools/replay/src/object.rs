//! Objects: what their index makes them, and answers to HEAD and GET.

use std::ops::Range;
use std::sync::LazyLock;

use crate::answer::{Answer, INVALID_RANGE};
use crate::encoding::push_number;
use crate::random::mix;

/// 1 January 2021 in seconds since 1970, and the days until the end of 2024.
const FIRST_DAY: i64 = 1_609_459_200;
const DAYS: u64 = 4 * 365 + 1;
const DAY: u64 = 86_400;

/// How many bytes of an object GET gives at most.
const CONTENT_LIMIT: u64 = 1 << 20;

/// Days from 1 January 2021 on, as ISO 8601 writes them.
static DATES: LazyLock<Vec<[u8; 10]>> = LazyLock::new(dates);

/// The size in bytes of the object that an index has in its bucket: below 1 GiB, as often below
/// 1 KiB as between that and 1 MiB, and sometimes 0.
pub fn size_of(index: u64) -> u64 {
    let random = mix(index ^ 0x0051_2e00);
    let bits = random % 31;
    mix(random) & ((1 << bits) - 1)
}

/// When the object that an index has in its bucket was modified last, in seconds since 1970: in the
/// years from 2021 to 2024 (UTC).
pub fn modified_of(index: u64) -> i64 {
    FIRST_DAY + since_first_day(index) as i64
}

fn since_first_day(index: u64) -> u64 {
    mix(index ^ 0x0071_4e00) % (DAYS * DAY)
}

/// Appends `2024-02-29T23:59:59.000Z`.
pub(crate) fn push_modified(index: u64, out: &mut Vec<u8>) {
    let seconds = since_first_day(index);
    let mut text = *b"2021-01-01T00:00:00.000Z";
    text[..10].copy_from_slice(&DATES[(seconds / DAY) as usize]);
    let second_of_day = (seconds % DAY) as u32;
    let [hour, minute] = [second_of_day / 3600, second_of_day % 3600 / 60];
    for (at, number) in [(11, hour), (14, minute), (17, second_of_day % 60)] {
        text[at] += (number / 10) as u8;
        text[at + 1] += (number % 10) as u8;
    }
    out.extend_from_slice(&text);
}

fn dates() -> Vec<[u8; 10]> {
    let mut dates = Vec::with_capacity(DAYS as usize);
    for year in 2021..=2024_u16 {
        for month in 1..=12_u8 {
            let days = match month {
                2 if year == 2024 => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            dates.extend((1..=days).map(|day| date(year, month, day)));
        }
    }
    dates
}

fn date(year: u16, month: u8, day: u8) -> [u8; 10] {
    let mut date = *b"2020-00-00";
    date[3] += (year - 2020) as u8;
    for (at, number) in [(5, month), (8, day)] {
        date[at] += number / 10;
        date[at + 1] += number % 10;
    }
    date
}

/// Appends the 32 hexadecimal digits of an ETag, without quotes.
pub(crate) fn push_tag(index: u64, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let random = mix(index ^ 0x0e7a_6000);
    let number = u128::from(random) << 64 | u128::from(mix(random));
    let mut digits = [0; 32];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(number.to_be_bytes()) {
        pair[0] = HEX[usize::from(byte >> 4)];
        pair[1] = HEX[usize::from(byte & 15)];
    }
    out.extend_from_slice(&digits);
}

/// The headers of an object.
pub(crate) fn describe(answer: &mut Answer, index: u64) {
    let mut tag = vec![b'"'];
    push_tag(index, &mut tag);
    tag.push(b'"');
    answer.begin("200 OK");
    answer.describe_length(size_of(index));
    answer.header("ETag", &tag);
    answer.header("Accept-Ranges", b"bytes");
    answer.header("Content-Type", b"binary/octet-stream");
}

/// The answer to GET: lines of text as many bytes as the object has, but at most 1 MiB, or the
/// range of them that a `Range` header asks for.
pub(crate) fn content(answer: &mut Answer, index: u64, key: &[u8], range: Option<&str>) {
    let length = size_of(index).min(CONTENT_LIMIT);
    describe(answer, index);
    let Some(range) = range.and_then(|range| bytes_of(range, length)) else {
        push_lines(key, 0..length, answer.body());
        return;
    };
    if range.is_empty() {
        answer.refuse(&INVALID_RANGE);
        return;
    }
    answer.status("206 Partial Content");
    let (first, last) = (range.start, range.end - 1);
    answer.header("Content-Range", format!("bytes {first}-{last}/{length}").as_bytes());
    push_lines(key, range, answer.body());
}

/// The bytes that a `Range` header asks for, none of them if there are none. A header that cannot
/// be understood, or asks for several ranges, counts as absent.
fn bytes_of(header: &str, length: u64) -> Option<Range<u64>> {
    let (first, last) = header.strip_prefix("bytes=")?.split_once('-')?;
    if first.is_empty() {
        let count: u64 = last.parse().ok()?;
        return Some(length.saturating_sub(count)..length);
    }
    let first: u64 = first.parse().ok()?;
    let end = match last {
        "" => length,
        last => last.parse::<u64>().ok().filter(|last| *last >= first)?.saturating_add(1),
    };
    Some(first.min(length)..end.min(length))
}

/// Appends a range of the text `KEY line 1`, `KEY line 2` and so on.
fn push_lines(key: &[u8], range: Range<u64>, out: &mut Vec<u8>) {
    let begin = out.len();
    let end = begin + range.end as usize;
    let mut number = 0;
    while out.len() < end {
        number += 1;
        out.extend_from_slice(key);
        out.extend_from_slice(b" line ");
        push_number(number, out);
        out.push(b'\n');
    }
    out.truncate(end);
    out.drain(begin..begin + range.start as usize);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_days_ends_with_the_last_of_2024() {
        assert_eq!(DATES.len(), 1461);
        assert_eq!(&DATES[0], b"2021-01-01");
        assert_eq!(&DATES[58], b"2021-02-28");
        assert_eq!(&DATES[59], b"2021-03-01");
        assert_eq!(&DATES[1154], b"2024-02-29");
        assert_eq!(&DATES[1460], b"2024-12-31");
    }

    #[test]
    fn times_are_written_as_they_are_counted() {
        for index in [0, 1, 2, 1000] {
            let mut text = Vec::new();
            push_modified(index, &mut text);
            let text = String::from_utf8(text).unwrap();
            let day = DATES.iter().position(|date| text.as_bytes().starts_with(date)).unwrap();
            let number = |at: usize| text[at..at + 2].parse::<i64>().unwrap();
            let seconds = number(11) * 3600 + number(14) * 60 + number(17);
            assert_eq!(modified_of(index), 1_609_459_200 + 86_400 * day as i64 + seconds);
            assert_eq!(&text[19..], ".000Z");
        }
    }

    #[test]
    fn a_range_is_what_the_object_has_of_it() {
        assert_eq!(bytes_of("bytes=0-9", 100), Some(0..10));
        assert_eq!(bytes_of("bytes=90-", 100), Some(90..100));
        assert_eq!(bytes_of("bytes=90-200", 100), Some(90..100));
        assert_eq!(bytes_of("bytes=-5", 100), Some(95..100));
        assert_eq!(bytes_of("bytes=-500", 100), Some(0..100));
        assert_eq!(bytes_of("bytes=100-", 100), Some(100..100));
        assert_eq!(bytes_of("bytes=9-0", 100), None);
        assert_eq!(bytes_of("bytes=0-1,5-6", 100), None);
        assert_eq!(bytes_of("lines=0-1", 100), None);
    }

    #[test]
    fn content_is_numbered_lines() {
        let mut out = Vec::new();
        push_lines(b"k", 0..20, &mut out);
        assert_eq!(out, b"k line 1\nk line 2\nk ");
        out.clear();
        push_lines(b"k", 7..12, &mut out);
        assert_eq!(out, b"1\nk l");
    }
}
