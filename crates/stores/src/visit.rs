//! What a listing shows, what it comes to, and how much it may have under way.

use std::fmt;
use std::time::Duration;

use fewer::Answer;

use crate::error::Error;
use crate::page::Object;
use crate::plan::KeyRange;

/// More requests at once list no faster anywhere that was measured, and S3 asks for patience.
pub(crate) const MOST_REQUESTS: usize = 64;

/// Parsing pages keeps so many processors busy.
pub(crate) const MOST_THREADS: usize = 4;

/// Pages that are kept until their turn in a sorted listing.
pub(crate) const KEPT_BYTES: usize = 64 << 20;

/// How long a visitor is not called at most, while the store does not answer.
pub(crate) const TICK: Duration = Duration::from_millis(100);

/// What is done with the objects.
pub trait Visitor {
    /// An object or a common prefix. [`Answer::Prune`] is as `Continue`: nothing is below it.
    fn object(&mut self, object: Object<'_>) -> Answer;

    /// Whether what is in a collection is to be listed. Only stores that have collections ask.
    fn enters(&mut self, collection: &[u8]) -> bool {
        let _ = collection;
        true
    }

    /// A collection could not be listed: whether the others are.
    fn failed(&mut self, error: &Error) -> Answer {
        let _ = error;
        Answer::Stop
    }

    /// Called when the objects of a page were handed on, and ten times a second while none are:
    /// `left` says what was not handed on so far, as [`Outcome::left`] does.
    fn between_pages(&mut self, left: &dyn Fn() -> Vec<KeyRange>) -> Answer {
        let _ = left;
        Answer::Continue
    }
}

/// What a listing came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Objects and common prefixes that were handed on.
    pub keys: u64,
    /// List requests that were sent, with those that failed.
    pub requests: u64,
    /// Those among them that failed and were sent again.
    pub repeated: u64,
    /// Those among these to which the store answered that it wants fewer.
    pub slowed: u64,
    /// Collections that could not be listed, which the visitor was told.
    pub unlisted: u64,
    /// What was not handed on: nothing, unless the visitor stopped or the listing failed. A listing
    /// of these ranges has each key that is missing, and no other. Of a store that lists in no
    /// order it is all that was to be listed: see [`crate::List::in_ranges`].
    pub left: Vec<KeyRange>,
}

/// An error, and what the listing had come to.
#[derive(Clone, Debug)]
pub struct Failed {
    /// What went wrong.
    pub error: Error,
    /// What was listed before.
    pub outcome: Box<Outcome>,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Failed {}
