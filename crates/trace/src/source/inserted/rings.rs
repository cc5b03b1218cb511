//! What is shared with the threads of a process: the agent's code, and a ring for each thread that
//! has one.

use std::fs::File;
use std::io;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use ::agent::layout::{self, BASE, block};

use super::changes::Changes;
use super::ring::Ring;
use super::shared::Memory;
use crate::source::ptrace::Pid;

/// So many bytes of records may be unread in all rings of a process that has several.
const MOST_UNREAD: usize = 1 << 20;

/// What is shared with the threads of a process.
#[derive(Debug)]
pub(crate) struct Shared {
    memory: Rc<Memory>,
    plans: Vec<u64>,
    /// Whether each call is to say from where it was made.
    has_stacks: bool,
    /// Those that a thread ever had, by the numbers of their slots.
    pub(crate) rings: Vec<Ring>,
    /// How many records have been taken out of them.
    pub(crate) recorded: u64,
}

impl Shared {
    /// Makes an empty file what it has to be, and maps it. `has_stacks`: each call is to say from
    /// where it was made.
    pub(crate) fn new(file: &File, plans: Vec<u64>, has_stacks: bool) -> io::Result<Shared> {
        let memory = Rc::new(Memory::new(file)?);
        let agent = agent::agent().ok_or(io::ErrorKind::Unsupported)?;
        memory.put(0, agent.code());
        Ok(Shared { memory, plans, has_stacks, rings: Vec::new(), recorded: 0 })
    }

    /// Whether one thread alone has ever had a ring.
    pub(crate) fn has_one_ring(&self) -> bool {
        self.rings.len() == 1
    }

    /// How many threads have rings.
    pub(crate) fn rings_taken(&self) -> usize {
        self.rings.iter().filter(|ring| ring.owner.is_some()).count()
    }

    /// Whether one more thread can have a ring.
    pub(crate) fn has_free_ring(&self) -> bool {
        self.rings.len() < layout::SLOTS || self.rings.iter().any(Ring::is_free)
    }

    /// A thread gets a ring. The address of its block, if there is a ring left.
    pub(crate) fn take_ring(&mut self, thread: Pid) -> Option<u64> {
        let free = self.rings.iter().position(Ring::is_free);
        let at = free.or_else(|| (self.rings.len() < layout::SLOTS).then_some(self.rings.len()))?;
        if at == self.rings.len() {
            let memory = Rc::clone(&self.memory);
            self.rings.push(Ring::new(memory, layout::slot(at), &self.plans, self.has_stacks));
        }
        let ring = &mut self.rings[at];
        ring.take(thread);
        let block = ring.block();
        self.share_backlog();
        Some(block)
    }

    /// A thread is no more: another one can have its ring.
    pub(crate) fn give_back(&mut self, thread: Pid) {
        if let Some(ring) = self.ring_mut(thread) {
            ring.give_back();
            self.share_backlog();
        }
    }

    /// Each time that one thread stops, all rings are read first. So the more of them there are,
    /// the less may be in each: what does not fit stops at its call.
    fn share_backlog(&self) {
        let count = self.rings_taken();
        let most = if count > 1 { MOST_UNREAD / count } else { usize::MAX };
        let taken = self.rings.iter().filter(|ring| ring.owner.is_some());
        taken.for_each(|ring| ring.limit(most));
    }

    /// The ring of a thread.
    pub(crate) fn ring(&self, thread: Pid) -> Option<&Ring> {
        self.rings.iter().find(|ring| ring.owner == Some(thread))
    }

    /// The same, to be changed.
    pub(crate) fn ring_mut(&mut self, thread: Pid) -> Option<&mut Ring> {
        self.rings.iter_mut().find(|ring| ring.owner == Some(thread))
    }

    /// What was changed, so that answers are void.
    pub(crate) fn put_changes(&self, changes: &Changes) {
        for (at, word) in [block::CHANGES, block::WRITERS].into_iter().zip(changes.words()) {
            self.memory.word(layout::NO_BLOCK + at).store(word, Ordering::Release);
        }
    }

    /// From now on each call is made where the tracer sees it.
    pub(crate) fn end_plans(&self) {
        self.rings.iter().for_each(Ring::end_plans);
    }

    /// Code is mapped: no stack is known any more.
    pub(crate) fn forget_stacks(&mut self) {
        self.rings.iter_mut().for_each(Ring::forget_stacks);
    }
}

/// Whether an address is that of a block, and not of that without plans.
pub(crate) fn is_block_with_ring(address: u64) -> bool {
    let within = layout::slot(0).block as u64..layout::SIZE as u64;
    address.checked_sub(BASE).is_some_and(|offset| within.contains(&offset))
}

#[cfg(test)]
mod tests {
    use std::os::fd::FromRawFd;

    use super::*;

    impl Shared {
        /// One that is in no program.
        pub(in crate::source::inserted) fn of_test() -> Shared {
            // SAFETY: the name ends with a NUL; the descriptor is new, and the file's alone.
            let file = unsafe {
                let descriptor = libc::memfd_create(c"".as_ptr(), libc::MFD_ALLOW_SEALING);
                assert!(descriptor >= 0);
                File::from_raw_fd(descriptor)
            };
            Shared::new(&file, Vec::new(), true).unwrap()
        }
    }

    #[test]
    fn a_ring_is_for_one_thread_at_a_time() {
        let mut shared = Shared::of_test();
        let blocks: Vec<u64> = (1..=64).map(|thread| shared.take_ring(thread).unwrap()).collect();
        assert!(blocks.iter().all(|block| is_block_with_ring(*block)));
        assert!(!is_block_with_ring(BASE + layout::NO_BLOCK as u64));
        assert!(!shared.has_free_ring() && shared.take_ring(65).is_none());
        shared.give_back(7);
        assert!(shared.has_free_ring() && shared.ring(7).is_none());
        assert_eq!(shared.take_ring(65), Some(blocks[6]));
        assert_eq!(shared.ring(65).unwrap().block(), blocks[6]);
    }
}
