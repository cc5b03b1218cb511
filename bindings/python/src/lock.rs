//! A lock that lets the interpreter and signals through.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{
    AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::forks::forks;

/// A lock that releases the interpreter while it waits, and that a signal interrupts. It is an
/// error to take it on the thread that holds it (in a callback or an error handler, say), or in a
/// forked process if another thread held it at the fork: both would wait forever.
pub(crate) struct Lock<T> {
    /// One of the three below.
    state: AtomicU32,
    /// Never waited for: only the thread that holds the lock takes it.
    inner: Mutex<T>,
    /// The thread that holds it; 0 if none does.
    holder: AtomicUsize,
    /// How many forks there were when it was taken.
    forks: AtomicU64,
}

const FREE: u32 = 0;
const HELD: u32 = 1;
/// Held, and another thread waits.
const CONTENDED: u32 = 2;

/// The lock, held until this is dropped: first the guard, then the state.
pub(crate) struct Held<'t, T> {
    guard: MutexGuard<'t, T>,
    _release: ReleaseOnDrop<'t, T>,
}

struct ReleaseOnDrop<'t, T>(&'t Lock<T>);

thread_local! {
    static MARKER: u8 = const { 0 };
}

/// A number that no other living thread has.
fn this_thread() -> usize {
    MARKER.with(|marker| std::ptr::from_ref(marker).addr())
}

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Lock<T> {
        Lock {
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
        Ok(Held { guard, _release: ReleaseOnDrop(self) })
    }

    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        while self.state.swap(CONTENDED, Acquire) != FREE {
            if self.forks.load(Relaxed) != forks() {
                let why = "another thread was at work with it when this process was forked off";
                return Err(PyRuntimeError::new_err(why));
            }
            py.check_signals()?;
            let state = &self.state;
            // The reason why it woke does not matter.
            let _ = py.detach(|| sys::interruptible(|| sys::wait_while(state, CONTENDED)));
        }
        Ok(())
    }
}

impl<T> Drop for ReleaseOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.holder.store(0, Relaxed);
        if self.0.state.swap(FREE, Release) == CONTENDED {
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
