//! A value for each path. Numbers of paths are given one by one, so that a table of them is read
//! in nearly the order in which it lies in memory; a map would scatter it.

use crate::PathId;
use rustc_hash::FxHashMap;

/// More paths than sources number. What a damaged recording has beyond lies in a map.
const DENSE: usize = 1 << 21;

/// A value for each path; the default one where none was put.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathTable<T> {
    dense: Vec<T>,
    far: FxHashMap<PathId, T>,
}

impl<T: Clone + Default> PathTable<T> {
    /// The value of a path, to be changed.
    pub(crate) fn of(&mut self, path: PathId) -> &mut T {
        let at = path.0 as usize;
        if at > DENSE {
            return self.far.entry(path).or_default();
        }
        if self.dense.len() <= at {
            self.dense.resize(at + 1, T::default());
        }
        &mut self.dense[at]
    }

    /// All values up to the last one that was looked at, the default ones among them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (PathId, &T)> {
        let dense = (0..).map(PathId).zip(&self.dense);
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
        assert_eq!(*table.of(PathId(3)), 0);
    }
}
