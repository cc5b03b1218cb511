//! `[[ x =~ regex ]]`: POSIX extended regular expressions, as the C library has them.

use std::ffi::CString;

/// A regular expression, made once for any number of texts.
#[derive(Debug)]
pub struct Regex(sys::Regex);

/// It is no regular expression: `[[ ]]` has the status 2 then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRegex;

impl Regex {
    /// Understands an expression, in which what was quoted is escaped by a backslash. Characters
    /// are UTF-8 (where a text is not, its bytes match nothing), or bytes.
    ///
    /// Price: no calls; some microseconds, so keep it for a loop.
    ///
    /// # Errors
    /// It is none, or has a NUL in it.
    pub fn new(text: &[u8], utf8: bool, fold_case: bool) -> Result<Regex, NoRegex> {
        let text = CString::new(text).map_err(|_| NoRegex)?;
        sys::Regex::new(&text, utf8, fold_case).map(Regex).ok_or(NoRegex)
    }

    /// The leftmost match, of those the longest: where it starts and ends, then each group, `None`
    /// where it matched nothing. A text ends before its first NUL; a shell's has none.
    #[must_use]
    pub fn captures(&self, text: &[u8]) -> Option<Vec<Option<(usize, usize)>>> {
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        self.0.captures(&CString::new(text).ok()?)
    }
}
