//! The registers that unwinding needs.

/// Where a thread is.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Registers {
    /// The instruction pointer: behind the instruction that made the call.
    pub(crate) ip: u64,
    /// The stack pointer.
    pub(crate) sp: u64,
    /// The frame pointer: `rbp`, `x29`. A function may use it for something else.
    pub(crate) fp: u64,
    /// The link register: `x30`. Other machines have none.
    pub(crate) lr: u64,
}
