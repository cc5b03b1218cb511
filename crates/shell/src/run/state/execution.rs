//! Where the script has come to.

use crate::Text;

/// What each command leaves behind, and how deep the one that runs is inside others.
#[derive(Debug, Default)]
pub(crate) struct Execution {
    /// `$?`
    pub(crate) status: i32,
    /// The line of the command that runs.
    pub(crate) line: u32,
    /// Greater than none where a failure is looked at: conditions, `!`, all but the last of `&&`.
    /// `set -e` and the trap on ERR leave such commands alone.
    pub(crate) unchecked_depth: u32,
    /// How many loops are around, for `break` and `continue`.
    pub(crate) loop_depth: u32,
    /// Counts the iterations of all loops, around and around: every so often output is looked at.
    pub(crate) loop_iterations: u32,
    /// How many texts that are evaluated (`eval`, traps) are inside each other.
    pub(crate) evaluation_depth: usize,
    /// How many commands that keep errors in ksh are inside each other: compound ones and functions
    /// with redirections, last stages of pipelines. An error ends no more than the innermost.
    pub(crate) error_boundaries: usize,
    /// Whether the last command was a pipeline, whose statuses PIPESTATUS holds.
    pub(crate) was_pipeline: bool,
    /// The last argument of the last command, if the script asks for `$_` (bash).
    pub(crate) last_argument: Option<Text>,
    /// Whether a text that was to be run could not be read.
    pub(crate) text_was_unreadable: bool,
    /// What reads the text that is run: `eval`, or the name of a file.
    pub(crate) text_reader: Option<Text>,
}
