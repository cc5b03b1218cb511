//! The agent: a small program that runs inside a watched program, makes its system calls, and
//! records them in memory that it shares with the tracer. So the program does not stop.
//!
//! It is written in assembler, because the tracer has to know at every one of its instructions what
//! is in which register: no signal ever reaches the program there. A call is either taken back, as
//! if it had not begun, or finished (see [`Place`]). This crate holds the agent's code as bytes and
//! says where everything lies; it never runs it.
//!
//! There is one for x86-64. On aarch64 `svc` is a single instruction of four bytes, as long as a
//! branch: there a site needs no room behind it. Its stub can be reached within 128 MiB.

pub mod layout;

#[cfg(target_arch = "x86_64")]
mod x86_64;

/// The agent of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Agent {
    code: &'static [u8],
    /// From an offset in the code on: where a thread is there.
    places: [(usize, Place); 12],
    call_ends: usize,
    question_ends: usize,
}

/// The agent for the machine that this program was built for, if there is one.
#[must_use]
pub fn agent() -> Option<&'static Agent> {
    #[cfg(target_arch = "x86_64")]
    return Some(x86_64::agent());
    #[cfg(not(target_arch = "x86_64"))]
    return None;
}

impl Agent {
    /// Its instructions. They may lie at any address that has the rest of the layout behind it.
    #[must_use]
    pub fn code(&self) -> &'static [u8] {
        self.code
    }

    /// Where a thread is whose instruction pointer is so far behind the code's beginning; `None`:
    /// not in the agent.
    #[must_use]
    pub fn place(&self, offset: usize) -> Option<Place> {
        let begun = self.places.iter().rev().find(|(begin, _)| offset >= *begin);
        begun.filter(|_| offset < self.code.len()).map(|(_, place)| *place)
    }

    /// How far behind the code's beginning a thread is that is in its call: behind the instruction.
    #[must_use]
    pub fn call_ends(&self) -> usize {
        self.call_ends
    }

    /// The same of a question of the agent's own: where the working directory is. The program has
    /// not asked it.
    #[must_use]
    pub fn question_ends(&self) -> usize {
        self.question_ends
    }
}

/// Flags with which a file is opened so that it may be written to: `O_WRONLY`, `O_RDWR`, `O_CREAT`,
/// `O_TRUNC`.
pub const WRITES: u32 = 0o1 | 0o2 | 0o100 | 0o1000;

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
/// What a `mmap` says makes it one for the tracer at times.
pub(crate) const MAPS: u64 = 64;
/// It is not recorded.
pub(crate) const UNRECORDED: u64 = 128;
/// It may be answered from memory. (Bits 48 to 53: which arguments matter.)
pub(crate) const LOOKS: u64 = 1 << 11;
/// Its first argument is where a relative path begins.
pub(crate) const BEGINS: u64 = 1 << 12;
/// It may close a file that can be written to.
pub(crate) const CLOSES: u64 = 1 << 13;
/// It changes the working directory.
pub(crate) const MOVES: u64 = 1 << 14;
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
    /// it beside other names, or the file gets no name (`O_TMPFILE`), the call is made where the
    /// tracer sees it: it has to ask at once what that led to.
    #[must_use]
    pub const fn opens(self) -> Plan {
        Plan(self.0 | OPENS)
    }

    /// It is `mmap`. Unless that is memory of no file, without code, where nothing was before, it
    /// is made where the tracer sees it.
    #[must_use]
    pub const fn maps(self) -> Plan {
        Plan(self.0 | MAPS)
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

    /// The call is not recorded. If it opens a file for writing, or may close one of those, it is
    /// made where the tracer sees it.
    #[must_use]
    pub const fn unrecorded(self) -> Plan {
        Plan(self.0 | UNRECORDED)
    }

    /// It is `close`.
    #[must_use]
    pub const fn closes(self) -> Plan {
        Plan(self.0 | CLOSES)
    }

    /// It changes the working directory: which one that is then is recorded, too.
    #[must_use]
    pub const fn moves(self) -> Plan {
        Plan(self.0 | MOVES)
    }

    /// It only looks, and has the same result each time as long as nothing changes: it is answered
    /// from memory if it was made before with the same path, and the same in these arguments. A
    /// relative path must begin in the working directory. `begins`: else the first argument says
    /// where it does.
    #[must_use]
    pub const fn looks(self, arguments: &[usize], begins: bool) -> Plan {
        let (mut word, mut at) = (self.0 | LOOKS, 0);
        while at < arguments.len() {
            word |= 1 << (48 + arguments[at]);
            at += 1;
        }
        Plan(if begins { word | BEGINS } else { word })
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
    /// The same, and rax, rdi, rsi and rdx are in the record: it compares what stacks depend on.
    Compares,
    /// The same, and the stack is known.
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

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_two_calls_lie_between_the_places_that_say_so() {
        let agent = agent().unwrap();
        let at = agent.call_ends();
        assert_eq!(agent.code()[at - 2..at], [0x0f, 0x05], "syscall");
        assert_eq!(agent.place(at - 2), Some(Place::Kept));
        assert_eq!(agent.place(at), Some(Place::Called));
        assert_eq!(agent.place(0), Some(Place::Begun));
        assert_eq!(agent.place(agent.code().len()), None);
        let question = agent.question_ends();
        assert_eq!(agent.code()[question - 2..question], [0x0f, 0x05], "syscall");
        assert_eq!(agent.place(question - 2), Some(Place::Answered));
        assert_eq!(agent.place(question), Some(Place::Answered));
        let calls = agent.code().windows(2).filter(|bytes| *bytes == [0x0f, 0x05]);
        assert_eq!(calls.count(), 2);
    }

    /// Of one that can be seen and is not taken for published there would be two.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_record_is_published_as_soon_as_it_can_be_seen() {
        let agent = agent().unwrap();
        // mov gs:[HEAD], r12
        let head = u32::try_from(layout::block::HEAD).unwrap().to_le_bytes();
        let store = [&[0x65, 0x4c, 0x89, 0x24, 0x25][..], &head].concat();
        let ends = agent.code().windows(store.len()).enumerate();
        let ends: Vec<_> = ends.filter(|(_, bytes)| *bytes == store).collect();
        let (at, _) = ends.last().unwrap();
        assert_eq!(agent.place(*at), Some(Place::Answered));
        assert_eq!(agent.place(at + store.len()), Some(Place::Published));
    }

    #[test]
    fn a_plan_says_which_arguments() {
        let plan = Plan::new().path(1).path(3).answer(2, 144).word();
        assert_eq!(plan & 0xff, 1 | 2 | 4 | 8);
        assert_eq!((plan >> 8 & 7, plan >> 16 & 7, plan >> 24 & 7, plan >> 32), (1, 3, 2, 144));
    }
}
