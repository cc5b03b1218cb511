//! Takes records out of the rings.

use std::rc::Rc;
use std::time::Duration;

use super::change::PATIENCE;
use crate::source::decode::Decoder;
use crate::source::inserted::{Ring, SYSCALL, Shared};
use crate::source::ptrace::{AllRegisters, Pid};
use crate::source::tracees::Space;
use crate::source::tracer::Tracer;
use crate::{Name, StackId};

/// After so many records events are sent.
const SOME: usize = 512;

/// The ring whose next record is the earliest, and until when it has the earliest.
struct Earliest {
    ring: usize,
    until: u64,
}

impl Tracer<'_> {
    /// Takes what there is out of all rings. Whether there was anything.
    pub(crate) fn drain_all(&mut self) -> bool {
        let (mut any, mut latest) = (false, 0);
        for at in 0..self.agents.threads.len() {
            let (space, id) = self.agents.threads[at];
            if space != latest {
                any |= self.drain(id);
                latest = space;
            }
        }
        any
    }

    /// Takes what there is out of the rings of a thread and of all that share its memory. Whether
    /// there was anything.
    ///
    /// They share their descriptors as well, so that the order matters. A call that waited for
    /// another thread's has a later time stamp. It is left for the next time if that is later than
    /// now: the other one may not have been there when its ring was looked at. What was there
    /// before any thread stopped is earlier than now.
    pub(crate) fn drain(&mut self, id: Pid) -> bool {
        let Some(space) = self.threads.get(&id).map(|thread| Rc::clone(&thread.space)) else {
            return false;
        };
        let mut now = self.agents.stamps.look();
        if Rc::strong_count(&space) > 2 {
            wait_for_closes(&space);
        }
        // The stamps of one thread need no comparison.
        if space.agent.borrow().shared.as_ref().is_some_and(Shared::has_one_ring) {
            now = u64::MAX;
        }
        if let Some(shared) = &mut space.agent.borrow_mut().shared {
            shared.rings.iter_mut().for_each(Ring::look);
        }
        let mut count = 0;
        loop {
            let earliest = space.agent.borrow_mut().shared.as_mut().and_then(|it| next(it, now));
            let Some(earliest) = earliest else { break };
            count += self.drain_ring(&space, &earliest, count);
        }
        self.agents.calls += count as u64;
        let mut of_space = space.agent.borrow_mut();
        if let Some(shared) = &mut of_space.shared {
            shared.recorded += count as u64;
        }
        let mut rings = of_space.shared.iter().flat_map(|shared| &shared.rings);
        if let Some(ring) = rings.find(|ring| ring.is_damaged())
            && let Some(thread) = ring.owner.and_then(|owner| self.threads.get(&owner))
        {
            let text = "wrote over the memory that its calls are recorded in: some are missing";
            self.decoder.note("ring", thread, text);
        }
        count > 0
    }

    /// Takes records out of one ring. How many.
    fn drain_ring(&mut self, space: &Space, earliest: &Earliest, before: usize) -> usize {
        let mut count = 0;
        loop {
            let mut of_space = space.agent.borrow_mut();
            let Some(shared) = &mut of_space.shared else { break };
            let Some(ring) = shared.rings.get_mut(earliest.ring) else { break };
            let is_next = ring.next_stamp().is_some_and(|stamp| stamp <= earliest.until);
            if !is_next || !ring.next(&mut self.agents.record) {
                break;
            }
            let owner = ring.owner;
            drop(of_space);
            count += 1;
            let Some(id) = owner else { continue };
            if count == 1 && !self.agents.busy.contains(&id) {
                self.agents.busy.push(id);
            }
            let Some(thread) = self.threads.get_mut(&id) else { continue };
            self.decoder.recorded(id, thread, &mut self.agents.record, &self.agents.stamps);
            if (before + count).is_multiple_of(SOME) {
                self.send();
            }
        }
        count
    }

    /// A thread is no more: what its ring has, and the call that it was in. Another one may have
    /// the ring then.
    pub(crate) fn drain_last(&mut self, id: Pid) {
        self.drain(id);
        let Some(space) = self.threads.get(&id).map(|thread| Rc::clone(&thread.space)) else {
            return;
        };
        let mut of_space = space.agent.borrow_mut();
        let Some(shared) = &mut of_space.shared else { return };
        let Some(ring) = shared.ring(id) else { return };
        if self.agents.changes.answers.is_none()
            && ring.unfinished(&mut self.agents.record)
            && let Some(thread) = self.threads.get_mut(&id)
        {
            self.decoder.begun(id, thread, &mut self.agents.record, &self.agents.stamps);
        }
        let (calls, ticks) = shared.ring(id).map_or((0, 0), Ring::take_answered);
        let time = Duration::from_nanos(self.agents.stamps.span(ticks));
        self.agents.answered.add(calls, time);
        shared.give_back(id);
        self.agents.threads.retain(|(_, other)| *other != id);
    }

    /// A call stopped, of this stack. If that was at a site that has a stub, whose call is behind
    /// `traced`: lets the agent recognise its stack the next time.
    pub(crate) fn learn_stack(
        &mut self,
        id: Pid,
        traced: Option<u64>,
        at: &AllRegisters,
        stack: StackId,
    ) {
        let Some(space) = self.threads.get(&id).map(|thread| Rc::clone(&thread.space)) else {
            return;
        };
        let (number, stacks) = (space.number, &self.decoder.stacks);
        let mut of_space = space.agent.borrow_mut();
        let Some(shared) = &mut of_space.shared else { return };
        // A runtime may have been loaded since, or have come to what cannot be told from memory.
        let depend_on_words = stacks.depend_on_words(number);
        if !depend_on_words {
            shared.forget_stacks();
        }
        let recorded = shared.recorded;
        let (Some(traced), Some(ring)) = (traced, shared.ring_mut(id)) else { return };
        let at = at.start();
        if stack != StackId::NONE
            && depend_on_words
            && let Some(key) = stacks.key(number, id, &at)
        {
            ring.know_stack(traced - SYSCALL, at.sp, &key, stack.0);
        }
        let site = of_space.site(traced);
        let rests = of_space.missed(site, recorded);
        drop(of_space);
        if rests {
            self.restore(id, &[site], PATIENCE);
        }
    }

    /// What a call is about to do may make the stacks others that the agent knows, or make an agent
    /// impossible.
    pub(crate) fn prepare_agent(&mut self, id: Pid, name: Name, arguments: &[u64; 6]) {
        let Some(thread) = self.threads.get(&id) else { return };
        let is_there = thread.space.agent.borrow().is_there();
        let flags = || Decoder::clone_flags(id, name, arguments).unwrap_or_default();
        // A process that shares memory and is not waited for, and is no thread.
        let (shares, waits) = (libc::CLONE_VM as u64, libc::CLONE_VFORK as u64);
        let all = shares | waits | libc::CLONE_THREAD as u64;
        match name {
            Name::Clone | Name::Clone3 if is_there && flags() & all == shares => {
                self.remove_agent(id);
            }
            Name::Seccomp | Name::Prctl | Name::ArchPrctl | Name::Ptrace | Name::IoUringSetup => {
                self.remove_agent(id);
            }
            Name::RtSigaction => thread.process.handlers.call(id, arguments),
            Name::Mmap if arguments[2] & libc::PROT_EXEC as u64 != 0 => {
                if let Some(shared) = &mut thread.space.agent.borrow_mut().shared {
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
}

/// A descriptor that one thread is closing may have been given to another one already: so the
/// record of the first has to be there, too. Few wait for long; for those it is not waited.
fn wait_for_closes(space: &Space) {
    const SPINS: usize = 100;
    const SLEEPS: usize = 10;
    let of_space = space.agent.borrow();
    for ring in of_space.shared.iter().flat_map(|shared| &shared.rings) {
        let Some(closing) = ring.closing() else { continue };
        for turn in 0..SPINS + SLEEPS {
            if ring.closing() != Some(closing) {
                break;
            }
            match turn {
                0..SPINS => std::hint::spin_loop(),
                _ => std::thread::sleep(Duration::from_micros(50)),
            }
        }
    }
}

/// The ring whose next record is the earliest of those before now.
fn next(shared: &mut Shared, now: u64) -> Option<Earliest> {
    let (mut earliest, mut second) = (None, now);
    for (at, ring) in shared.rings.iter_mut().enumerate() {
        let Some(stamp) = ring.next_stamp().filter(|stamp| *stamp <= now) else { continue };
        match earliest {
            Some((first, _)) if first <= stamp => second = second.min(stamp),
            _ => {
                second = earliest.map_or(second, |(first, _)| second.min(first));
                earliest = Some((stamp, at));
            }
        }
    }
    earliest.map(|(_, ring)| Earliest { ring, until: second })
}
