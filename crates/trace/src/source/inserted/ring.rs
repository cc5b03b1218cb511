//! What one thread shares with the tracer: its block, known stacks, and the ring of its records.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use ::agent::layout::{self, BASE, Slot, block, record, stack};

use super::known_stacks::KnownStacks;
use super::shared::Memory;
use crate::source::ptrace::Pid;
use crate::source::record::{Record, is_seen_by_its_end};
use crate::source::stacks::{Address, StackKey};

/// A slot of the shared memory.
#[derive(Debug)]
pub(crate) struct Ring {
    memory: Rc<Memory>,
    slot: Slot,
    /// The thread that writes it.
    pub(crate) owner: Option<Pid>,
    /// How many bytes of records were there when it was looked.
    head: u64,
    /// How many bytes of records were read.
    tail: u64,
    /// How much of the room for stacks is taken.
    stacks: usize,
    /// Whether none of these is known any more.
    stacks_are_stale: bool,
    /// Whether any of them depends on what a runtime has of the thread.
    stacks_are_own: bool,
    known: KnownStacks,
    /// Whether the program wrote over the ring.
    is_damaged: bool,
}

impl Ring {
    pub(super) fn new(memory: Rc<Memory>, slot: Slot, plans: &[u64], has_stacks: bool) -> Ring {
        let ring = Ring {
            memory,
            slot,
            owner: None,
            head: 0,
            tail: 0,
            stacks: 0,
            stacks_are_stale: false,
            stacks_are_own: false,
            known: KnownStacks::default(),
            is_damaged: false,
        };
        let size = slot.ring_size as u64;
        let put = |at: usize, word: u64| ring.own(at).store(word, Ordering::Relaxed);
        for (at, word) in plans.iter().enumerate() {
            put(block::PLANS + 8 * at, *word);
        }
        put(block::BUCKETS, if has_stacks { BASE + slot.buckets as u64 } else { 0 });
        put(block::RING, BASE + slot.ring as u64);
        put(block::RING_SIZE, size);
        put(block::MASK, size - 1);
        put(block::LIMIT, limit(&slot));
        put(block::SELF, ring.block());
        put(block::ANSWERS, BASE + slot.buckets as u64);
        put(block::ANSWERS_NEXT, BASE + slot.stacks as u64);
        put(block::ANSWERS_END, BASE + (slot.stacks + slot.stacks_size) as u64);
        ring
    }

    fn own(&self, at: usize) -> &AtomicU64 {
        self.memory.word(self.slot.block + at)
    }

    /// The address of the block.
    pub(crate) fn block(&self) -> u64 {
        BASE + self.slot.block as u64
    }

    /// Whether another thread can have it.
    pub(super) fn is_free(&self) -> bool {
        self.owner.is_none() && !self.is_damaged
    }

    /// So many bytes may be unread before a call stops, and no more than there is room for.
    pub(super) fn limit(&self, most: usize) {
        self.own(block::LIMIT).store(limit(&self.slot).min(most as u64), Ordering::Relaxed);
    }

    /// The agent makes no more calls.
    pub(super) fn end_plans(&self) {
        for at in 0..layout::NUMBERS {
            self.own(block::PLANS + 8 * at).store(0, Ordering::Release);
        }
    }

    /// How many calls were answered from memory since this was asked, and how long that took, by
    /// the processor's time stamps.
    pub(crate) fn take_answered(&self) -> (u64, u64) {
        let take = |at: usize| self.own(at).swap(0, Ordering::Relaxed);
        (take(block::ANSWERED), take(block::ANSWERING))
    }

    /// A thread gets it. What was answered to another one may be of another directory.
    pub(super) fn take(&mut self, thread: Pid) {
        self.owner = Some(thread);
        self.own(block::ANSWERS_AT).store(u64::MAX, Ordering::Relaxed);
    }

    /// Its thread is no more. The next one may have its stack where this one had it: what is known
    /// of stacks stays, unless it is told from what a runtime noted of this thread: that may still
    /// lie where it was.
    pub(super) fn give_back(&mut self) {
        self.no_longer_calling();
        if self.stacks_are_own {
            self.forget_stacks();
        }
        self.owner = None;
    }

    /// Looks how far the agent has come. What comes meanwhile has to wait: otherwise a thread that
    /// makes more calls than can be taken out would keep all others waiting.
    pub(crate) fn look(&mut self) {
        self.head = self.own(block::HEAD).load(Ordering::Acquire);
    }

    /// Whether the program wrote over the ring: nothing more is taken out of it. As its records
    /// count as unread from then on, the agent soon makes no more calls.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Where the next record is, and how long it is: of those that were there when it was looked.
    fn find(&mut self) -> Option<(usize, usize)> {
        self.is_damaged |= self.head.wrapping_sub(self.tail) > self.slot.ring_size as u64;
        while !self.is_damaged && self.tail < self.head {
            let at = (self.tail % self.slot.ring_size as u64) as usize;
            let length = self.memory.word(self.slot.ring + at).load(Ordering::Relaxed);
            let is_skipped = length & record::SKIP != 0;
            let length = length & !record::SKIP;
            let left = (self.slot.ring_size - at) as u64;
            if length < 8 || length > left || !length.is_multiple_of(8) {
                self.is_damaged = true;
                return None;
            }
            if !is_skipped {
                return Some((self.slot.ring + at, length as usize));
            }
            self.is_read(length);
        }
        None
    }

    fn is_read(&mut self, length: u64) {
        self.tail += length;
        self.own(block::TAIL).store(self.tail, Ordering::Release);
    }

    /// When the next record's call was made, as far as other threads can see that.
    pub(crate) fn next_stamp(&mut self) -> Option<u64> {
        let (at, length) = self.find()?;
        if length < record::PIECES {
            return Some(0);
        }
        let word = |field: usize| self.memory.word(at + field).load(Ordering::Relaxed);
        let by_end = is_seen_by_its_end(word(record::NUMBER));
        Some(word(if by_end { record::END } else { record::START }))
    }

    /// Takes the next record out of the ring. Whether there was one.
    pub(crate) fn next(&mut self, record: &mut Record) -> bool {
        let Some((at, length)) = self.find() else { return false };
        self.memory.get(at, length, record.bytes());
        self.is_read(length as u64);
        true
    }

    /// The address of the record of a `close` that is being made: its descriptor may be another
    /// thread's by now.
    pub(crate) fn closing(&self) -> Option<u64> {
        let at = self.own(block::CALLING).load(Ordering::Acquire);
        let offset = at.checked_sub(BASE).and_then(|at| usize::try_from(at).ok())?;
        let ring = self.slot.ring..self.slot.ring + self.slot.ring_size - record::PIECES;
        let is_there = ring.contains(&offset) && offset.is_multiple_of(8);
        let number = || self.memory.word(offset + record::NUMBER).load(Ordering::Relaxed);
        (is_there && number() == libc::SYS_close.cast_unsigned()).then_some(at)
    }

    /// The record of the call that is being made, or was about to be published.
    pub(crate) fn unfinished(&self, record: &mut Record) -> bool {
        let at = self.own(block::CALLING).load(Ordering::Acquire);
        // Where the next record would be; otherwise it has been seen already.
        let next = self.slot.ring as u64 + self.tail % self.slot.ring_size as u64;
        at == BASE + next && self.current(at, record, layout::LONGEST)
    }

    /// Copies the record at an address in the program. It is as long as a record may be: what lies
    /// behind it is no piece that anything asks for.
    fn current(&self, address: u64, record: &mut Record, length: usize) -> bool {
        let ring = BASE + self.slot.ring as u64;
        let offset = address.checked_sub(ring).and_then(|at| usize::try_from(at).ok());
        let Some(offset) = offset.filter(|at| at + layout::LONGEST <= self.slot.ring_size) else {
            return false;
        };
        self.memory.get(self.slot.ring + offset, length, record.bytes());
        true
    }

    /// The call that was being made was taken back, or is reported by other means.
    pub(crate) fn no_longer_calling(&self) {
        self.own(block::CALLING).store(0, Ordering::Release);
    }

    /// The registers of the program that are in the block: rbx, r12, r13, r14.
    pub(crate) fn saved(&self) -> [u64; 4] {
        [block::RBX, block::R12, block::R13, block::R14]
            .map(|at| self.own(at).load(Ordering::Relaxed))
    }

    /// The record that is being written: its arguments, number and result.
    pub(crate) fn kept(&self, record: &mut Record) -> bool {
        self.current(self.own(block::RECORD).load(Ordering::Relaxed), record, record::PIECES)
    }

    /// The address of the traced call of the site that the agent works for.
    pub(crate) fn site(&self) -> u64 {
        self.own(block::SITE).load(Ordering::Relaxed)
    }

    /// Lets the agent recognise a stack. The thread stands still, outside of the agent.
    pub(crate) fn know_stack(&mut self, traced: u64, sp: u64, key: &StackKey, id: u32) {
        let size = stack::WORDS + stack::WORD_SIZE * key.words.len();
        if size > self.slot.stacks_size {
            return;
        }
        if self.stacks + size > self.slot.stacks_size {
            self.forget_stacks();
        }
        if std::mem::replace(&mut self.stacks_are_stale, false) {
            (self.stacks, self.known) = (0, KnownStacks::default());
            self.stacks_are_own = false;
        }
        self.stacks_are_own |= key.is_of_runtime;
        let at = self.slot.stacks + self.stacks;
        self.stacks += size;
        let bucket = layout::bucket(traced, sp);
        let (next, last) = self.known.insert(bucket, at);
        let next = next.map_or(0, |next| BASE + next as u64);
        let put =
            |offset: usize, word: u64| self.memory.word(at + offset).store(word, Ordering::Relaxed);
        put(stack::NEXT, next);
        put(stack::SITE, traced);
        put(stack::SP, sp);
        put(stack::USES_FP, key.fp.is_some().into());
        put(stack::FP, key.fp.unwrap_or(0));
        put(stack::ID, id.into());
        put(stack::COUNT, key.words.len() as u64);
        for (at, word) in key.words.iter().enumerate() {
            let at = stack::WORDS + stack::WORD_SIZE * at;
            put(at, number(word.address));
            put(at + 8, word.mask);
            put(at + 16, word.value);
        }
        if let Some(last) = last {
            self.memory.word(last + stack::NEXT).store(0, Ordering::Relaxed);
        }
        let bucket = self.memory.word(self.slot.buckets + 8 * bucket);
        bucket.store(BASE + at as u64, Ordering::Release);
    }

    /// Code is mapped: no stack is known any more. The thread may be looking for one just now: what
    /// it reads stays as it is until it stands still.
    pub(crate) fn forget_stacks(&mut self) {
        if self.stacks == 0 || self.stacks_are_stale {
            return;
        }
        for at in 0..layout::BUCKET_COUNT {
            self.memory.word(self.slot.buckets + 8 * at).store(0, Ordering::Release);
        }
        self.stacks_are_stale = true;
    }
}

/// An address as the agent reads it.
fn number(address: Address) -> u64 {
    match address {
        Address::At(address) => address,
        Address::Behind(distance) => distance | stack::IS_BEHIND,
        Address::Pointer(address) => address | stack::IS_POINTER,
        Address::PointerBehind(distance) => distance | stack::IS_BEHIND | stack::IS_POINTER,
    }
}

/// If more is unread, the longest record and what is skipped before it may not fit.
fn limit(slot: &Slot) -> u64 {
    (slot.ring_size - 2 * layout::LONGEST) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::inserted::Shared;

    /// A ring of a file like that which is brought into programs.
    fn ring() -> Ring {
        let mut shared = Shared::of_test();
        assert_eq!(shared.take_ring(1), Some(BASE + layout::slot(0).block as u64));
        shared.rings.pop().unwrap()
    }

    fn write(ring: &mut Ring, at: u64, length: u64) {
        ring.memory.word(ring.slot.ring + at as usize).store(length, Ordering::Relaxed);
        ring.own(block::HEAD).store(at + length, Ordering::Release);
        ring.look();
    }

    #[test]
    fn records_come_out_in_order_and_once() {
        let (mut ring, mut record) = (ring(), Record::default());
        for at in [0, 112] {
            write(&mut ring, at, 112);
            let number = ring.slot.ring + at as usize + record::NUMBER;
            ring.memory.word(number).store(at, Ordering::Relaxed);
        }
        for at in [0, 112] {
            assert!(ring.next(&mut record));
            assert_eq!(record.number(), at);
        }
        assert!(!ring.next(&mut record) && !ring.is_damaged());
        assert_eq!(ring.own(block::TAIL).load(Ordering::Relaxed), 224);
    }

    #[test]
    fn what_a_program_wrote_over_a_ring_is_not_taken_for_records() {
        let size = layout::slot(0).ring_size as u64;
        for (head, length) in
            [(u64::MAX, 8), (size + 8, 8), (8, 0), (8, 7), (8, 12), (8, size + 8), (8, u64::MAX)]
        {
            let (mut ring, mut record) = (ring(), Record::default());
            write(&mut ring, 0, length);
            ring.own(block::HEAD).store(head, Ordering::Release);
            ring.look();
            assert!(ring.next_stamp().is_none(), "{head} {length}");
            assert!(!ring.next(&mut record) && ring.is_damaged(), "{head} {length}");
        }
    }

    #[test]
    fn an_open_is_when_it_ends_and_a_close_when_it_begins() {
        let mut ring = ring();
        for (at, number, stamp) in [(0, libc::SYS_openat, 9), (112, libc::SYS_close, 5)] {
            write(&mut ring, at, 112);
            for (field, word) in [(record::NUMBER, number), (record::START, 5), (record::END, 9)] {
                let field = ring.slot.ring + at as usize + field;
                ring.memory.word(field).store(word.cast_unsigned(), Ordering::Relaxed);
            }
            assert_eq!(ring.next_stamp(), Some(stamp));
            assert!(ring.next(&mut Record::default()));
        }
    }
}
