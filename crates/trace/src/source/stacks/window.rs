//! A window on the stack of a stopped thread: what it holds, in few calls.

use crate::source::memory;

/// Bytes fetched at a time. Where they end too early twice as many follow.
const FIRST: usize = 8 << 10;

/// A stack is followed this far, in bytes fetched.
const LIMIT: usize = 256 << 10;

/// A piece of memory that was fetched.
#[derive(Debug)]
struct Piece {
    start: u64,
    bytes: Vec<u8>,
}

impl Piece {
    fn word(&self, at: u64) -> Option<u64> {
        let begin = usize::try_from(at.checked_sub(self.start)?).ok()?;
        let bytes = self.bytes.get(begin..begin.checked_add(8)?)?;
        Some(u64::from_ne_bytes(bytes.try_into().ok()?))
    }

    /// Whether an address lies so little behind this that the stack probably goes on there.
    fn ends_near(&self, at: u64) -> bool {
        let end = self.start.saturating_add(self.bytes.len() as u64);
        (end.saturating_sub(8)..end.saturating_add(FIRST as u64)).contains(&at)
    }
}

/// A look at the memory of a stopped thread: a window from its stack pointer on, and more where
/// more is asked for.
#[derive(Debug)]
pub(super) struct Window {
    process: libc::pid_t,
    pieces: Vec<Piece>,
    left: usize,
}

impl Window {
    pub(super) fn new(process: libc::pid_t) -> Window {
        Window { process, pieces: Vec::new(), left: LIMIT }
    }

    /// On a copy of a stack, and on nothing else: the thread runs on.
    #[cfg(feature = "kernel")]
    pub(super) fn of_copy(process: libc::pid_t, start: u64, bytes: &[u8]) -> Window {
        Window { process, pieces: vec![Piece { start, bytes: bytes.into() }], left: 0 }
    }

    /// StoppedThread memory it is.
    pub(super) fn process(&self) -> libc::pid_t {
        self.process
    }

    /// The word at an address. An error if it cannot be read, or if enough was read.
    pub(super) fn word(&mut self, at: u64) -> Result<u64, ()> {
        if let Some(word) = self.pieces.iter().rev().find_map(|piece| piece.word(at)) {
            return Ok(word);
        }
        let before = self.pieces.iter().find(|piece| piece.ends_near(at));
        let length = before.map_or(FIRST, |piece| 2 * piece.bytes.len()).min(self.left);
        if length < 8 {
            return Err(());
        }
        let mut bytes = Vec::new();
        memory::ranges(self.process, &[(at, length)], &mut bytes);
        self.left -= length;
        self.pieces.push(Piece { start: at, bytes });
        self.pieces.last().and_then(|piece| piece.word(at)).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn this() -> libc::pid_t {
        libc::pid_t::try_from(std::process::id()).unwrap()
    }

    #[test]
    fn a_window_goes_on_where_it_was_too_small_but_not_forever() {
        let words: Vec<u64> = (0..100_000).collect();
        let start = words.as_ptr() as u64;
        let mut window = Window::new(this());
        assert_eq!(window.word(start), Ok(0));
        assert_eq!(window.word(start + 8 * 20_000), Ok(20_000));
        assert_eq!(window.word(start + 8 * 1_000), Ok(1_000));
        assert_eq!(window.pieces.len(), 2);
        assert_eq!(window.word(8), Err(()));
        let read = (0..100_000).take_while(|i| window.word(start + 8 * i) == Ok(*i)).count();
        assert!((20_000..=32_768).contains(&read), "{read} words");
        assert!(window.pieces.len() < 12);
    }
}
