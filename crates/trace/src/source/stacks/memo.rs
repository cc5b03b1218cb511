//! Stacks that were seen before, recognised by exactly those words of memory that they depend on. A
//! loop costs one unwind; after that a call costs one copy of a few words, and a comparison.

use super::interner::TrailId;
use super::unwind::Trail;
use super::words::Word;
use crate::source::memory;
use crate::source::registers::Registers;
use rustc_hash::FxHashMap;

/// At most so many stacks with the same instruction and stack pointer.
const ALIKE: usize = 32;

/// So many stacks are kept, twice: when there are more, those not seen for longest go.
const KEPT: usize = 8192;

/// Words that lie closer together than this are copied in one piece.
const CLOSE: u64 = 512;

/// What has to be compared to recognise a stack.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct StackKey {
    /// The frame pointer, if it matters.
    pub(crate) fp: Option<u64>,
    pub(crate) words: Vec<Word>,
    /// Whether there are words of a runtime among them. They may be a thread's own, and stay as
    /// they are when it is no more.
    pub(crate) is_of_runtime: bool,
}

/// The stacks of an address space that were seen.
#[derive(Debug, Default)]
pub(super) struct Memo {
    young: FxHashMap<(u64, u64), Alike>,
    old: FxHashMap<(u64, u64), Alike>,
    kept: usize,
}

/// Stacks with the same instruction and stack pointer.
#[derive(Debug, Default)]
struct Alike {
    stacks: Vec<Seen>,
    /// What must be copied to distinguish them.
    ranges: Vec<(u64, usize)>,
}

#[derive(Debug)]
struct Seen {
    fp: Option<u64>,
    lr: Option<u64>,
    slots: Vec<Slot>,
    trail: TrailId,
    /// Where it comes to code that lies in no ELF file.
    compiled: Option<Registers>,
    /// Whether no code that comes later can change it.
    settled: bool,
}

/// A word of memory, and where it lies among what is copied.
#[derive(Debug)]
struct Slot {
    address: u64,
    value: u64,
    place: usize,
}

impl Memo {
    /// The stack of a stopped thread, if it is known. `bytes` is a buffer to use.
    pub(super) fn recall(
        &mut self,
        process: libc::pid_t,
        at: &Registers,
        bytes: &mut Vec<u8>,
    ) -> Option<(TrailId, Option<Registers>)> {
        self.recall_by(at, bytes, |ranges, bytes| memory::ranges(process, ranges, bytes))
    }

    /// The same for any thread, whose memory `read` copies: as [`memory::ranges`].
    pub(super) fn recall_by(
        &mut self,
        at: &Registers,
        bytes: &mut Vec<u8>,
        read: impl FnOnce(&[(u64, usize)], &mut Vec<u8>),
    ) -> Option<(TrailId, Option<Registers>)> {
        let key = (at.ip, at.sp);
        if !self.young.contains_key(&key) {
            let alike = self.old.remove(&key)?;
            self.make_room(alike.stacks.len());
            self.young.insert(key, alike);
        }
        let alike = self.young.get_mut(&key)?;
        read(&alike.ranges, bytes);
        let found = alike.stacks.iter().position(|seen| seen.is(at, bytes))?;
        // What was found again goes to the front.
        alike.stacks[..=found].rotate_right(1);
        Some((alike.stacks[0].trail, alike.stacks[0].compiled))
    }

    /// Keeps a stack.
    pub(super) fn keep(&mut self, at: &Registers, trail: &Trail, settled: bool, number: TrailId) {
        self.make_room(1);
        let slots = trail.slots.iter();
        let seen = Seen {
            fp: trail.fp.then_some(at.fp),
            lr: trail.lr.then_some(at.lr),
            slots: slots.map(|&(address, value)| Slot { address, value, place: 0 }).collect(),
            trail: number,
            compiled: trail.compiled,
            settled,
        };
        let alike = self.young.entry((at.ip, at.sp)).or_default();
        alike.stacks.truncate(ALIKE - 1);
        alike.stacks.insert(0, seen);
        alike.lay_out();
    }

    /// What the latest stack with these registers depends on, if that is settled.
    pub(super) fn key(&self, at: &Registers) -> Option<StackKey> {
        let seen = self.young.get(&(at.ip, at.sp))?.stacks.first()?;
        seen.settled.then(|| {
            let mut words = Vec::with_capacity(seen.slots.len());
            seen.slots.iter().for_each(|it| Word::push_all(it.address, it.value, &mut words));
            StackKey { fp: seen.fp, words, is_of_runtime: false }
        })
    }

    fn make_room(&mut self, more: usize) {
        self.kept += more;
        if self.kept > KEPT {
            self.old = std::mem::take(&mut self.young);
            self.kept = more;
        }
    }

    /// Code came to the space: what was not settled may be another stack now.
    pub(super) fn forget_unsettled(&mut self) {
        for alike in self.young.values_mut().chain(self.old.values_mut()) {
            alike.stacks.retain(|seen| seen.settled);
        }
    }
}

impl Alike {
    /// Which ranges hold all slots, and where in the copy each slot then is.
    fn lay_out(&mut self) {
        let slots = self.stacks.iter().flat_map(|seen| &seen.slots);
        let mut addresses: Vec<u64> = slots.map(|slot| slot.address).collect();
        addresses.sort_unstable();
        self.ranges.clear();
        for address in addresses {
            match self.ranges.last_mut() {
                Some((start, length)) if address - *start < *length as u64 + CLOSE => {
                    *length = (*length).max((address - *start) as usize + 8);
                }
                _ => self.ranges.push((address, 8)),
            }
        }
        for slot in self.stacks.iter_mut().flat_map(|seen| &mut seen.slots) {
            let mut before = 0;
            for &(start, length) in &self.ranges {
                if slot.address >= start && slot.address - start < length as u64 {
                    slot.place = before + (slot.address - start) as usize;
                    break;
                }
                before += length;
            }
        }
    }
}

impl Seen {
    fn is(&self, at: &Registers, bytes: &[u8]) -> bool {
        self.fp.is_none_or(|fp| fp == at.fp)
            && self.lr.is_none_or(|lr| lr == at.lr)
            && self.slots.iter().all(|slot| {
                bytes.get(slot.place..slot.place + 8) == Some(&slot.value.to_ne_bytes())
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn this() -> libc::pid_t {
        libc::pid_t::try_from(std::process::id()).unwrap()
    }

    fn trail(words: &[u64], at: &[usize]) -> Trail {
        let slots = at.iter().map(|&i| (&raw const words[i] as u64, words[i])).collect();
        Trail { slots, ..Trail::default() }
    }

    #[test]
    fn a_stack_is_known_as_long_as_its_words_are() {
        let mut words: Vec<u64> = (1000..3000).collect();
        let (mut memo, mut bytes) = (Memo::default(), Vec::new());
        let at = Registers { ip: 1, sp: 2, fp: 3, lr: 4 };
        memo.keep(&at, &trail(&words, &[0, 3, 1500]), true, TrailId(1));
        assert_eq!(memo.recall(this(), &at, &mut bytes), Some((TrailId(1), None)));
        assert!(bytes.len() < 100, "{} bytes copied for three words", bytes.len());
        words[2] = 7; // Nothing depends on it.
        assert_eq!(memo.recall(this(), &at, &mut bytes), Some((TrailId(1), None)));
        words[1500] = 8;
        assert_eq!(memo.recall(this(), &at, &mut bytes), None);
        memo.keep(&at, &trail(&words, &[0, 3, 1500, 1999]), true, TrailId(2));
        assert_eq!(memo.recall(this(), &at, &mut bytes), Some((TrailId(2), None)));
        words[1500] = 2500;
        assert_eq!(memo.recall(this(), &at, &mut bytes), Some((TrailId(1), None)));
        let elsewhere = Registers { sp: 16, ..at };
        assert_eq!(memo.recall(this(), &elsewhere, &mut bytes), None);
    }

    #[test]
    fn registers_count_where_they_were_followed() {
        let words = [5u64];
        let (mut memo, mut bytes) = (Memo::default(), Vec::new());
        let at = Registers { ip: 1, sp: 2, fp: 3, lr: 4 };
        let followed = Trail { fp: true, ..trail(&words, &[0]) };
        memo.keep(&at, &followed, true, TrailId(1));
        assert_eq!(
            memo.recall(this(), &Registers { lr: 9, ..at }, &mut bytes),
            Some((TrailId(1), None))
        );
        assert_eq!(memo.recall(this(), &Registers { fp: 9, ..at }, &mut bytes), None);
    }

    #[test]
    fn it_forgets_what_was_not_seen_for_long() {
        let words = [5u64];
        let (mut memo, mut bytes) = (Memo::default(), Vec::new());
        let at = |ip| Registers { ip, ..Registers::default() };
        for ip in 0..3 * KEPT as u64 {
            memo.keep(&at(ip), &trail(&words, &[0]), ip % 2 == 0, TrailId(1));
            assert_eq!(memo.recall(this(), &at(0), &mut bytes), Some((TrailId(1), None)), "{ip}");
        }
        assert!(memo.young.len() + memo.old.len() <= 2 * KEPT + 2);
        assert_eq!(memo.recall(this(), &at(1), &mut bytes), None);
        let last = 3 * KEPT as u64 - 1;
        assert_eq!(memo.recall(this(), &at(last), &mut bytes), Some((TrailId(1), None)));
        memo.forget_unsettled();
        assert_eq!(memo.recall(this(), &at(last), &mut bytes), None);
        assert_eq!(memo.recall(this(), &at(last - 1), &mut bytes), Some((TrailId(1), None)));
    }
}
