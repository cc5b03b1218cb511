//! A finding: what is reported about a waste.

use serde::{Deserialize, Serialize};

use crate::{Call, Language, Name, PathId, StackId};

/// A waste: what, how often, from where, what to do instead.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Finding {
    /// The rule's id.
    pub id: &'static str,
    /// One sentence in plain words, without a full stop: "`/etc/localtime` was looked at 10,002
    /// times and never changed". File names in it are as they are; printing escapes them.
    pub verdict: String,
    /// The program that made the calls.
    pub program: PathId,
    /// The language of that program.
    pub language: Language,
    /// Calls that need not have been made.
    pub wasted: u64,
    /// Calls that were made in all.
    pub made: u64,
    /// The stacks that the wasted calls came from, each with their number; the most first.
    pub callers: Vec<(StackId, u64)>,
    /// Three calls to look at.
    pub examples: Vec<Call>,
    /// What the program would no longer do; from this the saved time is computed.
    pub spared: Vec<Spared>,
    /// Programs that would not run any more: what they waste by themselves goes with them.
    #[serde(skip)]
    pub replaces: Vec<PathId>,
    /// What the programs that it started took; nothing where that was not seen.
    pub children: Children,
    /// The time that the remedy saves; `None` until it is computed.
    pub saved: Option<Saved>,
    /// What to do instead.
    pub remedy: Remedy,
    /// What could make the finding wrong.
    pub careful: String,
}

/// What programs took that would not run any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Children {
    /// The processor's time, while they were watched, in nanoseconds.
    pub processor: u64,
    /// How often they stopped for the tracer.
    pub stops: u64,
}

/// Equal acts that would be spared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spared {
    /// What is done.
    pub act: Act,
    /// How often.
    pub count: u64,
}

/// Something that a program does, and that can be done again to see what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// A call. To find its price, one that only looks is made again on the same file; for others
    /// the price of their kind is taken.
    Call {
        /// Which call.
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
    /// Open and empty or make, write, close.
    WriteWhole {
        /// Which file.
        file: PathId,
        /// Bytes that were written.
        moved: u64,
        /// Whether it was written under another name and then took the place of the old one.
        replaces: bool,
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
    /// It is probably no less than this,
    pub least: u64,
    /// and no more than this.
    pub most: u64,
    /// How that was computed.
    pub basis: Basis,
}

impl Saved {
    /// A time that is known.
    #[must_use]
    pub fn exactly(nanoseconds: u64, basis: Basis) -> Saved {
        Saved { nanoseconds, least: nanoseconds, most: nanoseconds, basis }
    }
}

/// Where a price comes from.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The acts themselves were done again, outside the tracer.
    Replayed,
    /// Some were done again, for the others the price of their kind on this machine was taken.
    Mixed,
    /// The price of calls of their kind, measured on this machine.
    Calibrated,
    /// What the programs took that would not run any more, less the price of watching them.
    Watched,
    /// The price of calls of their kind in the table that the user chose.
    Given,
}

/// What to do instead.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remedy {
    /// An advice in one or two sentences.
    pub text: String,
    /// A few lines in the program's language.
    pub snippet: String,
}
