//! Signals, while the library works without the interpreter.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

use crate::raw;

/// The exception that a handler has raised.
#[derive(Clone, Default)]
pub(crate) struct Watch(Arc<Mutex<Option<PyErr>>>);

impl Watch {
    /// Lets Python's handlers run; true if one has raised something. A thread that is not Python's
    /// never runs them, and does not wait for the interpreter either.
    fn poll(&self) -> bool {
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

    /// [`Watch::poll`], for the `cancel_when` of lines, lists and walks.
    pub(crate) fn polled(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let watch = self.clone();
        move || watch.poll()
    }

    fn raised(&self) -> std::sync::MutexGuard<'_, Option<PyErr>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
