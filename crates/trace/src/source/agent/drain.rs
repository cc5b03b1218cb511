//! Takes records out of the rings.

use std::rc::Rc;

use ::agent::layout::BASE;

use crate::source::inserted::SYSCALL;
use crate::source::ptrace::{AllRegisters, Pid};
use crate::source::tracer::Tracer;
use crate::{Name, StackId};

/// After so many records events are sent.
const SOME: usize = 512;

impl Tracer<'_> {
    /// Takes what there is out of all rings. Whether there was anything.
    pub(crate) fn drain_all(&mut self) -> bool {
        let mut any = false;
        for at in 0..self.agents.threads.len() {
            any |= self.drain(self.agents.threads[at]);
        }
        any
    }

    /// Takes what there is out of a thread's ring. Whether there was anything.
    pub(crate) fn drain(&mut self, id: Pid) -> bool {
        let Some(space) = self.threads.get(&id).map(|thread| Rc::clone(&thread.space)) else {
            return false;
        };
        // What comes meanwhile has to wait: otherwise a thread that makes more calls than can be
        // taken out would keep all others waiting.
        let head = match &space.agent.borrow().shared {
            Some((shared, owner)) if *owner == id && !shared.is_damaged() => shared.head(),
            _ => return false,
        };
        self.agents.stamps.look();
        let mut count = 0;
        loop {
            let mut of_space = space.agent.borrow_mut();
            let Some((shared, _)) = &mut of_space.shared else { break };
            if !shared.next(&mut self.agents.record, head) {
                break;
            }
            drop(of_space);
            let Some(thread) = self.threads.get_mut(&id) else { break };
            self.decoder.recorded(id, thread, &mut self.agents.record, &self.agents.stamps);
            count += 1;
            if count % SOME == 0 {
                self.send();
            }
        }
        self.agents.calls += count as u64;
        let of_space = space.agent.borrow();
        if of_space.shared.as_ref().is_some_and(|(shared, _)| shared.is_damaged())
            && let Some(thread) = self.threads.get(&id)
        {
            let text = "wrote over the memory that its calls are recorded in: some are missing";
            self.decoder.note("ring", thread, text);
        }
        count > 0
    }

    /// A thread is no more: what its ring has, and the call that it was in.
    pub(crate) fn drain_last(&mut self, id: Pid) {
        self.drain(id);
        let Some(space) = self.threads.get(&id).map(|thread| Rc::clone(&thread.space)) else {
            return;
        };
        let of_space = space.agent.borrow();
        let Some((shared, owner)) = &of_space.shared else { return };
        if *owner == id && shared.unfinished(&mut self.agents.record) {
            let thread = self.threads.get_mut(&id);
            if let Some(thread) = thread {
                self.decoder.begun(id, thread, &mut self.agents.record, &self.agents.stamps);
            }
        }
        self.agents.threads.retain(|other| *other != id);
    }

    /// A call stopped at a site that has a stub: lets the agent recognise its stack the next time.
    pub(crate) fn learn_stack(&mut self, id: Pid, traced: u64, at: &AllRegisters, stack: StackId) {
        let Some(thread) = self.threads.get(&id) else { return };
        let mut of_space = thread.space.agent.borrow_mut();
        let Some((shared, owner)) = &mut of_space.shared else { return };
        let at = at.start();
        // A runtime may have been loaded since: its functions are read at each call.
        if *owner == id
            && self.decoder.stacks.is_native(thread.space.number)
            && let Some(key) = self.decoder.stacks.key(thread.space.number, &at)
        {
            shared.know_stack(traced - SYSCALL, at.sp, &key, stack.0);
        }
    }

    /// What a call is about to do may make the stacks others that the agent knows, or make an agent
    /// impossible.
    pub(crate) fn prepare_agent(&mut self, id: Pid, name: Name, arguments: &[u64; 6]) {
        let Some(thread) = self.threads.get(&id) else { return };
        let is_there = thread.space.agent.borrow().is_there();
        let flags = || match name {
            Name::Clone => arguments[0],
            Name::Clone3 => {
                crate::source::memory::array(id, arguments[0]).map_or(0, u64::from_ne_bytes)
            }
            _ => 0,
        };
        let (shares, waits) = (libc::CLONE_VM as u64, libc::CLONE_VFORK as u64);
        match name {
            Name::Clone | Name::Clone3 if is_there && flags() & (shares | waits) == shares => {
                self.remove_agent(id);
            }
            Name::Seccomp | Name::Prctl | Name::ArchPrctl | Name::Ptrace | Name::IoUringSetup => {
                self.remove_agent(id);
            }
            Name::RtSigaction => thread.process.handlers.call(id, arguments),
            Name::Mmap if arguments[2] & libc::PROT_EXEC as u64 != 0 => {
                if let Some((shared, _)) = &mut thread.space.agent.borrow_mut().shared {
                    shared.forget_stacks();
                }
            }
            _ => {}
        }
    }

    /// A call is done. If it has brought descriptors in that only /proc knows, that has to be asked
    /// in time: no agent is used any more.
    pub(crate) fn leave_if_in_doubt(&mut self, id: Pid) {
        let Some(thread) = self.threads.get(&id) else { return };
        let has_agent = {
            let agent = thread.space.agent.borrow();
            agent.shared.is_some() && !agent.is_off
        };
        if has_agent && thread.descriptors.borrow().is_doubtful() {
            self.remove_agent(id);
        }
    }

    /// A thread goes on for the first time: if the agent of another is in its memory, it has no
    /// part in that.
    pub(crate) fn let_in(&mut self, id: Pid) {
        let Some(thread) = self.threads.get_mut(&id) else { return };
        if std::mem::replace(&mut thread.is_newborn, false)
            && thread.space.agent.borrow().is_there()
            && let Ok(mut registers) = AllRegisters::of(id)
            && *registers.block() == BASE + agent::layout::BLOCK as u64
        {
            *registers.block() = BASE + agent::layout::NO_BLOCK as u64;
            let _gone = registers.put(id);
        }
    }
}
