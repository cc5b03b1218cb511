//! Copies the bytes of all lines, or of some, to standard output. A line need not fit into memory.

use clap::ArgMatches;
use fewer::{Descriptor, Lines};

use super::input::{Format, Input};
use super::same_file::GrowthCheck;
use super::{InputAction, Stop, write};
use crate::progress::Progress;

/// Which lines are wanted.
#[derive(Clone, Copy)]
pub(super) enum Choice {
    /// Those from one number to another.
    Range(u64, u64),
    /// So many at the end.
    Last(u64),
}

impl Choice {
    pub(super) fn from_flags(flags: &ArgMatches) -> Choice {
        let number = |flag: &str| flags.get_one::<u64>(flag).copied();
        match (number("first"), number("last")) {
            (Some(count), _) => Choice::Range(1, count),
            (None, Some(count)) => Choice::Last(count),
            (None, None) => {
                Choice::Range(number("from").unwrap_or(1), number("to").unwrap_or(u64::MAX))
            }
        }
    }

    /// How many lines are wanted from the first one on.
    pub(super) fn count(self) -> u64 {
        match self {
            Choice::Last(_) => u64::MAX,
            Choice::Range(from, to) if to < from => 0,
            Choice::Range(from, to) => (to - from).saturating_add(1),
        }
    }
}

pub(super) struct Copier<'r> {
    format: Format,
    choice: Choice,
    progress: &'r Progress,
}

impl<'r> Copier<'r> {
    pub(super) fn new(flags: &ArgMatches, format: Format, progress: &'r Progress) -> Copier<'r> {
        Copier { format, choice: Choice::from_flags(flags), progress }
    }

    fn print(&self, lines: &mut Lines<'_>, input: &Input) -> Result<(), Stop> {
        let mut growth = GrowthCheck::default();
        let mut left = self.choice.count();
        match self.choice {
            _ if left == 0 => return Ok(()),
            Choice::Range(from, _) => lines.skip(from - 1)?,
            Choice::Last(count) => lines.last(count)?,
        }
        // What has been read is written before more is read: if the input is a pipe that stays open
        // but sends nothing, everything that came through it has been printed.
        while let Some(piece) = lines.next_piece(left)? {
            left -= piece.ends();
            self.progress.add(usize::try_from(piece.ends()).unwrap_or(0));
            write(piece.bytes())?;
            growth.look(input, lines)?;
        }
        Ok(())
    }
}

impl Copier<'_> {
    /// Prints the chosen lines of an input, and returns the file behind them, to be followed.
    pub(super) fn print_all(&mut self, input: &Input) -> Result<Option<Descriptor>, Stop> {
        let mut lines = input.open(self.format)?;
        self.print(&mut lines, input)?;
        Ok(lines.into_file())
    }
}

impl InputAction for Copier<'_> {
    fn input(&mut self, input: &Input, read: &mut bool) -> Result<(), Stop> {
        let mut lines = input.open(self.format)?;
        let outcome = self.print(&mut lines, input);
        *read = lines.bytes_read() > 0;
        outcome
    }
}
