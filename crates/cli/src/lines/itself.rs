//! Whether an input is the file that is printed to: then it would grow for ever.

use fewer::{Fields, Kind, Lines, Stat};

use super::Halt;
use super::input::Input;

/// After so many pieces an input is looked at that has not been seen to grow: all its reads may
/// have given whole blocks. 64 MiB.
const MANY: u32 = 256;

/// What has been seen of an input so far.
#[derive(Default)]
pub(super) struct Growth {
    pieces: u32,
    asked: bool,
}

impl Growth {
    /// Called behind each piece of the input that was printed: an error if the input is what is
    /// printed to. GNU cat finds that out beforehand, for a call on each input.
    ///
    /// Price: none; two `statx` for a file that grows while it is read, or that is large.
    pub(super) fn look(&mut self, input: &Input, lines: &Lines<'_>) -> Result<(), Halt> {
        self.pieces = self.pieces.saturating_add(1);
        // What comes through a pipe always grows.
        let grows = input.is_file() && lines.has_grown();
        if self.asked || !(grows || self.pieces > MANY) {
            return Ok(());
        }
        self.asked = true;
        let fields = Fields::KIND | Fields::INODE;
        let output = kernel::stat_descriptor(kernel::STDOUT, fields);
        let is_same = |output: Stat, input: Stat| {
            output.kind() == Kind::File
                && (output.device(), output.inode()) == (input.device(), input.inode())
        };
        match (output, input.identity(fields)) {
            (Ok(output), Ok(stat)) if is_same(output, stat) => Err(Halt::Itself),
            _ => Ok(()),
        }
    }
}
