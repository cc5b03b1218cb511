//! The system calls made so far.

use std::collections::HashMap;

use napi_derive::napi;

/// How often each system call was made through this library, by all threads of the process.
#[napi]
pub(crate) fn calls() -> HashMap<String, f64> {
    let counts = sys::calls();
    counts.by_name().into_iter().map(|(name, count)| (name.to_owned(), count as f64)).collect()
}
