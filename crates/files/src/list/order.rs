//! In which order rows are.

use std::cmp::Ordering;

use kernel::Time;

use super::rows::{Listing, Row};
use super::version;

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

/// What of a row is looked at first: rows of different keys are in the order of the keys.
type Key = (bool, u128);

/// Place of a row, as it was read, behind its key.
type Keyed = (Key, u32);

impl ListOrder {
    /// The places of the rows in order; nothing if they are in order as they are.
    pub(super) fn sort(self, listing: &Listing) -> Vec<u32> {
        if self.by == By::Nothing {
            return Vec::new();
        }
        let skipped = match self.by {
            By::Name => common_prefix(listing),
            _ => 0,
        };
        let mut keyed: Vec<Keyed> = (0..listing.len())
            .map(|place| (self.key(listing.row_as_read(place), skipped), place as u32))
            .collect();
        keyed.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| self.closer(listing, a.1, b.1)));
        keyed.into_iter().map(|(_, place)| place).collect()
    }

    fn key(self, row: Row<'_>, skipped: usize) -> Key {
        let key = match self.by {
            By::Nothing | By::Version | By::Extension => 0,
            By::Name => leading(&row.name_bytes()[skipped..]),
            By::Size => !u128::from(row.stat().map_or(0, |stat| stat.size())),
            By::Time(moment) => !time_key(row, moment),
        };
        let last = self.directories_first && !row.leads_to_directory();
        (last, if self.reversed { !key } else { key })
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
