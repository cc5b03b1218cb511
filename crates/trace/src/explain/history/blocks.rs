//! Blocks that were read from files and may be written to others: by the same thread right after
//! it, or by another one of a pool later, in the order in which they were read.

use std::collections::VecDeque;

use crate::Call;
use crate::explain::history::patterns::bytes;
use rustc_hash::FxHashMap;

/// Blocks of no more than this are small for a copy.
pub(crate) const SMALL_COPY: u64 = 16 * 1024;
/// Threads whose last blocks are known.
const MOST_THREADS: usize = 4096;
/// Blocks that wait for another thread. Streams hold less than a megabyte.
const MOST_WAITING: usize = 64;

/// Blocks read and not written yet.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// The one that each thread has just read.
    latest: FxHashMap<u32, Box<Call>>,
    /// Those that threads of a pool read before.
    waiting: VecDeque<Box<Call>>,
}

impl Blocks {
    /// A thread has just read a block.
    pub(crate) fn read(&mut self, call: &Call) {
        if self.latest.len() < MOST_THREADS || self.latest.contains_key(&call.thread) {
            let before = self.latest.insert(call.thread, Box::new(call.clone()));
            self.wait(before);
        }
    }

    /// The block that a thread has just read, once.
    pub(crate) fn take(&mut self, thread: u32) -> Option<Box<Call>> {
        self.latest.remove(&thread)
    }

    /// The block that this call writes to another file. What another thread read must be known to
    /// be the same.
    pub(crate) fn written(&mut self, call: &Call) -> Option<Box<Call>> {
        let own = self.take(call.thread);
        let is_own = |read: &Call| {
            let is_same = read.answer == call.answer || read.answer == 0 || call.answer == 0;
            is_same && bytes(read) == bytes(call) && read.file != call.file
        };
        if own.as_deref().is_some_and(is_own) {
            return own;
        }
        self.wait(own);
        if call.answer == 0 {
            return None;
        }
        let is_it = |read: &Call| {
            read.answer == call.answer && bytes(read) == bytes(call) && read.file != call.file
        };
        if let Some(place) = self.waiting.iter().position(|read| is_it(read)) {
            return self.waiting.remove(place);
        }
        let (thread, _) = self.latest.iter().find(|(_, read)| is_it(read))?;
        let thread = *thread;
        self.take(thread)
    }

    /// A block that its thread did not write. The first thread of a process is in no pool.
    fn wait(&mut self, block: Option<Box<Call>>) {
        let Some(block) = block.filter(|block| block.thread != block.process) else { return };
        if self.waiting.len() >= MOST_WAITING {
            self.waiting.pop_front();
        }
        self.waiting.push_back(block);
    }
}
