//! What a stop means, and how the thread goes on.

use std::rc::Rc;

use super::failed;
use super::filter::AUDIT_HERE;
use super::ptrace::{self, AllRegisters, Entry, Info, Pid, Resume, Stop};
use super::tracees::Thread;
use super::tracer::Tracer;
use crate::{Error, Machine, Name};

/// What `PTRACE_EVENT_STOP` is: the libc crate has it for some machines only.
const EVENT_STOP: i32 = 128;

/// A stop at a call, as `PTRACE_O_TRACESYSGOOD` marks it.
const CALL_STOP: i32 = libc::SIGTRAP | 0x80;

impl Tracer<'_> {
    /// A thread stopped, or is no more.
    pub(crate) fn stopped(&mut self, stop: &Stop) -> Result<(), Error> {
        let &Stop { thread: id, status, .. } = stop;
        if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
            return self.gone(stop);
        }
        let (signal, event) = (libc::WSTOPSIG(status), status >> 16);
        if !self.threads.contains_key(&id) && event != libc::PTRACE_EVENT_EXEC {
            // A child, before the stop of its parent announced it: it has to wait.
            if self.lets_go {
                let _gone = ptrace::resume(id, Resume::Detach, 0);
            } else if !self.early.threads.contains(&id) {
                self.early.since = self.timer.stopped_at();
                self.early.threads.push(id);
            }
            return Ok(());
        }
        match (event, signal) {
            (libc::PTRACE_EVENT_SECCOMP, _) => self.at_filter(id),
            (0, CALL_STOP) => self.at_call(id),
            (0, _) => self.at_signal(id, signal),
            (EVENT_STOP, libc::SIGTRAP) => {
                self.was_interrupted(id);
                self.go_on(id, 0);
            }
            // The whole process is stopped. It stays so until SIGCONT.
            (EVENT_STOP, _) if !self.lets_go => {
                let _gone = ptrace::resume(id, Resume::Listen, 0);
            }
            _ => self.at_event(id, event),
        }
        Ok(())
    }

    /// A call begins that the filter knows.
    fn at_filter(&mut self, id: Pid) {
        let Some(thread) = self.threads.get_mut(&id) else { return };
        // A thread that stops at every call stops for the filter, too: that call has begun already.
        if thread.pending.is_some() {
            return self.go_on(id, 0);
        }
        let registers = match AllRegisters::of(id) {
            Ok(registers) => registers,
            Err(error) => return self.refused(&error),
        };
        let ip = registers.start().ip;
        // As the program has it: there are no stubs.
        let site = thread.space.agent.borrow().site(ip);
        if !thread.space.native.borrow().contains(&site) {
            // The registers do not say which kind of call it is. The kernel does.
            if let Ok(Info::Filter(entry)) = ptrace::info(id)
                && entry.machine == AUDIT_HERE
            {
                thread.space.native.borrow_mut().insert(site);
            } else {
                return self.at_call(id);
            }
        }
        if self.insert_agent(id, site, &registers) {
            return;
        }
        let (number, arguments) = registers.call();
        self.leave_if_in_doubt(id);
        let name = Name::of(u32::try_from(number).unwrap_or(u32::MAX), Machine::HERE);
        self.prepare_agent(id, name, &arguments);
        let seen = registers.at(site);
        let Some(thread) = self.threads.get_mut(&id) else { return };
        let entry = Entry { machine: AUDIT_HERE, number, arguments };
        self.decoder.entry(id, thread, &entry, Some(&seen));
        if self.decoder.has_stacks {
            self.learn_stack(id, (ip != site).then_some(ip), &seen, self.decoder.latest_stack);
        }
        self.affinity.stop(&self.threads, id, self.timer.stopped_at(), self.agents.calls);
        self.go_on(id, 0);
    }

    /// A call begins or ends.
    fn at_call(&mut self, id: Pid) {
        let info = match ptrace::info(id) {
            Ok(info) => info,
            Err(error) => return self.refused(&error),
        };
        let is_the_same = match info {
            Info::Entry(entry) => self.is_made_anew(id, &entry),
            Info::Exit { .. } => self.undo_interrupt(id),
            _ => false,
        };
        if is_the_same {
            return self.go_on(id, 0);
        }
        let Some(thread) = self.threads.get_mut(&id) else { return };
        match info {
            Info::Entry(entry) | Info::Filter(entry) => {
                self.decoder.entry(id, thread, &entry, None);
            }
            Info::Exit { result } => {
                let call = thread.pending.as_ref().map(|pending| &pending.call);
                let call = call.map(|call| (call.name, call.arguments));
                self.decoder.exit(id, thread, result);
                self.leave_if_in_doubt(id);
                if let Some((name, arguments)) = call {
                    self.void_answers(id, name, &arguments, result);
                    self.affinity.call(&mut self.threads, id, name, &arguments, result);
                }
            }
            Info::Elsewhere => {}
        }
        self.affinity.stop(&self.threads, id, self.timer.stopped_at(), self.agents.calls);
        self.go_on(id, 0);
    }

    /// A signal is about to reach a thread.
    fn at_signal(&mut self, id: Pid, signal: i32) {
        let first = self.first.cast_unsigned();
        if self.threads.get(&id).is_some_and(|thread| thread.process.id == first) {
            self.first_got(signal);
        }
        let is_own = signal == libc::SIGTRAP && self.at_breakpoint(id);
        let signal = if is_own { 0 } else { self.leave_agent(id, signal) };
        // Meanwhile it may have stopped once more, for another reason.
        if !self.stops.iter().any(|stop| stop.thread == id) {
            self.go_on(id, signal);
        }
    }

    /// A thread or process was made, or became another program.
    fn at_event(&mut self, id: Pid, event: i32) {
        match event {
            libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK | libc::PTRACE_EVENT_CLONE => {
                if let Ok(child) = ptrace::message(id) {
                    self.born(id, child);
                    if event == libc::PTRACE_EVENT_CLONE {
                        self.made_thread(id);
                    }
                }
            }
            libc::PTRACE_EVENT_EXEC => self.became_program(id),
            _ => {}
        }
        self.go_on(id, 0);
    }

    /// Lets a thread go on to its next stop: the end of its call if it is in one. One that was
    /// killed in the meantime says so itself.
    pub(crate) fn go_on(&mut self, id: Pid, signal: i32) {
        self.let_in(id);
        let Some(thread) = self.threads.get(&id) else { return };
        let how = if self.lets_go { Resume::Detach } else { next_stop(thread) };
        if let Err(error) = ptrace::resume(id, how, signal) {
            self.refused(&error);
        }
        if self.lets_go {
            let thread = self.threads.remove(&id);
            let left = thread.as_ref().map(|it| (Rc::clone(&it.process), Rc::clone(&it.space)));
            self.decoder.unfinished(thread);
            if let Some((process, space)) = left {
                self.leave_space(&process, space);
            }
        }
    }
}

impl Tracer<'_> {
    /// The kernel refused a request. A thread that was killed meanwhile says so itself; anything
    /// else is the end: it would stand still for ever.
    fn refused(&mut self, error: &std::io::Error) {
        if error.raw_os_error() != Some(libc::ESRCH) {
            self.broken = Some(failed(error, "trace", &self.name));
        }
    }
}

fn next_stop(thread: &Thread) -> Resume {
    let stops = thread.pending.is_some() || thread.stops_always();
    if stops { Resume::Call } else { Resume::Continue }
}
