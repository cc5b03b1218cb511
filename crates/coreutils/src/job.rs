//! A call that can be done exactly.

use crate::{Io, ToolResult};

/// A call of a tool that is done here exactly as the real one does it: its arguments are read, its
/// patterns compiled.
pub trait ToolJob {
    /// Does it, and gives the exit status. The price is the tool's.
    ///
    /// # Errors
    /// Why it ended before it was done, and whether the real tool is to be run.
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8>;
}

/// A call that was prepared; `None` if it is not supported.
pub(crate) type Prepared<'a> = Option<Box<dyn ToolJob + 'a>>;
