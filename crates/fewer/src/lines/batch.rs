//! Lines as a caller gets them: one by one, or as a table.

use std::collections::TryReserveError;

use simdutf8::compat::from_utf8;

use super::options::Options;

/// A line, inside the block that it was read into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'b> {
    /// With its end.
    whole: &'b [u8],
    flags: u8,
    number: u64,
    offset: u64,
}

impl<'b> Line<'b> {
    sys::getters! {
        /// The bytes without what ends the line.
        bytes: &'b [u8] = |it| &it.whole[..it.whole.len() - end_bytes(it.flags)];
        /// The bytes with what ends the line, just as they were read.
        with_end: &'b [u8] = |it| it.whole;
        /// Which line it is, from 1; after [`Lines::last`](super::Lines::last) from 1 again.
        number: u64 = |it| it.number;
        /// How many bytes of the input are before it, counted from where reading began.
        offset: u64 = |it| it.offset;
        /// Whether all bytes are ASCII; false if this is not checked.
        is_ascii: bool = |it| it.flags & Batch::ASCII != 0;
        /// Whether it is known to be UTF-8: always if it is ASCII; otherwise only if this is
        /// checked.
        is_utf8: bool = |it| it.flags & Batch::UTF8 != 0;
        /// The offset in the line of the first byte that is not UTF-8; `None` if the line is UTF-8.
        /// Looks at the bytes, whatever is checked.
        first_bad: Option<usize> = |it| first_bad(it.bytes());
        /// False for a last line without a line end.
        is_ended: bool = |it| it.flags & Batch::ENDED != 0;
    }
}

/// The offset of the first byte that keeps these from being UTF-8.
pub(super) fn first_bad(bytes: &[u8]) -> Option<usize> {
    from_utf8(bytes).err().map(|error| error.valid_up_to())
}

fn end_bytes(flags: u8) -> usize {
    usize::from(flags & Batch::ENDED != 0) + usize::from(flags & Batch::CRLF != 0)
}

/// Lines as a table: three plain columns, which are valid until the reader's next call.
///
/// Line `i` of the batch is `bytes[ends[i - 1]..ends[i]]` (from 0 for the first one) with its line
/// end, whose length `flags[i]` tells: one byte if [`Batch::ENDED`], one more if [`Batch::CRLF`].
/// The two columns are equally long, and the last end is the length of `bytes`.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'b> {
    bytes: &'b [u8],
    ends: &'b [u64],
    flags: &'b [u8],
    number: u64,
    offset: u64,
}

impl<'b> Batch<'b> {
    /// All bytes of the line are ASCII.
    pub const ASCII: u8 = 1;
    /// The line is UTF-8.
    pub const UTF8: u8 = 2;
    /// The line ends with a line end.
    pub const ENDED: u8 = 4;
    /// Before the last byte of the line end is a `\r` that belongs to it.
    pub const CRLF: u8 = 8;

    pub(super) fn new(bytes: &'b [u8], table: &'b Table, number: u64, offset: u64) -> Batch<'b> {
        Batch { bytes, ends: &table.ends, flags: &table.flags, number, offset }
    }

    sys::getters! {
        /// The bytes of all lines, just as they were read.
        bytes: &'b [u8] = |it| it.bytes;
        /// For each line the number of bytes up to and with its end, from the start of the batch.
        ends: &'b [u64] = |it| it.ends;
        /// For each line what is known about it: a sum of [`Batch::ASCII`], [`Batch::UTF8`],
        /// [`Batch::ENDED`] and [`Batch::CRLF`].
        flags: &'b [u8] = |it| it.flags;
    }

    /// How many lines; at least one.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Number of the first line, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// How many bytes of the input are before the batch, counted from where reading began.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The line at `index`, which is less than [`Batch::len`].
    #[inline]
    #[must_use]
    pub fn line(&self, index: usize) -> Line<'b> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Line {
            whole: &self.bytes[start as usize..self.ends[index] as usize],
            flags: self.flags[index],
            number: self.number + index as u64,
            offset: self.offset + start,
        }
    }

    /// The lines, one by one.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Line<'b>> + use<'b> {
        let batch = *self;
        (0..self.len()).map(move |index| batch.line(index))
    }
}

/// The columns of a batch.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) ends: Vec<u64>,
    pub(super) flags: Vec<u8>,
}

impl Table {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The length of all lines together.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.ends.last().map_or(0, |end| *end as usize)
    }

    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.flags.clear();
    }

    pub(super) fn keep_first(&mut self, lines: usize) {
        self.ends.truncate(lines);
        self.flags.truncate(lines);
    }

    /// Drops the first lines; returns how many bytes they were.
    pub(super) fn drop_first(&mut self, lines: usize) -> usize {
        let Some(last) = lines.checked_sub(1) else { return 0 };
        let bytes = self.ends[last];
        self.ends.drain(..lines);
        self.flags.drain(..lines);
        self.ends.iter_mut().for_each(|end| *end -= bytes);
        bytes as usize
    }

    /// Appends the lines that end at or behind `new`, where there are lines at all.
    ///
    /// # Errors
    /// If there is not enough memory: lines of one byte take 9 times as much as their bytes.
    pub(super) fn split(
        &mut self,
        bytes: &[u8],
        new: usize,
        options: Options,
    ) -> Result<(), TryReserveError> {
        for at in memchr::memchr_iter(options.end.byte(), &bytes[new..]) {
            if self.ends.len() == self.ends.capacity() {
                self.ends.try_reserve(1)?;
            }
            self.ends.push((new + at + 1) as u64);
        }
        self.flags.try_reserve(self.ends.len() - self.flags.len())?;
        self.flags.resize(self.ends.len(), Batch::ENDED);
        if options.takes_returns() {
            let mut start = 0;
            for (end, flags) in self.ends.iter().zip(&mut self.flags) {
                let line = &bytes[start..*end as usize];
                if line.ends_with(b"\r\n") {
                    *flags |= Batch::CRLF;
                }
                start = *end as usize;
            }
        }
        Ok(())
    }

    /// Appends a line that goes up to `end` and has no line end.
    pub(super) fn push_rest(&mut self, end: usize, flags: u8) {
        self.ends.push(end as u64);
        self.flags.push(flags);
    }
}
