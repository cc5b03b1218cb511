//! Parts of a walk: slices of one large directory, and what a walk that ended early has left.

use std::num::NonZero;

use twox_hash::XxHash64;

/// One of several slices of a directory's names. Each name is in exactly one of them, whoever reads
/// the directory and whatever else is in it: a hash of the name decides, not its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    index: u32,
    of: NonZero<u32>,
}

impl Slice {
    /// The slice `index` of `of` slices; `None` if there is no such slice.
    #[must_use]
    pub fn new(index: u32, of: u32) -> Option<Slice> {
        let of = NonZero::new(of)?;
        (index < of.get()).then_some(Slice { index, of })
    }

    sys::getters! {
        /// Which of the slices it is, from 0 on.
        index: u32 = |it| it.index;
        /// How many slices there are.
        of: u32 = |it| it.of.get();
    }

    /// Whether a name is in the slice.
    #[must_use]
    pub fn has(&self, name: &[u8]) -> bool {
        XxHash64::oneshot(0, name) % u64::from(self.of.get()) == u64::from(self.index)
    }
}

/// A directory that a walk has not entered: see [`Directories::remaining`].
///
/// [`Directories::remaining`]: super::Directories::remaining
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// Its path, which begins with that of its root.
    pub path: Vec<u8>,
    /// Steps below the root, which is at 0.
    pub depth: usize,
    /// Whether it was shown itself, as an entry: all were, but for roots that did not come yet.
    pub is_shown: bool,
    /// How many names it has, if it was set aside for that; otherwise 0.
    pub names: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_in_one_slice() {
        let slices: Vec<Slice> = (0..7).filter_map(|index| Slice::new(index, 7)).collect();
        let mut filled = [0; 7];
        for number in 0..7_000_u32 {
            let name = number.to_string();
            let own: Vec<u32> = slices
                .iter()
                .filter(|slice| slice.has(name.as_bytes()))
                .map(Slice::index)
                .collect();
            assert_eq!(own.len(), 1, "{name} in {own:?}");
            filled[own[0] as usize] += 1;
        }
        assert!(filled.iter().all(|names| (800..1200).contains(names)), "{filled:?}");
        assert_eq!((Slice::new(7, 7), Slice::new(0, 0)), (None, None));
    }
}
