//! Signals that this process gets while it traces, and the clock that wakes it when nothing
//! happens. Both end a `wait`; neither costs anything while there are stops.

use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// How often the clock ticks: a busy program fills the largest ring in 20 ms.
pub(crate) const TICK_MS: i64 = 5;

/// The signals that ask a program to end.
const ASKS: [i32; 4] = [libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGHUP];

/// Whether a signal asks a program to end.
pub(crate) fn asks(signal: i32) -> bool {
    ASKS.contains(&signal)
}

/// The last of `ASKS` that came and was not handled yet; 0 is none.
static ASKED: AtomicI32 = AtomicI32::new(0);

/// The timer of the one trace that is notified of signals.
static CLOCK: AtomicUsize = AtomicUsize::new(NONE);

/// No timer has this number (0 is one).
const NONE: usize = usize::MAX;

/// Ticks by interrupting the thread that made it.
pub(crate) struct Clock {
    timer: libc::timer_t,
    ticks: bool,
    /// What the signals did before, if this clock is notified of them; `SIGCHLD` comes last.
    former: Option<([libc::sigaction; ASKS.len()], libc::sigaction)>,
    /// A key that asks this process to end.
    key: Option<sys::QuitKey>,
    inherited: Inherited,
}

/// What this process inherited and changes for the sake of the clock. A command that it starts
/// inherits it unchanged.
#[derive(Clone, Copy)]
pub(crate) struct Inherited {
    /// Whether the signal of ticks was ignored.
    ignores_ticks: bool,
    /// Which signals were held back from this thread.
    held: libc::sigset_t,
}

impl Inherited {
    /// Puts it back, in a new child.
    pub(crate) fn put_back(&self) {
        if self.ignores_ticks {
            // SAFETY: plain numbers; it is safe in a new child.
            unsafe { libc::signal(libc::SIGRTMAX(), libc::SIG_IGN) };
        }
        self.hold_back();
    }

    /// Holds back the same signals from this thread. What ticks do stays: other threads may have
    /// clocks.
    fn hold_back(&self) {
        // SAFETY: what is put back is what the kernel gave.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.held, ptr::null_mut());
        }
    }
}

/// Whether the signal of ticks was ignored before the first clock.
static IGNORES_TICKS: OnceLock<bool> = OnceLock::new();

impl Clock {
    /// A clock that stands still.
    pub(crate) fn new() -> io::Result<Clock> {
        let tick = libc::SIGRTMAX();
        let mut timer: libc::timer_t = ptr::null_mut();
        let inherited;
        // SAFETY:
        // - All zeros is a value of all structs: numbers, and handlers that are the default.
        // - The handlers are functions that do nothing but what is safe in a signal handler.
        // - The kernel reads the structs during the calls and writes one timer.
        unsafe {
            let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
            action.sa_sigaction = on_tick as extern "C" fn(_) as usize;
            let mut former: libc::sigaction = MaybeUninit::zeroed().assume_init();
            libc::sigaction(tick, &raw const action, &raw mut former);
            let ignored = former.sa_sigaction == libc::SIG_IGN;
            // One that is held back would never end a wait.
            let mut ticks: libc::sigset_t = MaybeUninit::zeroed().assume_init();
            let mut held: libc::sigset_t = MaybeUninit::zeroed().assume_init();
            libc::sigaddset(&raw mut ticks, tick);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const ticks, &raw mut held);
            let ignores_ticks = *IGNORES_TICKS.get_or_init(|| ignored);
            inherited = Inherited { ignores_ticks, held };
            let mut event: libc::sigevent = MaybeUninit::zeroed().assume_init();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = tick;
            event.sigev_notify_thread_id = libc::gettid();
            if libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer) != 0 {
                let error = io::Error::last_os_error();
                inherited.hold_back();
                return Err(error);
            }
        }
        let mut clock = Clock { timer, ticks: false, former: None, key: None, inherited };
        let number = timer as usize;
        if CLOCK.compare_exchange(NONE, number, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            ASKED.store(0, Ordering::SeqCst);
            clock.former = Some((listen(), be_deaf_to_stops()));
        }
        Ok(clock)
    }

    /// Lets the key q ask this process to end, if it has a terminal and is notified of signals.
    pub(crate) fn hear_key(&mut self) {
        self.key = self.former.as_ref().and_then(|_| sys::QuitKey::new(b'q'));
    }

    /// What a command inherits.
    pub(crate) fn inherited(&self) -> &Inherited {
        &self.inherited
    }

    /// Whether it ticks.
    pub(crate) fn ticks(&self) -> bool {
        self.ticks
    }

    /// Lets it tick, or stand still.
    pub(crate) fn set(&mut self, ticks: bool) {
        self.ticks = ticks;
        set(self.timer, if ticks { TICK_MS } else { 0 });
    }

    /// Lets it tick once, after so many nanoseconds.
    pub(crate) fn wake_after(&mut self, nanoseconds: u64) {
        self.ticks = false;
        let ms = i64::try_from(nanoseconds / 1_000_000).unwrap_or(i64::MAX / 1_000_000);
        set(self.timer, ms.saturating_add(1));
    }

    /// The signal by which this process was asked to end, if it was.
    pub(crate) fn end_request(&self) -> Option<i32> {
        self.former.as_ref()?;
        match ASKED.load(Ordering::Relaxed) {
            0 => None,
            _ => Some(ASKED.swap(0, Ordering::SeqCst)),
        }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        // As long as its signal is caught, so that no end leaves the terminal as it is now.
        self.key = None;
        if let Some((former, child)) = &self.former {
            let actions = former.iter().chain([child]);
            for (signal, action) in ASKS.iter().chain(&[libc::SIGCHLD]).zip(actions) {
                // SAFETY: what is put back is what the kernel gave.
                unsafe { libc::sigaction(*signal, action, ptr::null_mut()) };
            }
            CLOCK.store(NONE, Ordering::SeqCst);
        }
        // SAFETY: the timer is this clock's, and is not used any more.
        unsafe { libc::timer_delete(self.timer) };
        self.inherited.hold_back();
    }
}

/// Handles the signals that ask; what they did before. One that is ignored stays so.
fn listen() -> [libc::sigaction; ASKS.len()] {
    ASKS.map(|signal| {
        // SAFETY: as in `Clock::new`; `former` is written by the kernel.
        unsafe {
            let mut former: libc::sigaction = MaybeUninit::zeroed().assume_init();
            libc::sigaction(signal, ptr::null(), &raw mut former);
            if former.sa_sigaction != libc::SIG_IGN {
                let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
                action.sa_sigaction = on_ask as extern "C" fn(_) as usize;
                libc::sigaction(signal, &raw const action, ptr::null_mut());
            }
            former
        }
    })
}

/// Every stop of a tracee is a signal, too, unless that is switched off. What it did before.
fn be_deaf_to_stops() -> libc::sigaction {
    // SAFETY: as in `Clock::new`; `former` is written by the kernel, and given back with one flag
    // more.
    unsafe {
        let mut former: libc::sigaction = MaybeUninit::zeroed().assume_init();
        libc::sigaction(libc::SIGCHLD, ptr::null(), &raw mut former);
        let mut action = former;
        action.sa_flags |= libc::SA_NOCLDSTOP;
        libc::sigaction(libc::SIGCHLD, &raw const action, ptr::null_mut());
        former
    }
}

fn set(timer: libc::timer_t, interval_ms: i64) {
    let interval =
        libc::timespec { tv_sec: interval_ms / 1000, tv_nsec: interval_ms % 1000 * 1_000_000 };
    let times = libc::itimerspec { it_interval: interval, it_value: interval };
    // SAFETY: the kernel reads the times; a timer that is no more it refuses.
    unsafe { libc::timer_settime(timer, 0, &raw const times, ptr::null_mut()) };
}

/// A tick has no other purpose than to end a `wait`.
extern "C" fn on_tick(_: libc::c_int) {}

/// Somebody asks. The thread that waits may be another one, or about to wait: the clock wakes it
/// until it has looked.
extern "C" fn on_ask(signal: libc::c_int) {
    ASKED.store(signal, Ordering::SeqCst);
    let timer = CLOCK.load(Ordering::SeqCst);
    if timer != NONE {
        // `timer_settime` is safe in a signal handler, and leaves errno alone if it succeeds.
        set(timer as libc::timer_t, TICK_MS);
    }
}
