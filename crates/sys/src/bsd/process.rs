//! The resources of the process.

use std::thread::available_parallelism;

/// How many processors this process may use. At least 1.
///
/// Price: none that is counted.
#[must_use]
pub fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Whether even calls that wait for nothing make this thread sleep: not known here.
///
/// Price: none.
#[must_use]
pub fn is_stopped_at_calls() -> bool {
    false
}

/// Does nothing: the kernel chooses the size of pages.
///
/// Price: none.
pub fn advise_large_pages<T>(_memory: &mut [T]) {}
