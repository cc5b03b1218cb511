//! The syntax of git's configuration (git-config(1)).

/// One key with its value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// In lower case, as `key`.
    pub(super) section: Vec<u8>,
    pub(super) subsection: Option<Vec<u8>>,
    pub(super) key: Vec<u8>,
    /// `None` if there is not even an equals sign.
    pub(super) value: Option<Vec<u8>>,
}

impl Entry {
    /// From `section.key` or `section.subsection.key`.
    pub(super) fn named(name: &[u8], value: Option<Vec<u8>>) -> Option<Entry> {
        let first = memchr::memchr(b'.', name)?;
        let last = memchr::memrchr(b'.', name)?;
        Some(Entry {
            section: name[..first].to_ascii_lowercase(),
            subsection: (first < last).then(|| name[first + 1..last].to_vec()),
            key: name[last + 1..].to_ascii_lowercase(),
            value,
        })
    }
}

/// All entries of a file, up to the first syntax error.
pub(super) fn entries(text: &[u8]) -> Vec<Entry> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut rest = Text(text);
    let (mut found, mut section, mut subsection) = (Vec::new(), Vec::new(), None);
    while let Some(byte) = rest.next() {
        match byte {
            b'#' | b';' => rest.skip_line(),
            b'[' => match rest.header() {
                Some(header) => (section, subsection) = header,
                None => break,
            },
            byte if byte.is_ascii_whitespace() => {}
            byte if byte.is_ascii_alphabetic() && !section.is_empty() => {
                let Some((key, value)) = rest.pair(byte) else { break };
                let (section, subsection) = (section.clone(), subsection.clone());
                found.push(Entry { section, subsection, key, value });
            }
            _ => break,
        }
    }
    found
}

/// The variable by which `git -c` passes settings on to the programs that it starts:
/// `'key'='value'`, or `'key=value'` in older versions, each with a blank behind it.
pub(super) fn parameters(mut text: &[u8]) -> Vec<Entry> {
    let mut found = Vec::new();
    while let Some((first, behind)) = quoted(text.trim_ascii_start()) {
        let equals = memchr::memchr(b'=', &first);
        let entry = match (behind.strip_prefix(b"="), equals) {
            (Some(rest), _) => {
                let value = quoted(rest);
                text = value.as_ref().map_or(rest, |(_, behind)| behind);
                Entry::named(&first, value.map(|(value, _)| value))
            }
            (None, equals) => {
                text = behind;
                let end = equals.unwrap_or(first.len());
                Entry::named(&first[..end], equals.map(|end| first[end + 1..].to_vec()))
            }
        };
        found.extend(entry);
    }
    found
}

/// A word in single quotes, as a shell reads it, and the text behind it.
fn quoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"'")?;
    let mut word = Vec::new();
    loop {
        let end = memchr::memchr(b'\'', rest)?;
        word.extend_from_slice(&rest[..end]);
        rest = &rest[end + 1..];
        match rest {
            [b'\\', plain @ (b'\'' | b'!'), b'\'', behind @ ..] => {
                word.push(*plain);
                rest = behind;
            }
            _ => return Some((word, rest)),
        }
    }
}

/// The rest of the text.
struct Text<'a>(&'a [u8]);

impl Text<'_> {
    /// The next byte; a carriage return at the end of a line does not count.
    fn next(&mut self) -> Option<u8> {
        if let Some(behind) = self.0.strip_prefix(b"\r\n") {
            self.0 = behind;
            return Some(b'\n');
        }
        let (&first, behind) = self.0.split_first()?;
        self.0 = behind;
        Some(first)
    }

    fn skip_line(&mut self) {
        while !matches!(self.next(), None | Some(b'\n')) {}
    }

    /// The names between brackets.
    fn header(&mut self) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        let mut section = Vec::new();
        loop {
            match self.next()? {
                b']' => return Some((section, None)),
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.') => {
                    section.push(byte.to_ascii_lowercase());
                }
                b' ' | b'\t' => break,
                _ => return None,
            }
        }
        while matches!(self.0.first(), Some(b' ' | b'\t')) {
            self.next();
        }
        let mut subsection = Vec::new();
        let mut byte = (self.next()? == b'"').then(|| self.next())??;
        while byte != b'"' {
            let plain = if byte == b'\\' { self.next()? } else { byte };
            (plain != b'\n').then(|| subsection.push(plain))?;
            byte = self.next()?;
        }
        (self.next()? == b']').then_some((section, Some(subsection)))
    }

    /// A key, whose first letter is known, and its value.
    fn pair(&mut self, first: u8) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        let mut key = vec![first.to_ascii_lowercase()];
        let mut byte = self.next();
        while let Some(letter @ (b'-' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9')) = byte {
            key.push(letter.to_ascii_lowercase());
            byte = self.next();
        }
        while matches!(byte, Some(b' ' | b'\t')) {
            byte = self.next();
        }
        match byte {
            None | Some(b'\n') => Some((key, None)),
            Some(b'=') => Some((key, Some(self.value()?))),
            Some(_) => None,
        }
    }

    /// A value without its quotes, escapes, comment and the blanks around it.
    fn value(&mut self) -> Option<Vec<u8>> {
        let (mut value, mut quoted, mut blanks) = (Vec::new(), false, 0);
        loop {
            let byte = match self.next() {
                None | Some(b'\n') if quoted => return None,
                None | Some(b'\n') => return Some(value),
                Some(b'#' | b';') if !quoted => {
                    self.skip_line();
                    return Some(value);
                }
                Some(byte) if !quoted && byte.is_ascii_whitespace() => {
                    blanks += usize::from(!value.is_empty());
                    continue;
                }
                Some(byte) => byte,
            };
            value.resize(value.len() + std::mem::take(&mut blanks), b' ');
            match byte {
                b'"' => quoted = !quoted,
                b'\\' => match self.next()? {
                    b'\n' => {}
                    b't' => value.push(b'\t'),
                    b'n' => value.push(b'\n'),
                    b'b' => value.push(8),
                    plain @ (b'\\' | b'"') => value.push(plain),
                    _ => return None,
                },
                plain => value.push(plain),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        let show = |entry: Entry| {
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            let subsection = entry.subsection.map_or(String::new(), |it| format!(" {}", text(it)));
            let value = entry.value.map_or("-".to_owned(), |it| format!("={}", text(it)));
            format!("{}{subsection}.{}{value}", text(entry.section), text(entry.key))
        };
        entries(text.as_bytes()).into_iter().map(show).collect()
    }

    #[test]
    fn keys_are_in_sections() {
        for (text, expected) in [
            (
                "[Core]\n\tExcludesFile = \"~/x\"\n[a]\nb=c\n",
                &["core.excludesfile=~/x", "a.b=c"][..],
            ),
            ("[core] a = ~/\"a b\"/c ; mine\n", &["core.a=~/a b/c"]),
            ("[core \"X\\\"\"]\r\na\r\nb = 1 2  \r\n", &["core X\".a-", "core X\".b=1 2"]),
            ("[a]\nx = a\\\n  b\\t\\\\\n#c\ny=\n", &["a.x=a  b\t\\", "a.y="]),
            ("[a]\nx = \"a", &[]),
            ("[a]\nx = 1\ny = \\q\nz = 1\n", &["a.x=1"]),
            ("x = 1\n", &[]),
            ("[a\nx = 1\n", &[]),
        ] {
            assert_eq!(values(text), expected, "{text}");
        }
    }

    #[test]
    fn parameters_are_quoted_in_either_way() {
        let text = br"'core.a=b c' 'x.Y.z'='it'\''s' 'core.flag' 'core.none'= ";
        let values: Vec<_> = parameters(text).into_iter().map(|it| it.value).collect();
        let expected = [Some(&b"b c"[..]), Some(b"it's"), None, None].map(|it| it.map(Vec::from));
        assert_eq!(values, expected);
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config {
            failure_persistence: None,
            ..Default::default()
        })]
        #[test]
        fn any_text_comes_to_an_end(
            odd in "(\\[|core|\\]|excludesfile|=|~/|\"|#|;|\\\\|\n| |a){0,30}",
        ) {
            proptest::prop_assert!(entries(odd.as_bytes()).len() <= odd.len());
        }
    }
}
