//! How a tree is walked, and what the walk comes to.

use std::time::Duration;

use super::address::Address;

/// A NameNode has ten handlers unless it was told otherwise, and serves a whole cluster.
const MOST_CALLS: usize = 16;

/// What is walked, and how.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) address: Address,
    pub(super) sorted: bool,
    pub(super) max_depth: usize,
    pub(super) calls: usize,
    pub(super) timeout: Duration,
}

impl Options {
    pub(super) fn new(address: Address) -> Options {
        Options {
            address,
            sorted: false,
            max_depth: usize::MAX,
            calls: MOST_CALLS,
            timeout: Duration::from_secs(30),
        }
    }
}

/// A directory that was not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotListed {
    /// Its address, which begins with that of the root.
    pub address: Vec<u8>,
    /// Steps below the root.
    pub depth: usize,
}

/// What a walk came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Entries that were visited, with the root.
    pub entries: u64,
    /// Calls of the NameNode, with those that failed.
    pub calls: u64,
    /// Those among them that failed and were made again.
    pub repeated: u64,
    /// Those among these to which it answered that it wants fewer.
    pub slowed: u64,
    /// The NameNode failed, and the rest was not walked.
    pub is_lost: bool,
    /// The directories that were not listed because the visitor has
    /// [enough](super::Visitor::has_enough).
    pub left: Vec<NotListed>,
}
