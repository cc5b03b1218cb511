//! Why a tool ends before it is done.

use fewer::Errno;

/// Why a tool ends before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolError {
    /// The other end of the pipe is closed: the tool ends as if by SIGPIPE, without a message.
    Pipe,
    /// Standard output cannot be written: the caller says so (`cat: write error: …`).
    Output(Errno),
    /// A signal came, or a limit was reached: the caller knows which.
    Stopped,
    /// What is on the disk shows that the call is not supported after all. Nothing has been read,
    /// written or changed: the real tool is to be run.
    Unsupported,
    /// As `Unsupported`, but some operands are done: the real tool is to be run with the others.
    Remaining(Box<Remaining>),
}

/// What came of a tool, or of a part of its work.
pub type ToolResult<T = ()> = Result<T, ToolError>;

/// What is left to the real tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// The arguments without the operands that are done.
    pub arguments: Vec<Vec<u8>>,
    /// The exit status so far.
    pub status: u8,
}
