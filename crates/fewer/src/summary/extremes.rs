//! The first of many, and the few largest; of those that are equal, the first path in byte order.

use std::ffi::OsStr;
use std::path::Path;
use sys::OsStrExt;

use crate::identity::Identity;

/// The largest, longest or last of all.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extreme<T> {
    /// How large, how long or when.
    pub value: T,
    /// The path, as the walk spells it.
    pub path: Box<[u8]>,
}

impl<T> Extreme<T> {
    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.path))
    }
}

/// Puts a value in the place of one that is less.
#[inline]
pub(super) fn offer<T: Ord>(best: &mut Option<Extreme<T>>, value: T, path: &[u8]) {
    let is_better = best.as_ref().is_none_or(|best| is_before((&value, path), best));
    if is_better {
        *best = Some(Extreme { value, path: path.into() });
    }
}

fn is_before<T: Ord>((value, path): (&T, &[u8]), other: &Extreme<T>) -> bool {
    *value > other.value || (*value == other.value && path < &*other.path)
}

/// How many of the largest are kept.
const MOST: usize = 10;

/// The largest files, each once.
#[derive(Debug, Default)]
pub(super) struct Largest(Vec<(Extreme<u64>, Identity)>);

impl Largest {
    #[inline]
    pub(super) fn offer(&mut self, size: u64, path: &[u8], file: Identity) {
        let is_one = |last: &(Extreme<u64>, Identity)| is_before((&size, path), &last.0);
        if self.0.len() < MOST || self.0.last().is_some_and(is_one) {
            self.insert(size, path, file);
        }
    }

    fn insert(&mut self, size: u64, path: &[u8], file: Identity) {
        if let Some(known) = self.0.iter().position(|(_, known)| *known == file) {
            if !is_before((&size, path), &self.0[known].0) {
                return;
            }
            self.0.remove(known);
        }
        let place = self.0.partition_point(|(known, _)| !is_before((&size, path), known));
        self.0.insert(place, (Extreme { value: size, path: path.into() }, file));
        self.0.truncate(MOST);
    }

    pub(super) fn merge(&mut self, more: Largest) {
        more.0.into_iter().for_each(|(it, file)| self.offer(it.value, &it.path, file));
    }

    pub(super) fn into_extremes(self) -> Vec<Extreme<u64>> {
        self.0.into_iter().map(|(extreme, _)| extreme).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_are_kept_and_each_file_once() {
        let mut largest = Largest::default();
        for number in 0..100_u64 {
            let file = Identity { device: 1, inode: number / 2 };
            largest.offer(number / 2, format!("{number}").as_bytes(), file);
        }
        let kept = largest.into_extremes();
        let kept: Vec<_> = kept.iter().map(|it| (it.value, it.path().to_str().unwrap())).collect();
        assert_eq!(&kept[..3], [(49, "98"), (48, "96"), (47, "94")]);
        assert_eq!((kept.len(), kept[9]), (10, (40, "80")));
    }
}
