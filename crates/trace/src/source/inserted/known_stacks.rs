//! Which stacks an agent recognises, by where they lie in the memory that it shares with the
//! tracer. (What stands there itself the program may have written over.)

use ::agent::layout::BUCKET_COUNT;

/// At most so many are compared for a call: those that were learned last. An interpreter makes its
/// calls from few sites, with the same stack pointer for many of a program's functions and lines.
const MOST: usize = 256;

/// The stacks of each bucket, the last one at the end. There are no buckets as long as none is
/// known.
#[derive(Debug, Default)]
pub(super) struct KnownStacks(Vec<Vec<usize>>);

impl KnownStacks {
    /// A stack at this offset becomes the first one of a bucket. The one behind it, and the one
    /// that is the last from then on if those behind it are forgotten.
    pub(super) fn insert(
        &mut self,
        bucket: usize,
        offset: usize,
    ) -> (Option<usize>, Option<usize>) {
        self.0.resize(BUCKET_COUNT, Vec::new());
        let stacks = &mut self.0[bucket];
        let next = stacks.last().copied();
        stacks.push(offset);
        if stacks.len() <= MOST {
            return (next, None);
        }
        stacks.remove(0);
        (next, stacks.first().copied())
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
