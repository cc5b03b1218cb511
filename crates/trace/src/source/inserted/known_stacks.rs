//! Which stacks an agent recognises, by where they lie in the memory that it shares with the tracer.
//! (What stands there itself the program may have written over.)

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// At most so many are compared for a call: those that were learned last. An interpreter makes its
/// calls from few sites, with the same stack pointer for many of a program's functions and lines.
const MOST: usize = 64;

/// The stacks of each bucket that has any, the last one first.
#[derive(Debug, Default)]
pub(super) struct KnownStacks(FxHashMap<usize, VecDeque<usize>>);

impl KnownStacks {
    /// A stack at this offset becomes the first one of a bucket. The one behind it, and the one
    /// that is the last from then on if those behind it are forgotten.
    pub(super) fn insert(
        &mut self,
        bucket: usize,
        offset: usize,
    ) -> (Option<usize>, Option<usize>) {
        let stacks = self.0.entry(bucket).or_default();
        let next = stacks.front().copied();
        stacks.push_front(offset);
        if stacks.len() <= MOST {
            return (next, None);
        }
        stacks.pop_back();
        (next, stacks.back().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_keeps_the_stacks_that_came_last() {
        let mut known = KnownStacks::default();
        assert_eq!(known.insert(7, 100), (None, None));
        for at in 1..MOST {
            assert_eq!(known.insert(7, 100 + at), (Some(99 + at), None));
        }
        assert_eq!(known.insert(7, 200), (Some(99 + MOST), Some(101)));
        assert_eq!(known.insert(7, 201), (Some(200), Some(102)));
        assert_eq!(known.insert(8, 300), (None, None));
    }
}
