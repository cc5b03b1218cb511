//! One ring: which submissions and completions are new. It knows no process: memory is read by
//! what it is handed.
//!
//! Positions count on and on, and wrap; the place in the queue is a position modulo its size. What
//! the program writes into them may be nonsense: nothing is believed beyond the size of the queue.

use std::collections::VecDeque;

use super::abi::{self, COMPLETION, Parameters, SUBMISSION};
use super::{Completion, InFlight, RegisteredFiles, Submission};
use crate::Request;

/// Reads ranges of memory, one behind the other, as far as they can be read.
pub(crate) type ReadMemory<'a> = &'a mut dyn FnMut(&[(u64, usize)], &mut Vec<u8>);

/// A ring as far as it was followed.
pub(crate) struct Ring {
    pub(crate) parameters: Parameters,
    /// Where the mappings of the queues and of the submissions begin.
    sq: Option<u64>,
    cq: Option<u64>,
    submissions: Option<u64>,
    /// The position behind the last submission that the kernel took.
    taken: u32,
    /// What lies in the queue from there on, as far as it was read.
    pub(crate) queued: VecDeque<(Submission, Request)>,
    /// The position behind the last completion that was read.
    completed: u32,
    pub(crate) in_flight: InFlight,
    pub(crate) files: RegisteredFiles,
    /// Submissions that were overwritten or could not be read, and completions without a
    /// submission that was seen, or overwritten.
    pub(crate) unseen_submissions: u64,
    pub(crate) unseen_completions: u64,
    /// Whether memory of the ring could not be read.
    pub(crate) is_unreadable: bool,
}

/// Positions as they are at a time.
#[derive(Clone, Copy)]
struct Positions {
    sq_head: u32,
    sq_tail: u32,
    cq_tail: u32,
}

/// Behind a position by more than that is before it.
const FAR: u32 = u32::MAX / 2;

impl Ring {
    pub(crate) fn new(parameters: Parameters) -> Ring {
        let own = parameters.own_memory();
        Ring {
            parameters,
            sq: own.map(|own| own.0),
            cq: own.map(|own| own.0),
            submissions: own.map(|own| own.1),
            taken: 0,
            queued: VecDeque::new(),
            completed: 0,
            in_flight: InFlight::default(),
            files: RegisteredFiles::default(),
            unseen_submissions: 0,
            unseen_completions: 0,
            is_unreadable: false,
        }
    }

    /// The ring has another size from now on; its positions stay.
    pub(crate) fn resize(&mut self, parameters: Parameters) {
        let Ring { taken, completed, .. } = *self;
        let old = std::mem::replace(self, Ring::new(parameters));
        *self = Ring {
            taken,
            completed,
            in_flight: old.in_flight,
            files: old.files,
            unseen_submissions: old.unseen_submissions,
            unseen_completions: old.unseen_completions,
            ..Ring::new(parameters)
        };
    }

    /// The program mapped a part of it.
    pub(crate) fn mapped(&mut self, offset: u64, address: u64) {
        self.is_unreadable = false;
        match offset {
            abi::SQ_RING => {
                self.sq = Some(address);
                if self.parameters.is_single_mapping() {
                    self.cq = Some(address);
                }
            }
            abi::CQ_RING => {
                self.cq = Some(address);
                if self.parameters.is_single_mapping() {
                    self.sq = Some(address);
                }
            }
            abi::SQES => self.submissions = Some(address),
            _ => {}
        }
    }

    /// Whether anything can come of looking at it.
    pub(crate) fn is_busy(&self) -> bool {
        let may = self.parameters.polls() || !self.in_flight.is_empty();
        may && self.sq.is_some() && !self.is_unreadable
    }

    fn positions(&mut self, read: ReadMemory) -> Option<Positions> {
        let (sq, cq) = (self.sq?, self.cq?);
        let at = |base: u64, offset: u32| (base.wrapping_add(u64::from(offset)), 4);
        let places = &self.parameters;
        let ranges = [at(sq, places.sq_head), at(sq, places.sq_tail), at(cq, places.cq_tail)];
        let words = self.words(read, &ranges)?;
        Some(Positions { sq_head: words[0], sq_tail: words[1], cq_tail: words[2] })
    }

    /// Numbers of 32 bits. If they cannot be read, the ring's memory is gone, or not to be read.
    fn words(&mut self, read: ReadMemory, ranges: &[(u64, usize)]) -> Option<Vec<u32>> {
        let mut bytes = Vec::new();
        read(ranges, &mut bytes);
        let words: Vec<u32> =
            bytes.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word)).collect();
        let is_whole = words.len() == ranges.len();
        self.is_unreadable |= !is_whole;
        is_whole.then_some(words)
    }

    /// Submissions that lie in the queue and were not read before, in their order.
    pub(crate) fn new_submissions(&mut self, read: ReadMemory) -> Vec<Submission> {
        let Some(at) = self.positions(read) else { return Vec::new() };
        let size = self.parameters.submissions;
        if self.queued.is_empty() && !self.parameters.polls() {
            // Nothing is on its way: the kernel knows best what it took.
            self.lose_submissions(at.sq_head.wrapping_sub(self.taken).min(size));
            self.taken = at.sq_head;
        }
        let known = u32::try_from(self.queued.len()).unwrap_or(size);
        let mut from = self.taken.wrapping_add(known);
        let mut count = at.sq_tail.wrapping_sub(from);
        if count > FAR {
            return Vec::new();
        }
        if count > size {
            // The oldest are overwritten; without a thread that takes them it is nonsense.
            let lost = if self.parameters.polls() { count - size } else { 0 };
            self.lose_submissions(lost);
            self.taken = self.taken.wrapping_add(lost);
            from = from.wrapping_add(lost);
            count = size;
        }
        self.read_submissions(read, from, count.min(size.saturating_sub(known)))
    }

    fn lose_submissions(&mut self, lost: u32) {
        self.unseen_submissions = self.unseen_submissions.saturating_add(u64::from(lost));
    }

    fn read_submissions(&mut self, read: ReadMemory, from: u32, count: u32) -> Vec<Submission> {
        let (Some(sq), Some(base)) = (self.sq, self.submissions) else { return Vec::new() };
        let mask = self.parameters.submissions - 1;
        let places: Vec<u32> = (0..count).map(|step| from.wrapping_add(step) & mask).collect();
        let array = sq.wrapping_add(u64::from(self.parameters.sq_array));
        let indices = if self.parameters.has_array() {
            let at = |place: &u32| (array.wrapping_add(u64::from(*place) * 4), 4);
            let ranges: Vec<_> = places.iter().map(at).collect();
            self.words(read, &ranges).unwrap_or_default()
        } else {
            places
        };
        let size = self.parameters.submission_bytes();
        // What is beyond the end the kernel drops.
        let at = |index: &u32| (base.wrapping_add(u64::from(index & mask) * size), SUBMISSION);
        let ranges: Vec<_> = indices.iter().map(at).collect();
        let mut bytes = Vec::new();
        read(&ranges, &mut bytes);
        self.is_unreadable |= bytes.len() != ranges.len() * SUBMISSION;
        bytes.as_chunks().0.iter().map(Submission::parse).collect()
    }

    /// The kernel took so many: those that were read.
    pub(crate) fn take(&mut self, count: u32) -> Vec<(Submission, Request)> {
        let known = self.queued.len().min(count as usize);
        self.taken = self.taken.wrapping_add(count);
        let taken: Vec<_> = self.queued.drain(..known).collect();
        let lost = count - u32::try_from(taken.len()).unwrap_or(count);
        self.lose_submissions(lost);
        taken
    }

    /// Completions that were not read before.
    pub(crate) fn new_completions(&mut self, read: ReadMemory) -> Vec<Completion> {
        let (Some(at), Some(cq)) = (self.positions(read), self.cq) else { return Vec::new() };
        let size = self.parameters.completions;
        let count = at.cq_tail.wrapping_sub(self.completed);
        if count == 0 || count > FAR {
            return Vec::new();
        }
        let lost = count.saturating_sub(size);
        self.unseen_completions = self.unseen_completions.saturating_add(u64::from(lost));
        let from = self.completed.wrapping_add(lost);
        let base = cq.wrapping_add(u64::from(self.parameters.cq_entries));
        let bytes_each = self.parameters.completion_bytes();
        let place = |step: u32| u64::from(from.wrapping_add(step) & (size - 1)) * bytes_each;
        let ranges: Vec<_> =
            (0..count - lost).map(|step| (base.wrapping_add(place(step)), COMPLETION)).collect();
        let mut bytes = Vec::new();
        read(&ranges, &mut bytes);
        self.is_unreadable |= bytes.len() != ranges.len() * COMPLETION;
        self.completed = at.cq_tail;
        whole(bytes.as_chunks().0.iter().map(Completion::parse))
    }
}

/// Without what only fills the queue, and the second halves of large ones.
fn whole(completions: impl Iterator<Item = Completion>) -> Vec<Completion> {
    let mut is_second = false;
    completions
        .filter(|completion| {
            let is_half = std::mem::replace(&mut is_second, false);
            is_second = !is_half && completion.is_large();
            !is_half && !completion.is_filling()
        })
        .collect()
}
