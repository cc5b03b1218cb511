//! Machines for which there is no agent yet: nothing is ever brought in, and every call stops.

use std::cell::RefCell;
use std::rc::Rc;

use crate::source::descriptors::Descriptors;
use crate::source::ptrace::{AllRegisters, Entry, Pid};
use crate::source::tracees::Thread;
use crate::source::tracer::Tracer;
use crate::{Name, StackId};

/// What the loop asks for at its stops.
impl Tracer<'_> {
    pub(crate) fn insert_agent(&mut self, _id: Pid, _ip: u64, _registers: &AllRegisters) -> bool {
        false
    }

    pub(crate) fn prepare_agent(&mut self, _id: Pid, _name: Name, _arguments: &[u64; 6]) {}

    pub(crate) fn void_answers(
        &mut self,
        _id: Pid,
        _name: Name,
        _arguments: &[u64; 6],
        _result: i64,
    ) {
    }

    pub(crate) fn void_answers_of(&mut self, _thread: &Thread) {}

    pub(crate) fn have_answers_follow(&mut self, _: &Rc<RefCell<Descriptors>>, _: &Thread) {}

    pub(crate) fn leave_if_in_doubt(&mut self, _id: Pid) {}

    pub(crate) fn learn_stack(&mut self, _: Pid, _: Option<u64>, _: &AllRegisters, _: StackId) {}

    pub(crate) fn leave_agent(&mut self, _id: Pid, signal: i32) -> i32 {
        signal
    }

    pub(crate) fn let_in(&mut self, _id: Pid) {}

    pub(crate) fn leave_ring(&self, _id: Pid) {}

    pub(crate) fn made_thread(&mut self, _id: Pid) {}

    pub(crate) fn at_breakpoint(&mut self, _id: Pid) -> bool {
        false
    }

    pub(crate) fn was_interrupted(&mut self, _id: Pid) {}

    pub(crate) fn undo_interrupt(&mut self, _id: Pid) -> bool {
        false
    }

    pub(crate) fn is_made_anew(&mut self, _id: Pid, _entry: &Entry) -> bool {
        false
    }

    pub(crate) fn drain_all(&mut self) -> bool {
        false
    }

    pub(crate) fn drain_last(&mut self, _id: Pid) {}
}
