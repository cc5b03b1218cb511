//! Limits and the umask; whether calls stop a thread.

use crate::Errno;
use crate::counter::{Call, count};
use crate::unix::{last_error, resource_usage};

/// A limit of the process; `None` for no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The limit that is enforced.
    pub soft: Option<u64>,
    /// The most that the process may raise it to.
    pub hard: Option<u64>,
}

/// The limit with the kernel's number `resource` (`RLIMIT_…`).
///
/// Price: one `prlimit64`.
///
/// # Errors
/// The kernel's number: `EINVAL` for no such limit.
#[doc(alias = "prlimit64")]
pub fn limit(resource: u32) -> Result<Limit, Errno> {
    let mut now = [0; 2];
    ask(resource, std::ptr::null(), &raw mut now)?;
    let [soft, hard] = now.map(|number| (number != NO_LIMIT).then_some(number));
    Ok(Limit { soft, hard })
}

/// Sets a limit of the whole process, and of children that it starts.
///
/// Price: one `prlimit64`.
///
/// # Errors
/// The kernel's number: `EPERM` for raising a hard limit, `EINVAL` for a soft one above it.
#[doc(alias = "prlimit64")]
pub fn set_limit(resource: u32, limit: Limit) -> Result<(), Errno> {
    let new = [limit.soft, limit.hard].map(|limit| limit.unwrap_or(NO_LIMIT));
    ask(resource, &raw const new, std::ptr::null_mut())
}

/// What the kernel says instead of a number (`RLIM64_INFINITY`).
const NO_LIMIT: u64 = u64::MAX;

/// Not by the C libraries, of which some have 32 bits for a limit. The kernel has 64 of each, on
/// all machines (`struct rlimit64`): the soft one, then the hard one.
fn ask(resource: u32, new: *const [u64; 2], now: *mut [u64; 2]) -> Result<(), Errno> {
    count(Call::Prlimit64);
    // SAFETY: plain numbers, of which 0 is this process; each pointer is null or leads to a whole
    // value in the caller's frame.
    match unsafe { libc::syscall(libc::SYS_prlimit64, 0, resource, new, now) } {
        0 => Ok(()),
        _ => Err(last_error()),
    }
}

/// Sets the umask, the permission bits that new files do not get, and returns the one before. It is
/// the process's, unless this thread has [its own](own_file_state).
///
/// Price: one `umask`.
#[doc(alias = "umask")]
pub fn set_umask(bits: u32) -> u32 {
    count(Call::Umask);
    // SAFETY: a plain number; the call cannot fail.
    unsafe { libc::umask(bits) }
}

/// Gives this thread an umask and a working directory of its own, copies of the present ones. What
/// it changes from then on does not affect other threads.
///
/// Price: one `unshare`.
///
/// # Errors
/// The kernel's number: `ENOMEM`; `EPERM` where a filter forbids it.
#[doc(alias = "unshare")]
pub fn own_file_state() -> Result<(), Errno> {
    count(Call::Unshare);
    // SAFETY: a plain number; of all that threads share only the file-system state is split.
    match unsafe { libc::unshare(libc::CLONE_FS) } {
        0 => Ok(()),
        _ => Err(last_error()),
    }
}

/// Whether even calls that wait for nothing make this thread sleep, as where a tracer stops it at
/// each call.
///
/// Price: two `getrusage`.
#[must_use]
pub fn is_stopped_at_calls() -> bool {
    let [before, after] = [(); 2].map(|()| {
        count(Call::Getrusage);
        resource_usage(libc::RUSAGE_THREAD).ru_nvcsw
    });
    after > before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_of_its_own_has_an_umask_of_its_own() {
        let before = set_umask(0o22);
        std::thread::spawn(|| {
            own_file_state().unwrap();
            assert_eq!(set_umask(0o77), 0o22);
        })
        .join()
        .unwrap();
        assert_eq!(set_umask(before), 0o22);
    }

    #[test]
    fn a_limit_is_set_and_read() {
        let before = limit(libc::RLIMIT_CORE).unwrap();
        set_limit(libc::RLIMIT_CORE, Limit { soft: Some(0), ..before }).unwrap();
        assert_eq!(limit(libc::RLIMIT_CORE).unwrap().soft, Some(0));
        set_limit(libc::RLIMIT_CORE, before).unwrap();
        assert_eq!(limit(99), Err(Errno::INVAL));
    }
}
