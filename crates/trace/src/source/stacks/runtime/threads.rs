//! What is kept for each thread of a runtime, which may give every thread a state of its own.

use super::super::words::Word;
use super::copies::{Copies, Memory};
use rustc_hash::FxHashMap;

/// At most so many functions of a thread are given.
pub(super) const FUNCTIONS: usize = 128;

/// Threads followed at the same time. When there are more, all are looked for anew.
const THREADS: usize = 1 << 10;

/// The threads of an address space.
#[derive(Default)]
pub(super) struct Threads {
    known: FxHashMap<libc::pid_t, Thread>,
}

/// A thread that was seen.
#[derive(Default)]
struct Thread {
    /// Where it keeps the address of its state, once that is known.
    own: Option<u64>,
    /// How often that was looked for.
    looks: u32,
    copies: Copies,
}

impl Threads {
    /// Reads a thread's memory. `look` looks where it keeps the address of its state, at most
    /// `most` times; `read` gets what was found, and gives nothing if it cannot tell.
    pub(super) fn with<T>(
        &mut self,
        thread: libc::pid_t,
        most: u32,
        look: impl FnOnce() -> Option<u64>,
        read: impl FnOnce(&mut Memory, Option<u64>) -> Option<T>,
    ) -> Option<T> {
        if self.known.len() >= THREADS && !self.known.contains_key(&thread) {
            self.known.clear();
        }
        let known = self.known.entry(thread).or_default();
        if known.own.is_none() && known.looks < most {
            known.own = look();
            known.looks += 1;
        }
        let (own, is_settled) = (known.own, known.own.is_some() || known.looks == most);
        known.copies.with(thread, |memory| {
            if !is_settled {
                memory.doubt();
            }
            read(memory, own).or_else(|| memory.doubted())
        })
    }

    /// The same where no thread has a state of its own.
    pub(super) fn read<T>(
        &mut self,
        thread: libc::pid_t,
        read: impl FnOnce(&mut Memory) -> Option<T>,
    ) -> Option<T> {
        self.with(thread, 0, || None, |memory, _| read(memory))
    }

    /// The words of memory that it depends on what was read last of a thread.
    pub(super) fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.known.get(&thread)?.copies.words(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_threads_own_is_looked_for_until_it_is_found_and_not_forever() {
        let (this, mut threads) = (std::process::id().cast_signed(), Threads::default());
        let mut looks = 0;
        let mut ask = |threads: &mut Threads, thread: libc::pid_t, found: Option<u64>| {
            let look = || {
                looks += 1;
                found
            };
            let own = threads.with(thread, 3, look, |_, own| own);
            (own, looks)
        };
        assert_eq!(ask(&mut threads, this, None), (None, 1));
        assert_eq!(ask(&mut threads, this, Some(8)), (Some(8), 2));
        assert_eq!(ask(&mut threads, this, None), (Some(8), 2));
        for expected in [3, 4, 5, 5, 5] {
            assert_eq!(ask(&mut threads, this + 1, None), (None, expected));
        }
    }
}
