//! The letters of `ulimit`, with each shell's units and words.

/// What a letter of `ulimit` is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitOf {
    /// One of the kernel's limits (`RLIMIT_…`), in units of so many.
    Limit(u32, u64),
    /// Something that cannot be changed.
    Fixed(u64),
    /// Nothing that this system has.
    Nothing,
}

/// A letter of `ulimit`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimitRow {
    /// The letter.
    pub(crate) letter: u8,
    /// As `ulimit -a` names it; for bash with its unit, a bar between.
    pub(crate) name: &'static str,
    /// What it is about.
    pub(crate) about: LimitOf,
}

const fn row(letter: u8, name: &'static str, resource: u32, unit: u64) -> LimitRow {
    LimitRow { letter, name, about: LimitOf::Limit(resource, unit) }
}

const fn fixed(letter: u8, name: &'static str, value: u64) -> LimitRow {
    LimitRow { letter, name, about: LimitOf::Fixed(value) }
}

const fn none(letter: u8, name: &'static str) -> LimitRow {
    LimitRow { letter, name, about: LimitOf::Nothing }
}

const CPU: u32 = 0;
const FILE_SIZE: u32 = 1;
const DATA: u32 = 2;
const STACK: u32 = 3;
const CORE: u32 = 4;
const RESIDENT: u32 = 5;
const PROCESSES: u32 = 6;
const FILES: u32 = 7;
const LOCKED_MEMORY: u32 = 8;
const ADDRESS_SPACE: u32 = 9;
const LOCKS: u32 = 10;
const PENDING_SIGNALS: u32 = 11;
const MESSAGE_QUEUES: u32 = 12;
const NICE: u32 = 13;
const REAL_TIME_PRIORITY: u32 = 14;
const REAL_TIME: u32 = 15;

const KIB: u64 = 1 << 10;

/// `ulimit` of bash.
pub(crate) const BASH: &[LimitRow] = &[
    row(b'R', "real-time non-blocking time|microseconds, ", REAL_TIME, 1),
    row(b'c', "core file size|blocks, ", CORE, KIB),
    row(b'd', "data seg size|kbytes, ", DATA, KIB),
    row(b'e', "scheduling priority|", NICE, 1),
    row(b'f', "file size|blocks, ", FILE_SIZE, KIB),
    row(b'i', "pending signals|", PENDING_SIGNALS, 1),
    row(b'l', "max locked memory|kbytes, ", LOCKED_MEMORY, KIB),
    row(b'm', "max memory size|kbytes, ", RESIDENT, KIB),
    row(b'n', "open files|", FILES, 1),
    fixed(b'p', "pipe size|512 bytes, ", 8),
    row(b'q', "POSIX message queues|bytes, ", MESSAGE_QUEUES, 1),
    row(b'r', "real-time priority|", REAL_TIME_PRIORITY, 1),
    row(b's', "stack size|kbytes, ", STACK, KIB),
    row(b't', "cpu time|seconds, ", CPU, 1),
    row(b'u', "max user processes|", PROCESSES, 1),
    row(b'v', "virtual memory|kbytes, ", ADDRESS_SPACE, KIB),
    row(b'x', "file locks|", LOCKS, 1),
];

/// `ulimit` of dash.
pub(crate) const DASH: &[LimitRow] = &[
    row(b't', "time(seconds)", CPU, 1),
    row(b'f', "file(blocks)", FILE_SIZE, 512),
    row(b'd', "data(kbytes)", DATA, KIB),
    row(b's', "stack(kbytes)", STACK, KIB),
    row(b'c', "coredump(blocks)", CORE, 512),
    row(b'm', "memory(kbytes)", RESIDENT, KIB),
    row(b'l', "locked memory(kbytes)", LOCKED_MEMORY, KIB),
    row(b'p', "process", PROCESSES, 1),
    row(b'n', "nofiles", FILES, 1),
    row(b'v', "vmemory(kbytes)", ADDRESS_SPACE, KIB),
    row(b'w', "locks", LOCKS, 1),
    row(b'r', "rtprio", REAL_TIME_PRIORITY, 1),
];

/// `ulimit` of ksh.
pub(crate) const KSH: &[LimitRow] = &[
    row(b'M', "address space limit (Kibytes)", ADDRESS_SPACE, KIB),
    row(b'c', "core file size (blocks)", CORE, 512),
    row(b't', "cpu time (seconds)", CPU, 1),
    row(b'd', "data size (Kibytes)", DATA, KIB),
    row(b'f', "file size (blocks)", FILE_SIZE, 512),
    none(b'k', "kqueues"),
    row(b'x', "locks", LOCKS, 1),
    row(b'l', "locked address space (Kibytes)", LOCKED_MEMORY, KIB),
    row(b'q', "message queue size (Kibytes)", MESSAGE_QUEUES, KIB),
    row(b'e', "nice", NICE, 1),
    row(b'n', "nofile", FILES, 1),
    none(b'V', "novmon"),
    row(b'u', "nproc", PROCESSES, 1),
    none(b'P', "npts"),
    fixed(b'p', "pipe buffer size (bytes)", 4096),
    row(b'm', "max memory size (Kibytes)", RESIDENT, KIB),
    row(b'r', "rtprio", REAL_TIME_PRIORITY, 1),
    row(b'R', "max time before blocking (microseconds)", REAL_TIME, 1),
    fixed(b'b', "socket buffer size (bytes)", 4096),
    row(b'i', "sigpend", PENDING_SIGNALS, 1),
    row(b's', "stack size (Kibytes)", STACK, KIB),
    none(b'w', "swap size (Kibytes)"),
    none(b'T', "threads"),
    row(b'v', "process size (Kibytes)", ADDRESS_SPACE, KIB),
];
