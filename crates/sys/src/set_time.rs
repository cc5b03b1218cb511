//! What to do with a timestamp.

use crate::Time;

/// What to do with a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetTime {
    /// Leave it as it is.
    Keep,
    /// Set it to the kernel's current time.
    Now,
    /// Set it to this time.
    To(Time),
}
