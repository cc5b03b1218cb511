//! The text that `grep` looks for.

use memchr::memmem::Finder;

/// A text, and where in a line it must stand.
pub(super) struct Needle<'a> {
    finder: Finder<'a>,
    at_start: bool,
    at_end: bool,
}

impl<'a> Needle<'a> {
    /// `None` for patterns that are no plain text. `language` is `F`, `G` or `E`.
    pub(super) fn new(
        pattern: &'a [u8],
        language: u8,
        whole: bool,
        utf8: bool,
    ) -> Option<Needle<'a>> {
        let valid = pattern.is_ascii() || utf8 && std::str::from_utf8(pattern).is_ok();
        if !valid || memchr::memchr2(b'\n', 0, pattern).is_some() {
            return None;
        }
        if language == b'F' {
            let finder = Finder::new(pattern);
            return (!pattern.is_empty()).then_some(Needle {
                finder,
                at_start: whole,
                at_end: whole,
            });
        }
        let rest = pattern.strip_prefix(b"^").unwrap_or(pattern);
        let at_start = rest.len() < pattern.len();
        let (rest, at_end) = match rest {
            [text @ .., b'$'] if !text.ends_with(b"\\") => (text, true),
            text => (text, false),
        };
        let special: &[u8] = if language == b'E' { b"[]*.^$+?{}|()" } else { b"[]*.^$" };
        let (finder, empty) = match memchr::memchr(b'\\', rest) {
            None if rest.iter().any(|byte| special.contains(byte)) => return None,
            None => (Finder::new(rest), rest.is_empty()),
            Some(_) => {
                let text = without_backslashes(rest, special)?;
                (Finder::new(&text).into_owned(), text.is_empty())
            }
        };
        (!empty).then_some(Needle { finder, at_start: at_start | whole, at_end: at_end | whole })
    }

    /// Start and end of the first line from `at` on that contains it. `text` is whole lines, and a
    /// line begins at `at`.
    pub(super) fn line(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let mut at = at;
        loop {
            let place = at + self.finder.find(&text[at..])?;
            let start = memchr::memrchr(b'\n', &text[at..place]).map_or(at, |end| at + end + 1);
            let end = place + memchr::memchr(b'\n', &text[place..])?;
            // The first place in a line is the only one that can be at its start.
            let needle = self.finder.needle();
            let stands = (start == place || !self.at_start)
                && (text[start..end].ends_with(needle) || !self.at_end)
                && (end - start == needle.len() || !(self.at_start && self.at_end));
            if stands {
                return Some((start, end + 1));
            }
            at = end + 1;
        }
    }
}

/// The text without its backslashes. `None` if one stands before a byte that is not special.
fn without_backslashes(text: &[u8], special: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        let escaped = byte == b'\\';
        let byte = if escaped { *bytes.next()? } else { byte };
        // A closing bracket has none by itself.
        let has_meaning = special.contains(&byte) && !(escaped && byte == b']') || byte == b'\\';
        if escaped != has_meaning {
            return None;
        }
        plain.push(byte);
    }
    Some(plain)
}
