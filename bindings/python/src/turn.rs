//! Something that one thread at a time works with; others wait for their turn.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{
    AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::forks::forks;

/// A lock that lets go of the interpreter while it waits, that a signal gets through to meanwhile,
/// and that says so where the thread which holds it comes back for it (a callback or an error
/// handler, say), or where it was left behind in another process by a fork. Both would wait
/// forever.
pub(crate) struct Turn<T> {
    /// One of the three below.
    state: AtomicU32,
    /// Never waited for: who has the turn has this.
    inner: Mutex<T>,
    /// Which thread holds it; 0 if none does.
    holder: AtomicUsize,
    /// How many forks there were when it was taken.
    forks: AtomicU64,
}

const FREE: u32 = 0;
const HELD: u32 = 1;
/// Held, and somebody waits.
const WANTED: u32 = 2;

/// The turn, until it is dropped: first what is held, then the lock.
pub(crate) struct Held<'t, T> {
    guard: MutexGuard<'t, T>,
    _lock: Lock<'t, T>,
}

struct Lock<'t, T>(&'t Turn<T>);

thread_local! {
    static PLACE: u8 = const { 0 };
}

/// A number that no other living thread has.
fn this_thread() -> usize {
    PLACE.with(|place| std::ptr::from_ref(place).addr())
}

impl<T> Turn<T> {
    pub(crate) fn new(value: T) -> Turn<T> {
        Turn {
            state: AtomicU32::new(FREE),
            inner: Mutex::new(value),
            holder: AtomicUsize::new(0),
            forks: AtomicU64::new(0),
        }
    }

    pub(crate) fn take(&self, py: Python<'_>) -> PyResult<Held<'_, T>> {
        // Only this thread can have written its own number.
        if self.holder.load(Relaxed) == this_thread() {
            return Err(PyRuntimeError::new_err("already in use further up on this thread"));
        }
        if self.state.compare_exchange(FREE, HELD, Acquire, Relaxed).is_err() {
            self.wait(py)?;
        }
        self.holder.store(this_thread(), Relaxed);
        self.forks.store(forks(), Relaxed);
        let guard = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Held { guard, _lock: Lock(self) })
    }

    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        while self.state.swap(WANTED, Acquire) != FREE {
            if self.forks.load(Relaxed) != forks() {
                let why = "another thread was at work with it when this process was forked off";
                return Err(PyRuntimeError::new_err(why));
            }
            py.check_signals()?;
            let state = &self.state;
            // Whatever it is that woke it.
            let _ = py.detach(|| sys::interruptible(|| sys::wait_while(state, WANTED)));
        }
        Ok(())
    }
}

impl<T> Drop for Lock<'_, T> {
    fn drop(&mut self) {
        self.0.holder.store(0, Relaxed);
        if self.0.state.swap(FREE, Release) == WANTED {
            sys::wake_one(&self.0.state);
        }
    }
}

impl<T> Deref for Held<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T> DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}
