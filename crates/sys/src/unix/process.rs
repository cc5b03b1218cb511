//! The resources of the process, and what it is connected to.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;

use rustix::process::{Resource, getrlimit};

use super::retry;
use crate::Errno;
use crate::counter::{Call, count};
use crate::exit_status::status_of_signal;

/// How many descriptors this process may hold; `None` for no limit.
///
/// Price: one `prlimit64`.
#[doc(alias = "prlimit64")]
#[must_use]
pub fn descriptor_limit() -> Option<u64> {
    count(Call::Prlimit64);
    getrlimit(Resource::Nofile).current
}

/// Whether the environment of a child takes room of its arguments.
pub const ENVIRONMENT_TAKES_ROOM: bool = true;

/// `MAX_ARG_STRLEN`: the longest single argument of a child, with its NUL.
pub const LONGEST_ARGUMENT: usize = 128 << 10;

/// How many bytes the arguments and the environment of a child may take: a quarter of the stack
/// (fs/exec.c, `bprm_stack_limits`), at least `ARG_MAX`, and at most `_STK_LIM / 4 * 3`, whatever
/// the limit of the stack.
///
/// Price: one `prlimit64`.
#[doc(alias = "prlimit64")]
#[must_use]
pub fn argument_limit() -> usize {
    const MOST_BYTES: usize = 6 << 20;
    count(Call::Prlimit64);
    let stack = getrlimit(Resource::Stack).current;
    let stack = stack.map_or(MOST_BYTES, |it| usize::try_from(it / 4).unwrap_or(MOST_BYTES));
    stack.clamp(LONGEST_ARGUMENT, MOST_BYTES)
}

/// Whether `file` is a terminal.
///
/// Price: one `ioctl`.
#[doc(alias = "ioctl")]
#[must_use]
pub fn is_terminal(file: impl AsFd) -> bool {
    count(Call::Ioctl);
    rustix::termios::isatty(file)
}

/// How many columns the terminal `file` has; `None` if it is none or does not know.
///
/// Price: one `ioctl`.
#[doc(alias = "ioctl")]
#[must_use]
pub fn terminal_columns(file: impl AsFd) -> Option<u16> {
    count(Call::Ioctl);
    let size = rustix::termios::tcgetwinsize(file).ok()?;
    (size.ws_col > 0).then_some(size.ws_col)
}

/// The same for its rows.
///
/// Price: one `ioctl`.
#[doc(alias = "ioctl")]
#[must_use]
pub fn terminal_rows(file: impl AsFd) -> Option<u16> {
    count(Call::Ioctl);
    let size = rustix::termios::tcgetwinsize(file).ok()?;
    (size.ws_row > 0).then_some(size.ws_row)
}

/// The name of this machine; empty if it is not known.
///
/// Price: one `uname`.
#[doc(alias = "uname")]
#[must_use]
pub fn host_name() -> Vec<u8> {
    let mut names = std::mem::MaybeUninit::<libc::utsname>::zeroed();
    count(Call::Uname);
    // SAFETY: the kernel fills the memory it is given, and all-zero is a whole `utsname`: empty
    // texts.
    let names = unsafe {
        libc::uname(names.as_mut_ptr());
        names.assume_init()
    };
    // Machines differ in whether a `c_char` has a sign.
    let name = names.nodename.iter().flat_map(|byte| byte.to_ne_bytes());
    name.take_while(|byte| *byte != 0).collect()
}

/// The absolute path of the working directory.
///
/// Price: one `getcwd`.
///
/// # Errors
/// The kernel's number: `ENOENT` if the directory has been removed.
#[doc(alias = "getcwd")]
pub fn current_dir() -> Result<Vec<u8>, Errno> {
    retry(Call::Getcwd, || rustix::process::getcwd(Vec::new())).map(std::ffi::CString::into_bytes)
}

/// Ends the process as a program ends that writes to a pipe without a reader: without a message, by
/// SIGPIPE. For the very end of a command; a library must not call it.
pub fn die_of_sigpipe() -> ! {
    super::signals::erase_last_line();
    die_of(libc::SIGPIPE)
}

/// Ends the process by a signal, whether it was caught or ignored, without leaving a core dump: the
/// waiting process sees the same end as that of the child whose end this process passes on. Signals
/// that do not end a process end this one with [`status_of_signal`]. For the very end of a command;
/// a library must not call it.
pub fn die_of(signal: i32) -> ! {
    // SAFETY: the calls take plain numbers and memory of this frame alone: `none` and `unblocked`
    // are whole values, the latter made by `sigemptyset` before it is read. Changing what a signal
    // does is of no consequence to other threads, since the next call ends the process.
    unsafe {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        libc::signal(signal, libc::SIG_DFL);
        let mut unblocked = std::mem::MaybeUninit::uninit();
        libc::sigemptyset(unblocked.as_mut_ptr());
        libc::sigaddset(unblocked.as_mut_ptr(), signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, unblocked.as_ptr(), std::ptr::null_mut());
        libc::raise(signal);
    }
    std::process::exit(status_of_signal(signal))
}

/// The processor time of this thread, in programs and in the kernel. Waiting and other programs do
/// not count.
///
/// Price: one `clock_gettime`.
#[doc(alias = "clock_gettime")]
#[must_use]
pub fn processor_time() -> std::time::Duration {
    count(Call::ClockGettime);
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    std::time::Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_takes_no_time_of_the_processor() {
        let start = processor_time();
        std::thread::sleep(std::time::Duration::from_millis(200));
        let slept = processor_time();
        assert!(slept - start < std::time::Duration::from_millis(100));
        let mut sum = 0_u64;
        while processor_time() == slept {
            sum = std::hint::black_box(sum + 1);
        }
    }
}

/// Where the C library keeps the `errno` of this thread.
fn errno_place() -> *mut libc::c_int {
    // SAFETY: it takes nothing, and what it returns is valid as long as the thread is.
    #[cfg(target_os = "linux")]
    return unsafe { libc::__errno_location() };
    // SAFETY: as above.
    #[cfg(not(target_os = "linux"))]
    return unsafe { libc::__error() };
}

/// The C library's `errno` of this thread. It is restored when this is dropped.
#[derive(Debug)]
pub struct KeptErrno {
    before: libc::c_int,
    /// `errno` belongs to one thread.
    stays: PhantomData<*const ()>,
}

/// Saves `errno` for a caller in C, and restores it on drop. No call of this crate sets it, but
/// threads and the C library do: when a thread is waited for or cannot be started, when a number
/// has no name.
///
/// Price: none.
#[must_use]
pub fn keep_errno() -> KeptErrno {
    // SAFETY: it is valid as long as the thread is.
    KeptErrno { before: unsafe { *errno_place() }, stays: PhantomData }
}

impl Drop for KeptErrno {
    fn drop(&mut self) {
        // SAFETY: as above, and it does not go to another thread.
        unsafe { *errno_place() = self.before };
    }
}

/// Which signals a thread blocks.
#[derive(Clone, Copy, Debug)]
pub struct SignalMask(libc::sigset_t);

impl SignalMask {
    pub(super) fn as_ptr(&self) -> *const libc::sigset_t {
        &raw const self.0
    }
}

/// The signals that this thread blocks, for children that another thread starts.
///
/// Price: one `rt_sigprocmask`, which is not counted, as in [`hold_signals`].
#[must_use]
pub fn signal_mask() -> SignalMask {
    let mut now = MaybeUninit::uninit();
    // SAFETY: without a new set the call only fills `now`, and it cannot fail.
    unsafe {
        libc::pthread_sigmask(libc::SIG_SETMASK, std::ptr::null(), now.as_mut_ptr());
        SignalMask(now.assume_init())
    }
}

/// Blocks signals for this thread until it is dropped; a thread that is started meanwhile never
/// gets any.
#[derive(Debug)]
pub struct HeldSignals {
    before: libc::sigset_t,
    /// The mask belongs to one thread.
    stays: PhantomData<*const ()>,
}

/// Blocks signals for this thread, and for every thread that it starts, until the result is
/// dropped. Signals to the process go to its other threads meanwhile, or wait.
///
/// Price: one `rt_sigprocmask` now and one later, which are not counted: they are part of starting
/// a thread.
#[doc(alias = "rt_sigprocmask")]
#[must_use]
pub fn hold_signals() -> HeldSignals {
    let mut all = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    // SAFETY: both are valid for writing a set. sigfillset fills the first, and pthread_sigmask,
    // which cannot fail with SIG_SETMASK, the second.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        HeldSignals { before: before.assume_init(), stays: PhantomData }
    }
}

#[cfg(target_os = "linux")]
impl HeldSignals {
    /// What was blocked before.
    pub(crate) fn before(&self) -> *const libc::sigset_t {
        &raw const self.before
    }
}

impl Drop for HeldSignals {
    fn drop(&mut self) {
        // SAFETY: the set is one that pthread_sigmask has filled.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, std::ptr::null_mut());
        }
    }
}
