//! Copies of memory that was needed last time too: most often a thread's frames lie where they lay
//! at its last call, and one copy of those places shows them. What does not is fetched with all
//! that lies in the same page: the thread stands still meanwhile.
//!
//! They also say which words of memory that depends on what was made of them.

use super::super::words::{self, Address, Word};
use crate::source::memory;

/// Memory is there or not in pieces of this size (or a multiple of it).
const PAGE: u64 = 4096;

/// So much of a text is read at a time.
const CHUNK: u64 = 64;

/// No text is longer: that is the longest path that the kernel takes.
const LONGEST_TEXT: usize = libc::PATH_MAX as usize;

/// What mattered is not told if it is more. The same bytes may be among it for each frame of a
/// function that calls itself.
const MOST_USED: usize = 16 * 8 * words::MOST;

/// Ranges that lie closer together than this are copied in one piece: to copy more bytes takes less
/// time than to copy more pieces.
const CLOSE: u64 = 512;

/// The ranges that were needed last time.
#[derive(Debug, Default)]
pub(super) struct Copies {
    ranges: Vec<(u64, usize)>,
    /// The pieces that hold them, in order.
    pieces: Vec<(u64, usize)>,
    bytes: Vec<u8>,
    used: Used,
}

/// What mattered of the memory that was looked at.
#[derive(Debug, Default)]
struct Used {
    ranges: Vec<(Address, usize)>,
    bytes: Vec<u8>,
    /// Whether something else mattered, too.
    is_doubtful: bool,
}

/// Memory: the ranges that were copied at once, and the rest.
pub(super) struct Memory<'a> {
    thread: libc::pid_t,
    /// In order.
    copied: Vec<(u64, &'a [u8])>,
    fetched: Vec<(u64, Vec<u8>)>,
    needed: Vec<(u64, usize)>,
    used: Used,
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
        memory::ranges(thread, &self.pieces, &mut bytes);
        let mut memory = self.memory(thread, &bytes);
        let result = read(&mut memory);
        let Memory { needed, used, .. } = memory;
        self.bytes = bytes;
        self.end(needed, used);
        result
    }

    /// What `bytes` holds of the pieces.
    fn memory<'a>(&mut self, thread: libc::pid_t, bytes: &'a [u8]) -> Memory<'a> {
        let (mut copied, mut rest) = (Vec::with_capacity(self.pieces.len()), bytes);
        for &(start, length) in &self.pieces {
            let Some((bytes, after)) = rest.split_at_checked(length) else { break };
            copied.push((start, bytes));
            rest = after;
        }
        let mut used = std::mem::take(&mut self.used);
        used.forget();
        let (fetched, needed) = (Vec::new(), Vec::with_capacity(self.ranges.len()));
        Memory { thread, copied, fetched, needed, used }
    }

    fn end(&mut self, needed: Vec<(u64, usize)>, used: Used) {
        self.used = used;
        if needed != self.ranges {
            (self.pieces, self.ranges) = (pieces(&needed), needed);
        }
    }

    /// The words that it depends on what `read` made of the memory last. `None` if it depends on
    /// anything else, or on too many.
    pub(super) fn words(&self, words: &mut Vec<Word>) -> Option<()> {
        if self.used.is_doubtful || self.used.bytes.len() > MOST_USED {
            return None;
        }
        let mut rest = self.used.bytes.as_slice();
        for &(start, length) in &self.used.ranges {
            let (bytes, after) = rest.split_at_checked(length)?;
            Word::push(start, bytes, words);
            rest = after;
        }
        Some(())
    }
}

impl Used {
    fn forget(&mut self) {
        self.ranges.clear();
        self.bytes.clear();
        self.is_doubtful = false;
    }
}

impl Memory<'_> {
    /// The thread whose memory it is.
    pub(super) fn thread(&self) -> libc::pid_t {
        self.thread
    }

    /// The bytes at an address, which must be a multiple of 8.
    pub(super) fn bytes(&mut self, at: u64, length: usize) -> Option<Vec<u8>> {
        if at.is_multiple_of(8) { self.any(at, length) } else { self.doubted() }
    }

    /// The same, of which these parts matter: where each begins, and how long it is.
    pub(super) fn parts(
        &mut self,
        at: u64,
        length: usize,
        parts: &[(usize, usize)],
    ) -> Option<Vec<u8>> {
        if !at.is_multiple_of(8) {
            return self.doubted();
        }
        let bytes = self.look(at, length)?;
        self.use_parts(at, &bytes, parts);
        Some(bytes)
    }

    /// These parts of bytes at an address, which were looked at, matter.
    pub(super) fn use_parts(&mut self, at: u64, bytes: &[u8], parts: &[(usize, usize)]) {
        for &(begin, length) in parts {
            match bytes.get(begin..begin + length) {
                Some(part) => self.use_of(at.wrapping_add(begin as u64), part),
                None => self.doubt(),
            }
        }
    }

    /// So many words.
    pub(super) fn words<const N: usize>(&mut self, at: u64) -> Option<[u64; N]> {
        let bytes = self.bytes(at, 8 * N)?;
        let mut words = [0; N];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_ne_bytes(*bytes);
        }
        Some(words)
    }

    /// A number of four bytes.
    pub(super) fn int(&mut self, at: u64) -> Option<i32> {
        Some(i32::from_ne_bytes(self.any(at, 4)?.try_into().ok()?))
    }

    /// The bytes up to a NUL.
    pub(super) fn text(&mut self, at: u64) -> Option<Vec<u8>> {
        let text = self.look_text(at)?;
        self.use_text(Address::At(at), &text);
        Some(text)
    }

    /// The same, of which [`Memory::use_text`] says that it matters.
    pub(super) fn look_text(&mut self, at: u64) -> Option<Vec<u8>> {
        let (mut text, mut from) = (Vec::new(), at);
        while text.len() <= LONGEST_TEXT {
            // Up to the end of a page: the next one may not be there.
            let length = CHUNK.min(PAGE - from % PAGE);
            let bytes = self.look(from, usize::try_from(length).ok()?)?;
            if let Some(nul) = memchr::memchr(0, &bytes) {
                text.extend_from_slice(&bytes[..nul]);
                return Some(text);
            }
            text.extend_from_slice(&bytes);
            from = from.checked_add(length)?;
        }
        self.doubted()
    }

    /// This text at an address, and that it ends there, matters.
    pub(super) fn use_text(&mut self, address: Address, text: &[u8]) {
        self.use_at(address, &[text, &[0]].concat());
    }

    /// The bytes at any address.
    pub(super) fn any(&mut self, at: u64, length: usize) -> Option<Vec<u8>> {
        let bytes = self.look(at, length)?;
        self.use_of(at, &bytes);
        Some(bytes)
    }

    /// Whether these bytes are at an address. If so, they matter; if not, what is there has to be
    /// read anew.
    pub(super) fn is(&mut self, at: u64, bytes: &[u8]) -> bool {
        let is_there = self.find(at, bytes.len()) == Some(bytes);
        if is_there {
            self.use_of(at, bytes);
        }
        is_there
    }

    /// The bytes at any address, of which [`Memory::use_of`] says what matters.
    pub(super) fn look(&mut self, at: u64, length: usize) -> Option<Vec<u8>> {
        self.find(at, length).map(<[u8]>::to_vec)
    }

    /// `None`, and a doubt, if it is not there.
    fn find(&mut self, at: u64, length: usize) -> Option<&[u8]> {
        if at == 0 {
            return self.doubted();
        }
        self.needed.push((at, length));
        let behind = self.copied.partition_point(|(start, _)| *start <= at);
        let copied = self.copied[..behind].last();
        if let Some(found) = copied.and_then(|(start, bytes)| part(*start, bytes, at, length)) {
            return Some(found);
        }
        let has_it = |(start, bytes): &(u64, Vec<u8>)| part(*start, bytes, at, length).is_some();
        let fetched = match self.fetched.iter().rposition(has_it) {
            Some(fetched) => fetched,
            None => self.fetch(at, length),
        };
        let (start, bytes) = &self.fetched[fetched];
        let found = part(*start, bytes, at, length);
        self.used.is_doubtful |= found.is_none();
        found
    }

    /// What was not copied: with what else lies in the page. Its place in `fetched`.
    fn fetch(&mut self, at: u64, length: usize) -> usize {
        let (page, within) = (at - at % PAGE, (at % PAGE) as usize);
        let is_in_page = within + length <= PAGE as usize;
        let (start, more) = if is_in_page { (page, PAGE as usize) } else { (at, length) };
        let mut bytes = Vec::new();
        memory::ranges(self.thread, &[(start, more)], &mut bytes);
        self.fetched.push((start, bytes));
        self.fetched.len() - 1
    }

    /// These bytes at an address, which were looked at, matter.
    pub(super) fn use_of(&mut self, at: u64, bytes: &[u8]) {
        self.use_at(Address::At(at), bytes);
    }

    /// The same by any address. Of a pointer, which lies at a multiple of 8, it does not
    /// matter where it leads to, but what is behind it.
    pub(super) fn use_at(&mut self, address: Address, bytes: &[u8]) {
        self.used.ranges.push((address, bytes.len()));
        self.used.bytes.extend_from_slice(bytes);
    }

    /// What is not in memory matters, too, or cannot be told.
    pub(super) fn doubt(&mut self) {
        self.used.is_doubtful = true;
    }

    /// The same, of what is not there.
    pub(super) fn doubted<T>(&mut self) -> Option<T> {
        self.doubt();
        None
    }

    /// The word at an address.
    pub(super) fn word(&mut self, at: u64) -> Option<u64> {
        word(&self.bytes(at, 8)?, 0)
    }

    /// What was needed up to here will not be needed again.
    pub(super) fn forget(&mut self) {
        self.needed.clear();
        self.used.forget();
    }
}

/// What lies at an address, if it is among bytes that begin at `start`.
fn part(start: u64, bytes: &[u8], at: u64, length: usize) -> Option<&[u8]> {
    let begin = usize::try_from(at.checked_sub(start)?).ok()?;
    bytes.get(begin..begin.checked_add(length)?)
}

/// Pieces that hold all of some ranges, in order.
fn pieces(ranges: &[(u64, usize)]) -> Vec<(u64, usize)> {
    let mut all = ranges.to_vec();
    all.sort_unstable();
    let mut pieces: Vec<(u64, usize)> = Vec::new();
    for (start, length) in all {
        let end = start.saturating_add(length as u64);
        match pieces.last_mut() {
            Some((first, size)) if start <= *first + *size as u64 + CLOSE => {
                *size = (*size).max((end - *first) as usize);
            }
            _ => pieces.push((start, length)),
        }
    }
    pieces
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
                memory.look(start + 8 * 50, 8).unwrap();
                (far, memory.bytes(start + 8, 16).and_then(|bytes| word(&bytes, 8)))
            };
            assert_eq!(copies.with(this, read), (Some(40), Some(2)));
            assert_eq!(copies.ranges, [(start + 8 * 40, 8), (start + 8 * 50, 8), (start + 8, 16)]);
            let mut used = Vec::new();
            assert_eq!(copies.words(&mut used), Some(()));
            let used: Vec<_> = used.iter().map(|word| (word.address, word.value)).collect();
            let word = |at: u64| (Address::At(start + 8 * at), at);
            assert_eq!(used, [word(40), word(1), word(2)]);
        }
        assert_eq!(
            copies.with(this, |memory| (memory.word(8), memory.word(start + 1))),
            (None, None)
        );
        assert_eq!(
            copies.words(&mut Vec::new()),
            None,
            "what was not there may be there next time"
        );
        assert_eq!(copies.with(this, |memory| memory.word(start)), Some(0));
    }

    #[test]
    fn texts_end_at_a_nul_or_are_none() {
        let (text, this) =
            ([b"a/".repeat(100), vec![0]].concat(), std::process::id().cast_signed());
        let endless = vec![b'a'; 3 * LONGEST_TEXT];
        let (mut copies, numbers) = (Copies::default(), [7u64, 8]);
        for _ in 0..2 {
            copies.with(this, |memory| {
                assert_eq!(memory.text(text.as_ptr() as u64 + 1), Some(text[1..200].to_vec()));
                assert_eq!(memory.text(endless.as_ptr() as u64), None);
                assert_eq!((memory.text(0), memory.text(64), memory.int(0)), (None, None, None));
                assert_eq!(memory.words(numbers.as_ptr() as u64), Some([7, 8]));
                assert_eq!(memory.int(numbers.as_ptr() as u64 + 8), Some(8));
            });
        }
    }
}
