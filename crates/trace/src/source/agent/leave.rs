//! Takes a thread out of the agent: a signal only ever reaches a program at an address of its own.
//!
//! A call that has not been made is taken back, as if it had not begun: the thread is in front of
//! its site. One that has been made is finished, and the thread goes on to the code behind the
//! site. Where it may have to be made anew, the site gets its original code again: so whoever looks
//! at the interrupted registers, and unwinds from them, sees the program as it was built.

use std::rc::Rc;
use std::time::Duration;

use ::agent::Place;
use ::agent::layout::BASE;

use super::change::{Change, LAST_PATIENCE, PATIENCE};
use super::forward::Forward;
use super::insert::stands_there;
use super::threads::{NO_BLOCK, is_block};
use crate::source::inserted::{Original, SYSCALL, Shared, SpaceAgent, stub_of};
use crate::source::memory;
use crate::source::ptrace::{self, AllRegisters, Pid};
use crate::source::record::Record;
use crate::source::tracer::Tracer;

/// What is replaced at a site is shorter: up to four bytes and an instruction.
const LONGEST_SITE: usize = 24;

impl Tracer<'_> {
    /// A signal is about to reach a thread. The signal that it is to get then: none, if the agent
    /// caused it by looking at memory that is not there.
    pub(crate) fn leave_agent(&mut self, id: Pid, signal: i32) -> i32 {
        if super::call_ends(self.agents.tier).is_none() {
            return signal;
        }
        let signal = self.take_out(id, signal);
        if signal != 0
            && let Some(thread) = self.threads.get(&id)
            && let Ok(registers) = AllRegisters::of(id)
        {
            // If there is a handler, it returns to here.
            let at = registers.start();
            let mut before = [0; LONGEST_SITE];
            let read = memory::read(id, at.ip.wrapping_sub(LONGEST_SITE as u64), &mut before);
            if read.is_ok_and(|read| read == LONGEST_SITE)
                && before.windows(2).any(|bytes| bytes == [0x0f, 0x05])
            {
                thread.space.agent.borrow_mut().interrupt(at.ip, at.sp);
            }
        }
        signal
    }

    /// Takes a thread out of the agent before a signal. As above.
    fn take_out(&mut self, id: Pid, signal: i32) -> i32 {
        let Some(thread) = self.threads.get_mut(&id) else { return signal };
        if !thread.space.agent.borrow().is_there() {
            return signal;
        }
        let Ok(mut registers) = AllRegisters::of(id) else { return signal };
        let ip = registers.start().ip;
        let place =
            ip.checked_sub(BASE).and_then(|at| agent::agent()?.place(usize::try_from(at).ok()?));
        let space = Rc::clone(&thread.space);
        let mut of_space = space.agent.borrow_mut();
        let mut finished = None;
        let original = match place {
            Some(place) => {
                let out = out_of(&of_space, id, place, &mut registers);
                let Some((original, record)) = out else { return signal };
                finished = record;
                original
            }
            None => match of_space.original(ip) {
                Some(original) => original,
                None => return signal,
            },
        };
        let is_own = place.is_some()
            && matches!(signal, libc::SIGSEGV | libc::SIGBUS)
            && ptrace::is_fault(id);
        if let Some(ring) = of_space.shared.as_mut().and_then(|shared| shared.ring_mut(id)) {
            ring.no_longer_calling();
            if is_own && place == Some(Place::Compares) {
                // A runtime's memory that a stack depends on may be there no more.
                ring.forget_stacks();
            }
        }
        let (Original::Before(site) | Original::Behind(site, _)) = original;
        let traced = of_space.stub(site).map(|stub| stub.1);
        drop(of_space);
        // Before anything that other threads have done meanwhile is taken out of their rings.
        if let Some((record, result)) = finished
            && self.agents.changes.answers.is_none()
            && let Some(thread) = self.threads.get_mut(&id)
        {
            self.decoder.interrupted(id, thread, &record, result, &self.agents.stamps);
        }
        let ip = match original {
            // Where the tracer sees it.
            Original::Before(_) if is_own => traced,
            Original::Behind(..) if is_own => traced.map(|traced| traced + SYSCALL),
            // Before the jump, if that has to stay: to change the code of several threads takes
            // long, and some runtimes send their threads signals all the time.
            Original::Before(site) => {
                if self.others(id, &space).is_empty() {
                    self.restore(id, &[site], PATIENCE);
                }
                Some(site - SYSCALL)
            }
            Original::Behind(site, at) => {
                match self.go_behind(id, signal, (site, at, traced), &mut registers) {
                    Forward::Gone => return 0,
                    Forward::Done => return signal,
                    Forward::To(ip) => Some(ip),
                }
            }
        };
        let Some(ip) = ip else { return signal };
        registers.set_ip(ip);
        let _gone = registers.put(id);
        if is_own && let Some(traced) = traced {
            self.put_back(id, signal, &registers, traced);
            return 0;
        }
        signal
    }

    /// Takes the agent out of a space for good, before something that it cannot cope with: the
    /// thread has stopped before a call. Others may be in the agent, and finish what they do there.
    pub(crate) fn remove_agent(&mut self, id: Pid) {
        let Some(thread) = self.threads.get(&id) else { return };
        let space = Rc::clone(&thread.space);
        let (sites, was_off) = {
            let mut of_space = space.agent.borrow_mut();
            let was_off = std::mem::replace(&mut of_space.is_off, true);
            // Even where the jumps have to stay.
            of_space.shared.iter().for_each(Shared::end_plans);
            (of_space.all_patched(), was_off)
        };
        let patience = if was_off { PATIENCE } else { LAST_PATIENCE };
        let is_out = self.restore(id, &sites, patience);
        let Ok(mut registers) = AllRegisters::of(id) else { return };
        let original = space.agent.borrow().original(registers.start().ip);
        if let Some(Original::Behind(_, at)) = original.filter(|_| is_out) {
            registers.set_ip(at);
        }
        if is_block(*registers.block()) {
            *registers.block() = if is_out { 0 } else { NO_BLOCK };
        }
        let _gone = registers.put(id);
    }

    /// Writes the original code of sites. Whether that worked, or it stands there anyway: a thread
    /// may be in the way for longer than `patience`.
    pub(super) fn restore(&mut self, id: Pid, sites: &[u64], patience: Duration) -> bool {
        let Some(thread) = self.threads.get(&id) else { return false };
        let space = Rc::clone(&thread.space);
        let (mut changes, mut changed) = (Vec::new(), Vec::new());
        for site in sites {
            let mut of_space = space.agent.borrow_mut();
            if !of_space.is_patched(*site) {
                continue;
            }
            let Some((patch, traced)) = of_space.stub(*site) else { return false };
            let jump = patch.jump(stub_of(traced)).unwrap_or_default();
            if stands_there(id, patch.site, &jump) {
                changes.push(Change { site: patch.site, bytes: patch.original, stub: None });
                changed.push(*site);
            } else {
                // Other code was mapped there.
                of_space.forget(*site);
            }
        }
        if changes.is_empty() {
            return true;
        }
        let is_written = self.change_code(id, &changes, patience);
        if is_written {
            let is_alone = self.others(id, &space).is_empty();
            let mut of_space = space.agent.borrow_mut();
            changed.iter().for_each(|site| of_space.restored(*site, !is_alone));
        }
        is_written
    }
}

/// Puts the registers in order of a thread that is in the agent. Where it goes on, and the call
/// that is thereby finished, with its result.
type Out = (Original, Option<(Record, i64)>);

fn out_of(agent: &SpaceAgent, id: Pid, place: Place, registers: &mut AllRegisters) -> Option<Out> {
    if place == Place::Begun {
        return Some((Original::Before(agent.site_at(registers.stub())?), None));
    }
    let ring = agent.shared.as_ref()?.ring(id)?;
    registers.put_back(ring.saved());
    let site = agent.site_at(ring.site())?;
    if place == Place::Saved {
        return Some((Original::Before(site), None));
    }
    let mut record = Record::default();
    if !ring.kept(&mut record) {
        return None;
    }
    let result = registers.result().cast_signed();
    registers.put_arguments(record.arguments());
    match place {
        Place::Begun | Place::Saved | Place::Compares | Place::Kept => {
            *registers.result() = record.number();
            Some((Original::Before(site), None))
        }
        Place::Called => Some((Original::Behind(site, site), Some((record, result)))),
        Place::Answered => {
            let result = record.result();
            *registers.result() = result.cast_unsigned();
            Some((Original::Behind(site, site), Some((record, result))))
        }
        Place::Published => {
            *registers.result() = record.result().cast_unsigned();
            Some((Original::Behind(site, site), None))
        }
    }
}
