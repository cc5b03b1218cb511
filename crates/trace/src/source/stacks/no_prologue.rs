//! Where frames are not found out from code: functions that nothing is said about keep a frame
//! pointer there, or are [bare](super::machine::bare_return).

use super::step::Step;
use crate::source::registers::Registers;

/// What is known of a function's frame: nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Frame;

impl Frame {
    /// That of a function that nothing has called.
    pub(super) const OUTERMOST: Frame = Frame;

    /// It is not known.
    pub(super) fn at(_address: u64, _start: u64, _code: &[u8], _is_one: bool) -> Option<Frame> {
        None
    }

    /// Outwards there is nothing.
    #[expect(clippy::unused_self, reason = "as where more is known")]
    pub(super) fn step(
        self,
        _at: &Registers,
        _stack: &mut dyn FnMut(u64) -> Result<u64, ()>,
    ) -> Step {
        Step::End
    }
}
