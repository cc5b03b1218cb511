//! The exit statuses of all verbs.

/// All went well.
pub(crate) const OK: u8 = 0;
/// Some entries or inputs failed; the rest was done.
pub(crate) const SOME_FAILED: u8 = 1;
/// Wrong usage, or nothing could be done.
pub(crate) const FAILED: u8 = 2;

pub(crate) use sys::{NOT_FOUND, NOT_RUN};
