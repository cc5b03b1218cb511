//! Calls that have to do with what is loaded into programs: those that become such a program get
//! another environment, and those that the loading makes are not reported.

use super::decoder::Decoder;
use super::visibility::put_environment;
use crate::Name;
use crate::source::preload::Loading;
use crate::source::ptrace::{AllRegisters, Pid};
use crate::source::stacks::StoppedThread;
use crate::source::tracees::{Pending, Thread};

impl Decoder {
    /// A call begins.
    pub(super) fn before_loading(
        &mut self,
        id: Pid,
        thread: &Thread,
        pending: &mut Pending,
        registers: Option<&AllRegisters>,
    ) {
        let Some(preloads) = &mut self.preloads else { return };
        let call = &pending.call;
        if call.name == Name::Execve {
            let read = registers.copied().or_else(|| AllRegisters::of(id).ok());
            let path = self.paths.bytes(call.file);
            let Some(sp) = read.map(|registers| registers.start().sp) else { return };
            if let Some(list) = preloads.before_exec(id, sp, path, call) {
                put_environment(id, list);
                pending.is_changed = true;
            }
        }
        match preloads.loading(id, call, self.paths.bytes(call.path)) {
            Loading::Not => {}
            Loading::Hidden => pending.is_reported = false,
            Loading::Ready(address) => {
                pending.is_reported = false;
                let (space, process) = (thread.space.number, thread.process.id);
                self.stacks.noted(StoppedThread { space, process, thread: id }, address);
            }
        }
    }
}
