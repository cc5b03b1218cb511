//! Rings as they lie in memory, written by hand.

use proptest::prelude::*;

use super::{Answered, Completion, PARAMETERS, Parameters, Ring, Submission};
use crate::{Operation, Request};

/// Where the queues and the submissions lie, and the offsets in the former.
const QUEUES: u64 = 0x10_0000;
const SUBMISSIONS: u64 = 0x20_0000;
const SQ_HEAD: u32 = 0;
const SQ_TAIL: u32 = 64;
const CQ_TAIL: u32 = 192;
const CQ_ENTRIES: u32 = 320;
const SQ_ARRAY: u32 = 8192;

/// Memory with a ring of 8 submissions and 16 completions.
struct Memory {
    queues: Vec<u8>,
    submissions: Vec<u8>,
    reads: usize,
}

impl Memory {
    fn new() -> Memory {
        Memory { queues: vec![0; 16384], submissions: vec![0; 8 * 128], reads: 0 }
    }

    fn put(&mut self, at: u32, word: u32) {
        let at = at as usize;
        self.queues[at..at + 4].copy_from_slice(&word.to_ne_bytes());
    }

    fn read(&mut self, ranges: &[(u64, usize)], bytes: &mut Vec<u8>) {
        bytes.clear();
        for (at, length) in ranges {
            self.reads += length;
            let (base, block) = match *at {
                at if at >= SUBMISSIONS => (SUBMISSIONS, &self.submissions),
                _ => (QUEUES, &self.queues),
            };
            let start = usize::try_from(at.wrapping_sub(base)).unwrap_or(usize::MAX);
            let end = start.saturating_add(*length);
            let Some(part) = block.get(start..end) else { return };
            bytes.extend_from_slice(part);
        }
    }

    /// Writes a submission into its place, which the array names.
    fn submit(&mut self, position: u32, index: u32, operation: u8, user_data: u64) {
        self.put(SQ_ARRAY + (position & 7) * 4, index);
        let at = index as usize * 64;
        self.submissions[at] = operation;
        self.submissions[at + 32..at + 40].copy_from_slice(&user_data.to_ne_bytes());
        self.put(SQ_TAIL, position.wrapping_add(1));
    }

    fn complete(&mut self, position: u32, user_data: u64, result: i32, flags: u32) {
        let at = (CQ_ENTRIES + (position & 15) * 16) as usize;
        self.queues[at..at + 8].copy_from_slice(&user_data.to_ne_bytes());
        self.queues[at + 8..at + 12].copy_from_slice(&result.to_ne_bytes());
        self.queues[at + 12..at + 16].copy_from_slice(&flags.to_ne_bytes());
        self.put(CQ_TAIL, position.wrapping_add(1));
    }
}

fn parameters(flags: u32) -> [u8; PARAMETERS] {
    let mut bytes = [0; PARAMETERS];
    for (at, word) in [
        (0, 8),
        (4, 16),
        (8, flags),
        (20, 1),
        (40, SQ_HEAD),
        (44, SQ_TAIL),
        (64, SQ_ARRAY),
        (84, CQ_TAIL),
        (100, CQ_ENTRIES),
    ] {
        bytes[at..at + 4].copy_from_slice(&word.to_ne_bytes());
    }
    bytes
}

fn ring(flags: u32) -> Ring {
    let mut ring = Ring::new(Parameters::parse(&parameters(flags)).unwrap());
    ring.mapped(0, QUEUES);
    ring.mapped(0x1000_0000, SUBMISSIONS);
    ring
}

fn new_submissions(ring: &mut Ring, memory: &mut Memory) -> Vec<(String, u64)> {
    let new = ring.new_submissions(&mut |ranges, bytes| memory.read(ranges, bytes));
    ring.queued.extend(new.iter().map(|submission| (*submission, Request::default())));
    new.iter().map(|new| (new.operation.to_string(), new.user_data)).collect()
}

fn new_completions(ring: &mut Ring, memory: &mut Memory) -> Vec<Completion> {
    ring.new_completions(&mut |ranges, bytes| memory.read(ranges, bytes))
}

const SQPOLL: u32 = 2;

#[test]
fn what_lies_between_the_kernels_position_and_the_tail_is_read_once() {
    let (mut ring, mut memory) = (ring(0), Memory::new());
    memory.submit(0, 5, 22, 100);
    memory.submit(1, 2, 21, 101);
    let expected = [("READ".to_owned(), 100), ("STATX".to_owned(), 101)];
    assert_eq!(new_submissions(&mut ring, &mut memory), expected);
    // Another thread enters before the first is done.
    assert_eq!(new_submissions(&mut ring, &mut memory), []);
    assert_eq!(ring.take(1).len(), 1);
    memory.put(SQ_HEAD, 1);
    memory.submit(2, 0, 0, 102);
    assert_eq!(new_submissions(&mut ring, &mut memory), [("NOP".to_owned(), 102)]);
    assert_eq!(ring.take(2).len(), 2);
    assert_eq!(ring.unseen_submissions, 0);
}

#[test]
fn positions_wrap() {
    let (mut ring, mut memory) = (ring(0), Memory::new());
    memory.put(SQ_HEAD, u32::MAX - 1);
    for step in 0..4 {
        memory.submit((u32::MAX - 1).wrapping_add(step), step, 22, u64::from(step));
    }
    assert_eq!(new_submissions(&mut ring, &mut memory).len(), 4);
    assert_eq!(ring.take(4).len(), 4);
    memory.put(SQ_HEAD, 2);
    memory.submit(2, 0, 3, 9);
    assert_eq!(new_submissions(&mut ring, &mut memory), [("FSYNC".to_owned(), 9)]);
}

#[test]
fn what_the_kernel_took_by_itself_and_was_overwritten_is_counted() {
    let (mut ring, mut memory) = (ring(SQPOLL), Memory::new());
    for position in 0..20 {
        memory.submit(position, position & 7, 22, u64::from(position));
    }
    let new = new_submissions(&mut ring, &mut memory);
    assert_eq!((new.len(), new[0].1, new[7].1), (8, 12, 19));
    assert_eq!((ring.take(8).len(), ring.unseen_submissions), (8, 12));
}

#[test]
fn completions_are_read_once_and_overwritten_ones_counted() {
    let (mut ring, mut memory) = (ring(0), Memory::new());
    memory.complete(0, 7, -2, 0);
    let new = new_completions(&mut ring, &mut memory);
    assert_eq!((new.len(), new[0].user_data, new[0].result), (1, 7, -2));
    assert_eq!(new_completions(&mut ring, &mut memory), []);
    for position in 1..21 {
        memory.complete(position, u64::from(position), 0, 0);
    }
    let new = new_completions(&mut ring, &mut memory);
    assert_eq!((new.len(), new[0].user_data, ring.unseen_completions), (16, 5, 4));
}

#[test]
fn large_completions_take_two_places_and_fillers_are_none() {
    let (mut ring, mut memory) = (ring(1 << 18), Memory::new());
    memory.complete(0, 1, 0, 1 << 15);
    memory.complete(1, 99, 99, 99);
    memory.complete(2, 98, 0, 1 << 5);
    memory.complete(3, 2, 0, 0);
    let new = new_completions(&mut ring, &mut memory);
    assert_eq!(new.iter().map(|it| it.user_data).collect::<Vec<_>>(), [1, 2]);
}

fn answered(ring: &mut Ring, user_data: u64, result: i32, flags: u32) -> Option<Request> {
    let mut memory = Memory::new();
    memory.complete(0, user_data, result, flags);
    let at = CQ_ENTRIES as usize;
    let bytes = memory.queues[at..at + 16].try_into().unwrap();
    match ring.in_flight.complete(&Completion::parse(bytes)) {
        Answered::Request(_, done) => done,
        Answered::Beyond | Answered::Nothing => panic!("nothing is waiting for that"),
    }
}

#[test]
fn a_request_that_goes_on_is_done_with_its_last_completion() {
    let mut ring = ring(0);
    let operation = Operation::parse("RECV").unwrap();
    let mut submission = Submission::default();
    (submission.operation, submission.user_data) = (operation, 5);
    let request = Request { operation, ..Request::default() };
    assert_eq!(ring.in_flight.add(submission, request), None);
    assert_eq!(answered(&mut ring, 5, 10, 2), None);
    assert_eq!(answered(&mut ring, 5, 20, 2), None);
    let done = answered(&mut ring, 5, -105, 0).unwrap();
    assert_eq!((done.result, done.moved), (Some(10), 30));
    assert!(ring.in_flight.is_empty());
}

#[test]
fn more_than_can_be_remembered_is_reported_at_once() {
    let mut ring = ring(0);
    let submission = Submission::default();
    let added =
        (0..70_000).filter(|_| ring.in_flight.add(submission, Request::default()).is_none());
    assert_eq!(added.count(), 1 << 16);
    assert_eq!(ring.in_flight.drain().len(), 1 << 16);
    assert!(ring.in_flight.is_empty());
}

#[test]
fn nonsense_is_no_ring() {
    for (at, word) in [(0, 0_u32), (0, 7), (0, 65_536), (4, 0), (4, 131_072), (4, u32::MAX)] {
        let mut bytes = parameters(0);
        bytes[at..at + 4].copy_from_slice(&word.to_ne_bytes());
        assert_eq!(Parameters::parse(&bytes), None, "{at} {word}");
    }
}

proptest! {
    /// What a program writes into its ring makes no trouble, and is bounded by the ring's size.
    #[test]
    fn any_memory_is_no_trouble(
        flags in prop_oneof![Just(0), Just(SQPOLL), any::<u32>()],
        places: [u32; 5],
        words in proptest::collection::vec((0..3_usize, any::<u32>()), 1..20),
        bytes in proptest::collection::vec(any::<u8>(), 1024),
    ) {
        let mut raw = parameters(flags);
        let known = [40, 44, 64, 84, 100];
        // Some of the offsets lie.
        for (at, place) in known.into_iter().zip(places).filter(|(_, place)| place % 3 == 0) {
            raw[at..at + 4].copy_from_slice(&place.to_ne_bytes());
        }
        let mut ring = Ring::new(Parameters::parse(&raw).unwrap());
        ring.mapped(0, QUEUES);
        ring.mapped(0x1000_0000, SUBMISSIONS);
        let mut memory = Memory::new();
        memory.submissions.copy_from_slice(&bytes);
        memory.queues[..1024].copy_from_slice(&bytes);
        for (which, word) in words {
            memory.put([SQ_HEAD, SQ_TAIL, CQ_TAIL][which], word);
            memory.reads = 0;
            prop_assert!(new_submissions(&mut ring, &mut memory).len() <= 8);
            prop_assert!(new_completions(&mut ring, &mut memory).len() <= 16);
            prop_assert!(ring.queued.len() <= 8);
            prop_assert!(memory.reads <= 24 + 8 * (64 + 4) + 16 * 16);
            ring.take(word % 11);
        }
    }
}
