//! Lets a thread go forward out of a stub, one instruction after another: behind the call, to the
//! program's own code.

use std::cell::Cell;
use std::io;

use super::change::PATIENCE;
use crate::source::decode::is_made_anew;
use crate::source::inserted::{Original, SYSCALL};
use crate::source::ptrace::{self, AllRegisters, Pid, Resume, SignalInfo, Stop};
use crate::source::tracer::Tracer;

/// Signals that an instruction makes, and that the kernel does not hold back.
const FAULTS: [i32; 5] = [libc::SIGTRAP, libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE];

/// A stub has fewer instructions behind its `syscall`.
const MOST: usize = 16;

/// What a thread stopped for that was to execute an instruction.
enum Stopped {
    /// It did.
    Done,
    /// It was told to stop, as all of its process.
    ToStop,
    /// For something else that does not matter.
    Anyhow,
    /// The instruction cannot be executed.
    AtFault,
    /// Another thread of its process has become another program, in its place.
    AtProgram(Stop),
    /// It is no more.
    Gone(Stop),
}

/// What became of a thread that was to go forward.
pub(super) enum Forward {
    /// It is in the program's own code.
    Done,
    /// It is to go on at this address.
    To(u64),
    /// It is no more.
    Gone,
}

impl Tracer<'_> {
    /// A thread that is about to get a signal is behind the call of a site: where, and where the
    /// site's stub has its own `syscall`. Lets it go on behind what the site's jump replaces. Where
    /// that cannot be, or the call may have to be made anew, the site gets its own code back.
    pub(super) fn go_behind(
        &mut self,
        id: Pid,
        signal: i32,
        (site, mut at, traced): (u64, u64, Option<u64>),
        registers: &mut AllRegisters,
    ) -> Forward {
        let in_stub = |at: u64| traced.map(|traced| traced + (at + SYSCALL - site));
        if at != site || !is_made_anew(registers.result().cast_signed()) {
            in_stub(at).into_iter().for_each(|ip| registers.set_ip(ip));
            match self.leave_stub(id, signal, registers) {
                Ok(Some(true)) => return Forward::Done,
                Ok(None) => return Forward::Gone,
                Ok(Some(false)) | Err(_) => {}
            }
            let agent = self.threads.get(&id).map(|thread| thread.space.agent.borrow());
            let now = agent.and_then(|agent| agent.original(registers.start().ip));
            if let Some(Original::Behind(_, now)) = now {
                at = now;
            }
        }
        if self.restore(id, &[site], PATIENCE) {
            return Forward::To(at);
        }
        // In the stub stands the same.
        in_stub(at).map_or(Forward::Done, Forward::To)
    }

    /// A thread that is about to get a signal has these registers, behind the call of a stub. Lets
    /// it go on until it is in the program's own code, and then get the same signal. Whether that
    /// worked; else it is as far as `registers` say. `None`: it is no more.
    fn leave_stub(
        &mut self,
        id: Pid,
        signal: i32,
        registers: &mut AllRegisters,
    ) -> io::Result<Option<bool>> {
        let Some(thread) = self.threads.get_mut(&id) else { return Ok(Some(false)) };
        let held_back = ptrace::signal_mask(id)?;
        // A call that waits (`ppoll`) may let in signals that are held back otherwise: to change
        // what is held back would end that. Of faults that are held back or ignored the kernel
        // would take away what the program does about them.
        let let_in = FAULTS.iter().fold(0, |mask, fault| mask | bit(*fault));
        let trap = thread.process.handlers.of(libc::SIGTRAP).map_or(0, Cell::get);
        if signal == libc::SIGTRAP
            || held_back & (let_in | bit(signal)) != 0
            || trap == libc::SIG_IGN as u64
        {
            return Ok(Some(false));
        }
        if thread.pending.is_none() {
            thread.is_interrupted = false;
        }
        let info = SignalInfo::of(id)?;
        registers.no_call();
        registers.put(id)?;
        ptrace::set_signal_mask(id, !let_in)?;
        let (mut is_out, mut is_to_stop) = (false, false);
        for _ in 0..MOST {
            match step(id)? {
                Stopped::Done => {}
                // It may have executed it all the same: then it stops for that as well.
                Stopped::ToStop => {
                    is_to_stop = true;
                    continue;
                }
                Stopped::Anyhow => continue,
                Stopped::AtFault => break,
                Stopped::AtProgram(stop) => {
                    self.stops.push_back(stop);
                    return Ok(None);
                }
                Stopped::Gone(stop) => {
                    let _ended = self.gone(&stop);
                    return Ok(None);
                }
            }
            *registers = AllRegisters::of(id)?;
            let agent = self.threads.get(&id).map(|thread| thread.space.agent.borrow());
            let original = agent.and_then(|agent| agent.original(registers.start().ip));
            is_out = !matches!(original, Some(Original::Behind(..)));
            if is_out {
                break;
            }
        }
        ptrace::set_signal_mask(id, held_back)?;
        info.put(id)?;
        if is_to_stop {
            ptrace::send(id, libc::SIGSTOP);
        }
        Ok(Some(is_out))
    }
}

fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

/// Lets a thread execute an instruction.
fn step(id: Pid) -> io::Result<Stopped> {
    ptrace::resume(id, Resume::Step, 0)?;
    let stop = loop {
        match ptrace::wait_for(id) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            stop => break stop?,
        }
    };
    if !libc::WIFSTOPPED(stop.status) {
        return Ok(Stopped::Gone(stop));
    }
    let (signal, event) = (libc::WSTOPSIG(stop.status), stop.status >> 16);
    Ok(match signal {
        _ if event == libc::PTRACE_EVENT_EXEC => Stopped::AtProgram(stop),
        libc::SIGTRAP if event != 0 => Stopped::Anyhow,
        _ if !FAULTS.contains(&signal) => Stopped::ToStop,
        _ if !ptrace::is_fault(id) => {
            // It was sent: it comes later.
            ptrace::send(id, signal);
            Stopped::Anyhow
        }
        libc::SIGTRAP => Stopped::Done,
        _ => Stopped::AtFault,
    })
}
