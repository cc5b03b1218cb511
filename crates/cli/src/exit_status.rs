//! The exit statuses of all verbs.

/// All went well.
pub(crate) const OK: u8 = 0;
/// Some entries or inputs failed; the rest was done.
pub(crate) const SOME_FAILED: u8 = 1;
/// Wrong usage, or nothing could be done.
pub(crate) const FAILED: u8 = 2;
/// A command was found and could not be run; the number that shells use.
pub(crate) const NOT_RUN: u8 = 126;
/// A command was not found; the number that shells use.
pub(crate) const NOT_FOUND: u8 = 127;
