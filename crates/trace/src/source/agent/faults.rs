//! Faults of the agent's, where the program holds back or ignores the signal that they make.
//!
//! A signal for a fault cannot wait. If it is held back or ignored, the kernel first makes it one
//! that kills: it takes it out of the mask, and the program's handler away. That the program never
//! gets it does not undo this. So it is followed what programs want with these signals, and put
//! back.
//!
//! A fault that was held back although nothing was to be done about it is held back no longer: what
//! is put back is known by the handler alone.

use std::cell::Cell;

use ::agent::layout::{self, BASE, block};

use crate::source::inserted::{Failure, Remote, SYSCALL};
use crate::source::memory;
use crate::source::ptrace::{AllRegisters, Pid};
use crate::source::tracer::Tracer;

/// How large the kernel's set of signals is.
const SET: u64 = 8;

impl Tracer<'_> {
    /// The agent has caused a fault, of which the program gets no signal: puts back what the kernel
    /// has changed. The thread goes on with these registers; at `traced` is a `syscall`.
    pub(super) fn put_back(&mut self, id: Pid, signal: i32, at: &AllRegisters, traced: u64) {
        let Some(thread) = self.threads.get(&id) else { return };
        let wanted = thread.process.handlers.of(signal).map_or(0, Cell::get);
        if wanted == libc::SIG_DFL as u64 {
            return;
        }
        let mut there = *at;
        there.set_ip(traced + SYSCALL);
        let Ok(mut remote) = Remote::behind_call(id, &there) else { return };
        match put_back_by(&mut remote, signal, wanted) {
            Ok(was_held_back) => {
                let _gone = remote.leave(at, was_held_back.then_some(signal));
            }
            Err(Failure::Gone(stop)) => {
                let _ended = self.gone(&stop);
            }
            Err(Failure::Program(stop)) => self.stops.push_back(stop),
            Err(Failure::Kernel(_)) => {
                let _gone = remote.leave(at, None);
            }
        }
    }
}

/// Whether the signal was held back.
fn put_back_by(remote: &mut Remote, signal: i32, wanted: u64) -> Result<bool, Failure> {
    let scratch = BASE + (layout::NO_BLOCK + block::SCRATCH) as u64;
    let number = u64::from(signal.cast_unsigned());
    remote.call(libc::SYS_rt_sigaction, [number, 0, scratch, SET, 0, 0])?;
    let now = memory::array(remote.thread(), scratch).map(u64::from_ne_bytes);
    if now != Some(libc::SIG_DFL as u64) {
        return Ok(false);
    }
    memory::write(remote.thread(), scratch, &wanted.to_ne_bytes())?;
    remote.call(libc::SYS_rt_sigaction, [number, scratch, 0, SET, 0, 0])?;
    Ok(wanted != libc::SIG_IGN as u64)
}
