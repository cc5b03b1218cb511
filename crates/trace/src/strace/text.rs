//! How strace writes things down: quoted strings, arguments between commas, what a descriptor is.
//!
//! Everything here takes any bytes at all: what does not look as it should is nothing, or ends
//! where the text ends.

/// What one argument of a call, or one member of a struct, says.
pub(super) type Word<'t> = &'t [u8];

/// How deep structs and lists go before they are taken for nonsense.
const DEEPEST: usize = 64;

/// Splits the text behind an opening parenthesis at its commas. The words, and what stands behind
/// the closing parenthesis; `None` if there is none.
pub(super) fn arguments(text: &[u8]) -> (Vec<Word<'_>>, Option<&[u8]>) {
    let mut words = Vec::new();
    let (mut start, mut at, mut depth) = (0, 0, 0_usize);
    let mut word = |from: usize, to: usize| {
        let word = text[from..to].trim_ascii();
        if !word.is_empty() || !words.is_empty() {
            words.push(word);
        }
    };
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => at = string_end(text, at),
            b'(' | b'[' | b'{' if depth < DEEPEST => (depth, at) = (depth + 1, at + 1),
            b')' if depth == 0 => {
                word(start, at);
                return (words, Some(&text[at + 1..]));
            }
            b')' | b']' | b'}' => (depth, at) = (depth.saturating_sub(1), at + 1),
            b',' if depth == 0 => {
                word(start, at);
                (start, at) = (at + 1, at + 1);
            }
            b'/' if text[at..].starts_with(b"/*") => at = comment_end(text, at),
            b'<' if text[at..].starts_with(b"<<") => at += 2,
            b'<' if is_annotated(&text[start..at]) => at = annotation_end(text, at),
            _ => at += 1,
        }
    }
    word(start, text.len());
    (words, None)
}

/// The members of `{a=1, b={c=2}}` or `[1, 2]`; none if it is neither.
pub(super) fn members(word: Word<'_>) -> Vec<Word<'_>> {
    let Some((b'{' | b'[', rest)) = word.split_first() else { return Vec::new() };
    let inner = rest.strip_suffix(b"}").or_else(|| rest.strip_suffix(b"]")).unwrap_or(rest);
    arguments(inner).0
}

/// Where the string that begins with a quote at `at` ends, its quote included.
fn string_end(text: &[u8], at: usize) -> usize {
    let mut place = at + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', text.get(place..).unwrap_or_default()) {
        place += found;
        if text[place] == b'"' {
            return place + 1;
        }
        place += 2;
    }
    text.len()
}

fn comment_end(text: &[u8], at: usize) -> usize {
    memchr::memmem::find(&text[at..], b"*/").map_or(text.len(), |end| at + end + 2)
}

/// Whether a `<` behind this text begins what a descriptor is: it ends in a number, or in what
/// stands for the working directory.
fn is_annotated(before: &[u8]) -> bool {
    before.last().is_some_and(u8::is_ascii_digit) || before.ends_with(b"AT_FDCWD")
}

/// Where the annotation that begins with `<` at `at` ends, its `>` and a `(deleted)` included. In
/// paths `<` and `>` are escaped, so there is but one below another: `</dev/null<char 1:3>>`. In
/// others there are arrows, `<TCP:[127.0.0.1:1->127.0.0.1:2]>`, and strings.
fn annotation_end(text: &[u8], at: usize) -> usize {
    let is_path = text.get(at + 1) == Some(&b'/');
    let (mut depth, mut place) = (0_usize, at);
    while let Some(&byte) = text.get(place) {
        match byte {
            b'<' => depth += 1,
            b'>' if !is_path && text[place - 1] == b'-' => {}
            b'>' if depth <= 1 => {
                place += 1;
                let deleted = text[place..].starts_with(b"(deleted)");
                return if deleted { place + b"(deleted)".len() } else { place };
            }
            b'>' => depth -= 1,
            b'"' if !is_path => {
                place = string_end(text, place);
                continue;
            }
            _ => {}
        }
        place += 1;
    }
    text.len()
}

/// What stands in the annotation of a descriptor, without what strace adds: a path, `pipe:[7]`.
/// `None` if it has none.
pub(super) fn annotation(word: Word<'_>) -> Option<Vec<u8>> {
    let start = bare(word).len();
    if start == word.len() {
        return None;
    }
    let end = annotation_end(word, start);
    let inner = &word[start + 1..end];
    let inner = inner.strip_suffix(b"(deleted)").unwrap_or(inner);
    let inner = inner.strip_suffix(b">").unwrap_or(inner);
    if inner.first() == Some(&b'/') {
        // Behind a device's path its numbers.
        let path = inner.split(|&byte| byte == b'<').next().unwrap_or(inner);
        return Some(unescaped(path));
    }
    if inner.is_empty() {
        return None;
    }
    let is_known = [&b"pipe:"[..], b"socket:", b"anon_inode:", b"net:", b"mnt:", b"pid:"];
    let is_known = is_known.iter().any(|kind| inner.starts_with(kind));
    let text = unescaped(inner);
    // A socket by its protocol and addresses, which is more than /proc has.
    let is_socket = !is_known && text.contains(&b':');
    Some(if is_socket { [b"socket:[", &text[..], b"]"].concat() } else { text })
}

/// A word without its annotation: `3</etc/passwd>` is `3`.
pub(super) fn bare(word: Word<'_>) -> Word<'_> {
    let Some(start) = memchr::memchr(b'<', word) else { return word };
    let (front, behind) = word.split_at(start);
    let is_number = !front.is_empty() && front.iter().all(u8::is_ascii_digit);
    let is_annotated = is_number || front == b"AT_FDCWD";
    if is_annotated && !behind.starts_with(b"<<") { front } else { word }
}

/// What a quoted word says, and whether it says all: behind a text that was cut stand three dots.
pub(super) fn quoted(word: Word<'_>) -> Option<(Vec<u8>, bool)> {
    if word.first() != Some(&b'"') {
        return None;
    }
    let end = string_end(word, 0);
    let inner = word.get(1..end.saturating_sub(1).max(1)).unwrap_or_default();
    Some((unescaped(inner), word[end..].is_empty()))
}

/// Takes the escapes of C out: `\n`, `\"`, `\12` in octal, `\x0a`.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(escape) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..escape]);
        rest = &rest[escape + 1..];
        let Some((&letter, behind)) = rest.split_first() else { break };
        rest = behind;
        match letter {
            b'a' => out.push(7),
            b'b' => out.push(8),
            b't' => out.push(b'\t'),
            b'n' => out.push(b'\n'),
            b'v' => out.push(11),
            b'f' => out.push(12),
            b'r' => out.push(b'\r'),
            b'e' => out.push(27),
            b'x' => {
                let (value, digits) = number_in(rest, 16, 2);
                out.push(value);
                rest = &rest[digits..];
            }
            b'0'..=b'7' => {
                let (value, digits) = number_in(behind, 8, 2);
                let shift = 3 * u32::try_from(digits).unwrap_or(0);
                out.push((letter - b'0').wrapping_shl(shift) | value);
                rest = &rest[digits..];
            }
            other => out.push(other),
        }
    }
    out.extend_from_slice(rest);
    out
}

/// The number at the beginning, of at most so many digits, and how many it has.
fn number_in(text: &[u8], radix: u32, most: usize) -> (u8, usize) {
    let digits = text.iter().take(most).map_while(|&byte| char::from(byte).to_digit(radix));
    digits
        .fold((0, 0), |(value, count), digit| ((u32::from(value) * radix + digit) as u8, count + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> (Vec<&str>, Option<&str>) {
        let text_of = |bytes| std::str::from_utf8(bytes).unwrap();
        let (words, rest) = arguments(text.as_bytes());
        (words.into_iter().map(text_of).collect(), rest.map(text_of))
    }

    #[test]
    fn arguments_end_at_their_commas() {
        let lines: &[(&str, &[&str], Option<&str>)] = &[
            (") = 0", &[], Some(" = 0")),
            ("3, \"a,b)\\\"\", 5) = 5", &["3", "\"a,b)\\\"\"", "5"], Some(" = 5")),
            (
                "AT_FDCWD</a(,b>, \"x\", {st_mode=S_IFREG|0644, st_size=makedev(1, 2)}, 0) = 0",
                &["AT_FDCWD</a(,b>", "\"x\"", "{st_mode=S_IFREG|0644, st_size=makedev(1, 2)}", "0"],
                Some(" = 0"),
            ),
            (
                "0</dev/null<char 1:3>>, 0x1 /* 3, vars) */) = 1",
                &["0</dev/null<char 1:3>>", "0x1 /* 3, vars) */"],
                Some(" = 1"),
            ),
            (
                "7<TCP:[127.0.0.1:1->127.0.0.1:2]>, 1)",
                &["7<TCP:[127.0.0.1:1->127.0.0.1:2]>", "1"],
                Some(""),
            ),
            ("8<UNIX:[7,\"/so\\\">,k\"]>, 1)", &["8<UNIX:[7,\"/so\\\">,k\"]>", "1"], Some("")),
            ("3</a->, 1)", &["3</a->", "1"], Some("")),
            ("1<<3, 2)", &["1<<3", "2"], Some("")),
            ("3, [{fd=3</x, y>, events=POLLIN}]", &["3", "[{fd=3</x, y>, events=POLLIN}]"], None),
            ("\"never ended, 5) = 5", &["\"never ended, 5) = 5"], None),
            ("3, ", &["3", ""], None),
        ];
        for (text, words, rest) in lines {
            assert_eq!(split(text), (words.to_vec(), *rest), "{text}");
        }
    }

    #[test]
    fn what_a_descriptor_is_stands_behind_it() {
        let of =
            |word: &str| annotation(word.as_bytes()).map(|text| String::from_utf8(text).unwrap());
        let is = |word, text: &str| assert_eq!(of(word).as_deref(), Some(text), "{word}");
        is("3</etc/passwd>", "/etc/passwd");
        is("3</a\\74b\\76-\\76\\n\\1c>(deleted)", "/a<b>->\n\u{1}c");
        is("AT_FDCWD</cwd>", "/cwd");
        is("0</dev/pts/0<char 136:0>>", "/dev/pts/0");
        is("12<pipe:[7888523]>", "pipe:[7888523]");
        is("9<anon_inode:[eventpoll]>", "anon_inode:[eventpoll]");
        is("5<TCP:[127.0.0.1:1->127.0.0.1:2]>", "socket:[TCP:[127.0.0.1:1->127.0.0.1:2]]");
        is("5<socket:[12]>", "socket:[12]");
        for none in ["3", "-1", "\"3</x>\"", "1<<3", "3<>", "NULL"] {
            assert_eq!(of(none), None, "{none}");
        }
        assert_eq!(bare(b"3</etc/passwd>"), b"3");
        assert_eq!(bare(b"AT_FDCWD</cwd>"), b"AT_FDCWD");
    }

    #[test]
    fn escapes_are_those_of_c() {
        let of = |word: &[u8]| quoted(word).unwrap();
        assert_eq!(of(br#""a\n\t\"\\b""#), (b"a\n\t\"\\b".to_vec(), true));
        assert_eq!(of(br#""\0\01\0012\3778\12x""#), (b"\0\x01\x012\xff8\nx".to_vec(), true));
        assert_eq!(of(br#""\x7fELF\xff"..."#), (b"\x7fELF\xff".to_vec(), false));
        assert_eq!(of(b"\"\\"), (b"".to_vec(), true));
        assert_eq!(of(b"\""), (b"".to_vec(), true));
        assert_eq!(of(b"\"abc"), (b"ab".to_vec(), true));
        assert_eq!(quoted(b"0x7f"), None);
    }

    #[test]
    fn members_are_like_arguments() {
        assert_eq!(members(b"{a=1, b={c=2, d=3}}"), [&b"a=1"[..], b"b={c=2, d=3}"]);
        assert_eq!(members(b"[\"x\", \"y\"]"), [&b"\"x\""[..], b"\"y\""]);
        assert!(members(b"0x7f").is_empty());
    }
}
