//! Calls by name, by path, by caller.

mod table;

pub use table::{json, text};

use std::hash::Hash;

use fewer::compact;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::stream::PathTable;
use crate::watch::EventSink;
use crate::{Event, Name, Operation, PathId, Registry, StackId};

/// Files whose calls are counted one by one. Calls on further files are counted together.
const FILES: usize = if cfg!(test) { 1 << 12 } else { 1 << 20 };

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Tally {
    /// Calls made, or requests.
    pub calls: u64,
    /// Of these, those that failed.
    pub failed: u64,
    /// Bytes read or written.
    pub moved: u64,
}

impl Tally {
    fn add(&mut self, one: Tally) {
        self.calls += one.calls;
        self.failed += one.failed;
        self.moved += one.moved;
    }
}

/// Counts three ways: by kind, by file, by caller. Memory grows with distinct files (up to a
/// million) and distinct stacks.
#[derive(Clone, Debug)]
pub struct Tallies<K> {
    total: Tally,
    kinds: FxHashMap<K, Tally>,
    files: PathTable<Tally>,
    /// How many files have a tally.
    known: usize,
    callers: FxHashMap<(StackId, K), Tally>,
    beyond: Tally,
}

impl<K> Default for Tallies<K> {
    fn default() -> Tallies<K> {
        Tallies {
            total: Tally::default(),
            kinds: FxHashMap::default(),
            files: PathTable::default(),
            known: 0,
            callers: FxHashMap::default(),
            beyond: Tally::default(),
        }
    }
}

impl<K: Copy + Eq + Hash + Ord> Tallies<K> {
    fn add(&mut self, kind: K, file: PathId, stack: StackId, one: Tally) {
        self.total.add(one);
        self.kinds.entry(kind).or_default().add(one);
        self.callers.entry((stack, kind)).or_default().add(one);
        if file.is_some() {
            let tally = self.files.of(file);
            let is_new = tally.calls == 0;
            if is_new && self.known == FILES {
                self.beyond.add(one);
            } else {
                tally.add(one);
                self.known += usize::from(is_new);
            }
        }
    }

    /// All together.
    #[must_use]
    pub fn total(&self) -> Tally {
        self.total
    }

    /// By name or operation, the most first.
    #[must_use]
    pub fn by_kind(&self) -> Vec<(K, Tally)> {
        ranked(self.kinds.iter().map(|(kind, tally)| (*kind, *tally)))
    }

    /// By file, the most first; those about no file that is known are left out.
    #[must_use]
    pub fn by_file(&self) -> Vec<(PathId, Tally)> {
        let files = self.files.iter().filter(|(_, tally)| tally.calls > 0);
        ranked(files.map(|(file, tally)| (file, *tally)))
    }

    /// By stack and name or operation, the most first.
    #[must_use]
    pub fn by_caller(&self) -> Vec<((StackId, K), Tally)> {
        ranked(self.callers.iter().map(|(caller, tally)| (*caller, *tally)))
    }

    /// On further files, which are counted together because there were too many.
    #[must_use]
    pub fn beyond(&self) -> Tally {
        self.beyond
    }
}

/// Counts every call of a stream, and apart from these every request of io_uring.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    calls: Tallies<Name>,
    requests: Tallies<Operation>,
    /// By program and name, if that is wanted.
    programs: Option<FxHashMap<(PathId, Name), Tally>>,
}

impl Counts {
    /// Counts also by program.
    #[must_use]
    pub fn by_program() -> Counts {
        Counts { programs: Some(FxHashMap::default()), ..Counts::default() }
    }

    /// Counts an event, if it is a call or a request.
    fn see(&mut self, event: &Event, registry: &Registry) {
        match event {
            Event::Call(call) => {
                let one =
                    Tally { calls: 1, failed: u64::from(!call.succeeded()), moved: call.moved };
                if let Some(programs) = &mut self.programs {
                    let process = registry.process(call.process);
                    let program = process.map_or(PathId::NONE, |process| process.program);
                    programs.entry((program, call.name)).or_default().add(one);
                }
                self.calls.add(call.name, call.file, call.stack, one);
            }
            Event::Request(request) => {
                let failed = u64::from(request.failed());
                let one = Tally { calls: 1, failed, moved: request.moved };
                self.requests.add(request.operation, request.file, request.stack, one);
            }
            _ => {}
        }
    }

    /// All calls.
    #[must_use]
    pub fn total(&self) -> Tally {
        self.calls.total()
    }

    /// The system calls.
    #[must_use]
    pub fn calls(&self) -> &Tallies<Name> {
        &self.calls
    }

    /// By program and name, the most first; none if that was not wanted.
    #[must_use]
    pub fn programs(&self) -> Vec<((PathId, Name), Tally)> {
        let programs = self.programs.iter().flatten();
        ranked(programs.map(|(program, tally)| (*program, *tally)))
    }

    /// The requests of io_uring, which are no system calls.
    #[must_use]
    pub fn requests(&self) -> &Tallies<Operation> {
        &self.requests
    }
}

impl EventSink for Counts {
    fn event(&mut self, event: &Event, registry: &Registry) {
        self.see(event, registry);
    }
}

fn ranked<K: Copy + Ord>(tallies: impl Iterator<Item = (K, Tally)>) -> Vec<(K, Tally)> {
    let mut ranked: Vec<(K, Tally)> = tallies.collect();
    compact::sort_by_key(&mut ranked, |(key, tally)| (std::cmp::Reverse(tally.calls), *key));
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, Request};

    fn call(name: Name, file: u32, result: i64) -> Event {
        Event::Call(Call { name, file: PathId(file), result, moved: 5, ..Call::default() })
    }

    #[test]
    fn calls_are_counted_three_ways() {
        let mut counts = Counts::default();
        for event in [call(Name::Openat, 1, 3), call(Name::Openat, 2, -2), call(Name::Read, 1, 5)] {
            counts.see(&event, &Registry::default());
        }
        assert_eq!(counts.total(), Tally { calls: 3, failed: 1, moved: 15 });
        let openat = Tally { calls: 2, failed: 1, moved: 10 };
        assert_eq!(counts.calls().by_kind()[0], (Name::Openat, openat));
        assert_eq!(
            counts.calls().by_file()[0],
            (PathId(1), Tally { calls: 2, failed: 0, moved: 10 })
        );
        assert_eq!(counts.calls().by_caller()[0], ((StackId::NONE, Name::Openat), openat));
    }

    #[test]
    fn requests_are_counted_apart() {
        let mut counts = Counts::default();
        for result in [Some(5), Some(-9), None] {
            let file = PathId(1);
            let operation = Operation::parse("READ").unwrap();
            let request = Request { operation, file, result, ..Request::default() };
            counts.see(&Event::Request(request), &Registry::default());
        }
        counts.see(&call(Name::IoUringEnter, 1, 3), &Registry::default());
        assert_eq!((counts.total().calls, counts.calls().by_file().len()), (1, 1));
        let reads = Tally { calls: 3, failed: 1, moved: 0 };
        assert_eq!(counts.requests().by_kind(), [(Operation(22), reads)]);
        assert_eq!(counts.requests().by_file(), [(PathId(1), reads)]);
    }

    #[test]
    fn programs_are_told_apart_where_that_is_wanted() {
        let mut registry = Registry::default();
        for (id, program) in [(1, PathId(7)), (2, PathId(8))] {
            let process = crate::Process { id, program, ..crate::Process::default() };
            registry.take(&Event::Process(process));
        }
        let (mut counts, mut plain) = (Counts::by_program(), Counts::default());
        for process in [1, 2, 2, 3] {
            let call = Event::Call(Call { process, name: Name::Read, ..Call::default() });
            counts.see(&call, &registry);
            plain.see(&call, &registry);
        }
        let calls: Vec<_> = counts.programs().iter().map(|it| (it.0.0.0, it.1.calls)).collect();
        assert_eq!(calls, [(8, 2), (PathId::NONE.0, 1), (7, 1)]);
        assert!(plain.programs().is_empty());
    }

    #[test]
    fn so_many_files_are_told_apart_and_no_more() {
        let mut counts = Counts::default();
        let more = u32::try_from(FILES).unwrap() + 10;
        let registry = Registry::default();
        (1..=more).for_each(|file| counts.see(&call(Name::Statx, file, 0), &registry));
        counts.see(&call(Name::Statx, 1, 0), &registry);
        assert_eq!(counts.calls.by_file().len(), FILES);
        assert_eq!(counts.calls.by_file()[0].1.calls, 2);
        assert_eq!((counts.calls.beyond().calls, counts.total().calls), (10, u64::from(more) + 1));
    }
}
