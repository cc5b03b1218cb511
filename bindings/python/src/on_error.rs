//! What to do with an error of an entry.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// ``on_error``, as it was passed.
pub(crate) enum OnError {
    /// Raise it in its place.
    Raise,
    /// Ignore it.
    Ignore,
    /// Call this with it.
    Call(Py<PyAny>),
}

impl OnError {
    /// ``"raise"`` or None, ``"ignore"``, or a callable.
    pub(crate) fn new(value: &Bound<'_, PyAny>) -> PyResult<OnError> {
        if value.is_none() {
            return Ok(OnError::Raise);
        }
        if let Ok(word) = value.extract::<String>() {
            match word.as_str() {
                "raise" => return Ok(OnError::Raise),
                "ignore" => return Ok(OnError::Ignore),
                _ => {}
            }
        } else if value.is_callable() {
            return Ok(OnError::Call(value.clone().unbind()));
        }
        let why = format!("on_error must be 'raise', 'ignore' or callable, not {}", value.repr()?);
        Err(PyTypeError::new_err(why))
    }

    /// Passes an error to the callable, if there is one; returns the error that is to be raised.
    ///
    /// Raises what the callable raises.
    pub(crate) fn handle(
        &self,
        py: Python<'_>,
        error: impl FnOnce() -> PyErr,
    ) -> PyResult<Option<PyErr>> {
        match self {
            OnError::Raise => Ok(Some(error())),
            OnError::Ignore => Ok(None),
            OnError::Call(tell) => tell.call1(py, (error(),)).map(|_| None),
        }
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> OnError {
        match self {
            OnError::Raise => OnError::Raise,
            OnError::Ignore => OnError::Ignore,
            OnError::Call(tell) => OnError::Call(tell.clone_ref(py)),
        }
    }
}
