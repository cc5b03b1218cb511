//! Leap seconds: the files below `right/` count them, so that their seconds since 1970 are more
//! than those of POSIX.

use std::ops::Range;

/// The time of each leap second, and how many there had been, this one included.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaps(Box<[(i64, i64)]>);

/// What applies to all times in `during`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Leap {
    pub(super) during: Range<i64>,
    /// How many seconds to leave out.
    pub(super) extra: i64,
    /// Whether it is the leap second itself: 23:59:60.
    pub(super) is_it: bool,
}

impl Leaps {
    /// The leap seconds of a valid file in the format of tzfile(5).
    pub(super) fn of(file: &[u8]) -> Leaps {
        Leaps(table(file).unwrap_or_default())
    }

    pub(super) fn at(&self, time: i64) -> Leap {
        let next = self.0.partition_point(|leap| leap.0 <= time);
        let until = self.0.get(next).map_or(i64::MAX, |leap| leap.0);
        let Some(&(at, extra)) = next.checked_sub(1).map(|last| &self.0[last]) else {
            return Leap { during: i64::MIN..until, extra: 0, is_it: false };
        };
        let before = next.checked_sub(2).map_or(0, |last| self.0[last].1);
        // A removed second, or an entry that only says until when the table is valid.
        if extra <= before {
            return Leap { during: at..until, extra, is_it: false };
        }
        match time == at {
            true => Leap { during: at..at + 1, extra, is_it: true },
            false => Leap { during: at + 1..until, extra, is_it: false },
        }
    }
}

/// tzfile(5): a header with six counts, then the tables; both once more with 64 bits.
fn table(file: &[u8]) -> Option<Box<[(i64, i64)]>> {
    let first = Header::at(file)?;
    let (header, tables, wide) = match file.get(4)? {
        0 => (first, file.get(44..)?, 4),
        _ => {
            let second = file.get(44 + first.length(4)?..)?;
            (Header::at(second)?, second.get(44..)?, 8)
        }
    };
    let leaps = tables.get(header.before_leaps(wide)?..)?;
    let leaps = leaps.get(..header.leaps.checked_mul(wide + 4)?)?;
    let entry = |entry: &[u8]| {
        let (at, total) = entry.split_at(wide);
        Some((signed(at)?, signed(total)?))
    };
    let table: Box<[_]> = leaps.chunks_exact(wide + 4).map(entry).collect::<Option<_>>()?;
    table.is_sorted_by(|a, b| a.0 < b.0).then_some(table)
}

struct Header {
    universal: usize,
    standard: usize,
    leaps: usize,
    times: usize,
    types: usize,
    letters: usize,
}

impl Header {
    fn at(bytes: &[u8]) -> Option<Header> {
        let count = |index: usize| {
            let from = 20 + 4 * index;
            let bytes = bytes.get(from..from + 4)?;
            usize::try_from(u32::from_be_bytes(bytes.try_into().ok()?)).ok()
        };
        bytes.starts_with(b"TZif").then_some(())?;
        let (universal, standard, leaps) = (count(0)?, count(1)?, count(2)?);
        let (times, types, letters) = (count(3)?, count(4)?, count(5)?);
        Some(Header { universal, standard, leaps, times, types, letters })
    }

    /// The length of the tables before the leap seconds.
    fn before_leaps(&self, wide: usize) -> Option<usize> {
        let times = self.times.checked_mul(wide + 1)?;
        times.checked_add(self.types.checked_mul(6)?)?.checked_add(self.letters)
    }

    /// The length of all tables.
    fn length(&self, wide: usize) -> Option<usize> {
        let leaps = self.leaps.checked_mul(wide + 4)?;
        let flags = self.universal.checked_add(self.standard)?;
        self.before_leaps(wide)?.checked_add(leaps)?.checked_add(flags)
    }
}

fn signed(bytes: &[u8]) -> Option<i64> {
    match bytes.len() {
        4 => Some(i64::from(i32::from_be_bytes(bytes.try_into().ok()?))),
        _ => Some(i64::from_be_bytes(bytes.try_into().ok()?)),
    }
}
