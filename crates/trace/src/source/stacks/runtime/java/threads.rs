//! From the kernel's number of a thread to the machine's own structure of it.

use super::super::super::words::Word;
use super::super::copies::{Copies, Memory};
use super::layout::{Listed, ThreadLayout};
use super::read::{integer, integer_in, integer_of, pointer, pointer_in};
use super::tables::Integer;
use crate::source::memory;
use rustc_hash::FxHashMap;

/// More threads are not looked through.
const MOST: usize = 1 << 16;

/// Threads followed at the same time. When there are more, all are looked for anew.
const FOLLOWED: usize = 1 << 10;

/// A thread that was not in the list is looked for again after so many calls, or sooner if the list
/// is another one.
const AGAIN: u32 = 64;

/// The threads that made calls.
#[derive(Default)]
pub(super) struct Threads {
    seen: FxHashMap<libc::pid_t, Seen>,
}

/// A thread that makes calls.
#[derive(Default)]
pub(super) struct Seen {
    known: Known,
    pub(super) copies: Copies,
}

#[derive(Clone, Copy, Default)]
enum Known {
    #[default]
    Nothing,
    /// It is none of those that run Java: the list in which it was not, and for how many calls that
    /// is believed.
    Absent { list: u64, calls: u32 },
    /// Its structure, and what that has of the system.
    Found { thread: u64, system: u64 },
}

impl Threads {
    /// What is known of a thread.
    pub(super) fn of(&mut self, thread: libc::pid_t) -> &mut Seen {
        if self.seen.len() > FOLLOWED {
            self.seen.clear();
        }
        self.seen.entry(thread).or_default()
    }

    /// The words of memory that it depends on what was read last of a thread.
    pub(super) fn words(&self, thread: libc::pid_t, words: &mut Vec<Word>) -> Option<()> {
        self.seen.get(&thread)?.copies.words(words)
    }
}

impl Seen {
    /// Hands the copies of what was needed last time to `read`, with the thread's structure. `None`
    /// if it runs no Java.
    pub(super) fn with<T>(
        &mut self,
        thread: libc::pid_t,
        layout: &ThreadLayout,
        read: impl FnOnce(&mut Memory, u64) -> Option<T>,
    ) -> Option<T> {
        let Seen { known, copies } = self;
        copies.with(thread, |memory| {
            if !known.is(memory, layout) {
                memory.forget();
                if known.look(thread, layout).is_none() || !known.is(memory, layout) {
                    return memory.doubted();
                }
            }
            let Known::Found { thread, .. } = *known else { return None };
            read(memory, thread)
        })
    }
}

impl Known {
    /// Whether it is known, and still what it was.
    fn is(self, memory: &mut Memory, layout: &ThreadLayout) -> bool {
        let Known::Found { thread, system } = self else { return false };
        let number = u64::from(memory.thread().unsigned_abs());
        thread.checked_add(layout.system).and_then(|at| memory.word(at)) == Some(system)
            && integer_of(memory, system, layout.number) == Some(number)
    }

    /// Looks for a thread in the list of those that run Java.
    fn look(&mut self, process: libc::pid_t, layout: &ThreadLayout) -> Option<()> {
        let list = pointer(process, layout.list)?;
        if let Known::Absent { list: before, calls } = self
            && *before == list
            && *calls > 0
        {
            *calls -= 1;
            return None;
        }
        *self = Known::Absent { list, calls: AGAIN };
        let (thread, system) = find(process, layout, list)?;
        *self = Known::Found { thread, system };
        Some(())
    }
}

/// The threads of a list.
fn listed(process: libc::pid_t, layout: &ThreadLayout, list: u64) -> Option<Vec<u64>> {
    match layout.listed {
        Listed::Together { length, threads } => {
            let count = integer(process, list, length)?.min(MOST as u64);
            let threads = pointer(process, list.checked_add(threads)?)?;
            Some(words(process, &[(threads, 8 * usize::try_from(count).ok()?)]))
        }
        Listed::EachNext(next) => {
            let next = |thread: &u64| pointer(process, thread.checked_add(next)?);
            let all = std::iter::successors(Some(list), next).take(MOST);
            Some(all.take_while(|thread| *thread != 0).collect())
        }
    }
}

/// A thread in the list: its structure, and what that has of the system.
fn find(process: libc::pid_t, layout: &ThreadLayout, list: u64) -> Option<(u64, u64)> {
    let threads = listed(process, layout, list)?;
    let behind = |all: &[u64], distance: u64, length: usize| -> Vec<(u64, usize)> {
        all.iter().map(|at| (at.wrapping_add(distance), length)).collect()
    };
    let systems = words(process, &behind(&threads, layout.system, 8));
    let length = usize::from(layout.number.length);
    let mut numbers = Vec::new();
    memory::ranges(process, &behind(&systems, layout.number.at, length), &mut numbers);
    let number = Integer { at: 0, ..layout.number };
    let is = |copy: &[u8]| integer_in(copy, number) == Some(process.unsigned_abs().into());
    let at = numbers.chunks_exact(length).position(is)?;
    Some((*threads.get(at)?, *systems.get(at)?))
}

/// The words in these ranges.
fn words(process: libc::pid_t, ranges: &[(u64, usize)]) -> Vec<u64> {
    let mut bytes = Vec::new();
    memory::ranges(process, ranges, &mut bytes);
    bytes.chunks_exact(8).filter_map(|word| pointer_in(word, 0)).collect()
}
