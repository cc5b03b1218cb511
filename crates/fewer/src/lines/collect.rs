//! All lines in one piece of memory.

use std::collections::TryReserveError;

use sys::Errno;

use super::options::Check;
use super::{LineError, Lines};
use crate::error::Action;

/// Lines one behind the other in one piece of memory: the layout of Arrow's LargeBinary, without
/// nulls, and of its LargeUtf8 if all of them are UTF-8.
///
/// Line `i`, without its line end, is `bytes[offsets[i]..offsets[i + 1]]`. There is one offset more
/// than there are lines; the first one is 0 and the last one the length of `bytes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub(super) bytes: Vec<u8>,
    pub(super) offsets: Vec<i64>,
    pub(super) ascii: bool,
    utf8: bool,
}

impl Column {
    /// The bytes of all lines, without their ends.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The offset of each line, and at last the end of the last one.
    #[must_use]
    pub fn offsets(&self) -> &[i64] {
        &self.offsets
    }

    /// Both of them, owned.
    #[must_use]
    pub fn into_parts(self) -> (Vec<u8>, Vec<i64>) {
        (self.bytes, self.offsets)
    }

    /// How many lines.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The line at `index`, from 0, which is less than [`Column::len`].
    #[must_use]
    pub fn line(&self, index: usize) -> &[u8] {
        &self.bytes[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// The lines, one by one.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.line(index))
    }

    /// Whether all lines are ASCII; false if this is not checked.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        self.ascii
    }

    /// Whether all lines are known to be UTF-8: always if they are ASCII; otherwise only if this is
    /// checked.
    #[must_use]
    pub fn is_utf8(&self) -> bool {
        self.utf8
    }

    fn new(check: Check) -> Column {
        let checked = check != Check::Nothing;
        Column { bytes: Vec::new(), offsets: vec![0], ascii: checked, utf8: checked }
    }

    /// Appends bytes with lines that end in them, and the beginning of one that continues.
    fn append(&mut self, piece: &[u8], end: u8) -> Result<(), TryReserveError> {
        self.bytes.try_reserve(piece.len())?;
        let mut start = 0;
        for at in memchr::memchr_iter(end, piece) {
            self.bytes.extend_from_slice(&piece[start..at]);
            self.push_end()?;
            start = at + 1;
        }
        self.bytes.extend_from_slice(&piece[start..]);
        Ok(())
    }

    /// Ends a line at the last byte.
    fn push_end(&mut self) -> Result<(), TryReserveError> {
        self.offsets.try_reserve(1)?;
        self.offsets.push(self.bytes.len() as i64);
        Ok(())
    }

    fn append_line(&mut self, line: &[u8]) -> Result<(), TryReserveError> {
        self.bytes.try_reserve(line.len())?;
        self.bytes.extend_from_slice(line);
        self.push_end()
    }

    /// Makes the bytes behind the last end a line.
    fn finish(&mut self) {
        let end = self.bytes.len() as i64;
        if self.offsets.last() != Some(&end) {
            self.offsets.push(end);
        }
    }
}

impl Lines<'_> {
    /// Collects the lines that are left.
    ///
    /// Price: one `read` for each 256 KiB, one `statx` for the size of the memory, and one
    /// `madvise` for large pages if that is much. A regular file of 8 MiB or more (an eighth of
    /// [`Lines::parallel_from_bytes`]: most of the work is to fill fresh memory) is read by several
    /// threads, with one `pread64` for each 512 KiB, unless [`Lines::crlf`] or UTF-8 is requested.
    ///
    /// # Errors
    /// As [`Lines::next`].
    pub fn collect(&mut self) -> Result<Column, LineError> {
        let check = self.options.check;
        let mut column = Column::new(check);
        let plain = matches!(check, Check::Nothing | Check::Ascii) && !self.options.crlf;
        let size = if self.ended { None } else { self.size()? };
        if plain {
            self.forget_table()?;
            self.append_block(&mut column)?;
            let from_bytes = self.options.parallel_from_bytes / 8;
            if let Some(span) = self.span(size, from_bytes)? {
                self.collect_in_parallel(&mut column, span)?;
                column.utf8 = column.ascii;
            } else {
                reserve(&mut column.bytes, size.unwrap_or(0));
            }
            self.collect_pieces(&mut column)?;
        } else {
            reserve(&mut column.bytes, size.unwrap_or(0));
            self.collect_batches(&mut column)?;
        }
        column.finish();
        Ok(column)
    }

    /// Collects without a table of lines.
    fn collect_pieces(&mut self, column: &mut Column) -> Result<(), LineError> {
        while self.read_or_fail()? {
            self.append_block(column)?;
        }
        Ok(())
    }

    fn append_block(&mut self, column: &mut Column) -> Result<(), LineError> {
        let bytes = self.block.bytes();
        column.ascii = column.ascii && bytes.is_ascii();
        column.utf8 = column.ascii;
        let before = column.offsets.len();
        let appended = column.append(bytes, self.options.end.byte());
        appended.map_err(|_| self.failed(Action::COLLECT, Errno::NOMEM))?;
        self.number += (column.offsets.len() - before) as u64;
        self.block.pass(self.block.bytes().len());
        Ok(())
    }

    fn collect_batches(&mut self, column: &mut Column) -> Result<(), LineError> {
        while let Some(batch) = self.next_batch()? {
            let mut appended = Ok(());
            let known = batch.flags().iter().fold(u8::MAX, |all, flags| all & flags);
            column.ascii &= known & super::Batch::ASCII != 0;
            column.utf8 &= known & super::Batch::UTF8 != 0;
            for line in batch.lines() {
                appended = appended.and_then(|()| column.append_line(line.bytes()));
            }
            if appended.is_err() {
                return Err(self.failed(Action::COLLECT, Errno::NOMEM));
            }
        }
        Ok(())
    }
}

/// Reserves memory for so many bytes. The size is only a hint: if there is not so much memory, that
/// shows when bytes arrive.
fn reserve(bytes: &mut Vec<u8>, size: u64) {
    let size = usize::try_from(size).unwrap_or(0);
    if bytes.try_reserve_exact(size).is_ok() {
        sys::advise_large_pages(bytes.spare_capacity_mut());
    }
}
