//! Reads the notes of what was loaded into Node.js. Their layout is that of
//! `source/preload/node.cjs`: 8 bytes, then numbers of 32 bits.
//!
//! | where | what |
//! |---|---|
//! | 8 | the number of the present stack; 0 for none |
//! | 12 | where the log ends |
//! | 64 | requests, each in the place that its number's lowest bits say: its number, its stack's |
//! | behind | the log: functions and stacks, numbered from 1 in their order |
//!
//! An entry of the log begins with its kind. 1 is a function: the line, and two texts (its name,
//! its file), each with its length in front. 2 is a stack: how many functions, and their numbers,
//! the innermost first.

use super::super::super::words::{Address, Word};
use super::super::Frames;
use crate::source::memory;
use crate::{FrameId, Location};

const PRESENT: u64 = 8;
const REQUESTS: u64 = 64;
const SLOTS: u64 = 1 << 16;
const LOG: u64 = REQUESTS + 8 * SLOTS;
const SIZE: u64 = 4 << 20;

/// No stack has more functions.
const DEEPEST: usize = 64;

/// The notes of one thread.
pub(super) struct Notes {
    address: u64,
    /// How far the log was read; 0 if it makes no sense.
    read: u64,
    functions: Vec<FrameId>,
    stacks: Vec<Box<[FrameId]>>,
}

impl Notes {
    /// The notes at an address.
    pub(super) fn at(address: u64) -> Notes {
        Notes { address, read: LOG, functions: Vec::new(), stacks: Vec::new() }
    }

    /// The stack of the program's functions that are being run.
    pub(super) fn present(&mut self, thread: libc::pid_t, frames: Frames) -> Option<&[FrameId]> {
        let (stack, end) = self.state(thread)?;
        self.stack_until(thread, stack, end, frames)
    }

    /// The word that says which is the present stack.
    pub(super) fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        let at = self.address.checked_add(PRESENT)?;
        let number: [u8; 4] = memory::array(thread, at)?;
        Word::push(Address::At(at), &number, words);
        Some(())
    }

    /// A stack, by its number.
    pub(super) fn stack(
        &mut self,
        thread: libc::pid_t,
        stack: u32,
        frames: Frames,
    ) -> Option<&[FrameId]> {
        let (_, end) = self.state(thread)?;
        self.stack_until(thread, stack, end, frames)
    }

    /// The number of the stack that a request was made from, if it is known.
    pub(super) fn of_request(&self, thread: libc::pid_t, request: u32) -> Option<u32> {
        let slot = REQUESTS + 8 * (u64::from(request) % SLOTS);
        let words: [u8; 8] = memory::array(thread, self.address.checked_add(slot)?)?;
        (word(&words, 0)? == request).then_some(word(&words, 4)?)
    }

    /// The number of the present stack, and where the log ends.
    fn state(&self, thread: libc::pid_t) -> Option<(u32, u64)> {
        let words: [u8; 8] = memory::array(thread, self.address.checked_add(PRESENT)?)?;
        Some((word(&words, 0)?, word(&words, 4)?.into()))
    }

    fn stack_until(
        &mut self,
        thread: libc::pid_t,
        stack: u32,
        end: u64,
        frames: Frames,
    ) -> Option<&[FrameId]> {
        let at = usize::try_from(stack).ok()?.checked_sub(1)?;
        if at >= self.stacks.len() && self.read != 0 && end != self.read {
            self.read = self.follow(thread, end, frames).unwrap_or(0);
        }
        self.stacks.get(at).map(|frames| &**frames)
    }

    /// Reads the log on to its end. `None` if something is odd.
    fn follow(&mut self, thread: libc::pid_t, end: u64, frames: Frames) -> Option<u64> {
        if !(self.read..=SIZE).contains(&end) {
            return None;
        }
        let length = usize::try_from(end - self.read).ok()?;
        let mut bytes = Vec::new();
        memory::ranges(thread, &[(self.address.checked_add(self.read)?, length)], &mut bytes);
        if bytes.len() != length {
            return None;
        }
        let mut rest = Rest(&bytes);
        while !rest.0.is_empty() {
            match rest.number()? {
                1 => {
                    let line = rest.number()?;
                    let (function, file) = (rest.text()?, rest.text()?);
                    self.functions.push(frames(Location { function, file, line }));
                }
                2 => {
                    let count = usize::try_from(rest.number()?).ok()?;
                    if count > DEEPEST {
                        return None;
                    }
                    let function = |number: u32| {
                        self.functions.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
                    };
                    let stack = (0..count).map(|_| function(rest.number()?));
                    let stack = stack.collect::<Option<Box<[FrameId]>>>()?;
                    self.stacks.push(stack);
                }
                _ => return None,
            }
        }
        Some(end)
    }
}

/// What is left of the log.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn number(&mut self) -> Option<u32> {
        let number = word(self.0, 0)?;
        self.0 = &self.0[4..];
        Some(number)
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        let text = String::from_utf8_lossy(self.0.get(..length)?).into_owned();
        self.0 = self.0.get(length.next_multiple_of(4)..)?;
        Some(text)
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory with notes: the present stack, a request, a log.
    fn memory(present: u32, request: (u32, u32), log: &[u32]) -> Vec<u32> {
        let mut words = vec![0; usize::try_from(SIZE / 4).unwrap()];
        let log_at = usize::try_from(LOG / 4).unwrap();
        words[2] = present;
        words[3] = u32::try_from(LOG).unwrap() + 4 * u32::try_from(log.len()).unwrap();
        let slot = usize::try_from(REQUESTS / 4).unwrap()
            + 2 * usize::try_from(u64::from(request.0) % SLOTS).unwrap();
        (words[slot], words[slot + 1]) = request;
        words[log_at..log_at + log.len()].copy_from_slice(log);
        words
    }

    fn this() -> libc::pid_t {
        std::process::id().cast_signed()
    }

    fn function(line: u32, name: [u8; 4]) -> [u32; 6] {
        [1, line, 4, u32::from_ne_bytes(name), 2, u32::from_ne_bytes(*b"/f\0\0")]
    }

    /// The present stack, and that of request 65,541, by the lines of their functions.
    fn lines(words: &[u32]) -> (Option<Vec<u32>>, Option<Vec<u32>>) {
        let mut notes = Notes::at(words.as_ptr() as u64);
        let mut seen = Vec::new();
        let mut frames = |location: Location| {
            assert_eq!((location.file.as_str(), location.function.len()), ("/f", 4));
            seen.push(location.line);
            FrameId(location.line)
        };
        let numbers = |frames: &[FrameId]| frames.iter().map(|frame| frame.0).collect();
        let present = notes.present(this(), &mut frames).map(numbers);
        let request = notes.of_request(this(), 65_541);
        let asked = request.and_then(|stack| notes.stack(this(), stack, &mut frames).map(numbers));
        (present, asked)
    }

    #[test]
    fn stacks_are_read_by_their_numbers() {
        let mut log = function(7, *b"load").to_vec();
        log.extend(function(9, *b"main"));
        log.extend([2, 2, 1, 2, 2, 1, 2]);
        let present = Some(vec![7, 9]);
        assert_eq!(lines(&memory(1, (65_541, 2), &log)), (present.clone(), Some(vec![9])));
        assert_eq!(lines(&memory(1, (5, 2), &log)), (present, None));
        assert_eq!(lines(&memory(0, (65_541, 3), &log)), (None, None));
    }

    #[test]
    fn nonsense_has_no_stacks() {
        let whole = function(7, *b"load");
        for log in [
            &[3, 0, 0][..],
            &[1, 7, 1 << 30],
            &[2, 1 << 20],
            &[2, 1, 1],
            &[2, 3, 1],
            &[whole[0], whole[1], 4, whole[3], 400],
        ] {
            assert_eq!(lines(&memory(1, (65_541, 1), log)), (None, None), "{log:?}");
        }
        let mut words = memory(1, (65_541, 1), &whole);
        for end in [0, 5, u32::MAX, 1 << 30] {
            words[3] = end;
            assert_eq!(lines(&words), (None, None), "{end}");
        }
        let mut nothing = Notes::at(u64::MAX - 4);
        assert!(nothing.present(this(), &mut |_| FrameId(0)).is_none());
        assert_eq!(nothing.of_request(this(), 1), None);
    }
}
