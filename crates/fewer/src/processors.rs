//! How many threads are worth it.

use std::sync::OnceLock;

/// How many processors this process may use, unless the caller has said how many threads.
///
/// Price: that of [`sys::processors`], the first time in a process.
pub(crate) fn processors() -> usize {
    static FOUND: OnceLock<usize> = OnceLock::new();
    *FOUND.get_or_init(sys::processors)
}
