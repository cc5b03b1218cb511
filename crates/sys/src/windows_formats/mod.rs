//! What Windows writes and says, as bytes and numbers. It knows no call, so it is compiled for the
//! tests of every system.

pub(crate) mod command_line;
pub(crate) mod errors;
pub(crate) mod path;
pub(crate) mod pattern;
pub(crate) mod record;
pub(crate) mod reparse;
pub(crate) mod sid;
pub(crate) mod times;
pub(crate) mod wide;
