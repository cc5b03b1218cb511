//! What became of a command that was checked or recorded.

use std::time::Duration;

use fewer::present::escaped;
use fewer::present::quote::word;
use trace::{Error, Name, Text};

use crate::command::{CommandLine, Run};
use crate::compare::Comparison;
use crate::measured::Status;
use crate::ratio::Ratio;
use crate::slope::{Slope, Steeper};

/// How a command ends on Ctrl-C: SIGINT. The process that runs it is to end as well.
pub(crate) const INTERRUPTED: Status = Status::Killed(2);

/// What became of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What it is called: its name, or its words as a shell reads them.
    pub title: String,
    /// What was found.
    pub outcome: Outcome,
    /// What could not be seen of it.
    pub unseen: Vec<String>,
    /// How long its runs took, while being watched.
    pub took: Duration,
    /// Whether what it does now was written down.
    pub blessed: bool,
}

/// What was found about a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Its calls against those that it may make.
    Compared(Comparison),
    /// Its calls per item against those that it may make.
    Sloped(Sloped),
    /// It makes the calls that it may make, and more remedies work than may.
    Proved {
        /// A line for each that works.
        remedies: Vec<String>,
        /// How many may.
        allowed: u64,
    },
    /// It ended in another way than when it was recorded.
    Ended {
        /// How it ends now,
        now: Status,
        /// and how it did.
        recorded: Status,
        /// The end of what it wrote to its standard error.
        complaint: Vec<u8>,
    },
    /// It could not be run; the reason.
    NotRun(String),
}

/// Calls per item now, against those that may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Sloped {
    /// Now.
    pub now: Slope,
    /// How many may be in total.
    pub allowed: Ratio,
    /// What is more than that.
    pub steeper: Vec<Steeper>,
    /// What is less: now, and allowed.
    pub fewer: Vec<(Name, Ratio, Ratio)>,
}

impl Checked {
    /// Whether all is well.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.blessed
            || match &self.outcome {
                Outcome::Compared(comparison) => comparison.excess.is_empty(),
                Outcome::Sloped(sloped) => sloped.steeper.is_empty(),
                Outcome::Proved { .. } | Outcome::Ended { .. } | Outcome::NotRun(_) => false,
            }
    }

    /// Whether it was ended by Ctrl-C, which is meant for all that would come behind it as well.
    #[must_use]
    pub fn was_interrupted(&self) -> bool {
        matches!(self.outcome, Outcome::Ended { now: INTERRUPTED, .. })
    }

    /// Whether writing down what it does now would change anything, and may be done: a command that
    /// fails in another way than it did is recorded anew on purpose, or not at all.
    #[must_use]
    pub fn can_be_blessed(&self) -> bool {
        match &self.outcome {
            Outcome::Compared(it) => {
                let less = it.allowed.is_some_and(|allowed| it.now < allowed.least);
                less || !it.excess.is_empty() || !it.fewer.is_empty()
            }
            Outcome::Sloped(it) => {
                let less = it.now.per_item.total < it.allowed;
                less || !it.steeper.is_empty() || !it.fewer.is_empty()
            }
            Outcome::Proved { .. } => true,
            Outcome::Ended { .. } | Outcome::NotRun(_) => false,
        }
    }
}

/// Why there is nothing to write down.
#[derive(Debug)]
pub enum Failure {
    /// It could not be run.
    Error(Error),
    /// Its runs ended in different ways.
    Differs(Status, Status),
    /// Two numbers of items are needed.
    NoSlope,
    /// Its remedies cannot be tried: why.
    NotProvable(String),
    /// A user pressed Ctrl-C.
    Interrupted,
    /// The shell could not run its line: the end of what it said.
    Shell(Vec<u8>),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Failure::Error(error) => error.fmt(f),
            Failure::Differs(a, b) => write!(f, "one run ended with {a}, another with {b}"),
            Failure::NotProvable(why) => write!(f, "its remedies cannot be tried: {why}"),
            Failure::Interrupted => write!(f, "interrupted"),
            Failure::Shell(said) => write!(f, "{}", not_run_by_shell(said)),
            Failure::NoSlope => write!(f, "calls per item need two different numbers of items"),
        }
    }
}

/// What the shell says of a line that it cannot run.
pub(crate) fn not_run_by_shell(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said).trim_end().to_owned();
    format!("cannot be run: {said}")
}

/// What a command is called: its name, or its words as a shell reads them.
#[must_use]
pub fn title(name: Option<&String>, run: &Run) -> String {
    match (name, &run.line) {
        (Some(name), _) => name.clone(),
        (None, CommandLine::Shell(line)) => line.clone(),
        (None, CommandLine::Words(words)) => words.iter().map(shown).collect::<Vec<_>>().join(" "),
    }
}

/// A word as a shell reads it; what is not UTF-8 is shown as an escape.
fn shown(argument: &Text) -> String {
    let text =
        std::str::from_utf8(&argument.0).map_or_else(|_| escaped(&argument.0), str::to_owned);
    String::from_utf8_lossy(&word(text.as_bytes())).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_can_be_typed_into_a_shell() {
        let words = ["ls", "a b", "it's", "", "\u{e9}"].map(Text::from);
        let line = CommandLine::Words([&words[..], &[Text(b"\xff"[..].into())]].concat());
        let run = Run { line, ..Run::default() };
        assert_eq!(title(None, &run), "ls 'a b' 'it'\\''s' '' \u{e9} '\\xff'");
        assert_eq!(title(Some(&"mine".to_owned()), &run), "mine");
    }
}
