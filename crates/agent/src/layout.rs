//! Where everything lies that the agent and the tracer share, in bytes.
//!
//! The tracer maps one file into the program, at [`BASE`]:
//!
//! | offset | what |
//! |---|---|
//! | 0 | the code |
//! | [`NO_BLOCK`] | a block without plans: of threads that have no ring |
//! | [`slot`] | for each thread that has a ring: its block, known stacks, and records of calls |
//!
//! What nothing is written to takes no memory. So each thread that may have a ring has its slot
//! from the beginning.

/// Where the file is mapped, in every program: calls from here pass the filter. Far from where
/// programs, libraries, heaps and the shadow memory of sanitizers lie.
pub const BASE: u64 = 0x2a5b_f3e0_0000;

/// The code is no longer than this.
pub const CODE_SIZE: usize = 4096;

/// The block of a thread that has no ring: it has no plans, so that every call is made where the
/// tracer sees it.
pub const NO_BLOCK: usize = CODE_SIZE;

/// So many threads of a process can have a ring at a time.
pub const SLOTS: usize = 64;

/// What one thread has of the file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Slot {
    /// Its [block].
    pub block: usize,
    /// Addresses of [known stacks](stack), by [`bucket`].
    pub buckets: usize,
    /// The known stacks, as far as this.
    pub stacks: usize,
    /// How many bytes there are for them.
    pub stacks_size: usize,
    /// Records.
    pub ring: usize,
    /// How many bytes there are for them: a power of two.
    pub ring_size: usize,
}

/// The first slot is larger than the others: of most programs one thread makes most calls.
const FIRST: Slot = new_slot(NO_BLOCK + block::SIZE, 4 << 20, 4 << 20);

/// How large the others are.
const SLOT_SIZE: usize = 768 << 10;

/// How large the file is.
pub const SIZE: usize = FIRST.ring + FIRST.ring_size + (SLOTS - 1) * SLOT_SIZE;

/// How many buckets of known stacks a thread has.
pub const BUCKET_COUNT: usize = 1024;

/// A slot; its number is below [`SLOTS`].
#[must_use]
pub const fn slot(number: usize) -> Slot {
    if number == 0 {
        return FIRST;
    }
    let block = FIRST.ring + FIRST.ring_size + (number - 1) * SLOT_SIZE;
    new_slot(block, block + SLOT_SIZE - (256 << 10), 256 << 10)
}

const fn new_slot(block: usize, ring: usize, ring_size: usize) -> Slot {
    let buckets = block + block::SIZE;
    let stacks = buckets + 8 * BUCKET_COUNT;
    Slot { block, buckets, stacks, stacks_size: ring - stacks, ring, ring_size }
}

/// System calls from this number on are not recorded.
pub const NUMBERS: usize = 512;

/// How much of a path is copied (`PATH_MAX`).
pub const PATH_MAX: usize = 4096;

/// A record is no longer than this: two paths and an answer.
pub const LONGEST: usize = record::PIECES + 3 * (PATH_MAX + record::PIECE_BYTES + 8);

// All lie behind each other, and what is mapped apart begins on a page.
const _: () = {
    assert!(block::TAIL + 64 <= block::SCRATCH && block::SCRATCH + 32 <= block::ANSWERS);
    assert!(block::WRITERS + 8 <= block::SIZE && answer::TEXT + LONGEST < slot(1).stacks_size / 2);
    assert!(block::SIZE.is_multiple_of(4096) && block::MASK < block::TAIL);
    assert!(slot(1).ring + slot(1).ring_size == slot(2).block && slot(1).stacks < slot(1).ring);
    assert!(slot(SLOTS - 1).ring + slot(SLOTS - 1).ring_size == SIZE);
    assert!(slot(1).ring.is_multiple_of(4096) && slot(1).ring_size.is_power_of_two());
    assert!(FIRST.ring.is_multiple_of(4096) && FIRST.ring_size.is_power_of_two());
    assert!(slot(1).ring_size >= 8 * LONGEST && SLOT_SIZE.is_multiple_of(4096));
    assert!(BASE.is_multiple_of(4096) && LONGEST.is_multiple_of(8));
};

/// In which bucket the stack of a call is: by the address of its site's traced call, and the stack
/// pointer.
#[must_use]
pub const fn bucket(site: u64, stack_pointer: u64) -> usize {
    (((stack_pointer >> 4) ^ site) & (BUCKET_COUNT as u64 - 1)) as usize
}

/// A thread's block: the base of %gs.
pub mod block {
    use super::NUMBERS;

    /// A [plan](crate::Plan) for each number of a call.
    pub const PLANS: usize = 0;
    /// How many bytes of records were ever written. The agent writes it.
    pub const HEAD: usize = 8 * NUMBERS;
    /// Registers of the program while the agent works.
    pub const RBX: usize = HEAD + 8;
    /// Another.
    pub const R12: usize = HEAD + 16;
    /// Another.
    pub const R13: usize = HEAD + 24;
    /// Another.
    pub const R14: usize = HEAD + 32;
    /// The address of the site's traced call.
    pub const SITE: usize = HEAD + 40;
    /// The address of the record that is being written.
    pub const RECORD: usize = HEAD + 48;
    /// The address of the ring.
    pub const RING: usize = HEAD + 56;
    /// The address of the buckets of known stacks; 0 if no stacks are wanted.
    pub const BUCKETS: usize = HEAD + 64;
    /// The same while the call is made, and until the record can be seen; otherwise 0.
    pub const CALLING: usize = HEAD + 72;
    /// The address of the block itself, so that the agent knows that %gs is not another's. 0 in the
    /// one without plans.
    pub const SELF: usize = HEAD + 80;
    /// How large the ring is.
    pub const RING_SIZE: usize = HEAD + 88;
    /// If more bytes are not read yet, the longest record may not fit.
    pub const LIMIT: usize = HEAD + 96;
    /// One less than the ring's size.
    pub const MASK: usize = HEAD + 104;
    /// How many bytes of records were read. The tracer writes it; a cache line of its own.
    pub const TAIL: usize = HEAD + 128;
    /// Room for what the tracer wants a call to read or write: a `struct sigaction`.
    pub const SCRATCH: usize = HEAD + 192;
    /// The address of the buckets of [answers](super::answer); behind them are the answers. Both
    /// lie where otherwise known stacks are.
    pub const ANSWERS: usize = HEAD + 224;
    /// Where the next answer comes.
    pub const ANSWERS_NEXT: usize = HEAD + 232;
    /// Up to where there is room for them.
    pub const ANSWERS_END: usize = HEAD + 240;
    /// What [`CHANGES`] was when they were given.
    pub const ANSWERS_AT: usize = HEAD + 248;
    /// The hash of the question that is being asked.
    pub const HASH: usize = HEAD + 256;
    /// How many bytes of the record it takes.
    pub const KEY: usize = HEAD + 264;
    /// How many calls were answered from memory.
    pub const ANSWERED: usize = HEAD + 272;
    /// How long that took, by the processor's time stamps.
    pub const ANSWERING: usize = HEAD + 280;
    /// When the last question was asked.
    pub const ASKED_AT: usize = HEAD + 288;
    /// Of the block without plans alone, for all threads: how often anything was changed that calls
    /// can ask for. The tracer writes it.
    pub const CHANGES: usize = HEAD + 296;
    /// The same: how many files are open that may be written to. As long as there are any, nothing
    /// is answered from memory.
    pub const WRITERS: usize = HEAD + 304;
    /// How large a block is: whole pages.
    pub const SIZE: usize = 8192;
}

/// An answer that is remembered.
pub mod answer {
    /// The address of the next one in its bucket, or 0.
    pub const NEXT: usize = 0;
    /// The hash of its question.
    pub const HASH: usize = 8;
    /// How long its question is.
    pub const KEY: usize = 16;
    /// How long that and the answer are.
    pub const LENGTH: usize = 24;
    /// The result of the call.
    pub const RESULT: usize = 32;
    /// The question: the path's length and bytes, and the arguments that matter; then the answer, a
    /// piece of a [record](super::record).
    pub const TEXT: usize = 40;
}

/// A record of a call.
pub mod record {
    /// How long it is (`u64`): a multiple of 8. With [`SKIP`] nothing is in it.
    pub const LENGTH: usize = 0;
    /// The processor's time stamp before the call, and after it.
    pub const START: usize = 8;
    /// After it.
    pub const END: usize = 16;
    /// The number of the call.
    pub const NUMBER: usize = 24;
    /// Its six arguments.
    pub const ARGUMENTS: usize = 32;
    /// Its result.
    pub const RESULT: usize = 80;
    /// The number that the tracer gave the stack.
    pub const STACK: usize = 88;
    /// The address of the site's traced call.
    pub const SITE: usize = 96;
    /// Pieces of the program's memory: address, length, and the bytes, up to a multiple of 8.
    pub const PIECES: usize = 104;
    /// Instead of an address: the inodes of descriptors that the call has made.
    pub const INODES: u64 = 6;
    /// The same: the working directory after the call, with a NUL.
    pub const DIRECTORY: u64 = 7;
    /// What comes before the bytes of a piece.
    pub const PIECE_BYTES: usize = 16;
    /// In a length: the rest of the ring is empty.
    pub const SKIP: u64 = 1 << 63;
}

/// A known stack.
pub mod stack {
    /// The address of the next one in its bucket, or 0.
    pub const NEXT: usize = 0;
    /// The address of the site's traced call.
    pub const SITE: usize = 8;
    /// The stack pointer.
    pub const SP: usize = 16;
    /// Whether the frame pointer has to be the same (`u64`), and which it is.
    pub const USES_FP: usize = 24;
    /// Which it is.
    pub const FP: usize = 32;
    /// The number that the tracer gave it.
    pub const ID: usize = 40;
    /// How many words of memory have to be the same.
    pub const COUNT: usize = 48;
    /// The words.
    pub const WORDS: usize = 56;
    /// Of a word: its address, which of its bits matter, and what they are. The address is a
    /// multiple of 8, and the lowest bits say more.
    pub const WORD_SIZE: usize = 24;
    /// In an address: it is counted from where the last pointer led to.
    pub const IS_BEHIND: u64 = 1;
    /// In an address: the word is not compared. It is a pointer, and not 0.
    pub const IS_POINTER: u64 = 2;
}
