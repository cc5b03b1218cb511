//! Calls that would hide something from the tracer, or change what it sees.

use super::decoder::Decoder;
use crate::source::memory;
use crate::source::ptrace::{AllRegisters, Pid};
use crate::source::tracees::{Pending, Thread};
use crate::{Call, Name};

/// `CLONE_UNTRACED`: the child is not to be traced. It would inherit the filter, and every call
/// that the filter stops would fail for it.
const UNTRACED: u64 = libc::CLONE_UNTRACED as u64;

/// The requests by which a program wants to trace another, or be traced.
const TRACES: [u64; 3] =
    [libc::PTRACE_TRACEME as u64, libc::PTRACE_ATTACH as u64, libc::PTRACE_SEIZE as u64];

impl Decoder {
    /// A call begins that may hide something: changes its arguments where that is needed.
    pub(super) fn before_hiding(&mut self, id: Pid, thread: &Thread, pending: &mut Pending) {
        let call = &pending.call;
        match call.name {
            Name::Clone | Name::Clone3 => {
                let flags = Decoder::clone_flags(id, call.name, &call.arguments).unwrap_or(0);
                pending.is_changed = flags & UNTRACED != 0;
                if pending.is_changed {
                    set_clone_flags(id, call, flags & !UNTRACED);
                }
            }
            // A filter of the program's own may refuse calls before ours has a look: from now on
            // this process stops at every call.
            Name::Seccomp if call.int(0) == SET_FILTER => thread.process.stops_always.set(true),
            Name::Prctl if call.int(0) == libc::PR_SET_SECCOMP => {
                thread.process.stops_always.set(true);
            }
            Name::Ptrace if TRACES.contains(&call.arguments[0]) => {
                self.note(
                    "untraced",
                    thread,
                    "wants to trace or be traced; a process has one tracer, so this failed",
                );
            }
            name if name.is_foreign() => {
                self.note(
                    "foreign",
                    thread,
                    "makes calls of another kind (a 32-bit program): they are counted, without \
                     their paths",
                );
            }
            _ => {}
        }
    }

    /// Such a call is done: undoes the change.
    pub(super) fn after_hiding(&mut self, id: Pid, thread: &mut Thread, pending: &mut Pending) {
        let call = &pending.call;
        match call.name {
            Name::Clone | Name::Clone3 if pending.is_changed => {
                let flags = Decoder::clone_flags(id, call.name, &call.arguments).unwrap_or(0);
                set_clone_flags(id, call, flags | UNTRACED);
            }
            Name::Execve if pending.is_changed => put_environment(id, call.arguments[2]),
            Name::Prlimit64 | Name::Setrlimit
                if call.int(usize::from(call.name == Name::Prlimit64)) == NOFILE
                    && call.arguments[1 + usize::from(call.name == Name::Prlimit64)] != 0 =>
            {
                // Whose limit it is now, and for whom of its children, is not followed.
                self.descriptor_limit = None;
            }
            // The table of its descriptors may be anything now.
            name if name.is_foreign() => thread.descriptors.borrow_mut().doubt_all(),
            _ => {}
        }
    }

    /// The flags of a call that makes a thread or a process. `None` if it cannot be known.
    pub(crate) fn clone_flags(id: Pid, name: Name, arguments: &[u64; 6]) -> Option<u64> {
        match name {
            Name::Clone => Some(arguments[0]),
            // `struct clone_args` begins with them.
            Name::Clone3 => Some(memory::array(id, arguments[0]).map_or(0, u64::from_ne_bytes)),
            Name::Vfork => Some((libc::CLONE_VM | libc::CLONE_VFORK) as u64),
            Name::Fork => Some(0),
            _ => None,
        }
    }
}

/// `RLIMIT_NOFILE`
const NOFILE: i32 = 7;

/// `SECCOMP_SET_MODE_FILTER`
const SET_FILTER: i32 = 1;

fn set_clone_flags(id: Pid, call: &Call, flags: u64) {
    if call.name == Name::Clone3 {
        // Where that fails the call fails, too.
        let _fails = memory::write(id, call.arguments[0], &flags.to_ne_bytes());
    } else if let Ok(mut registers) = AllRegisters::of(id) {
        *registers.first_argument() = flags;
        let _gone = registers.put(id);
    }
}

/// Gives an `execve` that a thread is about to make, or that failed, this environment.
pub(super) fn put_environment(id: Pid, list: u64) {
    // Where that fails the thread has been killed.
    if let Ok(mut registers) = AllRegisters::of(id) {
        *registers.third_argument() = list;
        let _gone = registers.put(id);
    }
}
