//! What programs do about faults, and about breakpoints.

use std::cell::Cell;

use crate::source::memory;
use crate::source::proc;
use crate::source::ptrace::Pid;

/// What a process does about faults: the first word of `struct sigaction` for `SIGSEGV`, for
/// `SIGBUS` and for `SIGTRAP`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handlers([Cell<u64>; 3]);

impl Handlers {
    pub(crate) fn of(&self, signal: i32) -> Option<&Cell<u64>> {
        match signal {
            libc::SIGSEGV => Some(&self.0[0]),
            libc::SIGBUS => Some(&self.0[1]),
            libc::SIGTRAP => Some(&self.0[2]),
            _ => None,
        }
    }

    /// A process becomes another program: it has no handlers any more.
    pub(crate) fn exec(&self) {
        for handler in &self.0 {
            if handler.get() != libc::SIG_IGN as u64 {
                handler.set(libc::SIG_DFL as u64);
            }
        }
    }

    /// A process of which nothing is known yet.
    pub(crate) fn ask(&self, process: Pid) {
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGTRAP] {
            if let Some(handler) = self.of(signal).filter(|_| proc::ignores(process, signal)) {
                handler.set(libc::SIG_IGN as u64);
            }
        }
    }

    /// A process is about to call `rt_sigaction`.
    pub(crate) fn call(&self, thread: Pid, arguments: &[u64; 6]) {
        #[expect(clippy::cast_possible_truncation, reason = "an int is the lower half")]
        let handler = self.of(arguments[0] as i32).filter(|_| arguments[1] != 0);
        if let (Some(handler), Some(word)) = (handler, memory::array(thread, arguments[1])) {
            handler.set(u64::from_ne_bytes(word));
        }
    }
}
