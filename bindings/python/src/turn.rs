//! Something that one thread at a time works with; others wait for their turn.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

/// A lock that lets go of the interpreter while it waits, and that says so where the thread which
/// holds it comes back for it: a callback or an error handler, say. That would wait forever.
pub(crate) struct Turn<T> {
    inner: Mutex<T>,
    /// Which thread holds it; 0 if none does.
    holder: AtomicUsize,
}

pub(crate) struct Held<'t, T> {
    guard: MutexGuard<'t, T>,
    holder: &'t AtomicUsize,
}

thread_local! {
    static PLACE: u8 = const { 0 };
}

/// A number that no other living thread has.
fn this_thread() -> usize {
    PLACE.with(|place| std::ptr::from_ref(place).addr())
}

impl<T> Turn<T> {
    pub(crate) fn new(value: T) -> Turn<T> {
        Turn { inner: Mutex::new(value), holder: AtomicUsize::new(0) }
    }

    pub(crate) fn take(&self, py: Python<'_>) -> PyResult<Held<'_, T>> {
        // Only this thread can have written its own number.
        if self.holder.load(Relaxed) == this_thread() {
            return Err(PyRuntimeError::new_err("already in use further up on this thread"));
        }
        let guard = self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        self.holder.store(this_thread(), Relaxed);
        Ok(Held { guard, holder: &self.holder })
    }
}

impl<T> Drop for Held<'_, T> {
    fn drop(&mut self) {
        self.holder.store(0, Relaxed);
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
