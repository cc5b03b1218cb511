//! Signals, while the library works without the interpreter.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::raw;

/// How often handlers run where the kernel does not interrupt a call for them.
const INTERVAL: Duration = Duration::from_millis(20);

/// The exception that a handler has raised.
#[derive(Clone, Default)]
pub(crate) struct Watch(Arc<Mutex<Option<PyErr>>>);

impl Watch {
    /// Lets Python's handlers run; true if one has raised something. A thread that is not Python's
    /// never runs them, and does not wait for the interpreter either.
    pub(crate) fn poll(&self) -> bool {
        if !raw::is_pythons_thread() {
            return false;
        }
        let look = |py: Python<'_>| match py.check_signals() {
            Ok(()) => false,
            Err(error) => {
                *self.raised() = Some(error);
                true
            }
        };
        // The interpreter may be shutting down.
        Python::try_attach(look).unwrap_or(true)
    }

    /// The exception that was raised since the last call.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.raised().take()
    }

    /// The same as [`Watch::poll`], but no more often than is useful.
    pub(crate) fn poll_now_and_then(&self) -> impl Fn() -> bool {
        let looked = Cell::new(Instant::now());
        move || {
            let is_time = looked.get().elapsed() >= INTERVAL;
            if is_time {
                looked.set(Instant::now());
            }
            is_time && self.poll()
        }
    }

    fn raised(&self) -> std::sync::MutexGuard<'_, Option<PyErr>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
