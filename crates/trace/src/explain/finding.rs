//! What is said about a waste.

use serde::Serialize;

use crate::{Call, Language, Name, PathId, StackId};

/// A waste: what, how often, from where, what to do instead.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The rule's id.
    pub id: &'static str,
    /// One sentence in plain words, without a full stop: "`/etc/localtime` was looked at 10,002
    /// times and never changed". File names in it are as they are; printing escapes them.
    pub verdict: String,
    /// The program that did it.
    pub program: PathId,
    /// What that is written in.
    pub language: Language,
    /// Calls that need not have been made.
    pub wasted: u64,
    /// Calls that were made in all.
    pub made: u64,
    /// From where, with the number of wasted calls; the most first.
    pub callers: Vec<(StackId, u64)>,
    /// Three calls to look at.
    pub examples: Vec<Call>,
    /// What would not be done any more, so that its price can be found out.
    pub spared: Vec<Spared>,
    /// What that would save; `None` until priced.
    pub saved: Option<Saved>,
    /// What to do instead.
    pub remedy: Remedy,
    /// What could make the finding wrong.
    pub careful: String,
}

/// Equal acts that would be spared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spared {
    /// What each does.
    pub act: Act,
    /// How many of them.
    pub count: u64,
}

/// Something that a program does, and that can be done again to see what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// A call of this name on this file, as it was made; calls that only look are made anew, for
    /// others the price of their kind is taken.
    Call {
        /// Which.
        name: Name,
        /// On which file.
        file: PathId,
        /// Bytes that a read or write moved.
        moved: u64,
        /// Whether it failed.
        failed: bool,
    },
    /// Open, read to the end, close.
    ReadWhole {
        /// Which file.
        file: PathId,
    },
    /// `getpwuid` or `getgrgid` with its reading of the databases.
    LookUpOwner,
    /// Starting a program and waiting for its end.
    Spawn {
        /// Which program.
        program: PathId,
    },
}

impl Act {
    /// The call itself, as it was made.
    #[must_use]
    pub fn of(call: &Call) -> Act {
        Act::Call { name: call.name, file: call.file, moved: call.moved, failed: !call.succeeded() }
    }

    /// Whether it is the same on another file.
    #[must_use]
    pub fn is_like(&self, other: &Act) -> bool {
        match (self, other) {
            (Act::Call { name, failed, .. }, Act::Call { name: other, failed: fails, .. }) => {
                name == other && failed == fails
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

/// The time that a remedy saves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Saved {
    /// Nanoseconds of one run.
    pub nanoseconds: u64,
    /// How that was found out.
    pub basis: Basis,
}

/// How a price was found out.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The acts themselves were done again, outside the tracer.
    Replayed,
    /// Some were done again, for the others the price of their kind on this machine was taken.
    Mixed,
    /// The price of calls of their kind, measured on this machine.
    Calibrated,
    /// The price of calls of their kind in the table that the user chose.
    Given,
}

/// What to do instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remedy {
    /// In words.
    pub text: String,
    /// In the program's language.
    pub snippet: String,
}
