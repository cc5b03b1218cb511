//! The last lines: read backwards from the end if that is possible, otherwise kept in passing.

use std::collections::VecDeque;

use super::{LineError, Lines};
use crate::error::Action;

impl Lines<'_> {
    /// Goes to the beginning of the last `count` lines; they come next. Their numbers begin with 1.
    ///
    /// A regular file is read backwards from its end, in blocks of 256 KiB, as far as necessary.
    /// What is appended to it meanwhile comes as well. Any other input, and files in /proc, is read
    /// to its end, and only as much as `count` lines need is kept.
    ///
    /// Price: one `statx`; for a regular file one `lseek`, one more if it was not opened here, and
    /// one `pread64` for each block of these lines; and then reading them.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn last(&mut self, count: u64) -> Result<(), LineError> {
        self.set_read_ahead(false)?; // there are few of them
        let read_so_far = !self.block.bytes().is_empty() || self.ended;
        // The size of every file in /proc is 0.
        let size = if read_so_far { None } else { self.size()?.filter(|size| *size > 0) };
        let Some(size) = size else {
            self.last_numbered(count)?;
            self.number = 1;
            return Ok(());
        };
        let from = self.position()?;
        let start = self.find_backwards(from, size.max(from), count)?;
        sys::set_position(self.source.as_file(), start)
            .map_err(|errno| self.failed(Action::READ, errno))?;
        self.block.restart(start - from);
        Ok(())
    }

    /// As [`Lines::last`], but with the line numbers of the input, which must be read from here to
    /// its end for that, whatever it is.
    ///
    /// Price: one `read` for each 256 KiB.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn last_numbered(&mut self, count: u64) -> Result<(), LineError> {
        self.forget_table()?;
        let wanted = usize::try_from(count).unwrap_or(usize::MAX);
        // The offsets of lines: of the last ones, and of the one that continues.
        let mut starts = VecDeque::from([self.block.offset()]);
        loop {
            self.note_starts(&mut starts, wanted);
            if !self.read()? {
                break;
            }
        }
        let end = self.block.offset() + self.block.bytes().len() as u64;
        if starts.back() == Some(&end) {
            starts.pop_back();
        }
        while starts.len() > wanted {
            starts.pop_front();
            self.number += 1;
        }
        let start = starts.front().copied().unwrap_or(end);
        self.block.pass((start - self.block.offset()) as usize);
        self.block.see(0);
        Ok(())
    }

    /// Notes the beginnings of lines in the new bytes, and drops what is too far back: the last
    /// `wanted` of them are kept, and one more, which may turn out to be no line.
    fn note_starts(&mut self, starts: &mut VecDeque<u64>, wanted: usize) {
        let (seen, offset) = (self.block.seen(), self.block.offset());
        let bytes = self.block.bytes();
        for at in memchr::memchr_iter(self.options.end.byte(), &bytes[seen..]) {
            starts.push_back(offset + (seen + at + 1) as u64);
            if starts.len() - 1 > wanted {
                starts.pop_front();
                self.number += 1;
            }
        }
        let all = bytes.len();
        self.block.see(all);
        let start = starts.front().copied().unwrap_or(offset);
        self.block.pass((start - offset) as usize);
    }

    /// The beginning of the last `count` lines between two offsets.
    fn find_backwards(&mut self, from: u64, size: u64, count: u64) -> Result<u64, LineError> {
        let end = self.options.end.byte();
        let mut left = count;
        let mut to = size;
        let mut at_end = true;
        let room = self.options.block_bytes;
        let mut block =
            self.block.take_memory(room).map_err(|errno| self.failed(Action::READ, errno))?;
        while left > 0 && to > from {
            // Blocks lie at multiples of their size, like the pages in the kernel's cache.
            let block_bytes = self.options.block_bytes as u64;
            let start = ((to - 1) / block_bytes * block_bytes).max(from);
            self.read_at(&mut block, start, to)?;
            // The end of the last line does not begin another one.
            let last = block.len() - usize::from(at_end && !block.is_empty());
            at_end &= block.is_empty();
            for at in memchr::memrchr_iter(end, &block[..last]) {
                left -= 1;
                if left == 0 {
                    self.block.put_memory(block);
                    return Ok(start + at as u64 + 1);
                }
            }
            to = start;
        }
        self.block.put_memory(block);
        Ok(if left == 0 { size } else { from })
    }

    /// Reads from one offset to another; less if the file was truncated.
    fn read_at(&self, block: &mut Vec<u8>, start: u64, to: u64) -> Result<(), LineError> {
        block.clear();
        while start + (block.len() as u64) < to {
            let at = start + block.len() as u64;
            let read =
                || sys::pread_behind(self.source.as_file(), &mut *block, (to - at) as usize, at);
            let got =
                self.cancel_check.call(read).map_err(|errno| self.failed(Action::READ, errno))?;
            if got == 0 {
                break;
            }
        }
        Ok(())
    }
}
