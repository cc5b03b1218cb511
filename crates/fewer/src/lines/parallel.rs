//! A large regular file, read by several threads at once, each with `pread64`.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use sys::{BorrowedFile, Errno};

use super::count::Count;
use super::{LineError, Lines};
use crate::cancel::CancelCheck;
use crate::error::Action;
use crate::threads::start_scoped;

/// A part of a file, from one offset to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) from: u64,
    pub(super) to: u64,
}

/// How many blocks a thread takes in one piece, so that each reads sequentially for a while, which
/// suits the kernel's read-ahead.
const BLOCKS_PER_CLAIM: u64 = 16;

impl Lines<'_> {
    /// The part of the input that several threads may read, if that is worthwhile: from the
    /// position of the file to its end. `size` is that of a regular file.
    ///
    /// Price: one `lseek` if it is large and was not opened here.
    pub(super) fn span(
        &self,
        size: Option<u64>,
        from_bytes: u64,
    ) -> Result<Option<Span>, LineError> {
        let Some(to) = size.filter(|size| *size >= from_bytes) else { return Ok(None) };
        let from = self.position()?;
        Ok((from < to).then_some(Span { from, to }))
    }

    pub(super) fn thread_count(&self, span: Span) -> usize {
        let worth = (span.to - span.from).div_ceil(self.parallel_block_bytes() as u64);
        let threads = self.options.threads.unwrap_or_else(crate::processors::processors);
        threads.min(usize::try_from(worth).unwrap_or(usize::MAX)).max(1)
    }

    /// Two blocks: a call less for each 512 KiB, and it still fits the nearer caches.
    pub(super) fn parallel_block_bytes(&self) -> usize {
        2 * self.options.block_bytes
    }

    /// Goes on behind the part that several threads have read: `read` finds there what was added
    /// meanwhile, and a process that shares the open file finds the position where a plain reader
    /// would have left it. If the file was truncated, nothing follows.
    pub(super) fn go_on_behind(&mut self, span: Span, cut_short: bool) -> Result<(), LineError> {
        sys::set_position(self.source.as_file(), span.to)
            .map_err(|errno| self.failed(Action::READ, errno))?;
        self.block.restart(self.block.offset() + (span.to - span.from));
        self.ended = cut_short;
        Ok(())
    }

    /// Counts up to the present end of the file, if that is worth several threads.
    pub(super) fn count_in_parallel(
        &mut self,
        count: &mut Count,
        tell: &(dyn Fn(u64) + Sync),
    ) -> Result<(), LineError> {
        let from_bytes = self.options.parallel_from_bytes;
        let Some(span) = self.span(self.size()?, from_bytes)? else { return Ok(()) };
        let work = ParallelCount {
            file: self.source.as_file(),
            block_bytes: self.parallel_block_bytes(),
            end: self.options.end.byte(),
            span,
            next: AtomicU64::new(span.from),
            cut_short: AtomicBool::new(false),
            tell,
            cancel_check: &self.cancel_check,
        };
        let parts = on_threads(self.thread_count(span), || work.part());
        let cut_short = work.cut_short.load(Relaxed);
        let mut furthest = span.from;
        let mut error = None;
        for part in parts {
            self.number += part.count.ends;
            count.ends += part.count.ends;
            count.bytes += part.count.bytes;
            if part.furthest > furthest {
                furthest = part.furthest;
                count.rest = part.count.rest;
            }
            error = error.or(part.error);
        }
        if let Some(errno) = error {
            self.ended = true;
            return Err(self.failed(Action::READ, errno));
        }
        self.go_on_behind(span, cut_short)
    }
}

/// Runs the same on so many threads, this one included. A thread that cannot be started is not
/// needed.
pub(super) fn on_threads<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let start = |_| start_scoped(scope, &work).ok();
        let others: Vec<_> = (1..threads).map_while(start).collect();
        let mut parts = vec![work()];
        for other in others {
            match other.join() {
                Ok(part) => parts.push(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        parts
    })
}

struct ParallelCount<'w> {
    file: BorrowedFile<'w>,
    block_bytes: usize,
    end: u8,
    span: Span,
    /// The offset of the next part.
    next: AtomicU64,
    cut_short: AtomicBool,
    tell: &'w (dyn Fn(u64) + Sync),
    cancel_check: &'w CancelCheck,
}

#[derive(Default)]
struct ThreadCount {
    count: Count,
    /// The largest offset up to which bytes were read.
    furthest: u64,
    error: Option<Errno>,
}

impl ParallelCount<'_> {
    fn part(&self) -> ThreadCount {
        let mut part = ThreadCount::default();
        let mut block = Vec::new();
        let claim = BLOCKS_PER_CLAIM * self.block_bytes as u64;
        loop {
            let from = self.next.fetch_add(claim, Relaxed);
            if from >= self.span.to || self.cut_short.load(Relaxed) {
                return part;
            }
            let to = self.span.to.min(from + claim);
            let before = part.count.ends;
            if let Err(errno) = self.count_range(from, to, &mut block, &mut part) {
                part.error = Some(errno);
                self.cut_short.store(true, Relaxed);
                return part;
            }
            (self.tell)(part.count.ends - before);
        }
    }

    fn count_range(
        &self,
        mut from: u64,
        to: u64,
        block: &mut Vec<u8>,
        part: &mut ThreadCount,
    ) -> Result<(), Errno> {
        while from < to {
            block.clear();
            let at_most = usize::try_from(to - from)
                .map_or(self.block_bytes, |left| left.min(self.block_bytes));
            let read = || sys::pread_behind(self.file, &mut *block, at_most, from);
            let got = self.cancel_check.call(read)? as u64;
            if got == 0 {
                self.cut_short.store(true, Relaxed);
                return Ok(());
            }
            from += got;
            part.count.ends += memchr::memchr_iter(self.end, block).count() as u64;
            part.count.bytes += got;
            part.count.rest = block.last() != Some(&self.end);
            part.furthest = from;
        }
        Ok(())
    }
}
