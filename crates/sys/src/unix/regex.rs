//! POSIX regular expressions through the C library.

use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;

use super::pattern::{use_rules, utf8_rules};

/// A regular expression, compiled once for any number of texts.
pub struct Regex {
    /// The compiled expression. Its parts point to one another, so it must not move.
    compiled: Box<libc::regex_t>,
    utf8: bool,
    groups: usize,
}

// SAFETY: what regcomp made is used by regexec alone, which takes a lock of its own in it (POSIX
// asks both to be thread-safe), and freed once, by whichever thread drops it.
unsafe impl Send for Regex {}
// SAFETY: as above: regexec takes it as `const` and locks what it changes.
unsafe impl Sync for Regex {}

/// Where a match, or a group of it, starts and ends.
pub type Range = (usize, usize);

impl Regex {
    /// Compiles an extended regular expression (regex(7)). With `utf8` its characters are UTF-8,
    /// otherwise bytes; with `fold_case` upper and lower case are the same. `None` if it is
    /// invalid.
    ///
    /// Price: none but the calls that allocate memory; the first time with `utf8` as for patterns.
    #[must_use]
    pub fn new(expression: &CStr, utf8: bool, fold_case: bool) -> Option<Regex> {
        let flags = libc::REG_EXTENDED | if fold_case { libc::REG_ICASE } else { 0 };
        Regex::compile(expression, utf8, flags, count_groups(expression.to_bytes(), false))
    }

    /// Compiles a basic regular expression.
    ///
    /// Price: as [`Regex::new`].
    #[must_use]
    pub fn basic(expression: &CStr, utf8: bool) -> Option<Regex> {
        Regex::compile(expression, utf8, 0, count_groups(expression.to_bytes(), true))
    }

    fn compile(expression: &CStr, utf8: bool, flags: c_int, groups: usize) -> Option<Regex> {
        let mut compiled = Box::new(MaybeUninit::uninit());
        let answer = with_rules(utf8, || {
            // SAFETY: there is room for what is made, and nothing in it yet that would have to be
            // freed; the expression ends with a NUL and is not kept.
            unsafe { libc::regcomp(compiled.as_mut_ptr(), expression.as_ptr(), flags) }
        });
        if answer != 0 {
            return None;
        }
        // SAFETY: regcomp said that it made it; a box of it has the same layout.
        let compiled = unsafe { Box::from_raw(Box::into_raw(compiled).cast::<libc::regex_t>()) };
        Some(Regex { compiled, utf8, groups })
    }

    /// How many groups it has.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The longest of the leftmost matches: the first range is that of the match, then follows one
    /// for each group, which may have matched nothing.
    ///
    /// Price: as [`Regex::new`].
    #[must_use]
    pub fn captures(&self, text: &CStr) -> Option<Vec<Option<Range>>> {
        self.captures_from(text.to_bytes(), 0)
    }

    /// The same from byte `from` on, of a text that may hold NULs. The bytes before are not
    /// matched, but `^` does not match at `from` either.
    ///
    /// Price: as [`Regex::new`].
    #[must_use]
    pub fn captures_from(&self, text: &[u8], from: usize) -> Option<Vec<Option<Range>>> {
        let none = libc::regmatch_t { rm_so: -1, rm_eo: -1 };
        let mut ranges = vec![none; self.groups + 1];
        let answer = with_rules(self.utf8, || search(&self.compiled, text, from, &mut ranges));
        let range = |it: &libc::regmatch_t| {
            let start = usize::try_from(it.rm_so).ok()?;
            Some((start, usize::try_from(it.rm_eo).ok()?))
        };
        (answer? == 0).then(|| ranges.iter().map(range).collect())
    }
}

/// Fills the ranges of the first match from `from` on, and returns what regexec does.
#[cfg(any(target_env = "gnu", target_vendor = "apple"))]
fn search(
    compiled: &libc::regex_t,
    text: &[u8],
    from: usize,
    ranges: &mut [libc::regmatch_t],
) -> Option<c_int> {
    ranges[0].rm_so = libc::regoff_t::try_from(from).ok()?;
    ranges[0].rm_eo = libc::regoff_t::try_from(text.len()).ok()?;
    let (count, first, text) = (ranges.len(), ranges.as_mut_ptr(), text.as_ptr().cast());
    // SAFETY: the expression was made by regcomp; REG_STARTEND says that the text ends where the
    // first range does, which is where the slice ends; there is room for as many ranges as the call
    // is given.
    Some(unsafe { libc::regexec(compiled, text, count, first, libc::REG_STARTEND) })
}

/// The same without REG_STARTEND, which musl does not have, nor the libc crate for FreeBSD: in a
/// copy that ends with a NUL. What is behind a NUL in the text is not searched, and a word's
/// beginning at `from` is taken for one whatever is before it.
#[cfg(not(any(target_env = "gnu", target_vendor = "apple")))]
fn search(
    compiled: &libc::regex_t,
    text: &[u8],
    from: usize,
    ranges: &mut [libc::regmatch_t],
) -> Option<c_int> {
    let mut rest = text.get(from..)?.to_vec();
    rest.push(0);
    let flags = if from > 0 { libc::REG_NOTBOL } else { 0 };
    let (count, first, rest) = (ranges.len(), ranges.as_mut_ptr(), rest.as_ptr().cast());
    // SAFETY: the expression was made by regcomp; the text ends with a NUL; there is room for as
    // many ranges as the call is given.
    let answer = unsafe { libc::regexec(compiled, rest, count, first, flags) };
    let shift = libc::regoff_t::try_from(from).ok()?;
    for range in ranges.iter_mut().filter(|range| range.rm_so >= 0) {
        range.rm_so += shift;
        range.rm_eo += shift;
    }
    Some(answer)
}

impl Drop for Regex {
    fn drop(&mut self) {
        // SAFETY: it was made by regcomp and is freed once.
        unsafe { libc::regfree(&raw mut *self.compiled) }
    }
}

impl std::fmt::Debug for Regex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Regex").field("groups", &self.groups()).finish_non_exhaustive()
    }
}

/// Runs `f` under the rules for UTF-8 if `utf8`; otherwise under this process's own, which are
/// bytes unless the process has changed them.
fn with_rules<T>(utf8: bool, f: impl FnOnce() -> T) -> T {
    let before = if utf8 { utf8_rules().map(use_rules) } else { None };
    let answer = f();
    before.map(use_rules);
    answer
}

/// The number of groups of a valid expression. (The C library knows it, but the libc crate does not
/// expose that field.)
fn count_groups(expression: &[u8], basic: bool) -> usize {
    let (mut at, mut groups) = (0, 0);
    while let Some(&byte) = expression.get(at) {
        match byte {
            b'(' if !basic => groups += 1,
            b'\\' => {
                at += 1;
                groups += usize::from(basic && expression.get(at) == Some(&b'('));
            }
            b'[' => at = end_of_brackets(expression, at),
            _ => {}
        }
        at += 1;
    }
    groups
}

/// The position of the `]` that belongs to the `[` at `at`.
fn end_of_brackets(expression: &[u8], mut at: usize) -> usize {
    at += 1;
    at += usize::from(expression.get(at) == Some(&b'^'));
    // A `]` that comes first is a member of the set.
    at += usize::from(expression.get(at) == Some(&b']'));
    while let Some(&byte) = expression.get(at) {
        match (byte, expression.get(at + 1)) {
            (b']', _) => break,
            (b'[', Some(&mark @ (b':' | b'.' | b'='))) => {
                let rest = &expression[at + 2..];
                let end = rest.windows(2).position(|pair| pair == [mark, b']']);
                at += end.map_or(1, |end| end + 4);
            }
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captures(expression: &CStr, text: &CStr) -> Option<Vec<Option<Range>>> {
        Regex::new(expression, true, false).and_then(|regex| regex.captures(text))
    }

    #[test]
    fn groups_that_matched_nothing_are_none() {
        assert_eq!(captures(c"b(x)?(c)", c"abc"), Some(vec![Some((1, 3)), None, Some((2, 3))]));
        assert_eq!(captures(c"^.$", c"\xc3\xa9"), Some(vec![Some((0, 2))]));
        assert_eq!(captures(c"x", c"abc"), None);
    }

    #[test]
    fn groups_are_counted_where_they_are_groups() {
        for (expression, groups) in [
            (c"(a)(b(c))", 3),
            (c"\\(a[(](b)", 1),
            (c"[]()](a)", 1),
            (c"[^]()](a)", 1),
            (c"[[:alpha:](](a)", 1),
            (c"[[.(.]](a)", 1),
        ] {
            let regex = Regex::new(expression, true, false);
            assert_eq!(regex.map(|it| it.groups()), Some(groups), "{expression:?}");
        }
        let basic = Regex::basic(c"(\\(a\\)[\\(]*\\(b\\)\\\\", true);
        assert_eq!(basic.map(|it| it.groups()), Some(2));
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        assert!(Regex::new(c"(", true, false).is_none());
        assert!(Regex::new(c"a{2", true, false).is_none());
    }

    #[test]
    fn characters_are_bytes_unless_asked_otherwise() {
        let bytes = Regex::new(c"^.$", false, false);
        assert!(bytes.is_some_and(|it| it.captures(c"\xc3\xa9").is_none()));
        let folded = Regex::new(c"\xc3\x89", true, true);
        assert!(folded.is_some_and(|it| it.captures(c"\xc3\xa9").is_some()));
    }
}
