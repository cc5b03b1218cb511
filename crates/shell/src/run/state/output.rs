//! Where output is collected, and what went wrong with it.

use std::rc::Rc;

use crate::streams::Open;

/// What becomes of output beside what the streams know.
#[derive(Debug)]
pub(crate) struct Output {
    /// Where standard output and standard error of a script in another program are collected, if
    /// they are.
    pub(crate) collected: [Option<Rc<Open>>; 2],
    /// The message about the limit that was reached.
    pub(crate) limit_message: Vec<u8>,
    /// Nothing reads standard output any more: the process ends as by SIGPIPE.
    pub(crate) broken_pipe: bool,
    /// The command that has written last: it is the one that fails if that turns out to be
    /// impossible.
    pub(crate) last_writer: &'static str,
    /// How many of the files that commands wrote to could not be written in the end.
    pub(crate) failed_writes: u32,
}

impl Default for Output {
    fn default() -> Output {
        Output {
            collected: [None, None],
            limit_message: Vec::new(),
            broken_pipe: false,
            last_writer: "echo",
            failed_writes: 0,
        }
    }
}
