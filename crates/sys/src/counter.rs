//! The system calls that this process has made, counted by name.
//!
//! Each thread counts in a block of its own, with a plain load and store, so counting costs an
//! increment in cache; the blocks are added up only when counts are read. A thread that ends gives
//! its block back with the counts still in it, and the next thread goes on from there: the sums
//! stay right and the number of blocks never exceeds the most threads alive at once.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A system call that this crate makes. The name is the kernel's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Call {
    /// `openat`
    Openat,
    /// `getdents64`
    Getdents64,
    /// `close`
    Close,
    /// `statx`
    Statx,
    /// `fstatfs`
    Fstatfs,
    /// `lseek`
    Lseek,
    /// `readlinkat`
    Readlinkat,
    /// `read`
    Read,
    /// `write`
    Write,
    /// `ioctl`
    Ioctl,
    /// `prlimit64`
    Prlimit64,
    /// `sched_getaffinity`
    SchedGetaffinity,
    /// `getcwd`
    Getcwd,
    /// `ppoll`
    Poll,
    /// `clock_nanosleep`
    ClockNanosleep,
    /// `uname`
    Uname,
    /// `pread64`
    Pread64,
    /// `llistxattr`
    Llistxattr,
    /// `listxattr`
    Listxattr,
    /// `madvise`
    Madvise,
    /// `pipe2`
    Pipe2,
    /// `clone3`, as `posix_spawn` makes it
    Clone3,
    /// `wait4`
    Wait4,
    /// `kill`
    Kill,
    /// `fcntl`
    Fcntl,
    /// `fchmodat`
    Fchmodat,
    /// `symlinkat`
    Symlinkat,
    /// `linkat`
    Linkat,
    /// `mkdirat`
    Mkdirat,
    /// `unlinkat`
    Unlinkat,
    /// `faccessat`
    Faccessat,
    /// `getxattr`
    Getxattr,
    /// `lgetxattr`
    Lgetxattr,
    /// `clock_gettime`
    ClockGettime,
    /// `renameat2`
    Renameat2,
    /// `utimensat`
    Utimensat,
    /// `mknodat`
    Mknodat,
    /// `copy_file_range`
    CopyFileRange,
    /// `fchmod`
    Fchmod,
    /// `fchown`
    Fchown,
    /// `tee`
    Tee,
    /// `splice`
    Splice,
    /// `recvfrom`
    Recvfrom,
    /// `memfd_create`
    MemfdCreate,
    /// `dup3`
    Dup3,
    /// `execve`
    Execve,
    /// `clone`, as `fork` makes it
    Clone,
    /// `rt_sigaction`
    RtSigaction,
    /// `rt_sigprocmask`
    RtSigprocmask,
    /// `umask`
    Umask,
    /// `unshare`
    Unshare,
    /// `times`
    Times,
    /// `faccessat2`
    Faccessat2,
    /// `geteuid`
    Geteuid,
    /// `getegid`
    Getegid,
    /// `pidfd_open`
    PidfdOpen,
    /// `newfstatat`, where `statx` is refused
    Newfstatat,
    /// `renameat`, where `renameat2` is refused
    Renameat,
    /// `futex`
    Futex,
}

const NAMES: [&str; 59] = [
    "openat",
    "getdents64",
    "close",
    "statx",
    "fstatfs",
    "lseek",
    "readlinkat",
    "read",
    "write",
    "ioctl",
    "prlimit64",
    "sched_getaffinity",
    "getcwd",
    "ppoll",
    "clock_nanosleep",
    "uname",
    "pread64",
    "llistxattr",
    "listxattr",
    "madvise",
    "pipe2",
    "clone3",
    "wait4",
    "kill",
    "fcntl",
    "fchmodat",
    "symlinkat",
    "linkat",
    "mkdirat",
    "unlinkat",
    "faccessat",
    "getxattr",
    "lgetxattr",
    "clock_gettime",
    "renameat2",
    "utimensat",
    "mknodat",
    "copy_file_range",
    "fchmod",
    "fchown",
    "tee",
    "splice",
    "recvfrom",
    "memfd_create",
    "dup3",
    "execve",
    "clone",
    "rt_sigaction",
    "rt_sigprocmask",
    "umask",
    "unshare",
    "times",
    "faccessat2",
    "geteuid",
    "getegid",
    "pidfd_open",
    "newfstatat",
    "renameat",
    "futex",
];

type Block = [AtomicU64; NAMES.len()];

fn empty() -> Block {
    [const { AtomicU64::new(0) }; NAMES.len()]
}

struct Blocks {
    all: Vec<&'static Block>,
    free: Vec<&'static Block>,
}

static BLOCKS: Mutex<Blocks> = Mutex::new(Blocks { all: Vec::new(), free: Vec::new() });

fn blocks() -> std::sync::MutexGuard<'static, Blocks> {
    BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the thread's block back when the thread ends.
struct Lease(&'static Block);

impl Lease {
    fn take() -> Lease {
        let mut blocks = blocks();
        let block = blocks.free.pop().unwrap_or_else(|| {
            let fresh: &'static Block = Box::leak(Box::new(empty()));
            blocks.all.push(fresh);
            fresh
        });
        Lease(block)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        blocks().free.push(self.0);
    }
}

thread_local! {
    static LEASE: Lease = Lease::take();
    // The fast path: it has no destructor, so there is no state to check at each call.
    static HERE: Cell<Option<&'static Block>> = const { Cell::new(None) };
}

/// Counts one call on this thread.
#[inline]
pub(crate) fn count(call: Call) {
    let block = HERE.get().unwrap_or_else(first_call_of_thread);
    let counter = &block[call as usize];
    counter.store(counter.load(Relaxed) + 1, Relaxed);
}

#[cold]
fn first_call_of_thread() -> &'static Block {
    // A call made while the thread is being torn down has no lease any more; the shared first
    // block takes it (two threads ending at once may lose one count there, never memory safety).
    let block = LEASE.try_with(|lease| lease.0).unwrap_or_else(|_| {
        let mut blocks = blocks();
        if blocks.all.is_empty() {
            blocks.all.push(Box::leak(Box::new(empty())));
        }
        blocks.all[0]
    });
    HERE.set(Some(block));
    block
}

/// How often each call was made: a snapshot that can be compared with a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calls {
    counts: [u64; NAMES.len()],
}

impl Default for Calls {
    fn default() -> Calls {
        Calls { counts: [0; NAMES.len()] }
    }
}

impl Calls {
    /// How often one call was made.
    #[must_use]
    pub fn of(&self, call: Call) -> u64 {
        self.counts[call as usize]
    }

    /// All calls together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// What came since an earlier snapshot.
    #[must_use]
    pub fn since(&self, earlier: &Calls) -> Calls {
        let mut counts = self.counts;
        for (count, before) in counts.iter_mut().zip(earlier.counts) {
            *count = count.saturating_sub(before);
        }
        Calls { counts }
    }

    /// Name and count of each call that was made at all, the most frequent first.
    #[must_use]
    pub fn by_name(&self) -> Vec<(&'static str, u64)> {
        let mut rows: Vec<_> = NAMES.into_iter().zip(self.counts).filter(|row| row.1 > 0).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.1));
        rows
    }
}

/// The calls made through this crate by all threads of the process, those that ended included.
///
/// Price: none in calls. Counts of threads that are still running may lag by the call under way.
#[must_use]
pub fn calls() -> Calls {
    let mut counts = [0; NAMES.len()];
    for block in &blocks().all {
        for (sum, counter) in counts.iter_mut().zip(block.iter()) {
            *sum += counter.load(Relaxed);
        }
    }
    Calls { counts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_ended_threads_stay() {
        let before = calls();
        for _ in 0..3 {
            std::thread::spawn(|| (0..1000).for_each(|_| count(Call::Uname))).join().unwrap();
        }
        count(Call::Uname);
        assert_eq!(calls().since(&before).of(Call::Uname), 3001);
    }

    #[test]
    fn the_list_of_names_ends_with_the_last_call() {
        assert_eq!(NAMES[Call::Openat as usize], "openat");
        assert_eq!(NAMES[Call::Fcntl as usize], "fcntl");
        assert_eq!(NAMES[Call::Unlinkat as usize], "unlinkat");
        assert_eq!(NAMES[Call::ClockGettime as usize], "clock_gettime");
        assert_eq!(NAMES[Call::Fchown as usize], "fchown");
        assert_eq!(NAMES[Call::Getegid as usize], "getegid");
        assert_eq!(NAMES[Call::PidfdOpen as usize], "pidfd_open");
        assert_eq!(NAMES[Call::Newfstatat as usize], "newfstatat");
        assert_eq!(NAMES[Call::Renameat as usize], "renameat");
        assert_eq!(Call::Futex as usize + 1, NAMES.len());
    }
}
