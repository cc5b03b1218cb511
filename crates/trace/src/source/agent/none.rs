//! Machines for which there is no agent yet: nothing is ever brought in, and every call stops.

use std::time::Instant;

use super::Record;
use crate::source::ptrace::{AllRegisters, Pid};
use crate::source::tracer::Tracer;
use crate::{Name, StackId};

/// The agent in an address space: there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpaceAgent;

impl SpaceAgent {
    pub(crate) fn copy(self) -> SpaceAgent {
        self
    }

    /// The address behind a site's instruction: there are no stubs.
    pub(crate) fn site(self, ip: u64) -> u64 {
        ip
    }
}

/// Time stamps of records: there are none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamps;

impl Stamps {
    pub(crate) fn new(_began: Instant) -> Stamps {
        Stamps
    }
}

/// What the loop asks for at its stops.
impl Tracer<'_> {
    pub(crate) fn insert_agent(&mut self, _id: Pid, _ip: u64, _registers: &AllRegisters) -> bool {
        false
    }

    pub(crate) fn prepare_agent(&mut self, _id: Pid, _name: Name, _arguments: &[u64; 6]) {}

    pub(crate) fn learn_stack(&mut self, _: Pid, _: u64, _: &AllRegisters, _: StackId) {}

    pub(crate) fn leave_agent(&mut self, _id: Pid, signal: i32) -> i32 {
        signal
    }

    pub(crate) fn let_in(&mut self, _id: Pid) {}

    pub(crate) fn drain_all(&mut self) -> bool {
        let Record { .. } = self.record;
        false
    }

    pub(crate) fn drain_last(&mut self, _id: Pid) {}
}
