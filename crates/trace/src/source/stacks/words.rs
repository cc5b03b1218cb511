//! Words of memory that something depends on.

/// A word of memory, of which some bits matter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Word {
    /// A multiple of 8: a word lies in one page.
    pub(crate) address: u64,
    /// Which bits matter.
    pub(crate) mask: u64,
    /// What they are; all others are 0.
    pub(crate) value: u64,
}

/// What depends on more words is not recognised by them: to compare them all would take as long as
/// to stop.
pub(super) const MOST: usize = 1024;

impl Word {
    /// All of a word, or of the two that it lies in.
    pub(super) fn push_all(address: u64, value: u64, words: &mut Vec<Word>) {
        Word::push(address, &value.to_ne_bytes(), words);
    }

    /// The words that hold these bytes.
    pub(super) fn push(address: u64, bytes: &[u8], words: &mut Vec<Word>) {
        let (mut at, mut rest) = (address, bytes);
        while !rest.is_empty() {
            let before = (at % 8) as usize;
            let (here, after) = rest.split_at(rest.len().min(8 - before));
            let (mut mask, mut value) = ([0; 8], [0; 8]);
            mask[before..before + here.len()].fill(0xff);
            value[before..before + here.len()].copy_from_slice(here);
            words.push(Word {
                address: at - before as u64,
                mask: u64::from_ne_bytes(mask),
                value: u64::from_ne_bytes(value),
            });
            (at, rest) = (at.wrapping_add(here.len() as u64), after);
        }
    }

    /// Makes one of those that are of the same address. The order of the first ones stays: what
    /// was read first says most.
    pub(super) fn merge(words: &mut Vec<Word>) {
        let mut found: rustc_hash::FxHashMap<u64, usize> = rustc_hash::FxHashMap::default();
        let mut kept = 0;
        for at in 0..words.len() {
            let word = words[at];
            let known = *found.entry(word.address).or_insert(kept);
            if known == kept {
                words[kept] = word;
                kept += 1;
            } else {
                words[known].mask |= word.mask;
                words[known].value |= word.value;
            }
        }
        words.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(address: u64, mask: u64, value: u64) -> Word {
        Word { address, mask, value }
    }

    #[test]
    fn bytes_become_words_of_which_some_bits_matter() {
        let mut words = Vec::new();
        Word::push(0x1006, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], &mut words);
        Word::push_all(0x1008, 0x0a09_0807_0605_0403, &mut words);
        Word::push(0x1000, &[5], &mut words);
        Word::push(0x1000, &[], &mut words);
        Word::merge(&mut words);
        assert_eq!(
            words,
            [
                word(0x1000, 0xffff_0000_0000_00ff, 0x0201_0000_0000_0005),
                word(0x1008, u64::MAX, 0x0a09_0807_0605_0403),
                word(0x1010, 0xffff, 0x0c0b),
            ]
        );
    }
}
