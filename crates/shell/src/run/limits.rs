//! What a script may use.

use std::rc::Rc;

use super::{Shell, Unwind};
use crate::streams::{Open, Stopped};

/// What a script was stopped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// It has run as many commands as it may.
    Steps,
    /// It has written as much as it may.
    Output,
    /// A `$( … )`, a value, the words of a command, or what waits between two commands of a
    /// pipeline has become larger than it may.
    Captured,
    /// Functions, files read by `.`, or subshells are inside each other more deeply than they may.
    Depth,
    /// It would have started a process, and may not; or sent a signal to one that is not its own.
    Processes,
    /// It has taken as long as it may.
    Time,
    /// It was [canceled](crate::Canceller::cancel).
    Canceled,
    /// It would have needed a copy of the process that it runs in, which is never made.
    Copy,
}

/// Limits of a shell. All are generous unless the embedder says otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How many calls of functions, and files being read, may be inside each other.
    pub(crate) depth: usize,
    /// How many virtual subshells may be inside each other.
    pub(crate) subshells: u32,
    /// How many bytes one `$( … )` may come to.
    pub(crate) captured_bytes: usize,
    /// How many bytes a value or the words of a command may come to.
    pub(crate) text_bytes: usize,
    /// How many commands are still run.
    pub(crate) steps: u64,
    /// Whether processes may be started.
    pub(crate) processes: bool,
    /// Which limit was reached.
    pub(crate) exceeded: Option<Limit>,
}

impl Limits {
    /// Whether commands are counted.
    #[inline]
    pub(crate) fn is_stepping(&self) -> bool {
        self.steps != u64::MAX
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: 10_000,
            subshells: 10_000,
            captured_bytes: 1 << 29,
            text_bytes: 1 << 29,
            steps: u64::MAX,
            processes: true,
            exceeded: None,
        }
    }
}

impl Shell {
    /// A limit was reached, which is told. A process of its own goes on as after any error; a
    /// script in another program stops, whatever it is in the middle of.
    #[cold]
    pub(crate) fn reached(&mut self, limit: Limit, text: &[u8]) -> Unwind {
        if self.processes.owns_process {
            self.complain(text);
            return Unwind::Exit;
        }
        // A script that is to stop finds what it waits for full.
        let (limit, text) = match self.streams.stopped() {
            Some(Stopped::Canceled) => (Limit::Canceled, b"canceled".as_slice()),
            Some(Stopped::OutOfTime) => (Limit::Time, b"more time than is allowed".as_slice()),
            None => (limit, text),
        };
        if self.limits.exceeded.is_none() {
            self.limits.exceeded = Some(limit);
            self.output.limit_message = self.placed(text);
        }
        // Nothing more is run, even if a caller ignores the error.
        self.limits.steps = 0;
        if self.execution.status == 0 {
            self.execution.status = 1;
        }
        Unwind::Stop
    }

    /// A stream takes no more: the script's output, or the capture of a substitution.
    #[cold]
    pub(crate) fn full(&mut self, open: Option<&Rc<Open>>) -> Unwind {
        if self.processes.owns_process {
            return Unwind::Exit; // reported by the capture
        }
        let outermost = |kept: &Option<Rc<Open>>| match (kept, open) {
            (Some(kept), Some(open)) => Rc::ptr_eq(kept, open),
            (Some(kept), None) => kept.is_over(),
            _ => false,
        };
        let output = self.streams.is_spent() || self.output.collected.iter().any(outermost);
        match output {
            true => self.reached(Limit::Output, b"more output than is allowed"),
            false => self.captured_too_much(),
        }
    }

    #[cold]
    pub(crate) fn captured_too_much(&mut self) -> Unwind {
        let limit = self.limits.captured_bytes;
        let text = format!("command substitution: more than {limit} bytes");
        self.reached(Limit::Captured, text.as_bytes())
    }

    /// Counts the words that a command has come to, and looks at how large they are. Each is
    /// small enough by itself; together they matter only to programs that do other things.
    pub(crate) fn count_words(&mut self, words: &[crate::Text]) -> Result<(), Unwind> {
        if self.processes.owns_process {
            return Ok(());
        }
        let bytes: usize = words.iter().map(|word| word.len()).sum();
        self.count_bytes(bytes.saturating_add(words.len().saturating_mul(24)))
    }

    /// Looks at how large a text is.
    #[inline]
    pub(crate) fn count_bytes(&mut self, bytes: usize) -> Result<(), Unwind> {
        if bytes <= self.limits.text_bytes { Ok(()) } else { Err(self.text_too_large()) }
    }

    #[cold]
    fn text_too_large(&mut self) -> Unwind {
        let limit = self.limits.text_bytes;
        self.execution.status = 1;
        let text = format!("a text of more than {limit} bytes");
        self.reached(Limit::Captured, text.as_bytes())
    }

    /// Something that only a copy of this process could do.
    #[cold]
    pub(crate) fn no_copy(&mut self, what: &str) -> Unwind {
        self.execution.status = self.profile.failures.status;
        let limit = if self.limits.processes { Limit::Copy } else { Limit::Processes };
        let text = match limit {
            Limit::Copy => format!("{what} needs a copy of this process, which is not made"),
            _ => format!("{what}: processes are not allowed"),
        };
        self.reached(limit, text.as_bytes())
    }
}
