//! What calls say about a process, as facts that rules judge.

use super::descriptor_session::DescriptorSession;
use super::process_state::Novelty;
use super::questions::Question;
use crate::{Call, PathId};

/// A fact about a process.
#[derive(Debug)]
pub(crate) enum Fact {
    /// The call at hand asked about a path.
    Asked(PathQuestion),
    /// The components of a path were asked about one after the other.
    Climbed(Climb),
    /// One name was looked for in several places. These calls did not find it.
    Searched(Vec<Call>),
    /// A descriptor was closed.
    Closed(Box<DescriptorSession>),
    /// The call at hand set the working directory.
    Moved(DirectoryMove),
}

/// Another working directory.
#[derive(Debug)]
pub(crate) struct DirectoryMove {
    /// The working directory before.
    pub(crate) from: PathId,
    /// Looks at each part of the path right before it: they are needed if the move is.
    pub(crate) way: Vec<Call>,
}

/// The way down a path, component by component.
#[derive(Debug)]
pub(crate) struct Climb {
    /// The calls that asked for at least the second time.
    pub(crate) again: Vec<Call>,
    /// The call that asked whether the end of a known way is a link, and heard that it is none.
    pub(crate) end: Option<Call>,
}

/// A question about a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathQuestion {
    /// What was asked.
    pub(crate) question: Question,
    /// Whether it was asked before.
    pub(crate) novelty: Novelty,
    /// The directory that the path is an entry of, if that was listed before.
    pub(crate) entry_of: PathId,
    /// Whether it is an `lstat` at the end of a path, of which all above was asked before.
    pub(crate) ends_path: bool,
    /// Whether `fstat` has just given the same answer.
    pub(crate) answered_by_fstat: bool,
}
