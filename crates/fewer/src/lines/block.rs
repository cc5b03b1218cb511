//! The one block that is read into, over and over.

use std::os::fd::AsFd;

use sys::Errno;

/// Bytes of the input that are read and not done with. The memory keeps its place from one read to
/// the next, and grows only while a single line does not fit.
#[derive(Debug, Default)]
pub(super) struct Block {
    memory: Vec<u8>,
    /// What is before it is done with.
    start: usize,
    /// How much behind `start` has been looked at.
    seen: usize,
    /// Where in the input `start` is, counted from where the reading began.
    offset: u64,
}

impl Block {
    /// What is there.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.memory[self.start..]
    }

    /// Offset of the first of the bytes, from where the reading began.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// How many of the bytes have been looked at.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    /// Notes that the first `seen` bytes have been looked at.
    pub(super) fn see(&mut self, seen: usize) {
        self.seen = seen;
    }

    /// The first `count` bytes are done with. They stay where they are until the next read.
    pub(super) fn pass(&mut self, count: usize) {
        self.start += count;
        self.seen = self.seen.saturating_sub(count);
        self.offset += count as u64;
    }

    /// Only the first `count` bytes are left.
    pub(super) fn truncate(&mut self, count: usize) {
        self.memory.truncate(self.start + count);
        self.seen = self.seen.min(count);
    }

    /// The first `count` bytes, which are done with from now on.
    pub(super) fn take(&mut self, count: usize) -> &[u8] {
        self.pass(count);
        &self.memory[self.start - count..self.start]
    }

    /// What comes next is somewhere else in the input.
    pub(super) fn restart(&mut self, offset: u64) {
        self.memory.clear();
        (self.start, self.seen, self.offset) = (0, 0, offset);
    }

    /// The memory, for something else to be read into while there is nothing in the block.
    pub(super) fn take_memory(&mut self, room: usize) -> Result<Vec<u8>, Errno> {
        self.memory.try_reserve_exact(room).map_err(|_| Errno::NOMEM)?;
        Ok(std::mem::take(&mut self.memory))
    }

    /// Gives it back.
    pub(super) fn put_memory(&mut self, memory: Vec<u8>) {
        self.memory = memory;
        self.memory.clear();
    }

    /// Reads at most `at_most` bytes behind what is there, always as many if the input has them.
    /// What is there moves to the front only if that frees at least as much as it moves, so each
    /// byte moves a bounded number of times however long a line is.
    pub(super) fn read(&mut self, file: impl AsFd, at_most: usize) -> Result<usize, Errno> {
        if self.start >= self.memory.len() - self.start {
            self.memory.copy_within(self.start.., 0);
            self.memory.truncate(self.memory.len() - self.start);
            self.start = 0;
        }
        if self.memory.capacity() == 0 {
            // A read behind the beginning of a line takes a whole block too.
            let room = at_most.saturating_mul(2);
            self.memory.try_reserve_exact(room).map_err(|_| Errno::NOMEM)?;
        }
        sys::read_behind(file, &mut self.memory, at_most)
    }
}
