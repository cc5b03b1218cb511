//! Patterns of paths, as a budget writes them down.
//!
//! `*` stands for any part of one name, `**` for everything below a directory. A backslash takes
//! the meaning from `*` and from itself; `\xHH` is the byte with that hexadecimal value.

/// One name in a pattern, or the rest of a path.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) enum Part {
    /// A name: pieces with anything between them. One piece is a plain name.
    Name(Vec<Vec<u8>>),
    /// Everything below.
    Below,
}

/// A pattern of paths.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) struct Pattern(pub(crate) Vec<Part>);

impl Part {
    /// A plain name.
    pub(crate) fn name(name: &[u8]) -> Part {
        Part::Name(vec![name.into()])
    }

    /// The name, if it is plain.
    pub(crate) fn plain(&self) -> Option<&[u8]> {
        match self {
            Part::Name(pieces) if pieces.len() == 1 => Some(&pieces[0]),
            _ => None,
        }
    }

    fn matches(&self, name: &[u8]) -> bool {
        let Part::Name(pieces) = self else { return false };
        let [first, middle @ .., last] = pieces.as_slice() else {
            return self.plain() == Some(name);
        };
        let Some(rest) = name.strip_prefix(first.as_slice()) else { return false };
        let Some(mut rest) = rest.strip_suffix(last.as_slice()) else { return false };
        // The leftmost place of each piece leaves the most for those behind it.
        middle.iter().all(|piece| match find(rest, piece) {
            Some(at) => {
                rest = &rest[at + piece.len()..];
                true
            }
            None => false,
        })
    }
}

fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, piece)
}

impl Pattern {
    /// Reads a pattern as it is written down.
    pub(crate) fn parse(text: &str) -> Result<Pattern, String> {
        text.split('/').map(part).collect::<Result<_, _>>().map(Pattern)
    }

    /// Whether the path is one of those meant.
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        let mut names = path.split(|byte| *byte == b'/');
        for part in &self.0 {
            match (part, names.next()) {
                (_, None) => return false,
                (Part::Below, Some(_)) => return true,
                (part, Some(name)) if !part.matches(name) => return false,
                _ => {}
            }
        }
        names.next().is_none()
    }

    /// The path, if exactly one is meant.
    pub(crate) fn path(&self) -> Option<Vec<u8>> {
        let names: Option<Vec<&[u8]>> = self.0.iter().map(Part::plain).collect();
        Some(names?.join(&b'/'))
    }

    /// How much is said: of two patterns that fit, the one that says more is meant.
    pub(crate) fn weight(&self) -> usize {
        let of = |part: &Part| match part {
            Part::Below => 0,
            Part::Name(pieces) => 2 + pieces.iter().map(Vec::len).sum::<usize>(),
        };
        self.0.iter().map(of).sum()
    }

    /// As it is written down.
    pub(crate) fn written(&self) -> String {
        let parts: Vec<String> = self.0.iter().map(written).collect();
        parts.join("/")
    }
}

fn written(part: &Part) -> String {
    let Part::Name(pieces) = part else { return "**".to_owned() };
    let pieces: Vec<String> = pieces.iter().map(|piece| literal(piece)).collect();
    pieces.join("*")
}

fn literal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if matches!(character, '*' | '\\') {
                text.push('\\');
            }
            text.push(character);
        }
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

fn part(text: &str) -> Result<Part, String> {
    if text == "**" {
        return Ok(Part::Below);
    }
    let mut pieces = vec![Vec::new()];
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let piece: &mut Vec<u8> = match pieces.last_mut() {
            Some(piece) => piece,
            None => break,
        };
        match character {
            '*' => pieces.push(Vec::new()),
            '\\' => {
                piece.extend(escape(&mut rest).ok_or_else(|| {
                    format!("'{text}': behind a backslash stands one of \\ * xHH")
                })?)
            }
            _ => piece.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Ok(Part::Name(pieces))
}

fn escape(rest: &mut std::str::Chars) -> Option<Vec<u8>> {
    match rest.next()? {
        'x' => {
            let digits: String = rest.by_ref().take(2).collect();
            let byte = u8::from_str_radix(&digits, 16).ok()?;
            (digits.len() == 2).then(|| vec![byte])
        }
        escaped @ ('*' | '\\') => Some(vec![escaped as u8]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        Pattern::parse(pattern).unwrap().matches(path.as_bytes())
    }

    fn of_path(path: &[u8]) -> Pattern {
        Pattern(path.split(|byte| *byte == b'/').map(Part::name).collect())
    }

    #[test]
    fn a_star_is_a_part_of_one_name() {
        assert!(matches("/tmp/tmp.*", "/tmp/tmp.Xa1"));
        assert!(matches("/tmp/*/a", "/tmp/x/a"));
        assert!(matches("cc*.o", "ccXY.o"));
        assert!(matches("a*b*c", "a-b-b-c"));
        assert!(!matches("a*b*c", "acb"));
        assert!(!matches("aa*aa", "aaa"));
        assert!(!matches("/tmp/*", "/tmp/x/a"));
        assert!(!matches("/tmp/tmp.*", "/tmp/other"));
        assert!(!matches("/tmp", "/tmp/x"));
        assert!(!matches("/tmp/x", "/tmp"));
    }

    #[test]
    fn two_stars_are_everything_below() {
        for path in ["tree/a", "tree/a/b/c"] {
            assert!(matches("tree/**", path), "{path}");
        }
        assert!(!matches("tree/**", "tree"));
        assert!(!matches("tree/**", "trees/a"));
        assert!(matches("**", "a/b"));
    }

    #[test]
    fn what_is_written_can_be_read_and_means_the_same() {
        for path in [&b"/a/b"[..], b"a*b", b"back\\slash", b"\xff\xfe/x", b"n\nl", b"", b"/", b"~a"]
        {
            let written = of_path(path).written();
            let read = Pattern::parse(&written).unwrap();
            assert_eq!(read.path().as_deref(), Some(path), "{written}");
            assert!(read.matches(path));
        }
        assert_eq!(of_path(b"\xffa*").written(), "\\xffa\\*");
        for text in ["/tmp/tmp.*/x", "**", "a/**", "pipe:[*]", "~/x"] {
            assert_eq!(Pattern::parse(text).unwrap().written(), text);
        }
        for wrong in ["\\q", "\\", "\\x", "\\x1", "\\xgg", "\\x\u{e9}\u{e9}"] {
            assert!(Pattern::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_pattern_that_says_more_weighs_more() {
        let weight = |text| Pattern::parse(text).unwrap().weight();
        assert!(weight("tree/a") > weight("tree/*"));
        assert!(weight("tree/*") > weight("tree/**"));
        assert!(weight("/tmp/tmp.*") > weight("/tmp/*"));
    }
}
