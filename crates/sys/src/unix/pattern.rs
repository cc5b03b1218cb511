//! The name patterns of the shell, through the C library.

use std::ffi::CStr;
use std::sync::OnceLock;

/// Whether `name` matches the shell's `pattern` (fnmatch(3)), in which a dot at the beginning of
/// the name is only matched by a dot. With `utf8` both are characters, else bytes.
///
/// Price: none; the first time with `utf8` the C library loads its rules, by a handful of uncounted
/// calls.
#[doc(alias = "utf8")]
#[must_use]
pub fn matches_pattern(pattern: &CStr, name: &CStr, utf8: bool) -> bool {
    let before = if utf8 { utf8_rules().map(use_rules) } else { None };
    // SAFETY: both end with a NUL and outlive the call, which keeps no pointer to them.
    let matches = unsafe { libc::fnmatch(pattern.as_ptr(), name.as_ptr(), libc::FNM_PERIOD) == 0 };
    before.map(use_rules);
    matches
}

/// A locale of the C library, for its rules about characters.
#[derive(Clone, Copy)]
pub(super) struct Rules(pub(super) libc::locale_t);

// SAFETY: the rules are made once, never changed and never freed; the C library lets any number of
// threads use them.
unsafe impl Send for Rules {}
// SAFETY: as above.
unsafe impl Sync for Rules {}

/// The rules for UTF-8; `None` if this machine has none.
pub(super) fn utf8_rules() -> Option<Rules> {
    static RULES: OnceLock<Option<Rules>> = OnceLock::new();
    *RULES.get_or_init(|| {
        // macOS has had rules called so from its first version on.
        let name = if cfg!(target_vendor = "apple") { c"UTF-8" } else { c"C.UTF-8" };
        let none = std::ptr::null_mut();
        // SAFETY: the name ends with a NUL; no rules are given to be changed.
        let rules = unsafe { libc::newlocale(libc::LC_CTYPE_MASK, name.as_ptr(), none) };
        (!rules.is_null()).then_some(Rules(rules))
    })
}

/// Makes this thread, and no other, use these rules; returns those before.
pub(super) fn use_rules(rules: Rules) -> Rules {
    // SAFETY: the rules were made here or came from the C library, and are never freed.
    Rules(unsafe { libc::uselocale(rules.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_the_shell() {
        assert!(matches_pattern(c"*.[ch]", c"a.c", false));
        assert!(matches_pattern(c"{a}", c"{a}", false));
        assert!(!matches_pattern(c"*", c".hidden", false));
        assert!(matches_pattern(c"\xff?", c"\xff\xfe", false));
        assert!(!matches_pattern(c"?", c"\xc3\xa9", false));
        if utf8_rules().is_some() {
            assert!(matches_pattern(c"?", c"\xc3\xa9", true));
        }
        assert!(!matches_pattern(c"?", c"\xc3\xa9", false));
    }
}
