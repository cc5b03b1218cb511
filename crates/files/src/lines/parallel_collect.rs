//! Collecting on several threads. Each reads a block and looks for the ends of lines in it; only
//! then is it known how much room it takes without them. So the blocks take turns at claiming their
//! room, which is short, and are copied there side by side, which is what takes long.

use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use kernel::Errno;

use super::collect::Column;
use super::parallel::{Span, on_threads};
use super::patience::Patience;
use super::{LineError, Lines};

struct Work<'w> {
    file: BorrowedFd<'w>,
    block_bytes: usize,
    end: u8,
    span: Span,
    patience: &'w Patience,
    /// The block that nobody has begun to read.
    next: AtomicU64,
    room: Mutex<Room<'w>>,
    turn_passed: Condvar,
}

/// What the blocks take from in turn.
struct Room<'w> {
    /// The block whose turn it is.
    turn: u64,
    /// Memory that is not taken.
    memory: &'w mut [u8],
    /// How much is.
    taken: usize,
    offsets: Vec<i64>,
    ascii: bool,
    /// The file was cut short, or could not be read: there are no more turns.
    stopped: Option<Result<(), Errno>>,
}

impl Lines<'_> {
    /// Reads up to the end that the file has now, and appends it to the column.
    pub(super) fn collect_in_parallel(
        &mut self,
        column: &mut Column,
        span: Span,
    ) -> Result<(), LineError> {
        let before = column.bytes.len();
        let span_bytes = usize::try_from(span.to - span.from)
            .map_err(|_| self.failed("collect", Errno::NOMEM))?;
        // A file may claim to be larger than any memory: that is to be an error, not the end.
        Vec::<u8>::new()
            .try_reserve_exact(before.saturating_add(span_bytes))
            .map_err(|_| self.failed("collect", Errno::NOMEM))?;
        // Memory of this size comes from the kernel, all zero and not touched by anybody.
        let mut memory = vec![0; before + span_bytes];
        kernel::advise_large_pages(&mut memory);
        memory[..before].copy_from_slice(&column.bytes);
        let work = Work {
            file: self.source.as_fd(),
            block_bytes: self.parallel_block_bytes(),
            end: self.options.end.byte(),
            span,
            patience: &self.patience,
            next: AtomicU64::new(0),
            room: Mutex::new(Room {
                turn: 0,
                memory: &mut memory[before..],
                taken: before,
                offsets: std::mem::take(&mut column.offsets),
                ascii: column.ascii,
                stopped: None,
            }),
            turn_passed: Condvar::new(),
        };
        on_threads(self.thread_count(span), || work.take_part());
        let room = work.room.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (taken, stopped) = (room.taken, room.stopped);
        (column.offsets, column.ascii) = (room.offsets, room.ascii);
        memory.truncate(taken);
        column.bytes = memory;
        self.number += column.offsets.len() as u64 - 1;
        if let Some(Err(errno)) = stopped {
            self.ended = true;
            return Err(self.failed("read", errno));
        }
        self.go_on_behind(span, stopped.is_some())
    }
}

impl<'w> Work<'w> {
    fn take_part(&self) {
        let mut block = Vec::new();
        let mut ends = Vec::new();
        loop {
            let index = self.next.fetch_add(1, Relaxed);
            let from = self.span.from + index * self.block_bytes as u64;
            if from >= self.span.to {
                return;
            }
            let to = self.span.to.min(from + self.block_bytes as u64);
            let whole = self.read(&mut block, from, to);
            ends.clear();
            ends.extend(memchr::memchr_iter(self.end, &block));
            let ascii = block.is_ascii();
            let Some(mut room) = self.wait_for_turn(index) else { return };
            room.ascii &= ascii;
            room.stopped =
                whole.map_or_else(|errno| Some(Err(errno)), |all| (!all).then_some(Ok(())));
            if room.offsets.try_reserve(ends.len()).is_err() {
                room.stopped = Some(Err(Errno::NOMEM));
                self.turn_passed.notify_all();
                return;
            }
            let mine = room.claim(block.len(), &ends);
            room.turn += 1;
            self.turn_passed.notify_all();
            drop(room);
            copy_lines(&block, &ends, mine);
        }
    }

    /// Whether all of it was there.
    fn read(&self, block: &mut Vec<u8>, from: u64, to: u64) -> Result<bool, Errno> {
        block.clear();
        loop {
            let at = from + block.len() as u64;
            if at == to {
                return Ok(true);
            }
            // A block fits into memory.
            let left = (to - at) as usize;
            let read = || kernel::pread_behind(self.file, &mut *block, left, at);
            if self.patience.call(read)? == 0 {
                return Ok(false);
            }
        }
    }

    fn wait_for_turn(&self, index: u64) -> Option<MutexGuard<'_, Room<'w>>> {
        let room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let others_turn = |room: &mut Room<'_>| room.turn != index && room.stopped.is_none();
        let room = self.turn_passed.wait_while(room, others_turn);
        Some(room.unwrap_or_else(PoisonError::into_inner)).filter(|room| room.stopped.is_none())
    }
}

impl<'w> Room<'w> {
    /// Takes the room for a block without its ends, and notes where its lines end.
    fn claim(&mut self, bytes: usize, ends: &[usize]) -> &'w mut [u8] {
        let start = self.taken;
        let offsets = ends.iter().enumerate().map(|(before, end)| (start + end - before) as i64);
        self.offsets.extend(offsets);
        let length = bytes - ends.len();
        self.taken += length;
        let (mine, rest) = std::mem::take(&mut self.memory).split_at_mut(length);
        self.memory = rest;
        mine
    }
}

/// Copies what is between the ends.
fn copy_lines(block: &[u8], ends: &[usize], mut to: &mut [u8]) {
    let mut start = 0;
    for end in ends.iter().copied().chain([block.len()]) {
        let (line, rest) = to.split_at_mut(end - start);
        line.copy_from_slice(&block[start..end]);
        to = rest;
        start = end + 1;
    }
}
