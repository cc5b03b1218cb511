//! The identity of this process: its number and its parent's, its user and group.
//!
//! The kernel cannot fail here, but a filter in front of it may refuse any call. Then the answer
//! comes from /proc, or from the auxiliary vector that programs are started with.

use rustix::fs::{CWD, readlinkat};
use rustix::process::Signal;

use crate::counter::{Call, count};
use crate::errno::Errno;

/// The number of this process.
///
/// Price: one `getpid`, which is not counted: it costs next to nothing.
#[doc(alias = "getpid")]
#[must_use]
pub fn own_number() -> i32 {
    // SAFETY: takes nothing.
    let number = unsafe { libc::getpid() };
    if number > 0 { number } else { number_in_proc().unwrap_or(0) }
}

fn number_in_proc() -> Option<i32> {
    readlinkat(CWD, c"/proc/self", Vec::new()).ok()?.to_str().ok()?.parse().ok()
}

/// The number of this process's parent; 0 if that cannot be seen from here.
///
/// Price: one `getppid`, which is not counted.
#[doc(alias = "getppid")]
#[must_use]
pub fn parent_number() -> i32 {
    // SAFETY: takes nothing.
    unsafe { libc::getppid() }.max(0)
}

/// From now on this process ends when the one does that started it, however that ends. Returns
/// whether that one, with the number `parent`, is still there.
///
/// Price: one `prctl` and one `getppid`, which are not counted.
///
/// # Errors
/// The kernel's number.
#[doc(alias = "PR_SET_PDEATHSIG")]
pub fn end_with_parent(parent: i32) -> Result<bool, Errno> {
    rustix::process::set_parent_process_death_signal(Some(Signal::TERM))?;
    Ok(parent_number() == parent)
}

/// The number of the effective user.
///
/// Price: one `geteuid`, which is not counted.
#[doc(alias = "geteuid")]
#[must_use]
pub fn own_user() -> u32 {
    // SAFETY: takes nothing.
    or_started_with(unsafe { libc::geteuid() }, libc::AT_EUID)
}

/// The numbers of the effective user and of the effective group.
///
/// Price: one `geteuid` and one `getegid`.
#[doc(alias = "geteuid")]
#[doc(alias = "getegid")]
#[must_use]
pub fn effective_owner() -> (u32, u32) {
    count(Call::Geteuid);
    count(Call::Getegid);
    // SAFETY: takes nothing.
    (own_user(), or_started_with(unsafe { libc::getegid() }, libc::AT_EGID))
}

/// Whether effective and real user and group are the same.
///
/// Price: one `getuid`, `geteuid`, `getgid` and `getegid`, which are not counted.
pub(super) fn effective_is_real() -> bool {
    // SAFETY: they take nothing.
    unsafe { libc::getuid() == libc::geteuid() && libc::getgid() == libc::getegid() }
}

/// An answer, unless it is the negative number of an error.
#[expect(clippy::cast_possible_wrap, reason = "an error is a negative number")]
#[expect(clippy::cast_possible_truncation, reason = "what is asked for has 32 bits")]
fn or_started_with(answer: u32, what: libc::c_ulong) -> u32 {
    if (-4095..0).contains(&(answer as i32)) {
        // SAFETY: a plain number; reads what the C library keeps.
        return unsafe { libc::getauxval(what) } as u32;
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_elsewhere_is_the_same() {
        assert_eq!(number_in_proc(), Some(own_number()));
        assert_eq!(or_started_with(u32::MAX - 4, libc::AT_EUID), own_user());
        assert_eq!(or_started_with(7, libc::AT_EUID), 7);
    }
}
