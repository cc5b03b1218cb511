//! The file that the agent and the tracer have mapped both: blocks, known stacks, and the ring.
//!
//! The program may write over all of it, so nothing in it is trusted: what is read is checked
//! against the sizes that this process knows, and addresses in it are never followed here.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};

use ::agent::layout::{self, BASE, block, record, stack};

use crate::source::record::Record;
use crate::source::stacks::StackKey;

/// The mapping.
#[derive(Debug)]
pub(crate) struct Shared {
    memory: NonNull<u8>,
    /// How many bytes of records were read.
    tail: u64,
    /// How much of the room for stacks is taken.
    stacks: usize,
    /// Whether the program wrote over the ring.
    is_damaged: bool,
}

impl Shared {
    /// Makes an empty file what it has to be, and maps it. `has_stacks`: each call is to say from
    /// where it was made.
    pub(crate) fn new(file: &File, plans: &[u64], has_stacks: bool) -> io::Result<Shared> {
        file.set_len(layout::SIZE as u64)?;
        let (fd, rights) = (file.as_raw_fd(), libc::PROT_READ | libc::PROT_WRITE);
        // Nobody can shorten it any more, so that no access here ends with SIGBUS.
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: plain numbers; the mapping is new, and belongs to what is returned.
        let memory = unsafe {
            if libc::fcntl(fd, libc::F_ADD_SEALS, seals) != 0 {
                return Err(io::Error::last_os_error());
            }
            libc::mmap(ptr::null_mut(), layout::SIZE, rights, libc::MAP_SHARED, fd, 0)
        };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let memory = NonNull::new(memory.cast()).ok_or(io::ErrorKind::InvalidData)?;
        let shared = Shared { memory, tail: 0, stacks: 0, is_damaged: false };
        let agent = agent::agent().ok_or(io::ErrorKind::Unsupported)?;
        shared.put(0, agent.code());
        for (at, word) in plans.iter().enumerate() {
            shared.word(layout::BLOCK + block::PLANS + 8 * at).store(*word, Ordering::Relaxed);
        }
        let buckets = if has_stacks { BASE + layout::BUCKETS as u64 } else { 0 };
        let own = |at: usize| shared.word(layout::BLOCK + at);
        own(block::BUCKETS).store(buckets, Ordering::Relaxed);
        own(block::RING).store(BASE + layout::RING as u64, Ordering::Relaxed);
        own(block::SELF).store(BASE + layout::BLOCK as u64, Ordering::Relaxed);
        Ok(shared)
    }

    /// A word of the mapping; the offset is one of the layout's.
    fn word(&self, offset: usize) -> &AtomicU64 {
        assert!(offset + 8 <= layout::SIZE && offset.is_multiple_of(8));
        // SAFETY: the word lies in the mapping, which lives as long as this, and is aligned. Other
        // processes write there, too: hence an atomic.
        unsafe { &*self.memory.as_ptr().add(offset).cast::<AtomicU64>() }
    }

    fn put(&self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= layout::SIZE);
        // SAFETY: as many bytes lie in the mapping, and no reference to them is held; `bytes` is
        // this process's own memory.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.memory.as_ptr().add(offset), bytes.len());
        }
    }

    fn get(&self, offset: usize, length: usize, to: &mut Vec<u8>) {
        assert!(offset.checked_add(length).is_some_and(|end| end <= layout::SIZE));
        to.clear();
        to.reserve(length);
        // SAFETY: as many bytes lie in the mapping, and in the spare room of `to`; they are
        // initialised then. If the program writes at the same time they are whatever it writes.
        unsafe {
            ptr::copy_nonoverlapping(self.memory.as_ptr().add(offset), to.as_mut_ptr(), length);
            to.set_len(length);
        }
    }

    fn own(&self, at: usize) -> &AtomicU64 {
        self.word(layout::BLOCK + at)
    }

    /// How many bytes of records have been written so far.
    pub(crate) fn head(&self) -> u64 {
        self.own(block::HEAD).load(Ordering::Acquire)
    }

    /// Whether the program wrote over the ring: nothing more is taken out of it. As its records
    /// count as unread from then on, the agent soon makes no more calls.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Takes the next record out of the ring, of those before `head`. Whether there was one.
    pub(crate) fn next(&mut self, record: &mut Record, head: u64) -> bool {
        self.is_damaged |= head.wrapping_sub(self.tail) > layout::RING_SIZE as u64;
        while !self.is_damaged && self.tail < head {
            let at = (self.tail % layout::RING_SIZE as u64) as usize;
            let length = self.word(layout::RING + at).load(Ordering::Relaxed);
            let is_skipped = length & record::SKIP != 0;
            let length = length & !record::SKIP;
            let left = (layout::RING_SIZE - at) as u64;
            if length < 8 || length > left || !length.is_multiple_of(8) {
                self.is_damaged = true;
                return false;
            }
            if !is_skipped {
                self.get(layout::RING + at, length as usize, record.bytes());
            }
            self.tail += length;
            self.own(block::TAIL).store(self.tail, Ordering::Release);
            if !is_skipped {
                return true;
            }
        }
        false
    }

    /// The record of the call that is being made, or was about to be published.
    pub(crate) fn unfinished(&self, record: &mut Record) -> bool {
        let at = self.own(block::CALLING).load(Ordering::Acquire);
        // Where the next record would be; otherwise it has been seen already.
        let next = layout::RING as u64 + self.tail % layout::RING_SIZE as u64;
        at == BASE + next && self.current(at, record, layout::LONGEST)
    }

    /// Copies the record at an address in the program. It is as long as a record may be: what lies
    /// behind it is no piece that anything asks for.
    fn current(&self, address: u64, record: &mut Record, length: usize) -> bool {
        let ring = BASE + layout::RING as u64;
        let offset = address.checked_sub(ring).and_then(|at| usize::try_from(at).ok());
        let Some(offset) = offset.filter(|at| at + layout::LONGEST <= layout::RING_SIZE) else {
            return false;
        };
        self.get(layout::RING + offset, length, record.bytes());
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

    /// Lets the agent recognise a stack. The thread stands still, and is the only one.
    pub(crate) fn know_stack(&mut self, traced: u64, sp: u64, key: &StackKey, id: u32) {
        let size = stack::WORDS + 16 * key.words.len();
        if size > layout::STACKS_SIZE {
            return;
        }
        if self.stacks + size > layout::STACKS_SIZE {
            self.forget_stacks();
        }
        let at = layout::STACKS + self.stacks;
        self.stacks += size;
        let bucket = self.word(layout::BUCKETS + 8 * layout::bucket(traced, sp));
        let next = bucket.load(Ordering::Relaxed);
        let put = |offset: usize, word: u64| self.word(at + offset).store(word, Ordering::Relaxed);
        put(stack::NEXT, next);
        put(stack::SITE, traced);
        put(stack::SP, sp);
        put(stack::USES_FP, key.fp.is_some().into());
        put(stack::FP, key.fp.unwrap_or(0));
        put(stack::ID, id.into());
        put(stack::COUNT, key.words.len() as u64);
        for (at, (address, value)) in key.words.iter().enumerate() {
            put(stack::WORDS + 16 * at, *address);
            put(stack::WORDS + 16 * at + 8, *value);
        }
        bucket.store(BASE + at as u64, Ordering::Release);
    }

    /// Code is mapped: no stack is known any more.
    pub(crate) fn forget_stacks(&mut self) {
        for at in 0..layout::BUCKET_COUNT {
            self.word(layout::BUCKETS + 8 * at).store(0, Ordering::Release);
        }
        self.stacks = 0;
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's, and nothing borrows from it any more.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), layout::SIZE) };
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::FromRawFd;

    use super::*;

    fn shared() -> Shared {
        // SAFETY: the name ends with a NUL; the descriptor is new, and the file's alone.
        let file = unsafe {
            let descriptor = libc::memfd_create(c"".as_ptr(), libc::MFD_ALLOW_SEALING);
            assert!(descriptor >= 0);
            File::from_raw_fd(descriptor)
        };
        Shared::new(&file, &[], true).unwrap()
    }

    fn write(shared: &Shared, at: u64, length: u64) {
        shared.word(layout::RING + at as usize).store(length, Ordering::Relaxed);
        shared.own(block::HEAD).store(at + length, Ordering::Release);
    }

    #[test]
    fn records_come_out_in_order_and_once() {
        let (mut shared, mut record) = (shared(), Record::default());
        for at in [0, 112] {
            write(&shared, at, 112);
            shared.word(layout::RING + at as usize + record::NUMBER).store(at, Ordering::Relaxed);
        }
        let head = shared.head();
        for at in [0, 112] {
            assert!(shared.next(&mut record, head));
            assert_eq!(record.number(), at);
        }
        assert!(!shared.next(&mut record, head) && !shared.is_damaged());
        assert_eq!(shared.own(block::TAIL).load(Ordering::Relaxed), 224);
    }

    #[test]
    fn what_a_program_wrote_over_a_ring_is_not_taken_for_records() {
        let ring = layout::RING_SIZE as u64;
        for (head, length) in
            [(u64::MAX, 8), (ring + 8, 8), (8, 0), (8, 7), (8, 12), (8, ring + 8), (8, u64::MAX)]
        {
            let (mut shared, mut record) = (shared(), Record::default());
            write(&shared, 0, length);
            assert!(!shared.next(&mut record, head), "{head} {length}");
            assert!(shared.is_damaged(), "{head} {length}");
        }
    }
}
