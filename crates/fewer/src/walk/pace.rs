//! Whether looking at an entry takes long, because it needs a call and the storage is slow.

use std::time::{Duration, Instant};

/// The clock is looked at once in so many entries.
const ENTRIES_PER_SAMPLE: u32 = 8;
/// A `statx` takes about a microsecond where nothing has to be waited for.
const LONG_ENTRY: Duration = Duration::from_micros(100);
/// So many samples in a row: a local disk reads the metadata of many files at once.
const LONG_SAMPLES: u32 = 2;

/// How long a worker takes to look at an entry.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Whether it is looked at: entries need calls.
    is_watched: bool,
    entries: u32,
    long_samples: u32,
}

impl Pace {
    pub(super) fn new(is_watched: bool) -> Pace {
        Pace { is_watched, ..Pace::default() }
    }

    /// Whether the last entries took long.
    pub(super) fn is_slow(&self) -> bool {
        self.long_samples >= LONG_SAMPLES
    }

    /// When looking at the next entry begins, if that is to be noted.
    #[inline]
    pub(super) fn begin(&mut self) -> Option<Instant> {
        if !self.is_watched {
            return None;
        }
        self.entries = self.entries.wrapping_add(1);
        self.entries.is_multiple_of(ENTRIES_PER_SAMPLE).then(Instant::now)
    }

    /// Notes when it has ended.
    #[inline]
    pub(super) fn end(&mut self, begun: Option<Instant>) {
        if let Some(begun) = begun {
            self.note(begun.elapsed());
        }
    }

    fn note(&mut self, time: Duration) {
        self.long_samples = if time < LONG_ENTRY { 0 } else { self.long_samples + 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_long_entry_is_not_enough() {
        let mut pace = Pace::new(true);
        for (micros, is_slow) in
            [(900, false), (1, false), (900, false), (900, true), (900, true), (1, false)]
        {
            pace.note(Duration::from_micros(micros));
            assert_eq!(pace.is_slow(), is_slow);
        }
    }

    #[test]
    fn the_clock_is_looked_at_only_if_entries_need_calls_and_then_rarely() {
        let looks = |mut pace: Pace| (0..800).filter(|_| pace.begin().is_some()).count();
        assert_eq!((looks(Pace::new(false)), looks(Pace::new(true))), (0, 100));
    }
}
