//! Where a thread has a variable of its own (`_Thread_local`), for files whose block is not known.

use crate::source::{memory, ptrace};

/// At most so many files with such variables are looked through.
const FILES: u64 = 32;

/// In the C library's structure of a thread: its table of blocks, one for each file.
const TABLE: u64 = 8;

/// How far apart two entries of the table lie: in glibc, in musl.
const STRIDES: [u64; 2] = [16, 8];

/// In glibc's structure of a thread: where what a thread keeps by keys (`pthread_setspecific`) is.
const KEPT: std::ops::Range<u64> = 512..1536;

/// Where the symbol of a variable is missing, it is looked for in so many bytes of a block.
const LOOKED_THROUGH: u64 = 256;

/// The beginnings of a stopped thread's blocks, and what is none.
fn blocks(thread: libc::pid_t) -> impl Iterator<Item = u64> {
    let own = ptrace::thread_pointer(thread);
    let table = own.and_then(|own| word(thread, own.wrapping_add(TABLE)));
    let entries = STRIDES.iter().flat_map(|stride| (1..=FILES).map(move |file| stride * file));
    let words = entries.map_while(move |at| word(thread, table?.wrapping_add(at)));
    words.filter(|block| *block != 0 && block % 8 == 0)
}

/// The address that a variable has in a stopped thread: it lies `offset` bytes behind the beginning
/// of one of the thread's blocks. Which one is told by `is`, which must be certain.
pub(super) fn address(thread: libc::pid_t, offset: u64, is: impl Fn(u64) -> bool) -> Option<u64> {
    blocks(thread).map(|block| block.wrapping_add(offset)).find(|at| is(*at))
}

/// The address of a variable that lies anywhere in a stopped thread's blocks.
pub(super) fn any(thread: libc::pid_t, is: impl Fn(u64) -> bool) -> Option<u64> {
    let offsets = || (0..LOOKED_THROUGH).step_by(8);
    let all = blocks(thread).flat_map(|block| offsets().map(move |at| block.wrapping_add(at)));
    all.into_iter().find(|at| is(*at))
}

/// The address at which a stopped thread keeps something by a key. `is` tells which, and must be
/// certain.
pub(super) fn by_key(thread: libc::pid_t, is: impl Fn(u64) -> bool) -> Option<u64> {
    let own = ptrace::thread_pointer(thread)?;
    KEPT.step_by(8).map(|at| own.wrapping_add(at)).find(|at| is(*at))
}

/// A word of a thread's memory.
fn word(thread: libc::pid_t, at: u64) -> Option<u64> {
    memory::array(thread, at).map(u64::from_ne_bytes)
}
