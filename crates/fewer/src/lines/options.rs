//! The options of a reader: what a line is, what is checked, and how much is read at a time.

use super::Lines;
use crate::cancel::CancelCheck;

/// What ends a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// `\n`
    #[default]
    Newline,
    /// A NUL byte, as `find -print0` and others write them.
    Nul,
}

impl End {
    /// The byte.
    #[inline]
    #[must_use]
    pub fn byte(self) -> u8 {
        match self {
            End::Newline => b'\n',
            End::Nul => 0,
        }
    }
}

/// What is checked of each line, block by block while it is in cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// Nothing: lines are known neither as ASCII nor as UTF-8.
    Nothing,
    /// Which lines are ASCII. Others may or may not be UTF-8.
    #[default]
    Ascii,
    /// Which lines are ASCII and which are UTF-8.
    Utf8,
    /// As `Utf8`, and a line that is not UTF-8 is an error, which ends the reading.
    Strict,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) end: End,
    pub(super) crlf: bool,
    pub(super) check: Check,
    pub(super) block_bytes: usize,
    pub(super) longest_bytes: usize,
    pub(super) parallel_from_bytes: u64,
    pub(super) threads: Option<usize>,
    pub(super) read_ahead: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            end: End::Newline,
            crlf: false,
            check: Check::Ascii,
            block_bytes: 256 << 10,
            longest_bytes: usize::MAX,
            parallel_from_bytes: 64 << 20,
            threads: None,
            read_ahead: false,
        }
    }
}

impl Options {
    /// Whether a `\r` can belong to a line end.
    pub(super) fn takes_returns(self) -> bool {
        self.crlf && self.end == End::Newline
    }
}

impl Lines<'_> {
    crate::setters::setters! {
        /// What ends a line; a newline by default.
        ends_with(end: End) => options.end = end;
        /// Whether a `\r` before a newline belongs to the line end rather than to the line. By
        /// default it belongs to the line. A `\r` without a newline always does.
        crlf(crlf: bool) => options.crlf = crlf;
        /// What is checked of each line; by default whether it is ASCII.
        check(check: Check) => options.check = check;
    }

    /// How much is read at a time: 256 KiB by default. Any other size gives the same lines.
    #[must_use]
    pub fn block_bytes(mut self, bytes: usize) -> Self {
        // The kernel limits one read to less than 2 GiB.
        self.options.block_bytes = bytes.clamp(1, 1 << 30);
        self
    }

    /// How long a line may be, so that a file that is no text does not fill the memory. A line that
    /// does not end within that many bytes (or within a block, if that is more) ends the reading
    /// with `EFBIG`. Counting and collecting have no such limit; by default there is none.
    #[must_use]
    pub fn longest_bytes(mut self, bytes: usize) -> Self {
        self.options.longest_bytes = bytes;
        self
    }

    /// How large a regular file must be to be counted and collected by several threads: 64 MiB by
    /// default. The result is the same.
    #[must_use]
    pub fn parallel_from_bytes(mut self, bytes: u64) -> Self {
        self.options.parallel_from_bytes = bytes;
        self
    }

    /// Ends any read with `ECANCELED` when the function returns true. It is called before a read,
    /// 50 times a second at most, and whenever a signal has [interrupted](sys::interruptible) one:
    /// for a program that handles signals itself. Afterwards [`Lines::next_batch`] and
    /// [`Lines::count_into`] can go on, and nothing is lost; what was to be collected, or was read
    /// by several threads, has to be started anew.
    ///
    /// Price: no call.
    ///
    /// ```
    /// use fewer::{Errno, Lines};
    ///
    /// let mut lines = Lines::open("/dev/zero")?.cancel_when(|| true);
    /// assert_eq!(lines.count().unwrap_err().errno(), Errno::CANCELED);
    /// # Ok::<(), fewer::LineError>(())
    /// ```
    #[must_use]
    pub fn cancel_when(mut self, canceled: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.cancel_check = CancelCheck::new(canceled);
        self
    }

    /// How many threads counting, collecting and [reading ahead](Lines::set_read_ahead) take at
    /// most, this one included; by default as many as this process may use processors,
    /// which a few calls find out.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.options.threads = Some(threads.max(1));
        self
    }
}
