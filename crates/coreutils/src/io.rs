//! What a tool may use of its caller: streams, directory, environment, and when to stop.

use std::time::Duration;

use fewer::{Errno, Scope, Stat};

use crate::ToolResult;

/// What a tool may use of its caller.
pub struct Io<'a> {
    /// The working directory.
    pub scope: &'a Scope,
    /// Standard input.
    pub input: &'a mut dyn Input,
    /// Standard output.
    pub output: &'a mut dyn Output,
    /// Standard error.
    pub errors: &'a mut dyn Output,
    /// The value of a variable of the environment: TZ, POSIXLY_CORRECT, …
    pub environment: &'a dyn Fn(&[u8]) -> Option<Vec<u8>>,
    /// Hands over each variable of the environment, as `NAME=value`, in order: for `env`.
    pub variables: &'a Variables<'a>,
    /// Whether the locale's characters are UTF-8; bytes if not.
    pub utf8: bool,
    /// Whether standard input is a terminal, where `rm` and `mv` would ask.
    pub input_is_terminal: bool,
    /// Whether standard output is a terminal.
    pub output_is_terminal: bool,
    /// Whether a signal came that ends the tool: asked when a call was interrupted.
    pub interrupted: &'a dyn Fn() -> bool,
    /// Sleeps; what is left of the time if it was interrupted.
    pub sleep: &'a dyn Fn(Duration) -> Result<(), Duration>,
}

impl Io<'_> {
    /// Whether the tool is to follow POSIX where GNU differs. Price: none.
    pub(crate) fn is_posixly_correct(&self) -> bool {
        (self.environment)(b"POSIXLY_CORRECT").is_some()
    }
}

/// Hands over one variable after the other, as `NAME=value`.
pub type Variables<'a> = dyn Fn(&mut dyn FnMut(&[u8])) + 'a;

/// A stream to read.
pub trait Input {
    /// What is there, from the kernel if nothing is left: empty only at the end.
    ///
    /// # Errors
    /// The kernel's number; `EINTR` if a signal ends the tool.
    fn fill(&mut self) -> Result<&[u8], Errno>;
    /// So many bytes of it are used.
    fn consume(&mut self, bytes: usize);
    /// Kind, size, device and inode of the file that it is; `None` for a pipe, or for what stands
    /// for one.
    ///
    /// Price: one `statx`.
    fn stat(&self) -> Option<Stat> {
        None
    }
}

/// A stream to write. The caller buffers it.
pub trait Output {
    /// Writes all of it.
    ///
    /// # Errors
    /// [`Pipe`](crate::ToolError::Pipe), [`Output`](crate::ToolError::Output) or
    /// [`Stopped`](crate::ToolError::Stopped).
    fn write(&mut self, bytes: &[u8]) -> ToolResult;
    /// Kind, device and inode of the file that it is; `None` for a pipe, or for what stands for
    /// one.
    ///
    /// Price: one `statx`.
    fn stat(&self) -> Option<Stat> {
        None
    }
}
