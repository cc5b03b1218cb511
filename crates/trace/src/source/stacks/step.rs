//! A step from a function outwards, to its caller.

use crate::source::registers::Registers;

/// What a step outwards led to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
    /// The caller.
    To(Registers),
    /// This was the outermost function.
    End,
    /// That is not known.
    Lost,
}
