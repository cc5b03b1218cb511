//! How Ruby's structures are laid out. Facts from `vm_core.h` and `iseq.h` of 2.7 to 3.4 (64 bits).

/// In an execution context: the stack, its size in words, the innermost frame; in 2.7 its
/// thread, of whose structure so much is looked at.
pub(super) mod context {
    pub(in super::super) const STACK: usize = 0;
    pub(in super::super) const STACK_SIZE: usize = 8;
    pub(in super::super) const FRAME: usize = 16;
    pub(in super::super) const SIZE: usize = 24;
    pub(in super::super) const THREAD: u64 = 56;
    pub(in super::super) const THREAD_SIZE: usize = 256;
}

/// In a frame: the instruction behind the one that runs, the code, the environment, whose first
/// word has flags.
pub(super) mod frame {
    pub(in super::super) const INSTRUCTION: usize = 0;
    pub(in super::super) const CODE: usize = 16;
    pub(in super::super) const ENVIRONMENT: usize = 32;
    /// Flags, which are in the first byte: the interpreter was called anew for it; it is a method
    /// that is written in C.
    pub(in super::super) const FLAGS: usize = 1;
    pub(in super::super) const IS_LAST: u64 = 0x20;
    pub(in super::super) const IS_OF_C: u64 = 0x80;
}

/// In code: its body.
pub(super) const BODY: u64 = 16;

/// In a body: so much says which code it is, to its first line. Its first word has the number of
/// instructions above, in words; code with so many or fewer calls nothing.
pub(super) const BODY_NEEDED: usize = 96;
pub(super) const EMPTY: u64 = 2;

/// In a body: how many instructions, the instructions, the file, the label.
pub(super) mod body {
    pub(in super::super) const COUNT: u64 = 4;
    pub(in super::super) const INSTRUCTIONS: u64 = 8;
    pub(in super::super) const FILE: u64 = 64;
    pub(in super::super) const LABEL: u64 = 80;
}

/// In what is known of instructions: how many entries there are, and for which instructions.
pub(super) const LINES_COUNT: u64 = 16;
pub(super) const LINES_TABLE: u64 = 24;

/// What differs from version to version.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Layout {
    /// The size of a frame.
    pub(super) frame: u64,
    /// In a body: what is known of its instructions: the entries; behind them their number and
    /// which instructions they are for.
    pub(super) lines: u64,
    /// The size of an entry, which begins with a line.
    pub(super) entry: u64,
    /// Whether a short text has its length among its flags.
    pub(super) is_length_in_flags: bool,
}

const LAYOUT_2_7: Layout = Layout { frame: 56, lines: 120, entry: 8, is_length_in_flags: true };
const LAYOUT_3_1: Layout = Layout { frame: 64, entry: 12, ..LAYOUT_2_7 };
const LAYOUT_3_2: Layout = Layout { lines: 112, is_length_in_flags: false, ..LAYOUT_3_1 };
const LAYOUT_3_3: Layout = Layout { frame: 56, ..LAYOUT_3_2 };

impl Layout {
    /// The layout of a version.
    pub(super) fn of(major: u32, minor: u32) -> Option<Layout> {
        match (major, minor) {
            (2, 7) | (3, 0) => Some(LAYOUT_2_7),
            (3, 1) => Some(LAYOUT_3_1),
            (3, 2) => Some(LAYOUT_3_2),
            (3, 3 | 4) => Some(LAYOUT_3_3),
            _ => None,
        }
    }
}
