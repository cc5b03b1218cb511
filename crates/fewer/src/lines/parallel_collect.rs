//! Collects on several threads. Each reads a block and looks for the ends of lines in it; only then
//! it knows how much memory the block takes without them. So the blocks reserve their memory one
//! after the other, which is short, and are copied there at the same time, which takes long.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use sys::{BorrowedFile, Errno};

use super::collect::Column;
use super::parallel::{Span, on_threads};
use super::{LineError, Lines};
use crate::cancel::CancelCheck;
use crate::error::Action;

struct ParallelCollect<'w> {
    file: BorrowedFile<'w>,
    block_bytes: usize,
    end: u8,
    span: Span,
    cancel_check: &'w CancelCheck,
    /// The next block to be read.
    next: AtomicU64,
    collected: Mutex<Collected<'w>>,
    block_done: Condvar,
}

/// What has been collected, and the memory that is left; blocks reserve theirs in order.
struct Collected<'w> {
    /// The block that reserves its memory next.
    next_block: u64,
    /// Memory that is not reserved.
    memory: &'w mut [u8],
    /// How much is reserved.
    taken: usize,
    offsets: Vec<i64>,
    ascii: bool,
    /// Set if the file was truncated or could not be read, or if a thread has panicked: no more
    /// blocks are collected.
    stopped: Option<Result<(), Errno>>,
}

impl Lines<'_> {
    /// Reads up to the present end of the file, and appends it to the column.
    pub(super) fn collect_in_parallel(
        &mut self,
        column: &mut Column,
        span: Span,
    ) -> Result<(), LineError> {
        let before = column.bytes.len();
        let span_bytes = usize::try_from(span.to - span.from)
            .map_err(|_| self.failed(Action::COLLECT, Errno::NOMEM))?;
        // A file may claim to be larger than any memory: that must be an error, not a crash.
        Vec::<u8>::new()
            .try_reserve_exact(before.saturating_add(span_bytes))
            .map_err(|_| self.failed(Action::COLLECT, Errno::NOMEM))?;
        // Memory of this size comes from the kernel, all zero and not touched yet.
        let mut memory = vec![0; before + span_bytes];
        sys::advise_large_pages(&mut memory);
        memory[..before].copy_from_slice(&column.bytes);
        let work = ParallelCollect {
            file: self.source.as_file(),
            block_bytes: self.parallel_block_bytes(),
            end: self.options.end.byte(),
            span,
            cancel_check: &self.cancel_check,
            next: AtomicU64::new(0),
            collected: Mutex::new(Collected {
                next_block: 0,
                memory: &mut memory[before..],
                taken: before,
                offsets: std::mem::take(&mut column.offsets),
                ascii: column.ascii,
                stopped: None,
            }),
            block_done: Condvar::new(),
        };
        on_threads(self.thread_count(span), || work.run_thread());
        let collected = work.collected.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (taken, stopped) = (collected.taken, collected.stopped);
        (column.offsets, column.ascii) = (collected.offsets, collected.ascii);
        memory.truncate(taken);
        column.bytes = memory;
        self.number += column.offsets.len() as u64 - 1;
        if let Some(Err(errno)) = stopped {
            self.ended = true;
            return Err(self.failed(Action::READ, errno));
        }
        self.go_on_behind(span, stopped.is_some())
    }
}

impl<'w> ParallelCollect<'w> {
    fn run_thread(&self) {
        let _stop_on_panic = StopOnPanic(self);
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
            let Some(mut collected) = self.wait_for_earlier_blocks(index) else { return };
            collected.ascii &= ascii;
            collected.stopped =
                whole.map_or_else(|errno| Some(Err(errno)), |all| (!all).then_some(Ok(())));
            if collected.offsets.try_reserve(ends.len()).is_err() {
                collected.stopped = Some(Err(Errno::NOMEM));
                self.block_done.notify_all();
                return;
            }
            let reserved = collected.reserve(block.len(), &ends);
            collected.next_block += 1;
            self.block_done.notify_all();
            drop(collected);
            copy_lines(&block, &ends, reserved);
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
            let read = || sys::pread_behind(self.file, &mut *block, left, at);
            if self.cancel_check.call(read)? == 0 {
                return Ok(false);
            }
        }
    }

    fn wait_for_earlier_blocks(&self, index: u64) -> Option<MutexGuard<'_, Collected<'w>>> {
        let collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
        let must_wait = |collected: &mut Collected<'_>| {
            collected.next_block != index && collected.stopped.is_none()
        };
        let collected = self.block_done.wait_while(collected, must_wait);
        Some(collected.unwrap_or_else(PoisonError::into_inner))
            .filter(|collected| collected.stopped.is_none())
    }
}

/// Lets no thread wait for the block of one that panics.
struct StopOnPanic<'p, 'w>(&'p ParallelCollect<'w>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let collected = self.0.collected.lock();
            collected.unwrap_or_else(PoisonError::into_inner).stopped = Some(Ok(()));
            self.0.block_done.notify_all();
        }
    }
}

impl<'w> Collected<'w> {
    /// Reserves the memory for a block without line ends, and notes where its lines end.
    fn reserve(&mut self, bytes: usize, ends: &[usize]) -> &'w mut [u8] {
        let start = self.taken;
        let offsets = ends.iter().enumerate().map(|(before, end)| (start + end - before) as i64);
        self.offsets.extend(offsets);
        let length = bytes - ends.len();
        self.taken += length;
        let (reserved, rest) = std::mem::take(&mut self.memory).split_at_mut(length);
        self.memory = rest;
        reserved
    }
}

/// Copies the bytes between line ends.
fn copy_lines(block: &[u8], ends: &[usize], mut to: &mut [u8]) {
    let mut start = 0;
    for end in ends.iter().copied().chain([block.len()]) {
        let (line, rest) = to.split_at_mut(end - start);
        line.copy_from_slice(&block[start..end]);
        to = rest;
        start = end + 1;
    }
}
