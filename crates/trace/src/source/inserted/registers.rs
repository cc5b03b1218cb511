//! What the agent's work needs to change in a thread's registers.

use crate::source::ptrace::AllRegisters;

#[cfg(target_arch = "x86_64")]
impl AllRegisters {
    /// Replaces the call that is about to be made.
    pub(crate) fn set_call(&mut self, number: u64, arguments: [u64; 6]) {
        let at = self.raw();
        at.orig_rax = number;
        [at.rdi, at.rsi, at.rdx, at.r10, at.r8, at.r9] = arguments;
    }

    /// The thread is in no call, so that the kernel does not make one anew.
    pub(crate) fn no_call(&mut self) {
        self.raw().orig_rax = u64::MAX;
    }

    /// Moves the thread.
    pub(crate) fn set_ip(&mut self, ip: u64) {
        self.raw().rip = ip;
    }

    /// A call's result, and before it its number.
    pub(crate) fn result(&mut self) -> &mut u64 {
        &mut self.raw().rax
    }

    /// What tells the agent which thread it works for: the base of %gs.
    pub(crate) fn block(&mut self) -> &mut u64 {
        &mut self.raw().gs_base
    }

    /// In which a stub says where it is.
    pub(crate) fn stub(&mut self) -> u64 {
        self.raw().r11
    }

    /// Puts back what the agent keeps in its block: rbx, r12, r13, r14.
    pub(crate) fn put_back(&mut self, saved: [u64; 4]) {
        let at = self.raw();
        [at.rbx, at.r12, at.r13, at.r14] = saved;
    }

    /// Puts back the registers of a call that the agent uses itself: its first three arguments.
    pub(crate) fn put_arguments(&mut self, arguments: [u64; 6]) {
        let at = self.raw();
        [at.rdi, at.rsi, at.rdx] = [arguments[0], arguments[1], arguments[2]];
    }
}
