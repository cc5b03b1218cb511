//! Calls by name, by path, by caller.

mod table;

pub use table::{json, text};

use std::collections::HashMap;
use std::hash::Hash;

use fewer::compact;
use serde::Serialize;

use crate::watch::EventSink;
use crate::{Call, Event, Name, PathId, Registry, StackId};

/// Files whose calls are counted one by one. Calls on further files are counted together.
const FILES: usize = if cfg!(test) { 1 << 12 } else { 1 << 20 };

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Tally {
    /// Calls made.
    pub calls: u64,
    /// Of these, those that failed.
    pub failed: u64,
    /// Bytes read or written.
    pub moved: u64,
}

impl Tally {
    fn add(&mut self, call: &Call) {
        self.calls += 1;
        self.failed += u64::from(!call.succeeded());
        self.moved += call.moved;
    }
}

/// Counts every call of a stream, three ways. Memory grows with distinct files (up to a million)
/// and distinct stacks.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    total: Tally,
    names: HashMap<Name, Tally>,
    files: HashMap<PathId, Tally>,
    callers: HashMap<(StackId, Name), Tally>,
    beyond: Tally,
}

impl Counts {
    /// Counts an event, if it is a call.
    fn see(&mut self, event: &Event) {
        let Event::Call(call) = event else { return };
        self.total.add(call);
        self.names.entry(call.name).or_default().add(call);
        self.callers.entry((call.stack, call.name)).or_default().add(call);
        if call.file.is_some() {
            if self.files.len() < FILES || self.files.contains_key(&call.file) {
                self.files.entry(call.file).or_default().add(call);
            } else {
                self.beyond.add(call);
            }
        }
    }

    /// All calls.
    #[must_use]
    pub fn total(&self) -> Tally {
        self.total
    }

    /// Calls by name, the most first.
    #[must_use]
    pub fn by_name(&self) -> Vec<(Name, Tally)> {
        ranked(&self.names)
    }

    /// Calls by file, the most first; those about no file that is known are left out.
    #[must_use]
    pub fn by_file(&self) -> Vec<(PathId, Tally)> {
        ranked(&self.files)
    }

    /// Calls by stack and name, the most first.
    #[must_use]
    pub fn by_caller(&self) -> Vec<((StackId, Name), Tally)> {
        ranked(&self.callers)
    }

    /// Calls on further files, which are counted together because there were too many.
    #[must_use]
    pub fn beyond(&self) -> Tally {
        self.beyond
    }
}

impl EventSink for Counts {
    fn event(&mut self, event: &Event, _: &Registry) {
        self.see(event);
    }
}

fn ranked<K: Copy + Eq + Hash + Ord>(tallies: &HashMap<K, Tally>) -> Vec<(K, Tally)> {
    let mut ranked: Vec<(K, Tally)> = tallies.iter().map(|(key, tally)| (*key, *tally)).collect();
    compact::sort_by_key(&mut ranked, |(key, tally)| (std::cmp::Reverse(tally.calls), *key));
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: Name, file: u32, result: i64) -> Event {
        Event::Call(Call { name, file: PathId(file), result, moved: 5, ..Call::default() })
    }

    #[test]
    fn calls_are_counted_three_ways() {
        let mut counts = Counts::default();
        for event in [call(Name::Openat, 1, 3), call(Name::Openat, 2, -2), call(Name::Read, 1, 5)] {
            counts.see(&event);
        }
        assert_eq!(counts.total(), Tally { calls: 3, failed: 1, moved: 15 });
        let openat = Tally { calls: 2, failed: 1, moved: 10 };
        assert_eq!(counts.by_name()[0], (Name::Openat, openat));
        assert_eq!(counts.by_file()[0], (PathId(1), Tally { calls: 2, failed: 0, moved: 10 }));
        assert_eq!(counts.by_caller()[0], ((StackId::NONE, Name::Openat), openat));
    }

    #[test]
    fn so_many_files_are_told_apart_and_no_more() {
        let mut counts = Counts::default();
        let more = u32::try_from(FILES).unwrap() + 10;
        (1..=more).for_each(|file| counts.see(&call(Name::Statx, file, 0)));
        counts.see(&call(Name::Statx, 1, 0));
        assert_eq!(counts.files.len(), FILES);
        assert_eq!(counts.files[&PathId(1)].calls, 2);
        assert_eq!((counts.beyond().calls, counts.total().calls), (10, u64::from(more) + 1));
    }
}
