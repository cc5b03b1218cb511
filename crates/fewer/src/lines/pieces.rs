//! Bytes without regard to the length of a line: to pass lines on as they are, and to skip them.

use super::check::Checker;
use super::{LineError, Lines};

/// Bytes as they were read, which need not begin or end with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'b> {
    bytes: &'b [u8],
    ends: u64,
}

impl<'b> Piece<'b> {
    /// The bytes; at least one.
    #[must_use]
    pub fn bytes(&self) -> &'b [u8] {
        self.bytes
    }

    /// How many lines end in them.
    #[must_use]
    pub fn ends(&self) -> u64 {
        self.ends
    }
}

impl Lines<'_> {
    /// The next bytes, up to the end of the `at_most`-th line from here, or what one read returns
    /// if that is less.
    ///
    /// Price: none, or one `read`.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn next_piece(&mut self, at_most: u64) -> Result<Option<Piece<'_>>, LineError> {
        self.forget_table()?;
        if at_most == 0 || (self.block.bytes().is_empty() && !self.read_or_fail()?) {
            return Ok(None);
        }
        let (length, ends) = self.find_end(at_most);
        self.number += ends;
        Ok(Some(Piece { bytes: self.block.take(length), ends }))
    }

    /// Skips lines; fewer if there are not as many.
    ///
    /// Price: one `read` for each 256 KiB.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn skip(&mut self, lines: u64) -> Result<(), LineError> {
        let mut left = lines;
        while let Some(piece) = self.next_piece(left)? {
            left -= piece.ends();
        }
        Ok(())
    }

    /// The end of the `at_most`-th line in the block, or else of the block, and the number of line
    /// ends up to there.
    fn find_end(&self, at_most: u64) -> (usize, u64) {
        let (end, bytes) = (self.options.end.byte(), self.block.bytes());
        let count = memchr::memchr_iter(end, bytes).count() as u64;
        if count < at_most {
            return (bytes.len(), count);
        }
        // At most the count, which fits the block.
        let index = (at_most - 1) as usize;
        let last = memchr::memchr_iter(end, bytes).nth(index);
        (last.map_or(bytes.len(), |last| last + 1), at_most)
    }

    /// Drops the table; the bytes behind the returned lines are searched anew.
    ///
    /// Price: none; one `lseek` if a thread was reading ahead.
    pub(super) fn forget_table(&mut self) -> Result<(), LineError> {
        self.stop_ahead()?;
        self.leave(self.lent);
        self.table.clear();
        self.block.see(0);
        self.checker = Checker::default();
        Ok(())
    }
}
