//! The keys of a bucket, in the order of their bytes.

use std::cmp::Ordering;

use crate::skewed::{Skewed, push_digits};

/// Keys of a bucket in the order of their bytes, numbered from 0.
#[derive(Clone, Debug)]
pub struct Keys {
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Listed(Vec<String>),
    Numbered { prefix: String, count: u64, width: usize },
    Skewed(Skewed),
}

impl Keys {
    /// These keys, sorted by their bytes and each once. Any Unicode is a key, control characters
    /// included.
    pub fn listed(mut keys: Vec<String>) -> Keys {
        keys.sort_unstable();
        keys.dedup();
        Keys { source: Source::Listed(keys) }
    }

    /// `count` keys: `prefix` and the numbers from 0, all with as many digits as the greatest.
    pub fn numbered(prefix: &str, count: u64) -> Keys {
        let width = count.saturating_sub(1).checked_ilog10().map_or(1, |log| log as usize + 1);
        Keys { source: Source::Numbered { prefix: prefix.to_owned(), count, width } }
    }

    /// `count` keys like those of real buckets, the same for the same `seed`.
    ///
    /// They have 84 prefixes: days of logs, photos of users, media with random names, exports
    /// named by their time, in decimal, hexadecimal, base64url and capital letters. Sizes of the
    /// prefixes follow a power law: one has half of the keys, the next a quarter, and so on down to
    /// a share that each has. Keys are made when they are needed, so memory does not grow with
    /// `count`, which is at most 2⁴⁸.
    pub fn skewed(count: u64, seed: u64) -> Keys {
        Keys { source: Source::Skewed(Skewed::new(count, seed)) }
    }

    /// How many keys there are.
    pub fn len(&self) -> u64 {
        match &self.source {
            Source::Listed(keys) => keys.len() as u64,
            Source::Numbered { count, .. } => *count,
            Source::Skewed(skewed) => skewed.len(),
        }
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The key of an index, which must be below [`len`](Keys::len).
    pub fn key(&self, index: u64) -> String {
        let mut key = Vec::new();
        self.push_key(index, &mut key);
        String::from_utf8_lossy(&key).into_owned()
    }

    /// Appends the bytes of the key of an index, which must be below [`len`](Keys::len).
    pub fn push_key(&self, index: u64, key: &mut Vec<u8>) {
        match &self.source {
            Source::Listed(keys) => key.extend_from_slice(keys[index as usize].as_bytes()),
            Source::Numbered { prefix, width, .. } => {
                key.extend_from_slice(prefix.as_bytes());
                push_digits(index, b"0123456789", *width, key);
            }
            Source::Skewed(skewed) => skewed.push_key(index, key),
        }
    }

    /// The index of the first key that comes after `key` in the order of bytes, or
    /// [`len`](Keys::len) if none does. `key` need not be one of the keys.
    pub fn after(&self, key: &str) -> u64 {
        self.first_after(key.as_bytes())
    }

    /// The same for any bytes.
    pub(crate) fn first_after(&self, bytes: &[u8]) -> u64 {
        self.first(|key| key.cmp(bytes) == Ordering::Greater)
    }

    /// The index of the first key that is `bytes` or comes after them.
    pub(crate) fn first_at_least(&self, bytes: &[u8]) -> u64 {
        self.first(|key| key.cmp(bytes) != Ordering::Less)
    }

    /// The index of the first key that does not come before all keys that begin with `prefix`, and
    /// is none of them.
    pub(crate) fn first_past(&self, prefix: &[u8]) -> u64 {
        // No byte of UTF-8 is 255, so that one more than the last byte ends the prefix's keys.
        match prefix.iter().rposition(|byte| *byte < u8::MAX) {
            Some(last) => {
                let mut past = prefix[..=last].to_vec();
                past[last] += 1;
                self.first_at_least(&past)
            }
            None => self.len(),
        }
    }

    /// The index of `bytes`, if they are a key.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<u64> {
        let index = self.first_at_least(bytes);
        let mut key = Vec::new();
        (index < self.len()).then(|| self.push_key(index, &mut key))?;
        (key == bytes).then_some(index)
    }

    /// The first index whose key is `past` a boundary, by binary search.
    fn first(&self, past: impl Fn(&[u8]) -> bool) -> u64 {
        let mut key = Vec::with_capacity(128);
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            key.clear();
            self.push_key(middle, &mut key);
            if past(&key) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}
