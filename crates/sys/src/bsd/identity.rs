//! The identity of this process.

/// The number of this process.
///
/// Price: one `getpid`, which is not counted.
#[doc(alias = "getpid")]
#[must_use]
pub fn own_number() -> i32 {
    // SAFETY: takes nothing.
    unsafe { libc::getpid() }
}
