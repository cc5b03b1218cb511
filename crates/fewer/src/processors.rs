//! The number of threads to use.

use std::sync::OnceLock;

/// How many processors this process may use: the number of threads unless the caller sets one.
///
/// Price: that of [`sys::processors`], the first time in a process.
pub(crate) fn processors() -> usize {
    static FOUND: OnceLock<usize> = OnceLock::new();
    *FOUND.get_or_init(sys::processors)
}
