//! The resources of the process, and what it is connected to.

use std::marker::PhantomData;
use std::process;
use std::thread::available_parallelism;
use std::time::Duration;

use windows_sys::Win32::Foundation::{FILETIME, GetLastError, SetLastError};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessTimes, GetThreadTimes,
};

use super::OsStringExt;
use crate::Errno;
use crate::windows_formats::path::as_written;

/// How many processors this process may use. At least 1.
///
/// Price: none that is counted.
#[must_use]
pub fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// How many handles this process may hold: there is no limit but memory.
///
/// Price: none.
#[must_use]
pub fn descriptor_limit() -> Option<u64> {
    None
}

/// The name of this machine; empty if it is not known.
///
/// Price: none.
#[must_use]
pub fn host_name() -> Vec<u8> {
    std::env::var_os("COMPUTERNAME").map_or_else(Vec::new, OsStringExt::into_vec)
}

/// The number of this process.
///
/// Price: none.
#[must_use]
pub fn own_number() -> u32 {
    process::id()
}

/// The absolute path of the working directory, as users write it: `C:/folder`.
///
/// Price: none: the process keeps it.
///
/// # Errors
/// The number for what the system says.
pub fn current_dir() -> Result<Vec<u8>, Errno> {
    let path = std::env::current_dir();
    path.map(|path| as_written(&path.into_os_string().into_vec()))
        .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))
}

/// Ends the process as one ends that writes to a pipe without a reader: without a message. For the
/// very end of a command; a library must not call it.
pub fn die_of_sigpipe() -> ! {
    process::exit(1)
}

/// Ends the process with a status of failure: no signal ends one here.
pub fn die_of(_signal: i32) -> ! {
    process::exit(1)
}

/// Is not supported.
///
/// # Errors
/// Always `EOPNOTSUPP`.
pub fn end_with_parent(_parent: i32) -> Result<bool, Errno> {
    Err(Errno::OPNOTSUPP)
}

/// Does nothing: Ctrl-C ends the process at once here.
pub fn note_ends() {}

/// None. Free.
#[must_use]
pub fn noted_end() -> Option<i32> {
    None
}

/// Does nothing: no signal ends a process here, which would leave the line.
pub fn set_last_line_shown(_yes: bool) {}

/// Does nothing, as [`set_last_line_shown`].
pub fn erase_last_line_at_end() {}

/// Runs `f`: no signal interrupts a call here.
pub fn interruptible<T>(f: impl FnOnce() -> T) -> T {
    f()
}

/// What [`hold_signals`] returns.
#[derive(Debug)]
pub struct HeldSignals;

/// Does nothing: no thread is interrupted here.
///
/// Price: none.
#[must_use]
pub fn hold_signals() -> HeldSignals {
    HeldSignals
}

/// What [`keep_errno`] returns.
#[derive(Debug)]
pub struct KeptErrno {
    before: u32,
    /// The number belongs to one thread.
    stays: PhantomData<*const ()>,
}

/// Saves the thread's last error for a caller in C, and restores it on drop: the calls of Win32 set
/// it. `errno` belongs to the C library, which nothing here uses.
///
/// Price: none.
#[must_use]
pub fn keep_errno() -> KeptErrno {
    // SAFETY: takes nothing.
    KeptErrno { before: unsafe { GetLastError() }, stays: PhantomData }
}

impl Drop for KeptErrno {
    fn drop(&mut self) {
        // SAFETY: takes a number, and it does not go to another thread.
        unsafe { SetLastError(self.before) };
    }
}

/// The signals that a thread blocks: there are none here.
#[derive(Clone, Copy, Debug)]
pub struct SignalMask;

/// The signals that this thread blocks: there are none here.
///
/// Price: none.
#[must_use]
pub fn signal_mask() -> SignalMask {
    SignalMask
}

/// What the process has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The time that its threads have run on processors, in programs and in the kernel.
    pub processor: Duration,
    /// How often a thread gave its processor up to wait for something: not known here.
    pub sleeps: u64,
}

/// What this process has used so far.
///
/// Price: one `NtQueryInformationProcess`, which is not counted.
#[must_use]
pub fn usage() -> Usage {
    let mut times = [FILETIME::default(); 4];
    let [made, ended, kernel, user] = &mut times;
    // SAFETY: the handle stands for this process; the times are written there.
    unsafe { GetProcessTimes(GetCurrentProcess(), made, ended, kernel, user) };
    Usage { processor: duration(times[2]) + duration(times[3]), sleeps: 0 }
}

/// Whether calls make this thread sleep: not known here.
///
/// Price: none.
#[must_use]
pub fn is_stopped_at_calls() -> bool {
    false
}

/// The processor time of this thread.
///
/// Price: one `NtQueryInformationThread`, which is not counted.
#[must_use]
pub fn processor_time() -> Duration {
    let mut times = [FILETIME::default(); 4];
    let [made, ended, kernel, user] = &mut times;
    // SAFETY: the handle stands for this thread; the times are written there.
    unsafe { GetThreadTimes(GetCurrentThread(), made, ended, kernel, user) };
    duration(times[2]) + duration(times[3])
}

fn duration(time: FILETIME) -> Duration {
    let units = u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    Duration::from_nanos(units.saturating_mul(100))
}

/// How many handles the process has, for tests. They are counted in the list of those of all
/// processes: Wine has no number for `GetProcessHandleCount`, and says 0.
///
/// Price: one `NtQuerySystemInformation` or a few, which are not counted.
#[must_use]
pub fn open_handles() -> usize {
    use windows_sys::Wdk::System::SystemInformation::NtQuerySystemInformation;
    const EXTENDED_HANDLE_INFORMATION: i32 = 64;
    const MOST_WORDS: usize = 1 << 26;
    // The number of handles and a reserved word; then five words each, the second is the process.
    let mut words = vec![0_usize; 1 << 16];
    while words.len() < MOST_WORDS {
        let (bytes, mut filled) = (size_of_val(&*words) as u32, 0);
        let into = words.as_mut_ptr().cast();
        // SAFETY: the system writes at most so many bytes there, and the number of them.
        let status = unsafe {
            NtQuerySystemInformation(EXTENDED_HANDLE_INFORMATION, into, bytes, &raw mut filled)
        };
        if status == 0 {
            let own = |handle: &&[usize]| handle[1] == process::id() as usize;
            return words[2..].chunks_exact(5).take(words[0]).filter(own).count();
        }
        words.resize(2 * words.len(), 0);
    }
    0
}
