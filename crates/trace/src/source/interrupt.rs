//! Ctrl-C while a child runs.

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::SeqCst};

static CHILD: AtomicI32 = AtomicI32::new(0);
static PRESSED: AtomicU32 = AtomicU32::new(0);

/// While this lives, Ctrl-C is for a child, which gets the signal from the terminal itself: this
/// process does nothing at the first one, and kills the child at the second if it was named. Only
/// one may live at a time.
pub(crate) struct InterruptGuard {
    before: Option<libc::sigaction>,
}

extern "C" fn pressed(_signal: libc::c_int) {
    let child = CHILD.load(SeqCst);
    if PRESSED.fetch_add(1, SeqCst) > 0 && child > 0 {
        // SAFETY: it takes plain numbers, may be called in a signal handler, and `child` is ours
        // and has not been waited for.
        unsafe { libc::kill(child, libc::SIGKILL) };
    }
}

impl InterruptGuard {
    pub(crate) fn take() -> InterruptGuard {
        PRESSED.store(0, SeqCst);
        // SAFETY: `sigaction` may be all zeros; the handler touches two atomics and calls `kill`
        // alone, which is safe in a handler; the kernel reads `action` and fills `before`.
        let before = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let mut before: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = pressed as extern "C" fn(libc::c_int) as libc::sighandler_t;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(libc::SIGINT, std::ptr::null(), &raw mut before);
            // A process that was started in the background ignores SIGINT already: that stays.
            let is_ours = before.sa_sigaction != libc::SIG_IGN
                && libc::sigaction(libc::SIGINT, &raw const action, std::ptr::null_mut()) == 0;
            is_ours.then_some(before)
        };
        InterruptGuard { before }
    }

    /// Names the child; 0 for none.
    pub(crate) fn is_for(&self, child: i32) {
        CHILD.store(child, SeqCst);
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn was_used(&self) -> bool {
        PRESSED.load(SeqCst) > 0
    }
}

impl Drop for InterruptGuard {
    fn drop(&mut self) {
        CHILD.store(0, SeqCst);
        if let Some(before) = &self.before {
            // SAFETY: `before` is what the kernel said was there.
            unsafe { libc::sigaction(libc::SIGINT, before, std::ptr::null_mut()) };
        }
    }
}
