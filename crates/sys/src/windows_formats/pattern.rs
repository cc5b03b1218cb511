//! The shell's name patterns, as fnmatch(3) of the GNU C library matches them in UTF-8.

use std::ffi::CStr;

/// Whether a name matches a pattern of `*`, `?`, `[…]` and `\`, in which a dot at the beginning of
/// the name is only matched by a dot. What is no UTF-8 is compared byte by byte, as without `utf8`.
///
/// Price: none.
#[must_use]
pub fn matches_pattern(pattern: &CStr, name: &CStr, utf8: bool) -> bool {
    let is_dot = |text: &CStr| text.to_bytes().starts_with(b".");
    if is_dot(name) && !is_dot(pattern) && !pattern.to_bytes().starts_with(b"\\.") {
        return false;
    }
    match (pattern.to_str(), name.to_str()) {
        (Ok(pattern), Ok(name)) if utf8 => {
            let pattern: Vec<char> = pattern.chars().collect();
            matches(&pattern, &name.chars().collect::<Vec<char>>())
        }
        _ => {
            let bytes = |text: &CStr| text.to_bytes().iter().copied().map(char::from).collect();
            let (pattern, name): (Vec<char>, Vec<char>) = (bytes(pattern), bytes(name));
            matches(&pattern, &name)
        }
    }
}

/// Where a part does not match, the last `*` takes one character more: no other need be tried.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut rest, mut left) = (pattern, name);
    let mut star: Option<(&[char], &[char])> = None;
    loop {
        if let ['*', behind @ ..] = rest {
            star = Some((behind, left));
            rest = behind;
        } else if let (Some((behind, true)), [_, next @ ..]) = (one(rest, left.first()), left) {
            (rest, left) = (behind, next);
        } else if rest.is_empty() && left.is_empty() {
            return true;
        } else {
            let Some((behind, [_, next @ ..])) = star else { return false };
            star = Some((behind, next));
            (rest, left) = (behind, next);
        }
    }
}

/// The pattern behind its first part, and whether that part matches this character.
fn one<'p>(pattern: &'p [char], character: Option<&char>) -> Option<(&'p [char], bool)> {
    let character = *character?;
    match pattern {
        ['?', rest @ ..] => Some((rest, true)),
        ['[', rest @ ..] => match set(rest, character) {
            Some((behind, found)) => Some((behind, found)),
            None => Some((rest, character == '[')),
        },
        ['\\', escaped, rest @ ..] => Some((rest, *escaped == character)),
        [plain, rest @ ..] => Some((rest, *plain == character)),
        [] => None,
    }
}

/// The pattern behind a set, and whether it has this character; `None` if the set has no end.
fn set(pattern: &[char], character: char) -> Option<(&[char], bool)> {
    let (negated, mut rest) = match pattern {
        ['!' | '^', rest @ ..] => (true, rest),
        _ => (false, pattern),
    };
    let mut found = false;
    let mut is_first = true;
    loop {
        let (from, behind) = match rest {
            [']', behind @ ..] if !is_first => return Some((behind, found != negated)),
            ['[', ':', ..] => {
                let end = rest.windows(2).position(|two| two == [':', ']'])?;
                let name: String = rest.get(2..end)?.iter().collect();
                found |= is_of_class(&name, character);
                (rest, is_first) = (&rest[end + 2..], false);
                continue;
            }
            ['\\', escaped, behind @ ..] => (*escaped, behind),
            [plain, behind @ ..] => (*plain, behind),
            [] => return None,
        };
        (rest, is_first) = (behind, false);
        match rest {
            ['-', to, behind @ ..] if *to != ']' => {
                found |= (from..=*to).contains(&character);
                rest = behind;
            }
            _ => found |= from == character,
        }
    }
}

fn is_of_class(name: &str, character: char) -> bool {
    match name {
        "alpha" => character.is_alphabetic(),
        "digit" => character.is_ascii_digit(),
        "alnum" => character.is_alphanumeric(),
        "lower" => character.is_lowercase(),
        "upper" => character.is_uppercase(),
        "space" => character.is_whitespace(),
        "punct" => character.is_ascii_punctuation(),
        "xdigit" => character.is_ascii_hexdigit(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected answers are those of fnmatch(3), which the tests on Linux ask as well.
    #[test]
    fn patterns_match_as_in_the_c_library() {
        for pattern in [
            c"*", c"*.txt", c"a?c", c"a*b*c", c"[a-c]x", c"[!a]x", c"[]x]y", c"\\*", c"[a", c"",
            c"[[:digit:]]*", c"?", c"*\u{e9}",
        ] {
            for name in [
                c"", c"a", c"abc", c"x.txt", c"aXbYc", c"aXbYcZ", c"bx", c"dx", c"]y", c"*", c"[a",
                c"7up", c".txt", c"caf\u{e9}",
            ] {
                let answer = matches_pattern(pattern, name, true);
                #[cfg(target_os = "linux")]
                if name.to_bytes().is_ascii() && pattern.to_bytes().is_ascii() {
                    let expected = crate::matches_pattern(pattern, name, true);
                    assert_eq!(answer, expected, "{pattern:?} {name:?}");
                }
                if pattern == c"*\u{e9}" {
                    assert_eq!(answer, name == c"caf\u{e9}", "{name:?}");
                }
            }
        }
    }
}
