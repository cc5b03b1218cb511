//! Basic regular expressions, as the C library has them: for `expr` and `sed`.

use std::ffi::CString;

use crate::arguments::decimal;

/// The largest number in `\{ \}`: memory grows with it.
const MOST_TIMES: u64 = 255;

/// Compiles an expression whose characters are bytes, unless `utf8`. `None` for what is none, and
/// for what may take the C library without bound: `\1` (time), repeated groups of repetitions
/// (memory).
///
/// Price: as [`sys::Regex::new`].
pub(crate) fn compile(expression: &[u8], utf8: bool) -> Option<sys::Regex> {
    is_bounded(expression)?;
    sys::Regex::basic(&CString::new(expression).ok()?, utf8)
}

fn is_bounded(expression: &[u8]) -> Option<()> {
    let mut rest = expression;
    // The character, bracket or operator before.
    let mut before: &[u8] = b"";
    while !rest.is_empty() {
        let length = match rest {
            [b'\\', b'1'..=b'9', ..] => return None,
            [b'\\', b'{', behind @ ..] => {
                let is_one = !matches!(before, b"*" | [b'\\', b')' | b'+' | b'?' | b'{', ..]);
                let end = memchr::memmem::find(behind, b"\\}").filter(|_| is_one)?;
                let mut numbers = behind[..end].split(|&byte| byte == b',');
                let small = |number: &[u8]| decimal(number).is_some_and(|it| it <= MOST_TIMES);
                numbers.all(|it| it.is_empty() || small(it)).then_some(end + 4)?
            }
            [b'[', ..] => bracket(rest)?,
            [b'\\', _, ..] => 2,
            _ => 1,
        };
        (before, rest) = rest.split_at(length);
    }
    Some(())
}

/// How long the `[…]` is that a text begins with.
pub(crate) fn bracket(text: &[u8]) -> Option<usize> {
    let mut at = 1 + usize::from(text.get(1) == Some(&b'^'));
    at += usize::from(text.get(at) == Some(&b']'));
    loop {
        match (*text.get(at)?, text.get(at + 1)) {
            (b']', _) => return Some(at + 1),
            (b'[', Some(&mark @ (b':' | b'.' | b'='))) => {
                at += 2 + memchr::memmem::find(&text[at + 2..], &[mark, b']'])? + 2;
            }
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_no_bound_is_compiled() {
        for expression in
            ["", "a\\{2\\}b*", "\\(a*\\)*", "[\\1]", "[^]\\{]", "a\\{,255\\}", "a\\|b"]
        {
            assert!(compile(expression.as_bytes(), true).is_some(), "{expression}");
        }
        for expression in
            ["\\(a\\)\\1", "\\(a\\)\\{2\\}", "a*\\{2\\}", "a\\{256\\}", "[a", "\\(", "a\0"]
        {
            assert!(compile(expression.as_bytes(), true).is_none(), "{expression}");
        }
    }
}
