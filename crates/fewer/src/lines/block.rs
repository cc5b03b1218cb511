//! The one block that all reads go into.

use sys::{BorrowedFile, Errno};

/// Bytes of the input that are read and still needed. The memory stays the same from one read to
/// the next, and grows only if a single line does not fit.
#[derive(Debug, Default)]
pub(super) struct Block {
    memory: Vec<u8>,
    /// The bytes before this are not needed any more.
    start: usize,
    /// How many bytes from `start` on have been searched.
    seen: usize,
    /// The offset of `start` in the input, counted from where reading began.
    offset: u64,
}

impl Block {
    /// A block of nothing yet, at an offset of the input.
    pub(super) fn starting(offset: u64) -> Block {
        Block { offset, ..Block::default() }
    }

    /// The bytes.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.memory[self.start..]
    }

    /// The offset of the first of the bytes, counted from where reading began.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// How many of the bytes have been searched.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    /// Notes that the first `seen` bytes have been searched.
    pub(super) fn see(&mut self, seen: usize) {
        self.seen = seen;
    }

    /// Drops the first `count` bytes. They stay where they are until the next read.
    pub(super) fn pass(&mut self, count: usize) {
        self.start += count;
        self.seen = self.seen.saturating_sub(count);
        self.offset += count as u64;
    }

    /// Keeps only the first `count` bytes.
    pub(super) fn truncate(&mut self, count: usize) {
        self.memory.truncate(self.start + count);
        self.seen = self.seen.min(count);
    }

    /// Keeps only the first `count` bytes; the others, and what is known about them, go to the
    /// memory of another block, which has at least so much room.
    pub(super) fn split_off(
        &mut self,
        count: usize,
        other: &mut Block,
        room: usize,
    ) -> Result<(), Errno> {
        let rest = &self.bytes()[count..];
        other.restart(self.offset + count as u64);
        other.memory.try_reserve_exact(room.max(rest.len())).map_err(|_| Errno::NOMEM)?;
        other.memory.extend_from_slice(rest);
        other.seen = self.seen - count;
        self.truncate(count);
        Ok(())
    }

    /// Returns the first `count` bytes, and drops them.
    pub(super) fn take(&mut self, count: usize) -> &[u8] {
        self.pass(count);
        &self.memory[self.start - count..self.start]
    }

    /// Goes on at another offset of the input.
    pub(super) fn restart(&mut self, offset: u64) {
        self.memory.clear();
        (self.start, self.seen, self.offset) = (0, 0, offset);
    }

    /// Takes the memory out, for another read, while there is nothing in the block.
    pub(super) fn take_memory(&mut self, room: usize) -> Result<Vec<u8>, Errno> {
        self.memory.try_reserve_exact(room).map_err(|_| Errno::NOMEM)?;
        Ok(std::mem::take(&mut self.memory))
    }

    /// Puts the memory back.
    pub(super) fn put_memory(&mut self, memory: Vec<u8>) {
        self.memory = memory;
        self.memory.clear();
    }

    /// Reads at most `at_most` bytes behind those that are there. They move to the front only if
    /// that frees at least as much as it moves, so each byte moves a bounded number of times
    /// however long a line is.
    pub(super) fn read(&mut self, file: BorrowedFile<'_>, at_most: usize) -> Result<usize, Errno> {
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
