//! What macOS writes, as bytes and numbers, and what follows from it. It knows no call, so it is
//! compiled for the tests of every system.

pub(crate) mod attributes;
pub(crate) mod block;
pub(crate) mod dirent;
pub(crate) mod firmlinks;
pub(crate) mod layout;
pub(crate) mod metadata;
pub(crate) mod reader;
