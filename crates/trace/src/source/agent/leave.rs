//! Takes a thread out of the agent: a signal only ever reaches a program at an address of its own.
//!
//! A call that has not been made is taken back, as if it had not begun; one that has been made is
//! finished. The site gets its original code again, so that whoever looks at the interrupted
//! registers, and unwinds from them, sees the program as it was built.

use ::agent::Place;
use ::agent::layout::{self, BASE};

use super::insert::stands_there;
use crate::source::inserted::{Original, SYSCALL, SpaceAgent, stub_of};
use crate::source::memory;
use crate::source::ptrace::{self, AllRegisters, Pid};
use crate::source::record::Record;
use crate::source::tracer::Tracer;

impl Tracer<'_> {
    /// A signal is about to reach a thread. Takes it out of the agent. The signal that it is to get
    /// then: none, if the agent caused it by looking at memory that is not there.
    pub(crate) fn leave_agent(&mut self, id: Pid, signal: i32) -> i32 {
        let Some(thread) = self.threads.get_mut(&id) else { return signal };
        if !thread.space.agent.borrow().is_there() {
            return signal;
        }
        let Ok(mut registers) = AllRegisters::of(id) else { return signal };
        let ip = registers.start().ip;
        let place =
            ip.checked_sub(BASE).and_then(|at| agent::agent()?.place(usize::try_from(at).ok()?));
        let space = std::rc::Rc::clone(&thread.space);
        let mut of_space = space.agent.borrow_mut();
        let mut finished = None;
        let original = match place {
            Some(place) => {
                let out = out_of(&of_space, place, &mut registers);
                let Some((original, record)) = out else { return signal };
                finished = record;
                original
            }
            None => match of_space.original(ip) {
                Some(original) => original,
                None => return signal,
            },
        };
        if let Some((shared, _)) = &of_space.shared {
            shared.no_longer_calling();
        }
        let is_own = place.is_some()
            && matches!(signal, libc::SIGSEGV | libc::SIGBUS)
            && ptrace::is_fault(id);
        let (Original::Before(site) | Original::Behind(site, _)) = original;
        let traced = of_space.stub(site).map(|stub| stub.1);
        let ip = match original {
            // Where the tracer sees it.
            Original::Before(_) if is_own => traced,
            Original::Behind(..) if is_own => traced.map(|traced| traced + SYSCALL),
            Original::Before(site) => restore(id, &mut of_space, site).then_some(site - SYSCALL),
            Original::Behind(site, at) => restore(id, &mut of_space, site).then_some(at),
        };
        drop(of_space);
        let Some(ip) = ip else { return signal };
        registers.set_ip(ip);
        let _gone = registers.put(id);
        if let Some((record, result)) = finished {
            let thread = self.threads.get_mut(&id);
            if let Some(thread) = thread {
                self.decoder.interrupted(id, thread, &record, result, &self.agents.stamps);
            }
        }
        if is_own && let Some(traced) = traced {
            self.put_back(id, signal, &registers, traced);
            return 0;
        }
        signal
    }

    /// Takes the agent out of a space for good, before something that it cannot cope with: the
    /// thread has stopped before a call, and is the only one that runs this code.
    pub(crate) fn remove_agent(&mut self, id: Pid) {
        let Some(thread) = self.threads.get(&id) else { return };
        let mut of_space = thread.space.agent.borrow_mut();
        of_space.is_off = true;
        for site in of_space.all_patched() {
            restore(id, &mut of_space, site);
        }
        if !of_space.is_there() {
            return;
        }
        let Ok(mut registers) = AllRegisters::of(id) else { return };
        if let Some(Original::Behind(_, at)) = of_space.original(registers.start().ip) {
            registers.set_ip(at);
        }
        if [layout::BLOCK, layout::NO_BLOCK]
            .iter()
            .any(|at| *registers.block() == BASE + *at as u64)
        {
            *registers.block() = 0;
        }
        let _gone = registers.put(id);
    }
}

/// Puts the registers in order of a thread that is in the agent. Where it goes on, and the call
/// that is thereby finished, with its result.
type Out = (Original, Option<(Record, i64)>);

fn out_of(agent: &SpaceAgent, place: Place, registers: &mut AllRegisters) -> Option<Out> {
    if place == Place::Begun {
        return Some((Original::Before(agent.site_at(registers.stub())?), None));
    }
    let (shared, _) = agent.shared.as_ref()?;
    registers.put_back(shared.saved());
    let site = agent.site_at(shared.site())?;
    if place == Place::Saved {
        return Some((Original::Before(site), None));
    }
    let mut record = Record::default();
    if !shared.kept(&mut record) {
        return None;
    }
    let result = registers.result().cast_signed();
    registers.put_arguments(record.arguments());
    match place {
        Place::Begun | Place::Saved | Place::Kept => {
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

/// Writes a site's original code. Whether that worked, or it stands there anyway.
fn restore(id: Pid, agent: &mut SpaceAgent, site: u64) -> bool {
    if !agent.is_patched(site) {
        return true;
    }
    let Some((patch, traced)) = agent.stub(site) else { return false };
    let jump = patch.jump(stub_of(traced)).unwrap_or_default();
    if !stands_there(id, patch.site, &jump) {
        // Other code was mapped there.
        agent.forget(site);
        return true;
    }
    let is_written = memory::write_code(id, patch.site, &patch.original).is_ok();
    if is_written {
        agent.restored(site);
    }
    is_written
}
