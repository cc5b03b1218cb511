//! The system calls that this process has made, counted by name.
//!
//! Each thread counts in a block of its own, with a plain load and store, so counting costs an
//! increment in cache; the blocks are added up only when counts are read. A thread that ends gives
//! its block back with the counts still in it, and the next thread goes on from there: the sums
//! stay right and the number of blocks never exceeds the most threads alive at once.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Defines `Call` and the kernel's names, from one list: a call is a row of it.
macro_rules! calls {
    ($($variant:ident $name:literal $(, $note:literal)?;)+) => {
        /// A system call that this crate makes. The name is the kernel's.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Call {
            $(
                #[doc = concat!("`", $name, "`" $(, $note)?)]
                $variant,
            )+
        }

        const NAMES: &[&str] = &[$($name),+];
    };
}

#[cfg(target_os = "linux")]
calls! {
    Openat "openat";
    Getdents64 "getdents64";
    Close "close";
    Statx "statx";
    Fstatfs "fstatfs";
    Lseek "lseek";
    Readlinkat "readlinkat";
    Read "read";
    Write "write";
    Ioctl "ioctl";
    Prlimit64 "prlimit64";
    SchedGetaffinity "sched_getaffinity";
    Getcwd "getcwd";
    Poll "ppoll";
    ClockNanosleep "clock_nanosleep";
    Uname "uname";
    Pread64 "pread64";
    Llistxattr "llistxattr";
    Listxattr "listxattr";
    Madvise "madvise";
    Pipe2 "pipe2";
    Clone3 "clone3", ", as `posix_spawn` makes it";
    Wait4 "wait4";
    Kill "kill";
    Fcntl "fcntl";
    Fchmodat "fchmodat";
    Symlinkat "symlinkat";
    Linkat "linkat";
    Mkdirat "mkdirat";
    Unlinkat "unlinkat";
    Faccessat "faccessat";
    Getxattr "getxattr";
    Lgetxattr "lgetxattr";
    ClockGettime "clock_gettime";
    Renameat2 "renameat2";
    Utimensat "utimensat";
    Mknodat "mknodat";
    CopyFileRange "copy_file_range";
    Fchmod "fchmod";
    Fchown "fchown";
    Tee "tee";
    Splice "splice";
    Recvfrom "recvfrom";
    MemfdCreate "memfd_create";
    Dup3 "dup3";
    Execve "execve";
    Clone "clone", ", as `fork` makes it";
    RtSigaction "rt_sigaction";
    RtSigprocmask "rt_sigprocmask";
    Umask "umask";
    Unshare "unshare";
    Times "times";
    Faccessat2 "faccessat2";
    Geteuid "geteuid";
    Getegid "getegid";
    PidfdOpen "pidfd_open";
    Waitid "waitid", ", where `pidfd_open` is refused";
    Newfstatat "newfstatat", ", where `statx` is refused";
    Renameat "renameat", ", where `renameat2` is refused";
    Futex "futex";
    Fdatasync "fdatasync";
    InotifyInit1 "inotify_init1";
    InotifyAddWatch "inotify_add_watch";
    Getrusage "getrusage";
    InotifyRmWatch "inotify_rm_watch";
    FanotifyInit "fanotify_init";
    FanotifyMark "fanotify_mark";
    NameToHandleAt "name_to_handle_at";
    EpollCreate1 "epoll_create1";
    EpollCtl "epoll_ctl";
    Ftruncate "ftruncate";
}

#[cfg(any(target_os = "macos", target_os = "freebsd"))]
calls! {
    Openat "openat";
    Getdirentries64 "getdirentries64", ", on macOS";
    Getdirentries "getdirentries", ", on FreeBSD";
    Getattrlistbulk "getattrlistbulk", ", on macOS";
    Close "close";
    Fstatat "fstatat";
    Fstat "fstat";
    Fstatfs "fstatfs";
    Getfsstat "getfsstat";
    Lseek "lseek";
    Readlinkat "readlinkat";
    Read "read";
    Write "write";
    Ioctl "ioctl";
    Prlimit64 "getrlimit";
    Getcwd "getcwd";
    Poll "poll";
    Uname "uname";
    Pread64 "pread";
    Pipe2 "pipe";
    Clone3 "posix_spawn";
    Wait4 "wait4";
    Kill "kill";
    Fcntl "fcntl";
    Fchmodat "fchmodat";
    Symlinkat "symlinkat";
    Linkat "linkat";
    Mkdirat "mkdirat";
    Unlinkat "unlinkat";
    Faccessat "faccessat";
    ClockGettime "clock_gettime";
    RenameatxNp "renameatx_np", ", on macOS";
    Renameat "renameat";
    Utimensat "utimensat";
    Fchmod "fchmod";
    Fchown "fchown";
    Recvfrom "recvfrom";
    Dup3 "dup2";
    Execve "execve";
    Clone "fork";
    RtSigaction "sigaction";
    Times "getrusage";
    Getrusage "getrusage";
    Fsync "fsync";
    Ftruncate "ftruncate";
    Iopolicysys "iopolicysys", ", on macOS, as `setiopolicy_np` makes it";
}

#[cfg(windows)]
calls! {
    CreateFile "NtCreateFile";
    QueryDirectoryFile "NtQueryDirectoryFile";
    Close "NtClose";
    QueryInformationFile "NtQueryInformationFile";
    SetInformationFile "NtSetInformationFile";
    QueryVolumeInformationFile "NtQueryVolumeInformationFile";
    ReadFile "NtReadFile";
    WriteFile "NtWriteFile";
    FlushBuffersFile "NtFlushBuffersFile";
    FsControlFile "NtFsControlFile";
    CreateUserProcess "NtCreateUserProcess";
    WaitForSingleObject "NtWaitForSingleObject";
    QueryInformationProcess "NtQueryInformationProcess";
    TerminateProcess "NtTerminateProcess";
    DuplicateObject "NtDuplicateObject";
    CreateNamedPipeFile "NtCreateNamedPipeFile";
    OpenFile "NtOpenFile";
    QueryFullAttributesFile "NtQueryFullAttributesFile";
    QuerySecurityObject "NtQuerySecurityObject";
    QuerySystemInformation "NtQuerySystemInformation";
}

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
        let mut rows: Vec<_> =
            NAMES.iter().copied().zip(self.counts).filter(|row| row.1 > 0).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.1));
        rows
    }
}

/// What the longest name of a call takes, with a byte behind it: those of Windows are long.
pub const CALL_NAME_BYTES: usize = if cfg!(windows) { 40 } else { 24 };

const _: () = {
    let mut at = 0;
    while at < NAMES.len() {
        assert!(NAMES[at].len() < CALL_NAME_BYTES);
        at += 1;
    }
};

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

#[cfg(all(test, target_os = "linux"))]
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
    fn a_call_has_the_kernels_name() {
        count(Call::Getdents64);
        assert!(calls().by_name().iter().any(|(name, _)| *name == "getdents64"));
    }
}
