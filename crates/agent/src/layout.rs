//! Where everything lies that the agent and the tracer share, in bytes.
//!
//! The tracer maps one file into the program, at [`BASE`]:
//!
//! | offset | what |
//! |---|---|
//! | 0 | the code |
//! | [`NO_BLOCK`] | a block without plans: of a thread that has no ring |
//! | [`BLOCK`] | the block of the thread that has one |
//! | [`BUCKETS`], [`STACKS`] | the stacks that are known, found by site and stack pointer |
//! | [`RING`] | records of calls |

/// Where the file is mapped, in every program: calls from here pass the filter. Far from where
/// programs, libraries, heaps and the shadow memory of sanitizers lie.
pub const BASE: u64 = 0x2a5b_f3e0_0000;

/// The code is no longer than this.
pub const CODE_SIZE: usize = 4096;

/// The block of a thread that has no ring: it has no plans, so that every call is made where the
/// tracer sees it.
pub const NO_BLOCK: usize = CODE_SIZE;

/// The block of the thread that has a ring.
pub const BLOCK: usize = NO_BLOCK + block::SIZE;

/// Addresses of [known stacks](stack), by [`bucket`].
pub const BUCKETS: usize = BLOCK + block::SIZE;

/// How many there are.
pub const BUCKET_COUNT: usize = 1024;

/// Room for known stacks.
pub const STACKS: usize = BUCKETS + 8 * BUCKET_COUNT;

/// How much.
pub const STACKS_SIZE: usize = (1 << 20) - STACKS;

/// Records.
pub const RING: usize = STACKS + STACKS_SIZE;

/// How much room there is for them: a power of two.
pub const RING_SIZE: usize = 4 << 20;

/// How large the file is.
pub const SIZE: usize = RING + RING_SIZE;

/// System calls from this number on are not recorded.
pub const NUMBERS: usize = 512;

/// How much of a path is copied (`PATH_MAX`).
pub const PATH_MAX: usize = 4096;

/// A record is no longer than this: two paths and an answer.
pub const LONGEST: usize = record::PIECES + 3 * (PATH_MAX + record::PIECE_BYTES + 8);

// All lie behind each other, and what is mapped apart begins on a page.
const _: () = {
    assert!(block::TAIL + 64 <= block::SCRATCH && block::SCRATCH + 32 <= block::SIZE);
    assert!(block::SIZE.is_multiple_of(4096));
    assert!(BUCKETS + 8 * BUCKET_COUNT <= STACKS && STACKS < RING);
    assert!(RING.is_multiple_of(4096) && RING_SIZE.is_power_of_two());
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
    /// The address of the block itself, so that the agent knows that %gs is not another's.
    pub const SELF: usize = HEAD + 80;
    /// How many bytes of records were read. The tracer writes it; a cache line of its own.
    pub const TAIL: usize = HEAD + 128;
    /// Room for what the tracer wants a call to read or write: a `struct sigaction`.
    pub const SCRATCH: usize = HEAD + 192;
    /// How large a block is: whole pages.
    pub const SIZE: usize = 8192;
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
    /// Their addresses and values.
    pub const WORDS: usize = 56;
}
