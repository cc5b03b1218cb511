//! One system call, as every source hands it over and every rule sees it.

use serde::{Deserialize, Serialize};

use crate::Name;

/// The number of a path among an event stream's `Event::Path`s. `PathId::NONE` is no path.
#[derive(
    Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize, Deserialize,
)]
pub struct PathId(pub u32);

impl PathId {
    /// There is no path, or it is not known.
    pub const NONE: PathId = PathId(0);

    /// Whether there is one.
    #[must_use]
    pub fn is_some(self) -> bool {
        self != PathId::NONE
    }
}

/// The number of a stack among a stream's `Event::Stack`s. `StackId::NONE` is no stack.
#[derive(
    Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize, Deserialize,
)]
pub struct StackId(pub u32);

impl StackId {
    /// The stack was not asked for, or could not be read.
    pub const NONE: StackId = StackId(0);
}

/// The number of a frame among a stream's `Event::Frame`s.
#[derive(
    Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize, Deserialize,
)]
pub struct FrameId(pub u32);

/// One system call of a traced program.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Call {
    /// When it began: nanoseconds since the recording began.
    pub start: u64,
    /// How long it took while being traced, in nanoseconds. Tracing makes it longer: nothing is
    /// estimated from it. 0 where the end was not waited for, because the result was known.
    pub spent: u64,
    /// The process.
    pub process: u32,
    /// The thread; that of a process's first thread is the process's own number.
    pub thread: u32,
    /// Which call.
    pub name: Name,
    /// The arguments as they were in the registers. Descriptors and flags are read from here.
    pub arguments: [u64; 6],
    /// What the (first) path argument said, byte for byte; for `execve` as well.
    pub path: PathId,
    /// The absolute path of the file meant: the path argument put behind the directory that it is
    /// relative to, or what the descriptor stands for (`pipe:[7]`, `socket:[8]`, as /proc has
    /// it). For calls that make a descriptor: what it stands for. `NONE` where that is unknown.
    pub file: PathId,
    /// The same for the second path or descriptor: `rename`, `link`, `copy_file_range`. For
    /// `readlink` the text of the link, for `getcwd` the directory.
    pub second: PathId,
    /// What the kernel gave back; below zero it is a negative errno.
    pub result: i64,
    /// Bytes read or written.
    pub moved: u64,
    /// A hash of what the kernel answered: the metadata that was asked for, without the time of
    /// access; the text of a link; the first 1,024 bytes that were read, of a file or of entries. 0
    /// is unknown. Two calls with the same hash gave the program the same answer. For a write of as
    /// many bytes as the thread has just read: a hash of the first 1,024 that are written.
    pub answer: u64,
    /// From where it was made.
    pub stack: StackId,
}

impl Call {
    /// The errno, if it failed. (A call that a signal interrupts and that is made anew is
    /// EINTR; so is one in which its thread ended, `exit` excepted.)
    #[must_use]
    pub fn errno(&self) -> Option<i32> {
        i32::try_from(-self.result).ok().filter(|errno| (1..4096).contains(errno))
    }

    /// Whether it succeeded.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.errno().is_none()
    }

    /// Whether it ended without an answer, because a signal came or the watch ended.
    pub(crate) fn was_interrupted(&self) -> bool {
        const EINTR: i32 = 4;
        self.errno() == Some(EINTR)
    }

    /// Whether a thread slept through a call that is not watched: nobody woke it before its time
    /// was over.
    #[must_use]
    pub(crate) fn slept(&self) -> bool {
        const FUTEX_WAIT: i32 = 0;
        const FUTEX_WAIT_BITSET: i32 = 9;
        const FLAGS: i32 = 128 | 256;
        const ETIMEDOUT: i32 = 110;
        let is_wait = || matches!(self.int(1) & !FLAGS, FUTEX_WAIT | FUTEX_WAIT_BITSET);
        match self.name {
            Name::Nanosleep => true,
            Name::Futex => self.errno() == Some(ETIMEDOUT) && is_wait(),
            _ => false,
        }
    }

    /// An argument as the C `int` that it is for the kernel: a descriptor, flags.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the kernel looks at the lower half only")]
    #[expect(clippy::cast_possible_wrap, reason = "an int is signed")]
    pub fn int(&self, position: usize) -> i32 {
        self.arguments[position] as u32 as i32
    }

    /// The flags that a file is opened with. `openat2` has them in memory: 0, as for other calls.
    pub(crate) fn open_flags(&self) -> i32 {
        const CREATE_EMPTY_FOR_WRITING: i32 = 0o1101;
        match self.name {
            Name::Open => self.int(1),
            Name::Openat => self.int(2),
            Name::Creat => CREATE_EMPTY_FOR_WRITING,
            _ => 0,
        }
    }
}
