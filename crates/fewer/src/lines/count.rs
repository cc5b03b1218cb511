//! The number of lines, and the length of the longest one.

use super::{LineError, Lines};

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many lines have a line end: what `wc -l` counts.
    pub ends: u64,
    /// Whether there is a last line without a line end.
    pub rest: bool,
    /// How many bytes that was.
    pub bytes: u64,
}

impl Count {
    /// How many lines [`Lines::next`] would return.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.ends + u64::from(self.rest)
    }
}

/// The longest line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// Its length in bytes, without its line end.
    pub bytes: u64,
    /// Which line it is, from 1: the first one of that length. 0 if there is no line.
    pub number: u64,
}

impl Lines<'_> {
    /// Counts the lines that are left.
    ///
    /// Price: one `read` for each 256 KiB. A file that fills a whole block costs one `statx` more;
    /// if it is a regular file of 64 MiB or more it is counted by several threads, with one
    /// `pread64` for each 512 KiB.
    ///
    /// # Errors
    /// The kernel's number. [`Lines::count_into`] has the count up to then.
    pub fn count(&mut self) -> Result<Count, LineError> {
        let mut count = Count::default();
        self.count_into(&mut count, &|_| ()).map(|()| count)
    }

    /// As [`Lines::count`], and adds to `count` as it goes; calls `tell`, from any thread, with the
    /// number of new lines.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn count_into(
        &mut self,
        count: &mut Count,
        tell: &(dyn Fn(u64) + Sync),
    ) -> Result<(), LineError> {
        let mut size_is_known = false;
        let end = self.options.end.byte();
        while let Some(piece) = self.next_piece(u64::MAX)? {
            tell(piece.ends());
            count.ends += piece.ends();
            count.bytes += piece.bytes().len() as u64;
            count.rest = piece.bytes().last() != Some(&end);
            let full = piece.bytes().len() == self.options.block_bytes;
            if full && !size_is_known {
                size_is_known = true;
                self.count_in_parallel(count, tell)?;
            }
        }
        Ok(())
    }

    /// The longest of the lines that are left.
    ///
    /// Price: one `read` for each 256 KiB.
    ///
    /// # Errors
    /// The kernel's number. [`Lines::longest_into`] has the result up to then.
    pub fn longest(&mut self) -> Result<Longest, LineError> {
        let mut longest = Longest::default();
        self.longest_into(&mut longest, &|_| ()).map(|()| longest)
    }

    /// As [`Lines::longest`], and updates `longest` as it goes; calls `tell` with the number of new
    /// lines.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn longest_into(
        &mut self,
        longest: &mut Longest,
        tell: &dyn Fn(u64),
    ) -> Result<(), LineError> {
        self.forget_table()?;
        let (end, crlf) = (self.options.end.byte(), self.options.takes_returns());
        let mut line = Longest { bytes: 0, number: self.number };
        // Whether the byte before the searched ones is a `\r` of the same line.
        let mut behind_return = false;
        let outcome = loop {
            let piece = match self.next_piece(u64::MAX) {
                Ok(Some(piece)) => piece,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            let (bytes, mut start) = (piece.bytes(), 0);
            for at in memchr::memchr_iter(end, bytes) {
                behind_return = if at > start { bytes[at - 1] == b'\r' } else { behind_return };
                line.bytes += (at - start) as u64;
                line.bytes -= u64::from(crlf && behind_return);
                longest.keep(line);
                line = Longest { bytes: 0, number: line.number + 1 };
                (start, behind_return) = (at + 1, false);
            }
            line.bytes += (bytes.len() - start) as u64;
            behind_return = bytes[start..].last().map_or(behind_return, |byte| *byte == b'\r');
            tell(piece.ends());
        };
        if line.bytes > 0 {
            longest.keep(line);
        }
        outcome
    }
}

impl Longest {
    fn keep(&mut self, line: Longest) {
        if line.bytes > self.bytes || self.number == 0 {
            *self = line;
        }
    }
}
