//! The order of rows.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use sys::Time;

use super::rows::{Listing, Row};
use super::{Rank, version};
use crate::threads::start_scoped;

/// Which time of an entry counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// The last change of its contents.
    #[default]
    Modified,
    /// The last reading of its contents.
    Accessed,
    /// The last change of contents or metadata.
    Changed,
    /// Its creation.
    Created,
}

impl Moment {
    /// That time of a row; `None` if it was not requested or the file system does not keep it.
    #[must_use]
    pub fn of(self, row: Row<'_>) -> Option<Time> {
        let stat = row.stat()?;
        match self {
            Moment::Modified => Some(stat.modified()),
            Moment::Accessed => Some(stat.accessed()),
            Moment::Changed => Some(stat.changed()),
            Moment::Created => stat.created(),
        }
    }
}

/// The criterion of the order. Rows that are equal by it are ordered by the bytes of their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// As the directory was read.
    Nothing,
    /// By the bytes of the name.
    #[default]
    Name,
    /// By name, numbers in it by their value.
    Version,
    /// By the text behind the last dot of the name; first those without a dot.
    Extension,
    /// The largest first.
    Size,
    /// The latest first.
    Time(Moment),
}

/// An order of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListOrder {
    /// What rows are compared by.
    pub by: By,
    /// Whether the order is reversed.
    pub reversed: bool,
    /// Directories and links to them before all else, also when reversed.
    pub directories_first: bool,
}

/// The part of a row that is compared first: rows of different keys are in the order of the keys.
type Key = [u64; 3];

/// A row while it is sorted.
#[derive(Clone, Copy, Default)]
struct Keyed {
    key: Key,
    /// The place of the row, as it was read.
    place: u32,
}

/// So many rows are sorted by one thread.
const ROWS_PER_THREAD: usize = 16 << 10;

/// The parameters of a sort.
#[derive(Clone, Copy)]
struct Sorting<'l> {
    order: ListOrder,
    rank: Option<&'l Rank>,
    listing: &'l Listing,
    /// How many bytes all names begin with.
    skipped: usize,
}

impl ListOrder {
    /// Puts the rows of a listing in order, with as many threads as have read it if it is large.
    pub(super) fn apply(self, rank: Option<&Rank>, mut listing: Listing) -> Listing {
        listing.order = self.sort(rank, &listing, listing.threads);
        listing
    }

    /// The positions of the rows in order; empty if they are in order already.
    fn sort(self, rank: Option<&Rank>, listing: &Listing, threads: usize) -> Vec<u32> {
        if self.by == By::Nothing {
            return Vec::new();
        }
        let skipped = match self.by {
            By::Name => common_prefix(listing),
            _ => 0,
        };
        let sorting = Sorting { order: self, rank, listing, skipped };
        let rows = sorting.sorted(0..listing.len(), threads);
        rows.into_iter().map(|row| row.place).collect()
    }
}

impl Sorting<'_> {
    /// The rows at these positions in order: each half by a thread of its own, as long as there are
    /// threads and enough rows.
    fn sorted(self, places: Range<usize>, threads: usize) -> Vec<Keyed> {
        if threads < 2 || places.len() < 2 * ROWS_PER_THREAD {
            let keyed = |place: usize| {
                let key = self.key(self.listing.row_as_read(place));
                Keyed { key, place: place as u32 }
            };
            let mut rows: Vec<Keyed> = places.map(keyed).collect();
            rows.sort_unstable_by(|a, b| self.compare(a, b));
            return rows;
        }
        let middle = places.start + places.len() / 2;
        let (left, right) = both(
            || self.sorted(places.start..middle, threads - threads / 2),
            || self.sorted(middle..places.end, threads / 2),
        );
        self.merged(&left, &right)
    }

    /// Merges two sorted runs: the first half of the result from their beginnings, the other at the
    /// same time from their ends.
    fn merged(self, left: &[Keyed], right: &[Keyed]) -> Vec<Keyed> {
        let mut rows = vec![Keyed::default(); left.len() + right.len()];
        let (first, last) = rows.split_at_mut(left.len());
        both(
            || {
                let (mut left, mut right) = (left.iter(), right.iter());
                for row in first {
                    let from_left = match (left.as_slice().first(), right.as_slice().first()) {
                        (Some(a), Some(b)) => self.compare(a, b).is_lt(),
                        (a, _) => a.is_some(),
                    };
                    let next = if from_left { left.next() } else { right.next() };
                    *row = next.copied().unwrap_or_default();
                }
            },
            || {
                let (mut left, mut right) = (left.iter(), right.iter());
                for row in last.iter_mut().rev() {
                    let from_left = match (left.as_slice().last(), right.as_slice().last()) {
                        (Some(a), Some(b)) => self.compare(a, b).is_gt(),
                        (a, _) => a.is_some(),
                    };
                    let next = if from_left { left.next_back() } else { right.next_back() };
                    *row = next.copied().unwrap_or_default();
                }
            },
        );
        rows
    }

    #[inline]
    fn compare(self, a: &Keyed, b: &Keyed) -> Ordering {
        a.key.cmp(&b.key).then_with(|| self.closer(a.place, b.place))
    }

    /// The lowest bit of the criterion is replaced by the one that puts directories first; where it
    /// would have decided, [`closer`](Sorting::closer) does.
    fn key(self, row: Row<'_>) -> Key {
        let number = |number: u128| [(number >> 64) as u64, number as u64, 0];
        let [mut first, mut second, mut third] = match (self.order.by, self.rank) {
            (By::Nothing | By::Version | By::Extension, _) => [0; 3],
            (By::Name, Some(rank)) => [rank(row.name_bytes()), 0, 0],
            (By::Name, None) => leading(&row.name_bytes()[self.skipped..]),
            (By::Size, _) => number(!u128::from(row.stat().map_or(0, |stat| stat.size()))),
            (By::Time(moment), _) => number(!time_key(row, moment)),
        };
        if self.order.reversed {
            (first, second, third) = (!first, !second, !third);
        }
        let last = self.order.directories_first && !row.leads_to_directory();
        let shifted = [first >> 1, second >> 1 | first << 63, third >> 1 | second << 63];
        [shifted[0] | u64::from(last) << 63, shifted[1], shifted[2]]
    }

    /// Compares rows whose keys are the same. Apart, or the sort has it many times over.
    #[inline(never)]
    fn closer(self, a: u32, b: u32) -> Ordering {
        let name = |place: u32| self.listing.row_as_read(place as usize).name_bytes();
        let (a, b) = (name(a), name(b));
        let closer = match self.order.by {
            By::Version => version::compare(a, b),
            By::Extension => extension(a).cmp(extension(b)),
            _ => Ordering::Equal,
        };
        let order = closer.then_with(|| a.cmp(b));
        if self.order.reversed { order.reverse() } else { order }
    }
}

/// Runs both functions at the same time, if a thread can be started.
fn both<A, B: Send>(here: impl FnOnce() -> A, there: impl FnOnce() -> B + Send) -> (A, B) {
    let there = Mutex::new(Some(there));
    let take = || there.lock().unwrap_or_else(PoisonError::into_inner).take();
    std::thread::scope(|scope| {
        let helper = || take().map(|there| there());
        let helper = start_scoped(scope, helper).ok();
        let a = here();
        let b = match helper.map(|helper| helper.join()) {
            Some(Ok(done)) => done,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => take().map(|there| there()),
        };
        match b {
            Some(b) => (a, b),
            None => unreachable!("it is done by one of the two"),
        }
    })
}

/// The first 24 bytes as numbers that compare as the bytes do.
fn leading(name: &[u8]) -> Key {
    let mut bytes = [0; 24];
    let length = name.len().min(24);
    bytes[..length].copy_from_slice(&name[..length]);
    let number =
        |at: usize| bytes[at..].first_chunk().map_or(0, |chunk| u64::from_be_bytes(*chunk));
    [number(0), number(8), number(16)]
}

/// How many bytes all names have in common at their beginning. Names in a large directory often
/// begin alike.
fn common_prefix(listing: &Listing) -> usize {
    if listing.is_empty() {
        return 0;
    }
    let first = listing.row_as_read(0).name_bytes();
    let mut common = first.len();
    for place in 1..listing.len() {
        let name = listing.row_as_read(place).name_bytes();
        if name.get(..common) != Some(&first[..common]) {
            common = name.iter().zip(&first[..common]).take_while(|(a, b)| a == b).count();
        }
        if common == 0 {
            break;
        }
    }
    common
}

fn extension(name: &[u8]) -> &[u8] {
    name.iter().rposition(|&byte| byte == b'.').map_or(&[], |dot| &name[dot..])
}

/// A number that compares as the times do, before 1970 as well. As in GNU ls, an entry without
/// metadata counts as of 1970, and a time that is not kept as just before.
fn time_key(row: Row<'_>, moment: Moment) -> u128 {
    let (seconds, nanoseconds) = match (row.stat(), moment.of(row)) {
        (None, _) => (0, 0),
        (_, None) => (-1, -1),
        (_, Some(time)) => (time.seconds, i64::from(time.nanoseconds)),
    };
    ((i128::from(seconds) + (1 << 64)) as u128) << 32 | (nanoseconds + 1) as u128
}
