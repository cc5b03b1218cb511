//! Finds out whether an input is the file that standard output is written to: then it would grow
//! for ever.

use fewer::{Fields, Kind, Lines, Stat};

use super::Stop;
use super::input::Input;

/// After so many pieces (64 MiB) an input is checked even if it was not seen to grow: each of its
/// reads may have returned a whole block.
const MANY: u32 = 256;

/// Notices an input that grows while it is copied.
#[derive(Default)]
pub(super) struct GrowthCheck {
    pieces: u32,
    checked: bool,
}

impl GrowthCheck {
    /// Called after each piece of the input that was printed: an error if the input is the file
    /// that standard output is written to. GNU cat finds that out beforehand, at the price of one
    /// call for each input.
    ///
    /// Price: none; two `statx` for a file that grows while it is read, or that is large.
    pub(super) fn look(&mut self, input: &Input, lines: &Lines<'_>) -> Result<(), Stop> {
        self.pieces = self.pieces.saturating_add(1);
        // What comes through a pipe always grows.
        let grows = input.is_file() && lines.has_grown();
        if self.checked || !(grows || self.pieces > MANY) {
            return Ok(());
        }
        self.checked = true;
        let fields = Fields::KIND | Fields::INODE;
        let output = sys::stat_descriptor(sys::STDOUT, fields);
        let is_same = |output: Stat, input: Stat| {
            output.kind() == Kind::File
                && (output.device(), output.inode()) == (input.device(), input.inode())
        };
        match (output, input.identity(fields)) {
            (Ok(output), Ok(stat)) if is_same(output, stat) => Err(Stop::SameFile),
            _ => Ok(()),
        }
    }
}
