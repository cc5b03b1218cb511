//! Directories with two paths, of which only macOS has any.

/// A directory with two paths, though nothing is mounted there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firmlink {
    /// The path that is shown.
    pub path: Vec<u8>,
    /// Where it is found as well.
    pub target: Vec<u8>,
}

/// All of them: none on this system.
///
/// Price: none.
#[cfg(not(target_os = "macos"))]
#[must_use]
pub fn firmlinks() -> &'static [Firmlink] {
    &[]
}
