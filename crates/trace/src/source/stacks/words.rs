//! Words of memory that something depends on.

/// A word of memory, of which some bits matter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Word {
    pub(crate) address: Address,
    /// Which bits matter. Of a pointer none do.
    pub(crate) mask: u64,
    /// What they are; all others are 0.
    pub(crate) value: u64,
}

/// Where something lies. A word is at a multiple of 8, and so in one page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Address {
    /// At an address.
    At(u64),
    /// So far behind where the last pointer leads to.
    Behind(u64),
    /// There is a pointer at this address, which may lead anywhere, but somewhere.
    Pointer(u64),
    /// The same, so far behind where the last one leads to.
    PointerBehind(u64),
}

/// What depends on more words is not recognised by them: to compare them all would take as long as
/// to stop.
pub(super) const MOST: usize = 1024;

impl Word {
    /// All of a word, or of the two that it lies in.
    pub(super) fn push_all(address: u64, value: u64, words: &mut Vec<Word>) {
        Word::push(Address::At(address), &value.to_ne_bytes(), words);
    }

    /// The words that hold these bytes.
    pub(super) fn push(address: Address, bytes: &[u8], words: &mut Vec<Word>) {
        let (from, of): (u64, fn(u64) -> Address) = match address {
            Address::At(address) => (address, Address::At),
            Address::Behind(distance) => (distance, Address::Behind),
            Address::Pointer(_) | Address::PointerBehind(_) => {
                words.push(Word { address, mask: 0, value: 0 });
                return;
            }
        };
        let (mut at, mut rest) = (from, bytes);
        while !rest.is_empty() {
            let before = (at % 8) as usize;
            let (here, after) = rest.split_at(rest.len().min(8 - before));
            let (mut mask, mut value) = ([0; 8], [0; 8]);
            mask[before..before + here.len()].fill(0xff);
            value[before..before + here.len()].copy_from_slice(here);
            words.push(Word {
                address: of(at - before as u64),
                mask: u64::from_ne_bytes(mask),
                value: u64::from_ne_bytes(value),
            });
            (at, rest) = (at.wrapping_add(here.len() as u64), after);
        }
    }

    /// Makes one of those that are at the same address. The order of the first ones stays: what
    /// was read first says most, and a pointer comes before what is behind it.
    pub(super) fn merge(words: &mut Vec<Word>) {
        let mut found: rustc_hash::FxHashMap<u64, usize> = rustc_hash::FxHashMap::default();
        let mut kept = 0;
        for at in 0..words.len() {
            let word = words[at];
            let known = match word.address {
                Address::At(address) => *found.entry(address).or_insert(kept),
                _ => kept,
            };
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
        Word { address: Address::At(address), mask, value }
    }

    #[test]
    fn what_lies_behind_a_pointer_stays_behind_it() {
        let mut words = Vec::new();
        Word::push_all(0x1000, 7, &mut words);
        Word::push(Address::Pointer(0x2000), &[], &mut words);
        Word::push(Address::Behind(8), &[1, 2], &mut words);
        Word::push(Address::PointerBehind(16), &[], &mut words);
        Word::push(Address::Behind(8), &[1, 2], &mut words);
        Word::push_all(0x1000, 7, &mut words);
        Word::merge(&mut words);
        let addresses: Vec<_> = words.iter().map(|word| word.address).collect();
        let (behind, pointers) =
            (Address::Behind(8), [Address::Pointer(0x2000), Address::PointerBehind(16)]);
        assert_eq!(addresses, [Address::At(0x1000), pointers[0], behind, pointers[1], behind]);
        assert_eq!((words[2].mask, words[2].value), (0xffff, 0x0201));
    }

    #[test]
    fn bytes_become_words_of_which_some_bits_matter() {
        let mut words = Vec::new();
        Word::push(Address::At(0x1006), &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], &mut words);
        Word::push_all(0x1008, 0x0a09_0807_0605_0403, &mut words);
        Word::push(Address::At(0x1000), &[5], &mut words);
        Word::push(Address::At(0x1000), &[], &mut words);
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
