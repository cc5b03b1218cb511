//! `${#x}` and `${x:offset:length}`: texts by characters.

use super::character::width;

/// The end of `${x:offset:-length}` lies before its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndBeforeStart;

/// How many characters it has. A byte that belongs to none counts as one.
#[must_use]
pub fn length(text: &[u8], utf8: bool) -> usize {
    if !utf8 || text.is_ascii() {
        return text.len();
    }
    match std::str::from_utf8(text) {
        Ok(text) => text.chars().count(),
        Err(_) => {
            let (mut at, mut count) = (0, 0);
            while at < text.len() {
                at += width(text, at, true);
                count += 1;
            }
            count
        }
    }
}

/// `length` characters from `offset` on, as bash counts: a negative offset from the end, a negative
/// length is where to stop, from the end; `None` is all the rest. What starts outside is empty.
///
/// # Errors
/// A negative length that stops before the start.
pub fn slice(
    text: &[u8],
    offset: i64,
    length: Option<i64>,
    utf8: bool,
) -> Result<&[u8], EndBeforeStart> {
    let utf8 = utf8 && !text.is_ascii();
    // From the front no more has to be counted than is taken.
    if offset >= 0 && length.is_none_or(|length| length >= 0) {
        let start = skip(text, 0, offset, utf8);
        let end = length.map_or(text.len(), |length| skip(text, start, length, utf8));
        return Ok(&text[start..end]);
    }
    let count = self::length(text, utf8) as i64;
    let start = if offset < 0 { offset.saturating_add(count) } else { offset };
    if start < 0 || start > count {
        return Ok(b"");
    }
    let end = match length {
        None => count,
        Some(length) if length < 0 => length.saturating_add(count),
        Some(length) => start.saturating_add(length).min(count),
    };
    if end < start {
        return Err(EndBeforeStart);
    }
    let from = skip(text, 0, start, utf8);
    let to = skip(text, from, end - start, utf8);
    Ok(&text[from..to])
}

/// Where so many characters from `at` on end.
fn skip(text: &[u8], mut at: usize, characters: i64, utf8: bool) -> usize {
    if !utf8 {
        let count = usize::try_from(characters).unwrap_or(usize::MAX);
        return at.saturating_add(count).min(text.len());
    }
    let mut left = characters;
    while left > 0 && at < text.len() {
        at += width(text, at, true);
        left -= 1;
    }
    at
}
