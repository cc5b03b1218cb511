//! The lines of an ignore file, matched with a path.

use super::wildmatch;

/// The patterns of one file.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    /// Patterns with a wildcard or a slash; the last that matches decides.
    globs: Vec<(u32, Pattern)>,
    /// Patterns that are plain names, sorted, each with its position: in files with thousands of
    /// lines most are of this kind.
    names: Vec<(Box<[u8]>, u32, Says)>,
    /// Whether upper and lower case are the same.
    pub(crate) fold: bool,
}

/// What a pattern says of an entry that it matches.
#[derive(Clone, Copy, Debug)]
struct Says {
    ignore: bool,
    /// Whether it says so of directories only.
    of_directories: bool,
}

#[derive(Debug)]
struct Pattern {
    /// The bytes that a path must begin with.
    literal: Box<[u8]>,
    /// The glob that the rest must match.
    glob: Box<[u8]>,
    /// Whether it is matched with the path, not only with the name.
    whole_path: bool,
    says: Says,
}

impl Patterns {
    /// The patterns in the text of an ignore file. A line that is no valid pattern matches nothing.
    pub(crate) fn parse(text: &[u8], fold: bool) -> Patterns {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut patterns = Patterns { fold, ..Patterns::default() };
        let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"#"));
        for (place, line) in (0..).zip(lines) {
            patterns.add(place, pattern_of(line));
        }
        patterns.names.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        patterns
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.globs.is_empty() && self.names.is_empty()
    }

    fn add(&mut self, place: u32, line: &[u8]) {
        let (line, ignore) = match line.strip_prefix(b"!") {
            Some(line) => (line, false),
            None => (line, true),
        };
        let (text, of_directories) = match line.strip_suffix(b"/") {
            Some(text) => (text, true),
            None => (line, false),
        };
        if text.is_empty() {
            return;
        }
        let says = Says { ignore, of_directories };
        let whole_path = text.contains(&b'/');
        let text = if whole_path { text.strip_prefix(b"/").unwrap_or(text) } else { text };
        let special = text.iter().position(|byte| b"*?[\\".contains(byte));
        let (literal, glob) = text.split_at(special.unwrap_or(text.len()));
        if !whole_path && glob.is_empty() {
            self.names.push((self.key(literal), place, says));
        } else {
            let pattern = Pattern { literal: literal.into(), glob: glob.into(), whole_path, says };
            self.globs.push((place, pattern));
        }
    }

    fn key(&self, name: &[u8]) -> Box<[u8]> {
        if self.fold { name.to_ascii_lowercase().into() } else { name.into() }
    }

    /// Whether an entry is ignored, by its path from the directory of the file and the position of
    /// its name in that; `None` if no pattern matches it.
    pub(crate) fn verdict(&self, path: &[u8], name: usize, is_directory: bool) -> Option<bool> {
        let fits = |says: Says| is_directory || !says.of_directories;
        let mut last = self.last_name(&path[name..], fits);
        for (place, pattern) in self.globs.iter().rev() {
            if last.is_some_and(|(known, _)| known > *place) {
                break;
            }
            let text = if pattern.whole_path { path } else { &path[name..] };
            if fits(pattern.says) && self.is_match(pattern, text) {
                last = Some((*place, pattern.says));
                break;
            }
        }
        last.map(|(_, says)| says.ignore)
    }

    /// The last of the patterns that are exactly this name.
    fn last_name(&self, name: &[u8], fits: impl Fn(Says) -> bool) -> Option<(u32, Says)> {
        if self.names.is_empty() {
            return None;
        }
        let key;
        let name = if self.fold {
            key = name.to_ascii_lowercase();
            &key
        } else {
            name
        };
        let end = self.names.partition_point(|(known, ..)| **known <= *name);
        let same = self.names[..end].iter().rev().take_while(|(known, ..)| **known == *name);
        same.map(|(_, place, says)| (*place, *says)).find(|(_, says)| fits(*says))
    }

    fn is_match(&self, pattern: &Pattern, text: &[u8]) -> bool {
        let Some((start, rest)) = text.split_at_checked(pattern.literal.len()) else {
            return false;
        };
        let same = match self.fold {
            true => start.eq_ignore_ascii_case(&pattern.literal),
            false => *start == *pattern.literal,
        };
        // Most globs are a star and an ending.
        same && match &*pattern.glob {
            [] => rest.is_empty(),
            [b'*', end @ ..] if !self.fold && !pattern.whole_path && !has_special(end) => {
                rest.ends_with(end)
            }
            glob => wildmatch::matches(glob, rest, self.fold),
        }
    }
}

fn has_special(text: &[u8]) -> bool {
    text.iter().any(|byte| b"*?[\\".contains(byte))
}

/// A line without the part at its end that does not count: a carriage return, everything from a NUL
/// on, and spaces that no backslash keeps.
fn pattern_of(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = &line[..memchr::memchr(0, line).unwrap_or(line.len())];
    let (mut end, mut at) = (0, 0);
    while at < line.len() {
        match line[at] {
            b' ' => at += 1,
            b'\\' => {
                at += 2;
                end = at;
            }
            _ => {
                at += 1;
                end = at;
            }
        }
    }
    &line[..end.min(line.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignored(rules: &str, path: &str, is_directory: bool) -> Option<bool> {
        let name = path.rfind('/').map_or(0, |slash| slash + 1);
        Patterns::parse(rules.as_bytes(), false).verdict(path.as_bytes(), name, is_directory)
    }

    #[test]
    fn the_last_pattern_that_matches_decides() {
        for (rules, path, expected) in [
            ("a\n!a\n", "a", Some(false)),
            ("!a\na\n", "x/a", Some(true)),
            ("a\n!*\n", "a", Some(false)),
            ("*\n!a\nb\n", "a", Some(false)),
            ("a\n!\n", "a", Some(true)),
            ("a\n!/\n", "a", Some(true)),
            ("a/\n", "a", None),
            ("/a\n", "x/a", None),
            ("x/a\n", "x/a", Some(true)),
            ("x/a\n", "y/x/a", None),
            ("a  \n", "a", Some(true)),
            ("a\\ \n", "a ", Some(true)),
            ("a\t\n", "a", None),
            ("a\r\n", "a", Some(true)),
            ("a\r\r\n", "a\r", Some(true)),
            ("a\0b\n", "a", Some(true)),
            ("#a\n\\#a\n", "#a", Some(true)),
            ("\u{feff}a\n", "a", Some(true)),
            ("a**/b\n", "ab", Some(true)),
        ] {
            assert_eq!(ignored(rules, path, false), expected, "{rules:?} {path}");
        }
        assert_eq!(ignored("a/\n!a\n", "a", true), Some(false));
        assert_eq!(ignored("a\n!a/\n", "a", true), Some(false));
        assert_eq!(ignored("a\n!a/\n", "a", false), Some(true));
    }
}
