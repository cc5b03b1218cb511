//! Threads do not survive a fork: a guard for values that have some.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};

/// How many forks there are between the process that loaded this module and the present one.
static FORKS: AtomicU64 = AtomicU64::new(0);

pub(crate) fn forks() -> u64 {
    FORKS.load(Relaxed)
}

/// Lets Python report when this is another process.
pub(crate) fn watch(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let forked = |_: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        FORKS.fetch_add(1, Relaxed);
    };
    let py = module.py();
    let forked = PyCFunction::new_closure(py, None, None, forked)?;
    let options = PyDict::new(py);
    options.set_item("after_in_child", forked)?;
    py.import("os")?.call_method("register_at_fork", (), Some(&options))?;
    Ok(())
}

/// A value with threads of its own. In a forked process the threads are missing: the value cannot
/// be used there, and it is not dropped, because that would wait for them.
pub(crate) struct SameProcess<T> {
    /// `Some` until it is dropped.
    inner: Option<T>,
    forks: u64,
}

impl<T> SameProcess<T> {
    pub(crate) fn new(inner: T) -> SameProcess<T> {
        SameProcess { inner: Some(inner), forks: forks() }
    }

    pub(crate) fn get(&mut self) -> PyResult<&mut T> {
        if let Some(inner) = &mut self.inner
            && self.forks == forks()
        {
            return Ok(inner);
        }
        let why = "this walk has begun in the process that this one was forked off, and goes on \
                   there: ask for it anew";
        Err(PyRuntimeError::new_err(why))
    }
}

impl<T> Drop for SameProcess<T> {
    fn drop(&mut self) {
        if self.forks != forks() {
            std::mem::forget(self.inner.take());
        }
    }
}
