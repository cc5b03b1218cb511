//! Prefixes of a bucket, listed level by level: levels side by side, which are handed on in the
//! order of their prefixes.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Levels`]: what is listed, and how |
//! | `progress` | which level is requested next |
//! | `kept` | levels on their way to the visitor |

mod kept;
mod progress;

use std::num::NonZero;
use std::sync::Arc;

use fewer::Answer;

use crate::error::{Error, Reason};
use crate::location::Location;
use crate::page::Object;
use crate::request::{self, Client};
use crate::settings::Overrides;
use crate::visit::{Failed, MOST_REQUESTS, MOST_THREADS, Outcome, Visitor};
use progress::Progress;

/// What is directly below a prefix.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level {
    /// The index of the prefix that it lies below, among those that were given.
    pub of: usize,
    /// What its keys begin with.
    pub prefix: String,
    /// How many steps it is below that prefix.
    pub depth: usize,
}

/// What is done with levels.
pub trait LevelVisitor {
    /// Objects and common prefixes of a level: of a page, in its order. [`Answer::Stop`] ends the
    /// listing.
    fn objects(&mut self, level: &Level, objects: &mut dyn Iterator<Item = Object<'_>>) -> Answer;

    /// Whether a common prefix of a level is to be listed. It is asked as soon as the page came,
    /// and so perhaps before other levels were handed on.
    fn enters(&mut self, level: &Level, prefix: &[u8]) -> bool;

    /// A level of a store with collections was refused: whether the others are listed. If not the
    /// listing ends with this error.
    fn failed(&mut self, level: &Level, error: &Error) -> Answer {
        let _ = (level, error);
        Answer::Stop
    }

    /// Called when a page came, and ten times a second while none does.
    fn between_pages(&mut self) -> Answer {
        Answer::Continue
    }
}

/// Shows the levels of collections as a listing.
pub(crate) struct Collections<'v, V>(pub(crate) &'v mut V);

impl<V: Visitor> LevelVisitor for Collections<'_, V> {
    fn objects(&mut self, _: &Level, objects: &mut dyn Iterator<Item = Object<'_>>) -> Answer {
        for object in objects {
            if self.0.object(object) == Answer::Stop {
                return Answer::Stop;
            }
        }
        Answer::Continue
    }

    fn enters(&mut self, _: &Level, prefix: &[u8]) -> bool {
        self.0.enters(prefix)
    }

    fn failed(&mut self, level: &Level, error: &Error) -> Answer {
        if level.depth == 0 { Answer::Stop } else { self.0.failed(error) }
    }

    fn between_pages(&mut self) -> Answer {
        self.0.between_pages(&Vec::new)
    }
}

/// Prefixes of one bucket to list, and how.
#[derive(Clone, Debug)]
pub struct Levels {
    location: Location,
    starts: Vec<String>,
    overrides: Overrides,
    requests: usize,
    most_keys: u64,
}

impl Levels {
    /// All levels below these prefixes of a bucket, which the location names.
    #[must_use]
    pub fn new(location: Location, starts: Vec<String>) -> Levels {
        let overrides = Overrides::default();
        Levels { location, starts, overrides, requests: MOST_REQUESTS, most_keys: u64::MAX }
    }

    /// What is otherwise than the environment says.
    #[must_use]
    pub fn overrides(self, overrides: Overrides) -> Levels {
        Levels { overrides, ..self }
    }

    /// At most so many requests at once; by default 64.
    #[must_use]
    pub fn requests(self, most: NonZero<usize>) -> Levels {
        Levels { requests: most.get(), ..self }
    }

    /// Once so many objects and common prefixes came, an empty level counted as one, only those
    /// levels are listed that were begun; the others are left.
    #[must_use]
    pub fn most_keys(self, most_keys: u64) -> Levels {
        Levels { most_keys, ..self }
    }

    /// Lists; returns what it came to, and the levels that are left. The visitor is called on this
    /// thread, for a level after the one above it, and before those with greater prefixes.
    ///
    /// Price: one request for each level, and one more for each further page of it. What fails on
    /// its way is sent again, as in a listing.
    ///
    /// # Errors
    /// Settings that cannot be used; a store that refuses or does not answer.
    pub fn visit(&self, visitor: &mut impl LevelVisitor) -> Result<(Outcome, Vec<Level>), Failed> {
        let failed = |reason, outcome| Failed {
            error: Error::new(&self.location.address(), reason),
            outcome: Box::new(outcome),
        };
        let prepared = self.prepare();
        let (client, runtime) = prepared.map_err(|reason| failed(reason, Outcome::default()))?;
        let mut progress = Progress::new(self, Arc::new(client), visitor);
        let result = runtime.block_on(progress.run());
        // Requests that are under way are not waited for.
        runtime.shutdown_background();
        let (outcome, left) = progress.end();
        match result {
            Ok(()) => Ok((outcome, left)),
            Err((prefix, reason)) => Err(Failed {
                error: Error::new(&(self.location.front() + &prefix), reason),
                outcome: Box::new(outcome),
            }),
        }
    }

    fn prepare(&self) -> Result<(Client, tokio::runtime::Runtime), Reason> {
        let client = Client::new(self.location.clone(), &self.overrides)?;
        Ok((client, request::runtime(MOST_THREADS)?))
    }
}
