//! A value for each path. Numbers of paths are given one by one, so that a table of them is read
//! in nearly the order in which it lies in memory; a map would scatter it.

use crate::PathId;
use rustc_hash::FxHashMap;

/// More paths than sources number. What a damaged recording has beyond lies in a map.
const DENSE: usize = 1 << 21;

/// Values of so many paths are made at once.
const CHUNK: usize = 1 << 10;

/// A value for each path; the default one where none was put.
///
/// Paths are numbered in the order in which they are met, so that those that are looked at together
/// lie beside each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathTable<T> {
    /// Each of `CHUNK` values, or empty.
    chunks: Vec<Box<[T]>>,
    far: FxHashMap<PathId, T>,
}

impl<T: Clone + Default> PathTable<T> {
    /// The value of a path, to be changed.
    pub(crate) fn of(&mut self, path: PathId) -> &mut T {
        let at = path.0 as usize;
        if at > DENSE {
            return self.far.entry(path).or_default();
        }
        if self.chunks.len() <= at / CHUNK {
            self.chunks.resize_with(at / CHUNK + 1, Box::default);
        }
        let chunk = &mut self.chunks[at / CHUNK];
        if chunk.is_empty() {
            *chunk = vec![T::default(); CHUNK].into();
        }
        &mut chunk[at % CHUNK]
    }

    /// The value of a path, if one was put there or near it.
    pub(crate) fn get(&self, path: PathId) -> Option<&T> {
        let at = path.0 as usize;
        match self.chunks.get(at / CHUNK) {
            Some(chunk) if at <= DENSE => chunk.get(at % CHUNK),
            _ => self.far.get(&path),
        }
    }

    /// All values of chunks that were looked at, the default ones among them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (PathId, &T)> {
        let firsts = (0..).step_by(CHUNK);
        let dense = firsts.zip(&self.chunks).flat_map(|(first, chunk)| (first..).zip(chunk));
        let dense = dense.map(|(number, value)| (PathId(number), value));
        dense.chain(self.far.iter().map(|(path, value)| (*path, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far_paths_have_values() {
        let mut table = PathTable::<u8>::default();
        let paths = [1, 7, DENSE as u32, DENSE as u32 + 1, u32::MAX].map(PathId);
        for (value, path) in (1..).zip(paths) {
            *table.of(path) = value;
        }
        assert_eq!(paths.map(|path| *table.of(path)), [1, 2, 3, 4, 5]);
        let mut put: Vec<_> = table.iter().filter(|(_, value)| **value > 0).collect();
        put.sort();
        assert_eq!(put, paths.iter().copied().zip(&[1, 2, 3, 4, 5]).collect::<Vec<_>>());
        assert_eq!(paths.map(|path| table.get(path).copied()), [1, 2, 3, 4, 5].map(Some));
        assert_eq!((table.get(PathId(3)), table.get(PathId(5000))), (Some(&0), None));
        assert_eq!(*table.of(PathId(3)), 0);
    }
}
