//! The kernel's structs, as they lie in memory: `linux/io_uring.h` of Linux 6.18.

use crate::{Class, Operand, Operation};

/// How large `struct io_uring_params` is.
pub(crate) const PARAMETERS: usize = 120;

/// How large a submission is, as far as it is looked at: one of 128 bytes begins alike.
pub(super) const SUBMISSION: usize = 64;

/// How large a completion is, unless the ring has larger ones.
pub(super) const COMPLETION: usize = 16;

/// The most that the kernel allows.
const MOST_SUBMISSIONS: u32 = 32_768;
const MOST_COMPLETIONS: u32 = 2 * MOST_SUBMISSIONS;

/// Flags of `io_uring_setup`.
const SQPOLL: u32 = 1 << 1;
const SQE128: u32 = 1 << 10;
const CQE32: u32 = 1 << 11;
const NO_MMAP: u32 = 1 << 14;
const REGISTERED_FD_ONLY: u32 = 1 << 15;
const NO_SQARRAY: u32 = 1 << 16;

/// `IORING_FEAT_SINGLE_MMAP`: one mapping has both queues.
const SINGLE_MMAP: u32 = 1;

/// Offsets that say what of a ring is to be mapped.
pub(super) const SQ_RING: u64 = 0;
pub(super) const CQ_RING: u64 = 0x800_0000;
pub(super) const SQES: u64 = 0x1000_0000;

/// Flags of `io_uring_enter` and `io_uring_register`, and what is registered.
pub(crate) mod op {
    /// `IORING_ENTER_REGISTERED_RING`
    pub(crate) const ENTER_REGISTERED_RING: u64 = 1 << 4;
    /// `IORING_REGISTER_USE_REGISTERED_RING`
    pub(crate) const USE_REGISTERED_RING: u32 = 1 << 31;
    pub(crate) const REGISTER_FILES: u32 = 2;
    pub(crate) const UNREGISTER_FILES: u32 = 3;
    pub(crate) const REGISTER_FILES_UPDATE: u32 = 6;
    pub(crate) const REGISTER_FILES2: u32 = 13;
    pub(crate) const REGISTER_FILES_UPDATE2: u32 = 14;
    pub(crate) const REGISTER_RING_FDS: u32 = 20;
    pub(crate) const UNREGISTER_RING_FDS: u32 = 21;
    pub(crate) const REGISTER_RESIZE_RINGS: u32 = 33;
}

/// Flags of a submission.
const FIXED_FILE: u8 = 1;

/// Instead of a registered file's number: the kernel chooses one.
const ANY_NUMBER: u32 = u32::MAX;

/// `SPLICE_F_FD_IN_FIXED`
const FIRST_IS_FIXED: u32 = 1 << 31;

/// Flags of a completion.
const MORE: u32 = 1 << 1;
const NOTIFICATION: u32 = 1 << 3;
const SKIP: u32 = 1 << 5;
const IS_LARGE: u32 = 1 << 15;

/// A number at an offset; 0 beyond the end.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u32::from_ne_bytes(*word))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_ne_bytes(*word))
}

/// `struct io_uring_params`, as the kernel filled it in: where a ring has what.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Parameters {
    /// How many submissions and completions there is room for: powers of two.
    pub(super) submissions: u32,
    pub(super) completions: u32,
    flags: u32,
    features: u32,
    /// Offsets into the mapping of the submission queue.
    pub(super) sq_head: u32,
    pub(super) sq_tail: u32,
    pub(super) sq_array: u32,
    /// Offsets into the mapping of the completion queue.
    pub(super) cq_tail: u32,
    pub(super) cq_entries: u32,
    /// Where the program has its memory for the rings and for the submissions, if it brings it.
    own_rings: u64,
    own_submissions: u64,
}

impl Parameters {
    /// `None` if it is nonsense: another thread may write there.
    pub(crate) fn parse(bytes: &[u8; PARAMETERS]) -> Option<Parameters> {
        let at = |at| u32_at(bytes, at);
        let parameters = Parameters {
            submissions: at(0),
            completions: at(4),
            flags: at(8),
            features: at(20),
            sq_head: at(40),
            sq_tail: at(44),
            sq_array: at(64),
            cq_tail: at(84),
            cq_entries: at(100),
            own_rings: u64_at(bytes, 112),
            own_submissions: u64_at(bytes, 72),
        };
        let is_size = |size: u32, most: u32| size.is_power_of_two() && size <= most;
        (is_size(parameters.submissions, MOST_SUBMISSIONS)
            && is_size(parameters.completions, MOST_COMPLETIONS))
        .then_some(parameters)
    }

    /// The flags in what is given to `io_uring_setup`: whether the result is no descriptor, but the
    /// number of a registered ring.
    pub(crate) fn is_registered_only(bytes: &[u8; PARAMETERS]) -> bool {
        u32_at(bytes, 8) & REGISTERED_FD_ONLY != 0
    }

    fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// Whether a thread of the kernel takes submissions by itself.
    pub(crate) fn polls(&self) -> bool {
        self.has(SQPOLL)
    }

    pub(super) fn is_single_mapping(&self) -> bool {
        self.features & SINGLE_MMAP != 0
    }

    /// Whether an array between the queue and the submissions gives their order.
    pub(super) fn has_array(&self) -> bool {
        !self.has(NO_SQARRAY)
    }

    /// The addresses of the rings and of the submissions, if the program brings the memory.
    pub(super) fn own_memory(&self) -> Option<(u64, u64)> {
        self.has(NO_MMAP).then_some((self.own_rings, self.own_submissions))
    }

    pub(super) fn submission_bytes(&self) -> u64 {
        SUBMISSION as u64 * (1 + u64::from(self.has(SQE128)))
    }

    pub(super) fn completion_bytes(&self) -> u64 {
        COMPLETION as u64 * (1 + u64::from(self.has(CQE32)))
    }
}

/// What a submission says: `struct io_uring_sqe`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Submission {
    pub(crate) operation: Operation,
    flags: u8,
    pub(crate) fd: i32,
    /// `off`, `addr2`
    pub(crate) offset: u64,
    /// `addr`
    pub(crate) address: u64,
    /// `len`
    pub(crate) length: u32,
    operation_flags: u32,
    pub(crate) user_data: u64,
    /// `splice_fd_in`, `file_index`
    pub(crate) file_index: u32,
    /// `addr3`
    pub(crate) third: u64,
}

impl Submission {
    pub(super) fn parse(bytes: &[u8; SUBMISSION]) -> Submission {
        Submission {
            operation: Operation(bytes[0]),
            flags: bytes[1],
            fd: u32_at(bytes, 4).cast_signed(),
            offset: u64_at(bytes, 8),
            address: u64_at(bytes, 16),
            length: u32_at(bytes, 24),
            operation_flags: u32_at(bytes, 28),
            user_data: u64_at(bytes, 32),
            file_index: u32_at(bytes, 44),
            third: u64_at(bytes, 48),
        }
    }

    /// Whether `fd` is the number of a registered file.
    pub(crate) fn is_fixed(&self) -> bool {
        self.flags & FIXED_FILE != 0
    }

    /// Whether the first descriptor of a `SPLICE` is the number of a registered file.
    pub(crate) fn first_is_fixed(&self) -> bool {
        self.operation_flags & FIRST_IS_FIXED != 0
    }

    /// The number of the registered file that it makes or closes, if that is what it does, and if
    /// the program chose it.
    pub(crate) fn direct(&self) -> Option<u32> {
        let is_one = self.is_direct() && self.file_index != ANY_NUMBER;
        is_one.then(|| self.file_index - 1)
    }

    /// Whether it makes or closes a registered file rather than a descriptor.
    pub(crate) fn is_direct(&self) -> bool {
        let may = matches!(
            self.operation,
            Operation::OPENAT | Operation::OPENAT2 | Operation::ACCEPT | Operation::CLOSE
        ) || self.operation.class() == Class::Anonymous;
        may && self.file_index != 0
    }

    /// Whether it makes or closes descriptors of the process.
    pub(crate) fn changes_descriptors(&self) -> bool {
        let class = self.operation.class();
        let may = matches!(class, Class::Open | Class::Close | Class::Anonymous | Class::Duplicate)
            // The latter may bring descriptors along.
            || matches!(self.operation, Operation::ACCEPT | Operation::RECVMSG);
        may && !self.is_direct()
    }

    /// Where it has its paths and descriptors.
    pub(crate) fn operand(&self) -> Operand {
        match self.operation.operand() {
            Operand::Descriptor if self.is_direct() && self.operation == Operation::CLOSE => {
                Operand::Nothing
            }
            operand => operand,
        }
    }
}

/// What a completion says: `struct io_uring_cqe`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Completion {
    pub(crate) user_data: u64,
    pub(crate) result: i32,
    flags: u32,
}

impl Completion {
    pub(super) fn parse(bytes: &[u8; COMPLETION]) -> Completion {
        Completion {
            user_data: u64_at(bytes, 0),
            result: u32_at(bytes, 8).cast_signed(),
            flags: u32_at(bytes, 12),
        }
    }

    /// Whether the request goes on, and completes again.
    pub(crate) fn goes_on(&self) -> bool {
        self.flags & MORE != 0
    }

    /// Whether it only says that the memory of what was sent is free again.
    pub(crate) fn is_notification(&self) -> bool {
        self.flags & NOTIFICATION != 0
    }

    /// Whether it is there to fill up the queue.
    pub(super) fn is_filling(&self) -> bool {
        self.flags & SKIP != 0
    }

    /// Whether it takes two places in a queue of small ones.
    pub(super) fn is_large(&self) -> bool {
        self.flags & IS_LARGE != 0
    }
}
