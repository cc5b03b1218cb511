//! The words of a source text, as far as many languages have them in common: names, signs, and
//! nothing of comments and strings.

/// A name, a number or a sign.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    /// Its line; the first one is 0.
    pub(super) line: usize,
    /// How many bytes of its line come before it.
    pub(super) column: usize,
}

/// What comments and strings look like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// `#` begins a comment, and `//` does not.
    pub(super) hash: bool,
    /// `'` is also something else than a quotation mark.
    pub(super) ticks: bool,
}

/// The tokens of a text.
pub(super) fn tokens(text: &str, style: Style) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut at, mut line, mut line_start) = (0, 0, 0);
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        let end = match byte {
            b'"' | b'`' => string_end(bytes, at),
            b'\'' if !style.ticks => string_end(bytes, at),
            b'#' if style.hash => line_end(bytes, at),
            b'/' if !style.hash && bytes.get(at + 1) == Some(&b'/') => line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => comment_end(text, at),
            _ if is_of_name(byte) => name_end(bytes, at),
            _ => at + 1,
        };
        let is_name = is_of_name(byte);
        let is_sign = byte.is_ascii_punctuation() && byte != b'$' && end == at + 1;
        if is_name || is_sign {
            tokens.push(Token { text: &text[at..end], line, column: at - line_start });
        }
        for (ahead, _) in bytes[at..end].iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            line += 1;
            line_start = at + ahead + 1;
        }
        at = end;
    }
    tokens
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn name_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes[start..].iter().position(|byte| !is_of_name(*byte));
    rest.map_or(bytes.len(), |length| start + length)
}

fn line_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes[start..].iter().position(|byte| *byte == b'\n');
    rest.map_or(bytes.len(), |length| start + length)
}

fn comment_end(text: &str, start: usize) -> usize {
    text[start + 2..].find("*/").map_or(text.len(), |length| start + 2 + length + 2)
}

/// Behind a string, or the end of a line in which it does not end.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == bytes[start] => return at + 1,
            b'\n' if bytes[start] != b'`' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, hash: bool) -> Vec<&str> {
        let style = Style { hash, ticks: false };
        tokens(text, style).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_strings_are_left_out() {
        let c = "a(\"x\\\"y\", 'b'); // st\n/* c\n d */ e";
        assert_eq!(words(c, false), ["a", "(", ",", ")", ";", "e"]);
        assert_eq!(words("a = 1 # b\nc('#')", true), ["a", "=", "1", "c", "(", ")"]);
        assert_eq!(words("\"no end\nnext", false), ["next"]);
        assert_eq!(words("$st->größe `$\\", false), ["st", "-", ">", "größe"]);
    }

    #[test]
    fn lines_and_columns_are_counted() {
        let style = Style { hash: false, ticks: true };
        let all = tokens("a\n\n  `b\nc` d'e", style);
        let places: Vec<_> = all.iter().map(|it| (it.text, it.line, it.column)).collect();
        assert_eq!(places, [("a", 0, 0), ("d", 3, 3), ("'", 3, 4), ("e", 3, 5)]);
    }
}
