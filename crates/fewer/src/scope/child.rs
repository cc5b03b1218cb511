//! A started child: wait for it, end it, collect its output.

pub use sys::ExitStatus;
use sys::{Descriptor, Process};

use super::streams::{PipeReader, PipeWriter};
use crate::error::{Action, Errno, Error};

/// A child that was started by [`Command::spawn`](super::Command::spawn). Dropping it neither ends
/// it nor waits for it.
#[derive(Debug)]
pub struct Child {
    process: Process,
    /// The name of the program, for messages.
    program: Box<[u8]>,
    ended: Option<ExitStatus>,
    /// The pipe to the child's standard input, if that is piped.
    pub stdin: Option<PipeWriter>,
    /// The pipe from the child's standard output, if that is piped.
    pub stdout: Option<PipeReader>,
    /// The pipe from the child's standard error, if that is piped.
    pub stderr: Option<PipeReader>,
}

/// How a child ended, and its output. Made by [`Command::output`](super::Command::output).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

impl Output {
    /// Of a child whose streams were not collected.
    pub(crate) fn without_streams(status: ExitStatus) -> Output {
        Output { status, stdout: Vec::new(), stderr: Vec::new() }
    }

    /// Adds that of a child that ran after this one.
    pub(crate) fn append(&mut self, next: Output) {
        self.status = next.status;
        self.stdout.extend(next.stdout);
        self.stderr.extend(next.stderr);
    }
}

impl Child {
    pub(super) fn new(
        process: Process,
        program: &[u8],
        stdin: Option<PipeWriter>,
        stdout: Option<PipeReader>,
        stderr: Option<PipeReader>,
    ) -> Child {
        Child { process, program: program.into(), ended: None, stdin, stdout, stderr }
    }

    /// The number of the process; free.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Waits until it has ended. If its standard input is piped it is closed first: otherwise a
    /// child that reads it would never end.
    ///
    /// Price: one `wait4`; none if it is known to have ended.
    ///
    /// # Errors
    /// The kernel's number: `ECHILD` if SIGCHLD is ignored, or other code has waited for it.
    pub fn wait(&mut self) -> Result<ExitStatus, Error> {
        self.stdin = None;
        match self.look(true)? {
            Some(status) => Ok(status),
            None => Err(self.error(Errno::CHILD, Action::WAIT)),
        }
    }

    /// How it ended, if it has.
    ///
    /// Price: one `wait4`; none if it is known to have ended.
    ///
    /// # Errors
    /// As [`wait`](Child::wait).
    pub fn try_wait(&mut self) -> Result<Option<ExitStatus>, Error> {
        self.look(false)
    }

    fn look(&mut self, block: bool) -> Result<Option<ExitStatus>, Error> {
        if self.ended.is_none() {
            let status = sys::wait(&self.process, block);
            self.ended =
                status.map_err(|errno| self.error(errno, Action::WAIT))?.map(ExitStatus::from_wait);
        }
        Ok(self.ended)
    }

    /// Ends it by SIGKILL; on Windows by force, with exit code 1. It still has to be waited for.
    /// Nothing is sent if it is known to have ended: its number may belong to another process by
    /// now.
    ///
    /// Price: one `kill`.
    ///
    /// # Errors
    /// The kernel's number: `EPERM` if it runs as another user by now.
    pub fn kill(&mut self) -> Result<(), Error> {
        match self.ended {
            Some(_) => Ok(()),
            None => sys::kill(&self.process).map_err(|errno| self.error(errno, Action::END)),
        }
    }

    /// Waits until it has ended, and collects what it writes to those of its streams that are
    /// piped, from both at once. Its standard input is closed first.
    ///
    /// Price: one `wait4`, and one `read` per block that arrives, with a `ppoll` before it as long
    /// as both streams are open.
    ///
    /// # Errors
    /// As [`wait`](Child::wait).
    pub fn wait_with_output(mut self) -> Result<Output, Error> {
        self.stdin = None;
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let (out, err) = (self.stdout.take(), self.stderr.take());
        let read = match (&out, &err) {
            (Some(out), Some(err)) => sys::read_both((&out.0, &mut stdout), (&err.0, &mut stderr)),
            (Some(out), None) => read_rest(&out.0, &mut stdout),
            (None, Some(err)) => read_rest(&err.0, &mut stderr),
            (None, None) => Ok(()),
        };
        // The child is waited for even if reading its output failed.
        drop((out, err));
        let status = self.wait()?;
        read.map_err(|errno| self.error(errno, Action::READ_OUTPUT))?;
        Ok(Output { status, stdout, stderr })
    }

    fn error(&self, errno: Errno, action: Action) -> Error {
        Error::new(errno, action, &self.program)
    }
}

/// What a pipe holds, unless its size was changed.
const BLOCK_BYTES: usize = 64 << 10;

fn read_rest(pipe: &Descriptor, bytes: &mut Vec<u8>) -> Result<(), Errno> {
    while sys::read_behind(pipe, bytes, BLOCK_BYTES)? > 0 {}
    Ok(())
}
