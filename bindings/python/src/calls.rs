//! The system calls made so far.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How often each system call was made through this library, by all threads of the process: a
/// ``dict`` from the kernel's name of a call to a number, the most frequent first.
///
/// Price: none.
///
/// >>> before = fewer.calls().get("openat", 0)
/// >>> lines = fewer.read_lines("Cargo.toml")
/// >>> fewer.calls()["openat"] - before
/// 1
#[pyfunction]
pub(crate) fn calls(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let counts = PyDict::new(py);
    for (name, count) in sys::calls().by_name() {
        counts.set_item(name, count)?;
    }
    Ok(counts)
}
