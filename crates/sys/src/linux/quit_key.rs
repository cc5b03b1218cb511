//! A key of the terminal that asks the process in the foreground to end.
//!
//! The terminal itself makes a signal of the key, as it does of Ctrl-\, so that nobody has to read
//! what is typed; that stays for whoever reads next.

use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};

use crate::counter::{Call, count};
use crate::unix::{Action, STDIN, keep_errno, signal_action};

/// While it lives, the key sends `SIGQUIT`, and nothing that is typed is echoed.
#[derive(Debug)]
pub struct QuitKey {
    /// What Ctrl-Z did.
    stop: libc::sigaction,
}

struct Modes {
    before: Termios,
    now: Termios,
}

/// The modes of the key that lives; null without one. They are never freed: a handler may have
/// them.
static MODES: AtomicPtr<Modes> = AtomicPtr::new(std::ptr::null_mut());

impl QuitKey {
    /// Makes `key` the one that ends what runs on the terminal that is the standard input. `None`
    /// if that is no terminal, or belongs to others now; if this process ignores the signal; or if
    /// there is such a key. `SIGQUIT` and its like have to be caught as long as it lives, or
    /// the terminal remains as it is then.
    ///
    /// Price: four `ioctl`, two `getpgrp`, three `rt_sigaction`; to drop it, two, one and one.
    #[doc(alias = "ioctl")]
    #[must_use]
    pub fn new(key: u8) -> Option<QuitKey> {
        count(Call::Ioctl);
        let before = tcgetattr(STDIN).ok()?;
        let is_heard = before.local_modes.contains(LocalModes::ISIG)
            && signal_action(libc::SIGQUIT) != Ok(Action::Ignore);
        if !is_heard || !is_in_foreground() || !MODES.load(SeqCst).is_null() {
            return None;
        }
        let mut now = before.clone();
        now.local_modes.remove(LocalModes::ECHO);
        now.special_codes[SpecialCodeIndex::VQUIT] = key;
        MODES.store(Box::into_raw(Box::new(Modes { before, now })), SeqCst);
        let stop = action_of_stop();
        if stop.sa_sigaction == libc::SIG_DFL {
            catch_stop();
        }
        set(MODES.load(SeqCst), |modes| &modes.now);
        Some(QuitKey { stop })
    }
}

impl Drop for QuitKey {
    fn drop(&mut self) {
        // First, so that nobody who stops meanwhile sets the other one again.
        let modes = MODES.swap(std::ptr::null_mut(), SeqCst);
        set(modes, |modes| &modes.before);
        count(Call::RtSigaction);
        // SAFETY: what is put back is what the kernel gave.
        unsafe { libc::sigaction(libc::SIGTSTP, &raw const self.stop, std::ptr::null_mut()) };
    }
}

/// Whether the terminal is this process's now. It would stop one in the background that changes
/// it.
fn is_in_foreground() -> bool {
    count(Call::Ioctl);
    tcgetpgrp(STDIN).is_ok_and(|group| group == rustix::process::getpgrp())
}

/// Async-signal-safe: system calls alone.
fn set(modes: *const Modes, which: impl FnOnce(&Modes) -> &Termios) {
    // SAFETY: what the pointer points to, if anything, is never freed nor changed.
    let modes = unsafe { modes.as_ref() };
    if let Some(modes) = modes.filter(|_| is_in_foreground()) {
        count(Call::Ioctl);
        // If the terminal has gone there is nothing to be put back.
        let _ = tcsetattr(STDIN, OptionalActions::Now, which(modes));
    }
}

fn action_of_stop() -> libc::sigaction {
    count(Call::RtSigaction);
    // SAFETY: all-zero is a whole `sigaction`, which the kernel fills.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGTSTP, std::ptr::null(), &raw mut now);
        now
    }
}

fn catch_stop() {
    count(Call::RtSigaction);
    // SAFETY: all-zero is a whole `sigaction`; the handler does nothing but what is
    // async-signal-safe.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_stop as extern "C" fn(libc::c_int) as usize;
        // So that it stops within the handler.
        action.sa_flags = libc::SA_RESTART | libc::SA_NODEFER;
        libc::sigaction(libc::SIGTSTP, &raw const action, std::ptr::null_mut());
    }
}

/// Ctrl-Z: stops with the terminal as it was, and goes on with the key.
extern "C" fn on_stop(signal: libc::c_int) {
    let kept = keep_errno();
    set(MODES.load(SeqCst), |modes| &modes.before);
    // SAFETY: both take plain numbers and may be called in a handler.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
    catch_stop();
    set(MODES.load(SeqCst), |modes| &modes.now);
    drop(kept);
}
