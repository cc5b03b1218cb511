//! The agent: a small program that runs inside a watched program, makes its system calls, and
//! records them in memory that it shares with the tracer. So the program does not stop.
//!
//! It is written in assembler, because the tracer has to know at every one of its instructions what
//! is in which register: no signal ever reaches the program there. A call is either taken back, as
//! if it had not begun, or finished (see [`Place`]). This crate holds the agent's code as bytes, and
//! says where everything lies; it never runs it.
//!
//! There is one for x86-64. On aarch64 `svc` is a single instruction of four bytes, as long as a
//! branch: there a site needs no room behind it. Its stub can be reached within 128 MiB.

pub mod layout;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod x86_64;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub use x86_64::{call_ends, code, place};

/// What the agent does with a call, by the call's number: one word of the block.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Plan(u64);

/// There is a plan.
pub(crate) const IS_PLANNED: u64 = 1;
/// One argument is a path.
pub(crate) const FIRST_PATH: u64 = 2;
/// Another one is a path.
pub(crate) const SECOND_PATH: u64 = 4;
/// What an `open` says makes it one for the tracer at times.
pub(crate) const OPENS: u64 = 32;
/// An argument says where the answer is, and its length is known.
pub(crate) const WHOLE: u64 = 8;
/// The same, and its length is the result.
pub(crate) const AS_RESULT: u64 = 16;

impl Plan {
    /// The arguments and the result are recorded.
    #[must_use]
    pub const fn new() -> Plan {
        Plan(IS_PLANNED)
    }

    /// This argument is a path, and is copied before the call. At most two are.
    #[must_use]
    pub const fn path(self, argument: usize) -> Plan {
        let at = argument as u64;
        if self.0 & FIRST_PATH == 0 {
            Plan(self.0 | FIRST_PATH | at << 8)
        } else {
            Plan(self.0 | SECOND_PATH | at << 16)
        }
    }

    /// The path is that of a file to be opened, and the next argument has the flags. If `..` is in
    /// it, or the file gets no name (`O_TMPFILE`), the call is made where the tracer sees it: it
    /// has to ask at once what that led to.
    #[must_use]
    pub const fn opens(self) -> Plan {
        Plan(self.0 | OPENS)
    }

    /// This argument points to an answer of so many bytes, at most `PATH_MAX`.
    #[must_use]
    pub const fn answer(self, argument: usize, size: usize) -> Plan {
        Plan(self.0 | WHOLE | (argument as u64) << 24 | (size as u64) << 32)
    }

    /// This argument points to as many bytes as the result says, of which so many are copied, at
    /// most `PATH_MAX`.
    #[must_use]
    pub const fn bytes(self, argument: usize, most: usize) -> Plan {
        Plan(self.0 | AS_RESULT | (argument as u64) << 24 | (most as u64) << 32)
    }

    /// As the agent reads it. 0 is no plan.
    #[must_use]
    pub const fn word(self) -> u64 {
        self.0
    }
}

/// Where in the agent a thread was stopped: what it has done of the call, and where the registers
/// of the program are that the agent uses itself. (rcx and r11 are free at a system call.)
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    /// The call has not been made; all registers are the program's.
    Begun,
    /// The call has not been made; rbx, r12, r13 and r14 are in the block.
    Saved,
    /// The same, and rax, rdi, rsi and rdx are in the record.
    Kept,
    /// The call was made, or is to be made again: its result is in rax, all else as in `Kept`.
    Called,
    /// The call was made, its result is in the record.
    Answered,
    /// The same, and the record is complete and can be seen.
    Published,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_lies_where_nothing_else_does() {
        use layout::{BLOCK, BUCKET_COUNT, BUCKETS, NO_BLOCK, RING, RING_SIZE, STACKS, block};
        assert!(block::TAIL + 64 <= block::SCRATCH && block::SCRATCH + 32 <= block::SIZE);
        assert!(block::SIZE % 4096 == 0);
        assert!(NO_BLOCK + block::SIZE <= BLOCK && BLOCK + block::SIZE <= BUCKETS);
        assert!(BUCKETS + 8 * BUCKET_COUNT <= STACKS && STACKS < RING);
        assert!(RING % 4096 == 0 && RING_SIZE.is_power_of_two());
        assert!(layout::BASE % 4096 == 0 && layout::LONGEST % 8 == 0);
    }

    #[test]
    fn a_plan_says_which_arguments() {
        let plan = Plan::new().path(1).path(3).answer(2, 144).word();
        assert_eq!(plan & 0xff, 1 | 2 | 4 | 8);
        assert_eq!((plan >> 8 & 7, plan >> 16 & 7, plan >> 24 & 7, plan >> 32), (1, 3, 2, 144));
    }
}
