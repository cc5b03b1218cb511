//! Gives each path a number: it is defined by one event, and kept once.

use crate::content_hash;
use crate::{Event, PathId, Text};

/// All paths so far. Their bytes lie one behind the other; a table finds a number by the bytes.
pub(crate) struct Paths {
    bytes: Vec<u8>,
    /// Where each path ends in `bytes`; path 0 is the empty one that no number stands for.
    ends: Vec<usize>,
    /// Numbers of paths, 0 for a free place; as many places as a power of two.
    table: Vec<(u32, u32)>,
}

/// Paths that a table has room for at first.
const ROOM: usize = 1 << 12;

/// So many paths get a number: what is watched for long may make new ones for ever.
const MOST: usize = 1 << 21;

impl Paths {
    /// Nothing is known yet.
    pub(crate) fn new() -> Paths {
        Paths { bytes: Vec::new(), ends: vec![0], table: vec![(0, 0); ROOM] }
    }

    /// The number of a path. A new one is defined in `events` first.
    pub(crate) fn id(&mut self, path: &[u8], events: &mut Vec<Event>) -> PathId {
        let hash = hash(path);
        let mut place = hash as usize & (self.table.len() - 1);
        loop {
            match self.table[place] {
                (0, _) => break,
                (id, known) if known == hash && self.bytes(PathId(id)) == path => {
                    return PathId(id);
                }
                _ => place = (place + 1) & (self.table.len() - 1),
            }
        }
        let Some(id) = u32::try_from(self.ends.len()).ok().filter(|_| !self.is_full()) else {
            return PathId::NONE;
        };
        self.table[place] = (id, hash);
        self.bytes.extend_from_slice(path);
        self.ends.push(self.bytes.len());
        if self.ends.len() > self.table.len() / 2 {
            self.grow();
        }
        events.push(Event::Path { id: PathId(id), path: Text::from(path) });
        PathId(id)
    }

    /// The bytes of a path; empty for `PathId::NONE`.
    pub(crate) fn bytes(&self, id: PathId) -> &[u8] {
        let Some(before) = (id.0 as usize).checked_sub(1) else { return &[] };
        &self.bytes[self.ends[before]..self.ends[before + 1]]
    }

    /// Whether further paths have no number.
    pub(crate) fn is_full(&self) -> bool {
        self.ends.len() > MOST
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![(0, 0); mask + 1];
        for (id, hash) in self.table.iter().copied().filter(|(id, _)| *id != 0) {
            let mut place = hash as usize & mask;
            while table[place].0 != 0 {
                place = (place + 1) & mask;
            }
            table[place] = (id, hash);
        }
        self.table = table;
    }
}

fn hash(path: &[u8]) -> u32 {
    (content_hash::of(path) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_limit() {
        let (mut paths, mut events) = (Paths::new(), Vec::new());
        for number in 0..MOST as u32 {
            assert!(!paths.is_full());
            assert!(paths.id(&number.to_ne_bytes(), &mut events).is_some());
            events.clear();
        }
        assert!(paths.is_full());
        assert_eq!(paths.id(b"one more", &mut events), PathId::NONE);
        assert_eq!(paths.id(&7_u32.to_ne_bytes(), &mut events), PathId(8));
        assert!(events.is_empty());
    }

    #[test]
    fn a_path_is_told_once() {
        let (mut paths, mut events) = (Paths::new(), Vec::new());
        let numbers: Vec<PathId> = (0..10_000)
            .map(|n| paths.id(format!("/some/where/{n}").as_bytes(), &mut events))
            .collect();
        assert_eq!(events.len(), 10_000);
        for (n, id) in numbers.into_iter().enumerate() {
            let path = format!("/some/where/{n}");
            assert_eq!(paths.bytes(id), path.as_bytes());
            assert_eq!(paths.id(path.as_bytes(), &mut events), id);
            assert_eq!(events[n], Event::Path { id, path: Text::from(&*path) });
        }
        assert_eq!(events.len(), 10_000);
        assert_eq!(paths.bytes(PathId::NONE), b"");
    }

    #[test]
    fn the_empty_path_has_a_number_too() {
        let (mut paths, mut events) = (Paths::new(), Vec::new());
        let empty = paths.id(b"", &mut events);
        assert!(empty.is_some());
        assert_eq!(paths.id(b"", &mut events), empty);
    }
}
