//! Changes a program's code, also while it has several threads.
//!
//! No thread may be about to execute an instruction of which a part is changed. Of each other
//! thread it is looked once where it is: it stands still, or sleeps in the kernel. One that runs is
//! made to stop. What wakes up meanwhile must not run into the half-changed code: first of all a
//! breakpoint is written there, a single byte. A thread that comes to it stops, and goes on when
//! all is done.
//!
//! A thread that stands behind the `syscall` of a site, among the instructions that move, goes on
//! in the stub.

use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::source::decode::{Decoder, is_made_anew};
use crate::source::inserted::SYSCALL;
use crate::source::memory;
use crate::source::proc::{self, Whereabouts};
use crate::source::ptrace::{self, AllRegisters, Entry, Pid};
use crate::source::tracees::Space;
use crate::source::tracer::Tracer;
use crate::{Machine, Name};

/// `int3`
const BREAKPOINT: u8 = 0xcc;

/// So long it is waited for the others. Otherwise the code stays as it is, until another time.
pub(super) const PATIENCE: Duration = Duration::from_millis(30);

/// So long before the agent is given up in a program: it is done once. On a busy machine a thread
/// may get no processor for a while.
pub(super) const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// How often it is looked.
const PAUSE: Duration = Duration::from_micros(50);

/// So long a thread that runs gets to stop by itself. Made to, it might do less than it was about
/// to: some calls end with what they have moved so far.
const GRACE: Duration = Duration::from_micros(200);

/// A call that a signal interrupts, and that is made anew unless there is a handler
/// (`ERESTARTNOHAND`).
const RESTARTS: i64 = -514;

/// What is to be written at a site.
pub(super) struct Change {
    pub(super) site: u64,
    pub(super) bytes: Vec<u8>,
    /// Where in a stub the same instructions stand that the jump replaces; `None`: the jump is
    /// replaced, and behind its first byte there is nobody.
    pub(super) stub: Option<u64>,
}

impl Change {
    /// Whether a thread there would find half an instruction.
    fn cuts(&self, ip: u64) -> bool {
        let end = self.site + self.bytes.len() as u64;
        // One byte behind the beginning: it has come to the breakpoint.
        (self.site + SYSCALL..end).contains(&ip)
    }
}

impl Tracer<'_> {
    /// Writes code of a thread that has stopped. Whether that worked: a thread may be in the way
    /// for longer than `patience`.
    pub(super) fn change_code(&mut self, id: Pid, changes: &[Change], patience: Duration) -> bool {
        let Some(space) = self.threads.get(&id).map(|thread| Rc::clone(&thread.space)) else {
            return false;
        };
        let write = |at: u64, bytes: &[u8]| memory::write_code(id, at, bytes).is_ok();
        let others = self.others(id, &space);
        if others.is_empty() {
            return changes.iter().all(|change| write(change.site, &change.bytes));
        }
        if self.is_being_copied(id) || !self.settle(others.clone(), changes, patience) {
            return false;
        }
        let before: Vec<Option<[u8; 1]>> =
            changes.iter().map(|change| memory::array(id, change.site)).collect();
        let stop = changes.iter().all(|change| write(change.site, &[BREAKPOINT]));
        let is_done = stop
            && self.settle(others, changes, patience)
            && changes.iter().all(|change| write(change.site + 1, &change.bytes[1..]));
        for (change, before) in changes.iter().zip(before) {
            let first = if is_done { Some([change.bytes[0]]) } else { before };
            if let Some(first) = first {
                let _gone = memory::write_code(id, change.site, &first);
            }
        }
        is_done
    }

    /// Whether a thread is about to make a process whose memory is a copy of that of this one: from
    /// the beginning of the call until the process is known, nothing of the agent may change.
    pub(super) fn is_being_copied(&mut self, id: Pid) -> bool {
        let Some(space) = self.threads.get(&id).map(|thread| Rc::clone(&thread.space)) else {
            return false;
        };
        self.threads.iter().filter(|(_, thread)| Rc::ptr_eq(&thread.space, &space)).any(
            |(id, thread)| {
                let call = thread.pending.as_ref().map(|pending| &pending.call);
                let flags =
                    call.and_then(|call| Decoder::clone_flags(*id, call.name, &call.arguments));
                flags.is_some_and(|flags| flags & libc::CLONE_VM as u64 == 0)
            },
        )
    }

    /// The other threads that use the memory of one.
    pub(super) fn others(&self, id: Pid, space: &Rc<Space>) -> Vec<Pid> {
        let all = self.threads.iter().filter(|(_, thread)| Rc::ptr_eq(&thread.space, space));
        all.map(|(other, _)| *other).filter(|other| *other != id).collect()
    }

    /// Waits until each of these threads has been seen where it is in nobody's way.
    fn settle(&mut self, mut threads: Vec<Pid>, changes: &[Change], patience: Duration) -> bool {
        let begin = Instant::now();
        let mut interrupted = Vec::new();
        let before = self.stops.len();
        loop {
            self.stops.extend(std::iter::from_fn(ptrace::poll));
            let is_early = begin.elapsed() < GRACE;
            threads.retain(|it| !self.is_out_of_the_way(*it, changes, is_early, &mut interrupted));
            if threads.is_empty() || begin.elapsed() > patience {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        if self.stops.len() > before {
            // What the threads did before they stopped.
            self.drain_all();
        }
        threads.is_empty()
    }

    /// Whether a thread is where no code is changed, and will not run into it. Otherwise it is made
    /// to stop, unless it does soon, or would notice that.
    fn is_out_of_the_way(
        &mut self,
        id: Pid,
        changes: &[Change],
        is_early: bool,
        interrupted: &mut Vec<Pid>,
    ) -> bool {
        if let Some(stop) = self.stops.iter().rev().find(|stop| stop.thread == id) {
            return !libc::WIFSTOPPED(stop.status) || move_out(id, stop.status, changes);
        }
        let Some(thread) = self.threads.get_mut(&id) else { return true };
        let stops_soon = match proc::whereabouts(id) {
            Whereabouts::Gone => return true,
            Whereabouts::Asleep { ip, .. } if !changes.iter().any(|it| it.cuts(ip)) => return true,
            Whereabouts::Asleep { call, .. } if !call.is_none_or(begins_again) => return false,
            Whereabouts::Asleep { .. } => false,
            // At the end of the call that it is in.
            Whereabouts::Running => is_early || thread.pending.is_some(),
        };
        if !stops_soon && !interrupted.contains(&id) {
            interrupted.push(id);
            thread.is_interrupted = true;
            let _gone = ptrace::interrupt(id);
        }
        false
    }

    /// A thread stopped by `SIGTRAP`. If it came to a breakpoint that is there no longer, it goes
    /// on with what stands there now. Whether it was that.
    pub(crate) fn at_breakpoint(&mut self, id: Pid) -> bool {
        let Some(thread) = self.threads.get(&id) else { return false };
        if !thread.space.agent.borrow().is_there() || !ptrace::is_fault(id) {
            return false;
        }
        let Ok(mut registers) = AllRegisters::of(id) else { return false };
        let at = registers.start().ip.wrapping_sub(1);
        let stub = thread.space.agent.borrow().stub(at.wrapping_add(SYSCALL));
        let is_there = memory::array(id, at) == Some([BREAKPOINT]);
        let Some((_, traced)) = stub.filter(|_| !is_there) else { return false };
        registers.set_ip(at);
        let _gone = registers.put(id);
        self.put_back(id, libc::SIGTRAP, &registers, traced);
        true
    }

    /// A thread has stopped because it was made to, or for another reason of that kind.
    pub(crate) fn was_interrupted(&mut self, id: Pid) {
        self.undo_interrupt(id);
        // Otherwise its call is about to begin anew.
        if let Some(thread) = self.threads.get_mut(&id).filter(|thread| thread.pending.is_none()) {
            thread.is_interrupted = false;
        }
    }

    /// A thread stopped that was perhaps made to: if a call has ended for that, it is made anew,
    /// and goes on for the program. Whether that is so.
    pub(crate) fn undo_interrupt(&mut self, id: Pid) -> bool {
        let Some(thread) = self.threads.get(&id) else { return false };
        if !thread.is_interrupted {
            return false;
        }
        let Ok(mut registers) = AllRegisters::of(id) else { return false };
        let result = registers.result().cast_signed();
        if registers.call().0.cast_signed() < 0 || result != -i64::from(libc::EINTR) {
            return is_made_anew(result);
        }
        *registers.result() = RESTARTS.cast_unsigned();
        registers.put(id).is_ok()
    }

    /// A thread is about to make a call. Whether it has begun before, and ended because the thread
    /// was made to stop. If a signal came at the same time it has ended by that.
    pub(crate) fn is_made_anew(&mut self, id: Pid, entry: &Entry) -> bool {
        let Some(thread) = self.threads.get_mut(&id) else { return false };
        if !std::mem::replace(&mut thread.is_interrupted, false) {
            return false;
        }
        let Some(pending) = &thread.pending else { return false };
        let in_agent = AllRegisters::of(id).map(|registers| registers.start().ip).ok();
        if in_agent.is_some() && in_agent == super::call_ends(self.agents.tier) {
            // A handler's call, which is recorded there.
            self.decoder.exit(id, thread, -i64::from(libc::EINTR));
            return true;
        }
        let call = &pending.call;
        let is_same = call.name.number(Machine::HERE).map(u64::from) == Some(entry.number)
            && call.arguments == entry.arguments;
        if is_same || entry.number == libc::SYS_restart_syscall.cast_unsigned() {
            return true;
        }
        self.decoder.exit(id, thread, -i64::from(libc::EINTR));
        false
    }
}

/// Whether a thread that sleeps in this call, and is made to stop, can make it anew as if nothing
/// had been: it has moved nothing yet, and does not wait until a certain time.
fn begins_again(call: u32) -> bool {
    matches!(
        Name::of(call, Machine::HERE),
        Name::Read
            | Name::Pread64
            | Name::Open
            | Name::Openat
            | Name::Wait4
            | Name::Waitid
            | Name::Fcntl
            | Name::Flock
    )
}

/// A thread has stopped. If it is where code is about to be changed it is moved to the stub, where
/// the same instructions stand. Whether it is out of the way.
fn move_out(thread: Pid, status: i32, changes: &[Change]) -> bool {
    // One that was killed is nowhere any more.
    let Ok(mut registers) = AllRegisters::of(thread) else { return true };
    let ip = registers.start().ip;
    let Some(change) = changes.iter().find(|change| change.cuts(ip)) else { return true };
    // What it has made goes on at the same address.
    let has_made = matches!(
        status >> 16,
        libc::PTRACE_EVENT_CLONE | libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK
    );
    let Some(stub) = change.stub.filter(|_| !has_made) else { return false };
    registers.set_ip(stub + (ip - change.site));
    registers.put(thread).is_ok()
}
