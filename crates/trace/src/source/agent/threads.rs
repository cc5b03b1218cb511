//! Which thread has which block.
//!
//! A thread takes the base of %gs from the one that made it. Before it runs it gets the block
//! without plans, and later one with a ring, if it makes many calls itself. The other threads of a
//! program, from the first on, have the block without plans already before an agent is there: it is
//! not possible to stop all of them when it comes.

use std::rc::Rc;

use ::agent::layout::{self, BASE};

use super::call_ends;
use crate::source::inserted::is_block_with_ring;
use crate::source::ptrace::{AllRegisters, Pid};
use crate::source::tracer::Tracer;

/// The block without plans.
pub(super) const NO_BLOCK: u64 = BASE + layout::NO_BLOCK as u64;

/// Whether an address is that of a block.
pub(super) fn is_block(address: u64) -> bool {
    address == NO_BLOCK || is_block_with_ring(address)
}

impl Tracer<'_> {
    /// A thread goes on for the first time: if the agent of another is in its memory, or may be one
    /// day, it has no part in that.
    pub(crate) fn let_in(&mut self, id: Pid) {
        let Some(thread) = self.threads.get_mut(&id) else { return };
        if !std::mem::replace(&mut thread.is_newborn, false) {
            return;
        }
        let is_thread = thread.process.id != id.cast_unsigned();
        if is_thread || thread.space.agent.borrow().is_there() {
            self.has_no_ring(id, is_thread);
        }
    }

    /// A thread goes on for the first time of which it is not known who has made it: it may have
    /// that one's ring.
    pub(crate) fn leave_ring(&self, id: Pid) {
        if let Ok(mut registers) = AllRegisters::of(id)
            && is_block_with_ring(*registers.block())
        {
            *registers.block() = NO_BLOCK;
            let _gone = registers.put(id);
        }
    }

    /// A thread has made another one.
    pub(crate) fn made_thread(&mut self, id: Pid) {
        let Some(thread) = self.threads.get(&id) else { return };
        let has_ring = {
            let agent = thread.space.agent.borrow();
            agent.shared.as_ref().is_some_and(|shared| shared.ring(id).is_some())
        };
        if !has_ring {
            self.has_no_ring(id, true);
        }
    }

    /// A thread that has stopped has the block without plans. `also_first`: even if it had none.
    fn has_no_ring(&self, id: Pid, also_first: bool) {
        let Some(thread) = self.threads.get(&id) else { return };
        let agent = thread.space.agent.borrow();
        let may_come = also_first
            && !agent.is_off
            && call_ends(self.agents.tier).is_some()
            && !thread.process.stops_always.get();
        if !may_come && !agent.is_there() {
            return;
        }
        if let Ok(mut registers) = AllRegisters::of(id) {
            let base = *registers.block();
            if is_block_with_ring(base) || base == 0 && may_come {
                *registers.block() = NO_BLOCK;
                let _gone = registers.put(id);
            }
        }
    }

    /// A thread that has stopped gets a ring if it is worth it, or is to get one in any case. The
    /// address of the block then, which is to be the base of %gs.
    pub(super) fn take_ring(&mut self, id: Pid, in_any_case: bool) -> Option<u64> {
        let thread = self.threads.get(&id)?;
        let number = thread.space.number;
        let mut agent = thread.space.agent.borrow_mut();
        if agent.shared.as_ref()?.ring(id).is_some()
            || !in_any_case && !agent.is_worth_a_ring(thread.agent_stops, self.agents.tier)
        {
            return None;
        }
        let shared = agent.shared.as_mut()?;
        let block = shared.take_ring(id)?;
        shared.put_changes(&self.agents.changes);
        let at = self.agents.threads.partition_point(|(space, _)| *space <= number);
        self.agents.threads.insert(at, (number, id));
        Some(block)
    }

    /// Whether all threads that use a thread's memory are of one process.
    pub(super) fn is_one_process(&self, id: Pid) -> bool {
        let Some(thread) = self.threads.get(&id) else { return false };
        Rc::strong_count(&thread.space) == 1
            || self
                .threads
                .values()
                .filter(|other| Rc::ptr_eq(&other.space, &thread.space))
                .all(|other| Rc::ptr_eq(&other.process, &thread.process))
    }
}
