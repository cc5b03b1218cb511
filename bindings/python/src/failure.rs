//! Errors as Python's exceptions.

use std::os::unix::ffi::OsStrExt;

use fewer::{Action, Errno, Error, LineError};
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::intern;
use pyo3::prelude::*;

use crate::arguments::Flavour;

/// An OSError: of the subclass for the number, with `errno`, `strerror` and `filename`, and the
/// attributes `message`, the whole message in one line, and `action`, what was being done. If
/// memory is missing, a MemoryError.
pub(crate) fn os_error(py: Python<'_>, error: &Error, flavour: Flavour) -> PyErr {
    let path = error.path().as_os_str().as_bytes();
    let (number, message) = (error.errno().raw_os_error(), error.to_string());
    failed(py, number, Some(error.action()), path, &message, flavour)
}

/// The same, in parts.
pub(crate) fn failed(
    py: Python<'_>,
    number: i32,
    action: Option<Action>,
    path: &[u8],
    message: &str,
    flavour: Flavour,
) -> PyErr {
    made(py, number, action, path, message, flavour).unwrap_or_else(|failed| failed)
}

fn made(
    py: Python<'_>,
    number: i32,
    action: Option<Action>,
    path: &[u8],
    message: &str,
    flavour: Flavour,
) -> PyResult<PyErr> {
    let reason = Errno::from_raw_os_error(number).to_string();
    if number == Errno::NOMEM.raw_os_error() {
        let error = PyMemoryError::new_err(message.to_owned());
        return Ok(error);
    }
    // The class itself chooses the subclass.
    let class = py.get_type::<PyOSError>();
    let object = class.call1((number, reason, flavour.object(py, path)?))?;
    object.setattr(intern!(py, "message"), message)?;
    object.setattr(intern!(py, "action"), action.map(Action::words))?;
    Ok(PyErr::from_value(object))
}

/// An error that may mean that a signal interrupted the call.
pub(crate) trait Failure: Send {
    fn errno(&self) -> Errno;
    fn raise(&self, py: Python<'_>, flavour: Flavour) -> PyErr;
}

impl Failure for Error {
    fn errno(&self) -> Errno {
        Error::errno(self)
    }

    fn raise(&self, py: Python<'_>, flavour: Flavour) -> PyErr {
        os_error(py, self, flavour)
    }
}

impl Failure for LineError {
    fn errno(&self) -> Errno {
        LineError::errno(self)
    }

    fn raise(&self, py: Python<'_>, flavour: Flavour) -> PyErr {
        match self {
            LineError::Failed(error) => os_error(py, error, flavour),
            // Not used: Python decodes, and raises an error of its own for bytes that are not
            // UTF-8.
            LineError::NotUtf8 { path, .. } => {
                os_error(py, &Error::new(self.errno(), Action::DECODE, path), flavour)
            }
        }
    }
}

/// Runs a function that may wait for the kernel, while other threads of the interpreter go on. A
/// signal interrupts it: Python's handlers run, and if they raise nothing it is run again.
pub(crate) fn waiting<T: Send, E: Failure>(
    py: Python<'_>,
    flavour: Flavour,
    mut work: impl FnMut() -> Result<T, E> + Send,
) -> PyResult<T> {
    loop {
        match py.detach(|| sys::interruptible(&mut work)) {
            Err(failure) if failure.errno() == Errno::INTR => py.check_signals()?,
            done => return done.map_err(|failure| failure.raise(py, flavour)),
        }
    }
}
