//! What the process has used.

use std::time::Duration;

use crate::counter::{Call, count};

/// The processor time of this process, and of those of its children that were waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Time in programs.
    pub user: Duration,
    /// Time in the kernel.
    pub system: Duration,
}

/// The processor times of this process, and of those of its children that were waited for.
///
/// Price: two `getrusage`, counted as `times`.
#[doc(alias = "getrusage")]
#[must_use]
pub fn times() -> [Times; 2] {
    [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN].map(|which| {
        count(Call::Times);
        let usage = resource_usage(which);
        Times { user: duration(usage.ru_utime), system: duration(usage.ru_stime) }
    })
}

/// What this process has used so far, all its threads together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The time that its threads have run on processors, in programs and in the kernel.
    pub processor: Duration,
    /// How often a thread gave its processor up to wait for something.
    pub sleeps: u64,
}

/// What this process has used so far.
///
/// Price: one `getrusage`.
#[doc(alias = "getrusage")]
#[must_use]
pub fn usage() -> Usage {
    count(Call::Getrusage);
    let usage = resource_usage(libc::RUSAGE_SELF);
    Usage {
        processor: duration(usage.ru_utime) + duration(usage.ru_stime),
        sleeps: u64::try_from(usage.ru_nvcsw).unwrap_or(0),
    }
}

// The C libraries differ in the type of the number.
pub(crate) fn resource_usage(which: libc::c_int) -> libc::rusage {
    // SAFETY: all-zero is a whole `rusage`, which the call fills; it cannot fail.
    unsafe {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        libc::getrusage(which as _, usage.as_mut_ptr());
        usage.assume_init()
    }
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
    seconds + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        let [before, _] = times();
        while times()[0].user == before.user {}
    }
}
