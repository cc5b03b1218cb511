//! Signals: catch, ignore, send; which of the caught ones came.
//!
//! The action of a signal belongs to the whole process, and a handler learns nothing but the
//! number: so the signals that came are kept in one word for the process. A program need not use
//! it. A line of a terminal that is to be gone when a signal ends the process is known here, too.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::last_error;
use crate::Errno;
use crate::counter::{Call, count};

/// The action of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The default action.
    Default,
    /// It is ignored.
    Ignore,
    /// It becomes [pending](take_pending), and calls that wait are interrupted.
    Catch,
    /// As `Catch` for the first time; then the default action.
    CatchOnce,
    /// The [last line](set_last_line_shown) of the terminal is erased, then the signal does
    /// what it does by default.
    EraseAndEnd,
}

/// One bit for each signal that came and has not been taken.
static PENDING: AtomicU64 = AtomicU64::new(0);

/// Async-signal-safe: one atomic operation.
extern "C" fn note(signal: libc::c_int) {
    PENDING.fetch_or(bit(signal), Relaxed);
}

const fn bit(signal: i32) -> u64 {
    if signal >= 1 && signal <= 64 { 1 << (signal - 1) } else { 0 }
}

/// Sets the action of a signal, for the whole process; returns the one before.
///
/// Price: one `rt_sigaction`.
///
/// # Errors
/// The kernel's number: `EINVAL` for no signal, and for KILL and STOP.
#[doc(alias = "rt_sigaction")]
pub fn set_signal(signal: i32, action: Action) -> Result<Action, Errno> {
    let mut before = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    count(Call::RtSigaction);
    // SAFETY: all-zero is a whole `sigaction`: default action, no flags, no signal in its mask. The
    // handlers take what they are given and do nothing but what is async-signal-safe. Both are read
    // and written during the call only.
    let (result, before) = unsafe {
        let mut new = std::mem::MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        new.sa_sigaction = match action {
            Action::Default => libc::SIG_DFL,
            Action::Ignore => libc::SIG_IGN,
            Action::Catch => note as extern "C" fn(libc::c_int) as usize,
            Action::CatchOnce => {
                new.sa_flags = libc::SA_RESETHAND;
                note as extern "C" fn(libc::c_int) as usize
            }
            Action::EraseAndEnd => {
                new.sa_flags = libc::SA_RESETHAND;
                erase_and_end as extern "C" fn(libc::c_int) as usize
            }
        };
        (libc::sigaction(signal, &raw const new, before.as_mut_ptr()), before.assume_init())
    };
    if result != 0 {
        return Err(last_error());
    }
    Ok(meaning(before.sa_sigaction))
}

fn meaning(handler: usize) -> Action {
    match handler {
        libc::SIG_DFL => Action::Default,
        libc::SIG_IGN => Action::Ignore,
        handler if handler == erase_and_end as extern "C" fn(libc::c_int) as usize => {
            Action::EraseAndEnd
        }
        _ => Action::Catch,
    }
}

/// The signals that people and systems end a program by.
const ENDING: [i32; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// From now on INT, TERM and HUP are noted instead of ending the process, each for the first time;
/// one that is ignored stays so. For a program; a library must not call it.
///
/// Price: one `rt_sigaction` for each of these signals that is ignored, two for others.
pub fn note_ends() {
    for signal in ENDING {
        if matches!(signal_action(signal), Ok(Action::Default | Action::EraseAndEnd)) {
            let _ = set_signal(signal, Action::CatchOnce);
        }
    }
}

/// The signal that would have ended the process but for [`note_ends`], if one came. Free.
#[must_use]
pub fn noted_end() -> Option<i32> {
    ENDING.into_iter().find(|signal| pending() & bit(*signal) != 0)
}

const ERASE: &[u8] = b"\r\x1b[K";

/// Whether standard error has such a line.
static IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Says whether the last line of the terminal on standard error is one that is to be gone when the
/// process is ended by a signal or for want of a reader: it is erased then. Free.
pub fn set_last_line_shown(yes: bool) {
    IS_SHOWN.store(yes, Relaxed);
}

/// From now on the [last line](set_last_line_shown) is erased when INT, TERM or HUP ends the
/// process, which ends as it would without this. For a program; a library must not call it.
///
/// Price: one `rt_sigaction` for each of these signals that is caught or ignored, two for others.
pub fn erase_last_line_at_end() {
    for signal in ENDING {
        if signal_action(signal) == Ok(Action::Default) {
            let _ = set_signal(signal, Action::EraseAndEnd);
        }
    }
}

/// Async-signal-safe: an atomic operation and one `write`.
pub(super) fn erase_last_line() {
    if IS_SHOWN.swap(false, Relaxed) {
        // SAFETY: the bytes are constant. That they could not be written is of no consequence.
        let _ = unsafe { libc::write(libc::STDERR_FILENO, ERASE.as_ptr().cast(), ERASE.len()) };
    }
}

/// Ends the process by the signal, whose action is the default one by now. Async-signal-safe.
extern "C" fn erase_and_end(signal: libc::c_int) {
    erase_last_line();
    // SAFETY: a plain number; the signal comes when this handler returns.
    unsafe { libc::raise(signal) };
}

/// The present action of a signal.
///
/// Price: one `rt_sigaction`.
///
/// # Errors
/// The kernel's number: `EINVAL` for no signal.
#[doc(alias = "rt_sigaction")]
pub fn signal_action(signal: i32) -> Result<Action, Errno> {
    let mut now = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    count(Call::RtSigaction);
    // SAFETY: as above; with a null pointer nothing changes.
    let (result, now) =
        unsafe { (libc::sigaction(signal, std::ptr::null(), now.as_mut_ptr()), now.assume_init()) };
    if result == 0 { Ok(meaning(now.sa_sigaction)) } else { Err(last_error()) }
}

/// Whether a caught signal came and was not taken yet. Free.
#[inline]
#[must_use]
pub fn any_pending() -> bool {
    PENDING.load(Relaxed) != 0
}

/// The caught signals that came and were not taken yet: bit 0 is signal 1. Free.
#[inline]
#[must_use]
pub fn pending() -> u64 {
    PENDING.load(Relaxed)
}

/// Puts back signals that were taken. Free.
pub fn put_back_pending(signals: u64) {
    PENDING.fetch_or(signals, Relaxed);
}

/// Takes the caught signals that came: bit 0 is signal 1. Free.
#[must_use]
pub fn take_pending() -> u64 {
    PENDING.swap(0, Relaxed)
}

/// Sends a signal, or none if `signal` is 0: to a process, to a group (below -1), to this process's
/// group (0) or to all processes (-1).
///
/// Price: one `kill`.
///
/// # Errors
/// The kernel's number: `ESRCH`, `EPERM`, `EINVAL` for no signal.
#[doc(alias = "kill")]
pub fn send(process: i32, signal: i32) -> Result<(), Errno> {
    count(Call::Kill);
    // SAFETY: plain numbers.
    match unsafe { libc::kill(process, signal) } {
        0 => Ok(()),
        _ => Err(last_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caught_signal_is_pending_once() {
        let signal = libc::SIGUSR2;
        assert_eq!(set_signal(signal, Action::Catch), Ok(Action::Default));
        // SAFETY: to this thread, which catches it.
        unsafe { libc::raise(signal) };
        assert!(any_pending());
        assert_eq!(take_pending(), bit(signal));
        assert_eq!((take_pending(), any_pending()), (0, false));
        assert_eq!(set_signal(signal, Action::Ignore), Ok(Action::Catch));
        // SAFETY: as above; it is ignored.
        unsafe { libc::raise(signal) };
        assert_eq!((take_pending(), signal_action(signal)), (0, Ok(Action::Ignore)));
        assert_eq!(set_signal(signal, Action::Default), Ok(Action::Ignore));
    }

    #[test]
    fn some_signals_cannot_be_caught() {
        for signal in [libc::SIGKILL, libc::SIGSTOP, 0, 65, -1] {
            assert_eq!(set_signal(signal, Action::Catch), Err(Errno::INVAL), "{signal}");
        }
        assert_eq!(send(crate::own_number(), 0), Ok(()));
    }
}
