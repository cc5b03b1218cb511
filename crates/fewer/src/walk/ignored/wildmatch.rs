//! Globs as git matches them, byte by byte: as gitignore(5) and glob(7) document it, and as git
//! behaves where they leave it open.

/// Whether the whole pattern matches the whole text. `*`, `?` and sets match no slash; `**` between
/// slashes, or a slash and an end, matches any number of directories. A set without an end, and one
/// with an unknown named class, match nothing. `fold` ignores the case of ASCII letters, except of
/// those behind a backslash or named in a set: they are lower-case or match nothing.
///
/// Price: no calls; time at most in proportion to both lengths multiplied.
pub(crate) fn matches(pattern: &[u8], text: &[u8], fold: bool) -> bool {
    let (mut at, mut place) = (0, 0);
    // The position behind the last star, and the text that it has not been tried with; likewise for
    // the last `**`. For earlier ones the shortest match suffices: a later one can take more.
    let (mut star, mut stars): (Option<Retry>, Option<Retry>) = (None, None);
    loop {
        match pattern.get(at) {
            None if place == text.len() => return true,
            Some(b'*') => {
                let run = Stars::at(pattern, at);
                at = run.behind;
                match run.deep {
                    true => {
                        (star, stars) = (None, Some(Retry { at, place: place + 1 }));
                        if pattern.get(at) == Some(&b'/') {
                            // No directory at all, first.
                            stars = Some(Retry { at, place });
                            at += 1;
                        }
                    }
                    false => star = Some(Retry { at, place: place + 1 }),
                }
                continue;
            }
            Some(_) if place < text.len() => {
                if let Some(behind) = one(pattern, at, text[place], fold) {
                    (at, place) = (behind, place + 1);
                    continue;
                }
            }
            _ => {}
        }
        if let Some(again) = star.as_mut().filter(|it| is_within_name(text, it.place)) {
            (at, place) = (again.at, again.place);
            again.place += 1;
        } else if let Some(again) = stars.as_mut().filter(|it| it.place <= text.len()) {
            (at, place, star) = (again.at, again.place, None);
            again.place += 1;
        } else {
            return false;
        }
    }
}

/// Where to go on when what follows a star does not match: with one more byte for the star.
struct Retry {
    at: usize,
    place: usize,
}

/// Whether the byte before this place is there and is no slash.
fn is_within_name(text: &[u8], place: usize) -> bool {
    place <= text.len() && text[place - 1] != b'/'
}

/// Stars one behind the other.
struct Stars {
    behind: usize,
    /// Whether they go over slashes.
    deep: bool,
}

impl Stars {
    fn at(pattern: &[u8], start: usize) -> Stars {
        let count = pattern[start..].iter().take_while(|&&byte| byte == b'*').count();
        let behind = start + count;
        let begins = start == 0 || pattern[start - 1] == b'/';
        let ends = matches!(&pattern[behind..], [] | [b'/', ..] | [b'\\', b'/', ..]);
        Stars { behind, deep: count > 1 && begins && ends }
    }
}

/// The position in the pattern behind the element at `at`, if that matches the byte.
fn one(pattern: &[u8], at: usize, byte: u8, fold: bool) -> Option<usize> {
    let lower = if fold { byte.to_ascii_lowercase() } else { byte };
    match pattern[at] {
        b'?' => (byte != b'/').then_some(at + 1),
        b'[' => {
            let (is_in, behind) = set(pattern, at + 1, lower, fold)?;
            (is_in && byte != b'/').then_some(behind)
        }
        b'\\' => (pattern.get(at + 1) == Some(&lower)).then_some(at + 2),
        letter => {
            let letter = if fold { letter.to_ascii_lowercase() } else { letter };
            (letter == lower).then_some(at + 1)
        }
    }
}

/// Whether the byte is in the set that begins here, and where that ends; `None` if it is no set.
fn set(pattern: &[u8], start: usize, byte: u8, fold: bool) -> Option<(bool, usize)> {
    let negated = matches!(pattern.get(start)?, b'!' | b'^');
    let first = start + usize::from(negated);
    let (mut at, mut is_in) = (first, false);
    // What a range may begin with.
    let mut before = None;
    loop {
        let rest = &pattern[at..];
        let (found, length, member) = match rest {
            [] => return None,
            [b']', ..] if at > first => return Some((is_in != negated, at + 1)),
            [b'\\', member, ..] => (*member == byte, 2, Some(*member)),
            [b'\\'] => return None,
            [b'-', end, behind @ ..] if *end != b']' && before.is_some() => {
                let (end, length) = match (end, behind) {
                    (b'\\', [escaped, ..]) => (escaped, 3),
                    (b'\\', []) => return None,
                    _ => (end, 2),
                };
                let range = before.unwrap_or(*end)..=*end;
                let other = fold && range.contains(&byte.to_ascii_uppercase());
                (range.contains(&byte) || other && byte.is_ascii_lowercase(), length, None)
            }
            [b'[', b':', named @ ..] => {
                let end = memchr::memchr(b']', named)?;
                match named[..end].split_last() {
                    Some((b':', name)) => (is_named(name, byte, fold)?, end + 3, None),
                    _ => (byte == b'[', 1, Some(b'[')),
                }
            }
            [member, ..] => (*member == byte, 1, Some(*member)),
        };
        is_in |= found;
        before = member;
        at += length;
    }
}

/// Whether the byte belongs to a set of this name; `None` if there is none.
fn is_named(name: &[u8], byte: u8, fold: bool) -> Option<bool> {
    Some(match name {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => byte.is_ascii_graphic() || byte == b' ',
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
        b"upper" => byte.is_ascii_uppercase() || fold && byte.is_ascii_lowercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From gitignore(5), and from `git check-ignore` where that leaves it open.
    #[test]
    fn globs_match_as_in_git() {
        for (pattern, text, expected) in [
            ("*.o", "a.o", true),
            ("*.o", "a/b.o", false),
            ("a?c", "a/c", false),
            ("**/a", "a", true),
            ("**/a", "x/y/a", true),
            ("**/a", "x/ba", false),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "ab", false),
            ("a/***/b", "a/x/y/b", true),
            ("a**b/c", "axb/c", true),
            ("a**b/c", "ax/b/c", false),
            ("a/**", "a/b/c", true),
            ("a/**", "a", false),
            ("**/b/**/d", "a/b/c/d", true),
            ("**/**/d", "d", true),
            ("a/**\\/b", "a/x/b", true),
            ("a/**\\/b", "a/b", false),
            ("*\\/b", "a/b", true),
            ("*/b", "a/x/b", false),
            ("**//", "a/b", false),
            ("[a-c]", "b", true),
            ("[!a-c]", "b", false),
            ("[^a]", "/", false),
            ("[]-]", "]", true),
            ("[\\]]", "]", true),
            ("[a\\-c]", "b", false),
            ("[[:digit:]-]", "-", true),
            ("[[:no:]x]", "x", false),
            ("[[:]", "[", true),
            ("[[:]x]", ":x]", true),
            ("[:alpha:]", "p", true),
            ("[", "[", false),
            ("[a", "a", false),
            ("a\\", "a\\", false),
            ("é?", "éx", true),
            ("?", "é", false),
            ("*a*a*b", "aaaa/aaab", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes(), false), expected, "{pattern}");
        }
        for (pattern, text, expected) in [
            ("A*", "ab", true),
            ("\\A", "a", false),
            ("\\a", "A", true),
            ("[A]", "a", false),
            ("[A-C]", "b", true),
            ("[[:upper:]]", "b", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes(), true), expected, "{pattern}");
        }
    }

    #[test]
    fn no_pattern_takes_for_ever() {
        let text = [&b"a".repeat(2000)[..], b"/", &b"a".repeat(2000)].concat();
        assert!(!matches(&b"*a".repeat(500), &text, false));
        assert!(!matches(&[&b"**/".repeat(500)[..], b"*b"].concat(), &text, false));
    }
}
