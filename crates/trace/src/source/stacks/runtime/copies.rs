//! Copies of memory that was needed last time too: most often a thread's frames lie where they lay
//! at its last call, and one copy of those places shows them. What does not is fetched one by one.

use crate::source::memory;

/// The ranges that were needed last time.
#[derive(Debug, Default)]
pub(super) struct Copies {
    ranges: Vec<(u64, usize)>,
    bytes: Vec<u8>,
}

/// Memory: the ranges that were copied at once, and the rest.
pub(super) struct Memory<'a> {
    thread: libc::pid_t,
    copied: Vec<(u64, &'a [u8])>,
    /// Where among them the next one probably is.
    next: usize,
    needed: Vec<(u64, usize)>,
}

impl Copies {
    /// Copies what was needed last time, in one call, and hands it to `read`. What is needed now is
    /// copied next time.
    pub(super) fn with<T>(
        &mut self,
        thread: libc::pid_t,
        read: impl FnOnce(&mut Memory) -> T,
    ) -> T {
        let mut bytes = std::mem::take(&mut self.bytes);
        memory::ranges(thread, &self.ranges, &mut bytes);
        let (mut copied, mut rest) = (Vec::with_capacity(self.ranges.len()), bytes.as_slice());
        for &(start, length) in &self.ranges {
            let Some((bytes, after)) = rest.split_at_checked(length) else { break };
            copied.push((start, bytes));
            rest = after;
        }
        let mut memory = Memory { thread, copied, next: 0, needed: Vec::new() };
        let result = read(&mut memory);
        self.ranges = memory.needed;
        self.bytes = bytes;
        result
    }
}

impl Memory<'_> {
    /// The bytes at an address, which must be a multiple of 8.
    pub(super) fn bytes(&mut self, at: u64, length: usize) -> Option<Vec<u8>> {
        if at == 0 || !at.is_multiple_of(8) {
            return None;
        }
        self.needed.push((at, length));
        let is = |(start, bytes): &(u64, &[u8])| *start == at && bytes.len() == length;
        let expected = self.copied.get(self.next).is_some_and(is).then_some(self.next);
        if let Some(found) = expected.or_else(|| self.copied.iter().position(is)) {
            self.next = found + 1;
            return Some(self.copied[found].1.to_vec());
        }
        let mut bytes = Vec::new();
        memory::ranges(self.thread, &[(at, length)], &mut bytes);
        (bytes.len() == length).then_some(bytes)
    }

    /// The word at an address.
    pub(super) fn word(&mut self, at: u64) -> Option<u64> {
        word(&self.bytes(at, 8)?, 0)
    }

    /// What was needed up to here will not be needed again.
    pub(super) fn forget(&mut self) {
        self.needed.clear();
    }
}

/// The word at a place in a copy.
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_needed_is_copied_next_time() {
        let words: Vec<u64> = (0..64).collect();
        let (start, this) = (words.as_ptr() as u64, std::process::id().cast_signed());
        let mut copies = Copies::default();
        for _ in 0..3 {
            let read = |memory: &mut Memory| {
                let far = memory.word(start + 8 * 40);
                (far, memory.bytes(start + 8, 16).and_then(|bytes| word(&bytes, 8)))
            };
            assert_eq!(copies.with(this, read), (Some(40), Some(2)));
            assert_eq!(copies.ranges, [(start + 8 * 40, 8), (start + 8, 16)]);
        }
        assert_eq!(
            copies.with(this, |memory| (memory.word(8), memory.word(start + 1))),
            (None, None)
        );
        assert_eq!(copies.with(this, |memory| memory.word(start)), Some(0));
    }
}
