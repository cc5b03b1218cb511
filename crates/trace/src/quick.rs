//! A quick hash for what is looked up at every call. It need not withstand an attacker: what is
//! hashed is numbers of threads, paths that are kept anyway, and answers that are compared.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map with a number as its key.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// A set of numbers.
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<Quick>>;

/// The hash of bytes.
pub(crate) fn of(bytes: &[u8]) -> u64 {
    let mut quick = Quick::default();
    quick.write(bytes);
    quick.finish()
}

/// Eight bytes at a time: multiply to 128 bits and fold.
#[derive(Clone, Copy, Default)]
pub(crate) struct Quick(u64);

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Quick {
    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    fn add(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ ODD) * u128::from(0xd6e8_feb8_6659_fd93_u64);
        self.0 = (wide as u64) ^ ((wide >> 64) as u64);
    }
}

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(last));
        self.add(bytes.len() as u64);
    }

    fn write_u8(&mut self, number: u8) {
        self.add(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    fn write_i32(&mut self, number: i32) {
        self.add(u64::from(number.cast_unsigned()));
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }
}
