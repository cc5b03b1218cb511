//! Which keys a page has, and where the next one begins.

use std::ops::Range;

use crate::answer::{BAD_TOKEN, Refusal};
use crate::faults::Faults;
use crate::keys::Keys;
use crate::random::mix;
use crate::request::List;

/// What a continuation token's number is mixed with, so that nobody counts on it.
const TOKEN: u64 = 0x5eed_c0de_1157_0b1e;

/// What a page shows.
#[derive(Default)]
pub(crate) struct Page {
    /// Indices of keys.
    pub(crate) keys: Vec<u64>,
    /// Groups of keys that have a common prefix up to the delimiter.
    pub(crate) common_prefixes: Vec<Vec<u8>>,
    /// The position of the next page, if there is one.
    pub(crate) next: Option<u64>,
    /// What comes last, for clients that go on from there: a key or a common prefix.
    pub(crate) last: Vec<u8>,
}

impl Page {
    pub(crate) fn len(&self) -> u64 {
        (self.keys.len() + self.common_prefixes.len()) as u64
    }

    /// The page of the list request of a number.
    ///
    /// # Errors
    ///
    /// What is wrong with the request.
    pub(crate) fn new(
        keys: &Keys,
        list: &List,
        faults: &Faults,
        number: u64,
    ) -> Result<Page, &'static Refusal> {
        if let Some(refusal) = list.refusal {
            return Err(refusal);
        }
        let range = keys.first_at_least(&list.prefix)..keys.first_past(&list.prefix);
        let mut page = Page::default();
        let start = start(keys, list, faults, &range)?;
        if list.max_keys == 0 || start >= range.end {
            return Ok(page);
        }
        let is_second_version = !list.is_first_version;
        if is_second_version && faults.is_empty_page(number) {
            page.next = Some(start);
            return Ok(page);
        }
        let limit = faults.page_length(number, list.max_keys);
        let repeats = faults.duplicates && list.token.is_some() && limit > 1;
        let first = if repeats && start > range.start { start - 1 } else { start };
        if !list.delimiter.is_empty() {
            page.group(keys, list, first..range.end, limit);
            if is_second_version && faults.unordered {
                page.keys.reverse();
                page.common_prefixes.reverse();
            }
        } else {
            let end = range.end.min(first + limit);
            page.next = (end < range.end).then_some(end);
            match is_second_version && faults.unordered {
                true => page.keys.extend((first..end).map(|at| shuffled(at, &range))),
                false => page.keys.extend(first..end),
            }
        }
        if is_second_version && faults.repeats_token && page.next.is_some() {
            page.next = Some(start);
        }
        Ok(page)
    }

    /// Fills the page with keys and with groups of them, each of which is skipped at once.
    fn group(&mut self, keys: &Keys, list: &List, range: Range<u64>, limit: u64) {
        let mut at = range.start;
        let mut key = Vec::new();
        while at < range.end && self.len() < limit {
            key.clear();
            keys.push_key(at, &mut key);
            match common_prefix(&key, list) {
                Some(prefix) => {
                    at = keys.first_past(prefix);
                    self.common_prefixes.push(prefix.to_vec());
                    prefix.clone_into(&mut self.last);
                }
                None => {
                    self.keys.push(at);
                    at += 1;
                    key.clone_into(&mut self.last);
                }
            }
        }
        self.next = (at < range.end).then_some(at);
    }
}

/// The part of a key up to the first delimiter after the prefix.
fn common_prefix<'a>(key: &'a [u8], list: &List) -> Option<&'a [u8]> {
    let delimiter = &list.delimiter;
    let rest = key.get(list.prefix.len()..).filter(|_| !delimiter.is_empty())?;
    let at = rest.windows(delimiter.len()).position(|window| window == delimiter)?;
    Some(&key[..list.prefix.len() + at + delimiter.len()])
}

/// The position of the first key that is asked for, in the range of those that have the prefix.
fn start(
    keys: &Keys,
    list: &List,
    faults: &Faults,
    range: &Range<u64>,
) -> Result<u64, &'static Refusal> {
    if let Some(token) = list.token.as_ref().filter(|_| !list.is_first_version) {
        let position = position_of(token).ok_or(&BAD_TOKEN)?;
        return if position <= keys.len() {
            Ok(position.max(range.start))
        } else {
            Err(&BAD_TOKEN)
        };
    }
    let is_ignored = !list.is_first_version && (faults.ignores_start_after || faults.unordered);
    let Some(after) = list.start_after.as_ref().filter(|_| !is_ignored) else {
        return Ok(range.start);
    };
    // After a common prefix, which ends a page if the client goes on from there, come the keys that
    // are not in its group.
    let is_group =
        after.starts_with(&list.prefix) && common_prefix(after, list) == Some(after.as_slice());
    let first = if is_group { keys.first_past(after) } else { keys.first_after(after) };
    Ok(first.max(range.start))
}

/// The key at a position of a range, in an order that is not that of bytes but always the same.
fn shuffled(position: u64, range: &Range<u64>) -> u64 {
    let count = range.end - range.start;
    // About a golden section of the range apart, and each key once: no common divisor.
    let golden = (count as f64 * 0.618) as u64;
    let step = (golden.max(1)..).find(|step| has_no_common_divisor(*step, count)).unwrap_or(1);
    let steps = u128::from(position - range.start) * u128::from(step);
    let shuffled = (steps + u128::from(count - 1)) % u128::from(count);
    range.start + shuffled as u64
}

fn has_no_common_divisor(one: u64, other: u64) -> bool {
    let (mut greater, mut less) = (one, other);
    while less > 0 {
        (greater, less) = (less, greater % less);
    }
    greater == 1
}

/// The continuation token of a position. It has signs that must be encoded in a URL.
pub(crate) fn token_of(position: u64) -> String {
    format!("1/{:016x}+{:08x}=", position ^ TOKEN, check(position))
}

fn position_of(token: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(token).ok()?;
    let (number, _) = text.strip_prefix("1/")?.split_once('+')?;
    let position = u64::from_str_radix(number, 16).ok()? ^ TOKEN;
    (token_of(position) == text).then_some(position)
}

fn check(position: u64) -> u32 {
    mix(position ^ TOKEN) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_leads_back_to_its_position_and_a_changed_one_nowhere() {
        for position in [0, 1, 10_000_000, u64::MAX] {
            let token = token_of(position);
            assert_eq!(position_of(token.as_bytes()), Some(position));
            assert_eq!(position_of(token.replace('+', " ").as_bytes()), None);
            assert_eq!(position_of(&token.as_bytes()[..token.len() - 1]), None);
        }
        assert_eq!(position_of(b"1/5eedc0de11570b1e+00000000="), None);
    }

    #[test]
    fn another_order_has_each_key_once_and_is_not_that_of_bytes() {
        for count in [2, 3, 10, 1000, 1024] {
            let range = 7..7 + count;
            let order: Vec<u64> = range.clone().map(|at| shuffled(at, &range)).collect();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_ne!(order, sorted);
            assert_eq!(sorted, range.collect::<Vec<u64>>());
        }
    }
}
