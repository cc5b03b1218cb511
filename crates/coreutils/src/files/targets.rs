//! Sources and targets of `cp`, `mv` and `ln`: the last operand, `-t DIRECTORY`, `-T`.

use std::borrow::Cow;

use super::{in_directory, last_name, share_a_name};
use crate::arguments::Operands;

/// The options about the target.
#[derive(Default)]
pub(super) struct TargetOptions<'a> {
    directory: Option<&'a [u8]>,
    /// `-T`: the target is no directory to put anything into.
    whole: bool,
}

impl<'a> TargetOptions<'a> {
    /// `-T`, or `-t`; `None` if it comes again.
    pub(super) fn option(&mut self, letter: u8, value: &'a [u8]) -> Option<()> {
        match letter {
            b'T' => self.whole = true,
            _ if self.directory.is_some() => return None,
            _ => self.directory = Some(value),
        }
        Some(())
    }

    /// `alone` is the directory that a single operand goes to. `None` for an error, or
    /// if the outcome depends on the order of the sources.
    pub(super) fn targets(
        self,
        operands: Operands<'a>,
        alone: Option<&'a [u8]>,
    ) -> Option<Targets<'a>> {
        let mut sources = operands;
        let alone = alone.filter(|_| sources.len() == 1 && !self.whole);
        let directory = self.directory.or(alone);
        let target = match directory {
            Some(directory) => directory,
            None => sources.pop()?,
        };
        let into = match (self.whole, directory.is_some() || sources.len() > 1) {
            (true, true) => return None,
            (true, false) => Some(false),
            (false, true) => Some(true),
            (false, false) => None,
        };
        let supported = !sources.is_empty() && !share_a_name(&sources);
        supported.then_some(Targets { sources, target, into })
    }
}

/// The sources, and where they go.
pub(super) struct Targets<'a> {
    pub(super) sources: Operands<'a>,
    pub(super) target: &'a [u8],
    /// Whether the target is a directory, if that is known.
    pub(super) into: Option<bool>,
}

impl Targets<'_> {
    pub(super) fn is_into(&self) -> bool {
        self.into == Some(true)
    }

    /// Each source, its target, and whether that may turn out to be a directory to put it into.
    pub(super) fn steps(&self) -> impl Iterator<Item = (&[u8], Cow<'_, [u8]>, bool)> {
        self.sources.iter().map(|source| match self.into {
            Some(true) => (*source, in_directory(self.target, last_name(source)).into(), false),
            into => (*source, self.target.into(), into.is_none()),
        })
    }
}
