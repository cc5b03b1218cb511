//! In which order rows are.

use std::cmp::Ordering;

use kernel::Time;

use super::rows::{Listing, Row};
use super::{Rank, version};

/// Which of its times an entry is judged by.
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
    /// That time of a row; `None` if it was not asked for or is not kept.
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

/// What rows are compared by. Where that is the same, names decide, by their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// As the directory was read.
    Nothing,
    /// By the bytes of the name.
    #[default]
    Name,
    /// By name, numbers in it by their value.
    Version,
    /// By what stands behind the last dot of the name; first those without one.
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
    /// The other way round.
    pub reversed: bool,
    /// Directories and links to them before all else, also when reversed.
    pub directories_first: bool,
}

/// A row on its way to its place.
#[derive(Clone, Copy)]
struct Keyed {
    /// What of a row is looked at first: rows of different keys are in the order of the keys.
    key: u128,
    /// The place of the row, as it was read.
    place: u32,
}

/// So many rows are sorted by one thread.
const ROWS_PER_THREAD: usize = 32 << 10;

impl ListOrder {
    /// The places of the rows in order; nothing if they are in order as they are.
    pub(super) fn sort(self, rank: Option<&Rank>, listing: &Listing, threads: usize) -> Vec<u32> {
        if self.by == By::Nothing {
            return Vec::new();
        }
        let skipped = match self.by {
            By::Name => common_prefix(listing),
            _ => 0,
        };
        let keyed = |place: usize| {
            let key = self.key(rank, listing.row_as_read(place), skipped);
            Keyed { key, place: place as u32 }
        };
        let mut rows: Vec<Keyed> = (0..listing.len()).map(keyed).collect();
        self.sort_together(listing, &mut rows, threads);
        rows.into_iter().map(|row| row.place).collect()
    }

    /// Sorts by halves, each by a thread of its own, as long as there are threads and rows for it.
    fn sort_together(self, listing: &Listing, rows: &mut [Keyed], threads: usize) {
        if threads < 2 || rows.len() < 2 * ROWS_PER_THREAD {
            return rows.sort_unstable_by(|a, b| self.compare(listing, a, b));
        }
        let middle = rows.len() / 2;
        let (left, right) = rows.split_at_mut(middle);
        std::thread::scope(|scope| {
            let half = || self.sort_together(listing, right, threads / 2);
            let _ = std::thread::Builder::new().spawn_scoped(scope, half);
            self.sort_together(listing, left, threads - threads / 2);
        });
        // The stable sort finds the two runs and merges them; or sorts the half that no thread
        // was to be had for.
        rows.sort_by(|a, b| self.compare(listing, a, b));
    }

    #[inline]
    fn compare(self, listing: &Listing, a: &Keyed, b: &Keyed) -> Ordering {
        a.key.cmp(&b.key).then_with(|| self.closer(listing, a.place, b.place))
    }

    /// The lowest bit of what is compared is lost to the one that puts directories first; where it
    /// would have decided, [`closer`](ListOrder::closer) does.
    fn key(self, rank: Option<&Rank>, row: Row<'_>, skipped: usize) -> u128 {
        let key = match self.by {
            By::Nothing | By::Version | By::Extension => 0,
            By::Name => match rank {
                Some(rank) => u128::from(rank(row.name_bytes())) << 2,
                None => leading(&row.name_bytes()[skipped..]),
            },
            By::Size => !u128::from(row.stat().map_or(0, |stat| stat.size())) << 2,
            By::Time(moment) => !time_key(row, moment) << 2,
        };
        let key = if self.reversed { !key } else { key };
        let last = self.directories_first && !row.leads_to_directory();
        u128::from(last) << 127 | key >> 1
    }

    /// Compares rows whose keys are the same.
    fn closer(self, listing: &Listing, a: u32, b: u32) -> Ordering {
        let (a, b) = (listing.row_as_read(a as usize), listing.row_as_read(b as usize));
        let (a, b) = (a.name_bytes(), b.name_bytes());
        let closer = match self.by {
            By::Version => version::compare(a, b),
            By::Extension => extension(a).cmp(extension(b)),
            _ => Ordering::Equal,
        };
        let order = closer.then_with(|| a.cmp(b));
        if self.reversed { order.reverse() } else { order }
    }
}

/// The first 16 bytes as a number that compares as they do.
fn leading(name: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    let length = name.len().min(16);
    bytes[..length].copy_from_slice(&name[..length]);
    u128::from_be_bytes(bytes)
}

/// How many bytes all names begin with. Names in a large directory often begin alike.
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

/// A number that compares as the times do, before 1970 as well. As in GNU ls, an entry that did not
/// answer is of 1970, and a time that is not kept is just before.
fn time_key(row: Row<'_>, moment: Moment) -> u128 {
    let (seconds, nanoseconds) = match (row.stat(), moment.of(row)) {
        (None, _) => (0, 0),
        (_, None) => (-1, -1),
        (_, Some(time)) => (time.seconds, i64::from(time.nanoseconds)),
    };
    ((i128::from(seconds) + (1 << 64)) as u128) << 32 | (nanoseconds + 1) as u128
}
