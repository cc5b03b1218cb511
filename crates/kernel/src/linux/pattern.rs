//! The name patterns of the shell, through the C library.

use std::ffi::CStr;

/// Whether `name` matches the shell's `pattern` (fnmatch(3)), in which a dot at the beginning of
/// the name is only matched by a dot.
///
/// Price: none.
#[must_use]
pub fn matches_pattern(pattern: &CStr, name: &CStr) -> bool {
    // SAFETY: both end with a NUL and outlive the call, which keeps no pointer to them.
    unsafe { libc::fnmatch(pattern.as_ptr(), name.as_ptr(), libc::FNM_PERIOD) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_the_shell() {
        assert!(matches_pattern(c"*.[ch]", c"a.c"));
        assert!(matches_pattern(c"{a}", c"{a}"));
        assert!(!matches_pattern(c"*", c".hidden"));
        assert!(matches_pattern(c"\xff?", c"\xff\xfe"));
    }
}
