//! Which part of a bucket is requested next: ranges of keys that are disjoint and leave no gap.
//!
//! A listing begins as one range. While there are fewer requests under way than allowed, the range
//! with the most keys left, by the density that was observed in it, is split behind what was
//! listed. A range `(after, end]` has the keys greater than `after` and not greater than `end`; a
//! split at `middle` makes `(after, middle]` and `(middle, end]` of it, so that no choice of
//! `middle` can lose a key or list one twice: a bad one costs a request.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::density::Density;
use crate::names::Names;
use crate::page::Page;
use crate::split::{self, Observed, Split};

/// Requests beyond one for each full page: so many are free, and so many more are earned by each
/// page.
const FREE_EXCESS: f64 = 12.0;
const EXCESS_PER_PAGE: f64 = 0.08;

/// What a range is expected to add to that: its last page is not full.
const EXCESS_PER_RANGE: f64 = 0.6;

/// If all of those last pages are all but empty, there are no more than that beyond full pages:
/// 1.1 requests for 1,000 keys of a bucket of a million.
const MOST_FREE_EXCESS: f64 = 26.0;
const MOST_EXCESS_PER_PAGE: f64 = 0.067;

/// A range of which fewer keys are left is not split: each of its parts would not earn what it is
/// expected to cost. In a small bucket what is free is spent first.
const WORTH_SPLITTING: f64 = 16_000.0;
const WORTH_AT_FIRST: f64 = 4_000.0;
const FIRST_PAGES: u64 = 64;

/// One key in so many is looked at for its characters.
const OBSERVED_EVERY: usize = 16;

/// So many pages in a row without a new key end the listing of a store that repeats itself.
const MOST_PAGES_WITHOUT_A_KEY: u32 = 1_000;
const MOST_REPEATED_PAGES: u32 = 8;

/// The keys greater than `after` and not greater than `end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// The key before the first; empty for the beginning.
    pub after: Vec<u8>,
    /// The last possible key; `None` if there is no bound.
    pub end: Option<Vec<u8>>,
}

impl KeyRange {
    /// All keys.
    pub const ALL: KeyRange = KeyRange { after: Vec::new(), end: None };

    /// Whether ranges are in order and have no key in common: otherwise keys would be listed twice.
    #[must_use]
    pub fn are_disjoint(ranges: &[KeyRange]) -> bool {
        let ends_before = |range: &KeyRange, after: &[u8]| {
            range.end.as_ref().is_some_and(|end| end.as_slice() <= after)
        };
        !ranges.iter().any(|range| ends_before(range, &range.after))
            && ranges.windows(2).all(|pair| ends_before(&pair[0], &pair[1].after))
    }
}

/// A request: the range, by where it begins, and how it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) range: Vec<u8>,
    pub(crate) from: From,
}

/// Where a page begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum From {
    Beginning,
    /// Behind this key.
    After(Vec<u8>),
    /// Where the page before says.
    Token(String),
}

/// The objects of a page that belong to its range, and whether they are the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) is_last: bool,
}

/// What is wrong with a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// After the first key came the second, which is smaller.
    Unordered(Vec<u8>, Vec<u8>),
    /// The store repeats itself.
    Repeats,
}

#[derive(Debug)]
struct Range {
    end: Option<Vec<u8>>,
    /// The last key that was listed, or where the range begins.
    last: Vec<u8>,
    token: Option<String>,
    /// Where the last piece of it begins that was listed.
    piece: Option<Vec<u8>>,
    /// The best split, if it was looked for since the last page.
    split: Option<Option<Split>>,
    is_under_way: bool,
    /// All of it was listed, but it is kept until the store is known to obey `start-after`.
    is_done: bool,
    /// The store has more behind the end.
    is_cut: bool,
    pages_without_a_key: u32,
    repeated_pages: u32,
}

/// All ranges that are not listed to their ends, by where they begin.
#[derive(Debug)]
pub(crate) struct Plan {
    prefix: Vec<u8>,
    ranges: BTreeMap<Vec<u8>, Range>,
    names: Names,
    density: Density,
    pages: u64,
    largest_page: usize,
    splits: u64,
    may_split: bool,
    /// A page that was requested by `start-after` began behind it.
    obeys_start_after: bool,
    /// Nothing is known of the order of pages: the first was out of order, or no order is needed.
    is_unordered: bool,
    /// A first page that is out of order is an error.
    needs_order: bool,
}

impl Plan {
    /// A plan for disjoint ranges of keys with a prefix.
    pub(crate) fn new(prefix: &[u8], ranges: Vec<KeyRange>) -> Plan {
        let range = |KeyRange { after, end }| (after.clone(), Range::new(after, end));
        Plan {
            prefix: prefix.to_owned(),
            ranges: ranges.into_iter().map(range).collect(),
            names: Names::default(),
            density: Density::default(),
            pages: 0,
            largest_page: 0,
            splits: 0,
            may_split: true,
            obeys_start_after: false,
            is_unordered: false,
            needs_order: false,
        }
    }

    /// The same as one range, which is never split.
    pub(crate) fn serial(self) -> Plan {
        Plan { may_split: false, ..self }
    }

    /// The same for a store of whose order nothing is known.
    pub(crate) fn unordered(self) -> Plan {
        Plan { is_unordered: true, ..self }
    }

    /// The same for a store that has to list in order.
    pub(crate) fn ordered(self) -> Plan {
        Plan { needs_order: true, ..self }
    }

    /// The ranges that are not listed to their ends, by where they began, less what was taken.
    pub(crate) fn open(&self) -> impl Iterator<Item = (&[u8], KeyRange)> {
        let open = self.ranges.iter().filter(|(_, range)| !range.is_done);
        open.map(|(start, range)| {
            (&**start, KeyRange { after: range.last.clone(), end: range.end.clone() })
        })
    }

    /// Whether the store lists in no order, so that what is left is no range.
    pub(crate) fn is_unordered(&self) -> bool {
        self.is_unordered
    }

    /// Whether all ranges are listed to their ends.
    pub(crate) fn is_listed(&self) -> bool {
        self.ranges.values().all(|range| range.is_done)
    }

    /// What to request next, or nothing for now. With `only_first`, only of the first range.
    pub(crate) fn next(&mut self, only_first: bool) -> Option<Wanted> {
        let first = if only_first { 1 } else { usize::MAX };
        let open = self.ranges.iter().filter(|(_, range)| !range.is_done).take(first);
        let mut waiting = open.filter(|(_, range)| !range.is_under_way);
        if let Some(start) = waiting.next().map(|(start, _)| start.clone()) {
            return self.request(start);
        }
        if only_first { None } else { self.split() }
    }

    fn request(&mut self, start: Vec<u8>) -> Option<Wanted> {
        let range = self.ranges.get_mut(&start)?;
        range.is_under_way = true;
        let from = match &range.token {
            Some(token) => From::Token(token.clone()),
            None if range.last.is_empty() => From::Beginning,
            None => From::After(range.last.clone()),
        };
        Some(Wanted { range: start, from })
    }

    /// The request was refused, and is to be sent again.
    pub(crate) fn refused(&mut self, range: &[u8]) {
        if let Some(range) = self.ranges.get_mut(range) {
            range.is_under_way = false;
        }
    }

    /// Splits the range with the most keys left, and requests the second part. One split is tried
    /// before the store is known to obey `start-after`.
    fn split(&mut self) -> Option<Wanted> {
        let may_split = match self.obeys_start_after {
            true => self.is_worth_a_range(),
            false => self.splits == 0,
        };
        if !self.may_split || !may_split {
            return None;
        }
        let worth = if self.pages < FIRST_PAGES { WORTH_AT_FIRST } else { WORTH_SPLITTING };
        let middle = self.split_largest(worth)?;
        self.splits += 1;
        self.request(middle)
    }

    /// Splits the range with the most keys left, if there are so many. Returns where.
    fn split_largest(&mut self, worth: f64) -> Option<Vec<u8>> {
        let (prefix, names, density) = (&*self.prefix, &self.names, &self.density);
        let splits = self.ranges.iter_mut().filter_map(|(start, range)| {
            let split = range.best_split(prefix, names, density)?;
            (split.left >= worth).then_some((start, split))
        });
        let (start, split) = splits.max_by(|a, b| a.1.left.total_cmp(&b.1.left))?;
        let (start, middle) = (start.clone(), split.key.clone());
        let range = self.ranges.get_mut(&start)?;
        let end = range.end.replace(middle.clone());
        // Nothing more is known of what is left before its next page.
        range.split = Some(None);
        self.ranges.insert(middle.clone(), Range::new(middle.clone(), end));
        Some(middle)
    }

    /// Splits what is left, which nobody requests any more, until it has so many ranges, if that
    /// many are worth it.
    pub(crate) fn share_out(&mut self, shares: usize) {
        while self.may_split
            && self.open().count() < shares
            && self.split_largest(WORTH_SPLITTING).is_some()
        {}
    }

    /// Whether one more range keeps the requests within their limit.
    fn is_worth_a_range(&self) -> bool {
        let (pages, ranges) = (self.pages as f64, self.ranges.len() as f64);
        let full = self.density.keys() as f64 / self.largest_page.max(1) as f64;
        let excess = pages - full;
        let expected = excess + EXCESS_PER_RANGE * (ranges + 1.0);
        let most = excess + ranges + 1.0;
        expected <= FREE_EXCESS + EXCESS_PER_PAGE * pages
            && most <= MOST_FREE_EXCESS + MOST_EXCESS_PER_PAGE * pages
    }

    /// Takes a page of a range: says which of its objects are new and belong to the range. If the
    /// store turns out not to obey `start-after`, nothing is taken, and the range is gone.
    pub(crate) fn take(&mut self, start: &[u8], page: &Page) -> Result<Option<Taken>, Wrong> {
        self.pages += 1;
        self.largest_page = self.largest_page.max(page.len());
        let is_first_page = self.pages == 1;
        let Some(range) = self.ranges.get_mut(start) else { return Ok(None) };
        range.is_under_way = false;
        let is_first_of_range = range.piece.is_none() && range.token.is_none() && !start.is_empty();
        // The key itself may come again, as a common prefix does for which there are more keys.
        let first = page.get(0).map(|object| object.key.cmp(start));
        if is_first_of_range && first.is_some_and(Ordering::is_lt) {
            return self.distrust(start, page);
        }
        let range = self.ranges.get_mut(start).ok_or(Wrong::Repeats)?;
        match out_of_order(page) {
            Some(_) if is_first_page && start.is_empty() && !self.needs_order => {
                self.is_unordered = true;
            }
            Some(wrong) if !self.is_unordered => return Err(wrong),
            _ => {}
        }
        self.may_split &= !self.is_unordered;
        let taken = match self.is_unordered {
            true => range.take_all(page)?,
            false => range.take_ordered(page)?,
        };
        let last = taken.to.checked_sub(1).and_then(|last| page.get(last));
        if let (Some(first), Some(last), true) = (page.get(taken.from), last, taken.from < taken.to)
        {
            let keys = (taken.to - taken.from) as u64;
            let before = range.piece.take();
            range.piece = Some(self.density.add(before, first.key, last.key, keys));
        }
        for object in page.objects().step_by(OBSERVED_EVERY) {
            self.names.observe(object.key);
        }
        range.is_done = taken.is_last;
        // One that does not obey would have given the first keys of the bucket again.
        let is_behind = first.map_or(!page.is_truncated(), Ordering::is_gt);
        self.obeys_start_after |= is_first_of_range && is_behind;
        if self.obeys_start_after || self.splits == 0 {
            self.ranges.retain(|_, range| !range.is_done);
        }
        Ok(Some(taken))
    }

    /// What is there to list beyond what a range began with is no longer a range of its own: the
    /// range before it has all of it again, and is listed by tokens.
    fn distrust(&mut self, start: &[u8], page: &Page) -> Result<Option<Taken>, Wrong> {
        let gone = self.ranges.remove(start).ok_or(Wrong::Repeats)?;
        let key = page.get(0).map(|object| object.key.to_owned()).unwrap_or_default();
        let before = self.ranges.range_mut(..start.to_owned()).next_back();
        match before {
            Some((_, before))
                if !self.obeys_start_after && before.end.as_deref() == Some(start) =>
            {
                before.end = gone.end;
                before.is_done &= !before.is_cut;
                self.may_split = false;
                Ok(None)
            }
            _ => Err(Wrong::Unordered(start.to_owned(), key)),
        }
    }
}

impl Range {
    fn new(after: Vec<u8>, end: Option<Vec<u8>>) -> Range {
        Range {
            end,
            last: after,
            token: None,
            piece: None,
            split: None,
            is_under_way: false,
            is_done: false,
            is_cut: false,
            pages_without_a_key: 0,
            repeated_pages: 0,
        }
    }

    /// Where to split what was not listed, if something was.
    fn best_split(&mut self, prefix: &[u8], names: &Names, density: &Density) -> Option<&Split> {
        let piece = self.piece.as_deref().filter(|_| !self.is_done)?;
        let (last, end) = (&*self.last, self.end.as_deref());
        let look = || split::best(&Observed { prefix, piece, last, end, names, density });
        self.split.get_or_insert_with(look).as_ref()
    }

    /// Takes what lies behind the last key, up to the end. Some stores repeat the last key of the
    /// page before.
    fn take_ordered(&mut self, page: &Page) -> Result<Taken, Wrong> {
        // A page that was cut at the end of the range comes again if that was moved.
        let repeats = page.is_truncated() && page.token() == self.token.as_deref();
        let goes_on = self.token.is_some() && !self.is_cut && !repeats;
        if let Some(first) = page.get(0).filter(|first| goes_on && first.key < &*self.last) {
            return Err(Wrong::Unordered(self.last.clone(), first.key.to_owned()));
        }
        let from = page.objects().take_while(|object| object.key <= &*self.last).count();
        let is_inside = |key: &[u8]| self.end.as_deref().is_none_or(|end| key <= end);
        let to = from + page.objects().skip(from).take_while(|it| is_inside(it.key)).count();
        let reaches_end = to < page.len()
            || self.end.as_deref().is_some_and(|end| {
                to > from && page.get(to - 1).is_some_and(|object| object.key == end)
            });
        self.count(from < to, from > 0, page)?;
        if from < to {
            self.last = page.get(to - 1).map(|last| last.key.to_owned()).unwrap_or_default();
        }
        self.split = None;
        self.is_cut = reaches_end && (to < page.len() || page.is_truncated());
        // A page that may have to be listed again is requested as it was.
        if !reaches_end {
            self.token = page.token().map(str::to_owned);
        }
        Ok(Taken { from, to, is_last: reaches_end || !page.is_truncated() })
    }

    /// Takes a page of a store that lists in no order.
    fn take_all(&mut self, page: &Page) -> Result<Taken, Wrong> {
        self.count(page.len() > 0, false, page)?;
        self.token = page.token().map(str::to_owned);
        Ok(Taken { from: 0, to: page.len(), is_last: !page.is_truncated() })
    }

    /// Notices a store that repeats itself.
    fn count(&mut self, has_key: bool, has_repeated: bool, page: &Page) -> Result<(), Wrong> {
        self.pages_without_a_key = if has_key { 0 } else { self.pages_without_a_key + 1 };
        let is_same_token = page.token().is_some() && page.token() == self.token.as_deref();
        self.repeated_pages = match !has_key && (has_repeated || is_same_token) {
            true => self.repeated_pages + 1,
            false => 0,
        };
        let repeats = self.repeated_pages > MOST_REPEATED_PAGES
            || self.pages_without_a_key > MOST_PAGES_WITHOUT_A_KEY;
        if repeats { Err(Wrong::Repeats) } else { Ok(()) }
    }
}

/// The first two keys of a page of which the second is not greater.
fn out_of_order(page: &Page) -> Option<Wrong> {
    let pairs = page.objects().zip(page.objects().skip(1));
    let (after, came) = pairs.into_iter().find(|(before, after)| before.key >= after.key)?;
    Some(Wrong::Unordered(after.key.to_owned(), came.key.to_owned()))
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
