//! Names so that they can be read, typed into a shell, or put into a program: the quoting styles of
//! GNU ls (coreutils manual, "Formatting the file names").

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

use crate::terminal;

/// How names are quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// As they are.
    Literal,
    /// In single quotes if a shell would take them for something else, or `always`; with `escape`
    /// what cannot be printed is written as `$'\n'`.
    Shell { escape: bool, always: bool },
    /// As a string of C; with `maybe` only if anything in it needs an escape.
    C { maybe: bool },
    /// With the escapes of C, but without quotes.
    Escape,
    /// As a string of C, in the quotes of the locale; `double` are those of C where it has none.
    Locale { double: bool },
}

/// What is known of the bytes that the terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// One byte, one column, if it is printable ASCII.
    Ascii,
    /// With `guarded`, what turns the direction of text around is not taken for printable.
    Utf8 { guarded: bool },
}

/// One way to quote.
#[derive(Clone, Debug)]
pub(crate) struct Quoting {
    pub(crate) style: Style,
    pub(crate) charset: Charset,
    /// A `?` for what cannot be printed, in styles that leave it as it is.
    pub(crate) question_marks: bool,
    /// More bytes that have a meaning where the name stands.
    pub(crate) also: Vec<u8>,
}

/// A name made ready, and whether anything was added to it.
pub(crate) struct Quoted<'n> {
    pub(crate) text: Cow<'n, [u8]>,
    pub(crate) quoted: bool,
}

impl Charset {
    /// After the environment, in the order in which the C library looks at it.
    pub(crate) fn from_env() -> Charset {
        let first = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
        let name = first.unwrap_or_default().to_ascii_lowercase();
        match name.contains("utf-8") || name.contains("utf8") {
            true => Charset::Utf8 { guarded: terminal::is_stdout() },
            false => Charset::Ascii,
        }
    }

    /// The length of the first character, and how many columns it takes if it can be printed.
    fn first(self, text: &[u8]) -> (usize, Option<usize>) {
        match (self, text.first()) {
            (_, None) => (0, None),
            (_, Some(b' '..=b'~')) => (1, Some(1)),
            (Charset::Ascii, _) | (_, Some(0..=0x7f)) => (1, None),
            (Charset::Utf8 { guarded }, _) => first_character(text, guarded),
        }
    }

    /// How many columns a text takes. What cannot be printed takes none, but for bytes that are not
    /// UTF-8 where that is spoken: each is shown somehow.
    pub(crate) fn columns(self, mut text: &[u8]) -> usize {
        let mut columns = 0;
        while !text.is_empty() {
            let (length, width) = self.first(text);
            let is_wrong = self != Charset::Ascii && std::str::from_utf8(&text[..length]).is_err();
            columns += width.unwrap_or(usize::from(is_wrong));
            text = &text[length..];
        }
        columns
    }
}

fn first_character(text: &[u8], guarded: bool) -> (usize, Option<usize>) {
    let head = &text[..text.len().min(4)];
    let Some(chunk) = head.utf8_chunks().next() else { return (1, None) };
    match chunk.valid().chars().next() {
        // A character that turns the direction around would hide what stands beside it.
        Some(c) if guarded && fewer::steers(c) => (c.len_utf8(), None),
        Some(c) => (c.len_utf8(), c.width()),
        // A character that the text is too short for is one, else each byte is.
        None => match std::str::from_utf8(head) {
            Err(error) if error.error_len().is_none() => (head.len(), None),
            _ => (1, None),
        },
    }
}

impl Quoting {
    /// As a shell reads it, if it would not read it as it is.
    pub(crate) fn for_shell() -> Quoting {
        Quoting {
            style: Style::Shell { escape: true, always: false },
            charset: Charset::from_env(),
            question_marks: false,
            also: Vec::new(),
        }
    }

    /// Quotes a name.
    pub(crate) fn quote<'n>(&self, name: &'n [u8]) -> Quoted<'n> {
        let text: Cow<'n, [u8]> = match self.style {
            Style::Literal => name.into(),
            Style::Shell { always: false, escape } if !self.has_meaning(name, escape) => {
                name.into()
            }
            Style::Shell { escape, .. } => self.shell(name, escape).into(),
            Style::C { maybe: true } if !self.needs_escape(name) => name.into(),
            // Quotes around it do for what else would have to be told apart.
            Style::C { maybe: true } => self.c(name, b"\"", b"\"", &[]).into(),
            Style::C { maybe: false } => self.c(name, b"\"", b"\"", &self.also).into(),
            Style::Escape => self.c(name, b"", b"", &self.also).into(),
            Style::Locale { double } => {
                let (left, right): (&[u8], &[u8]) = match (self.charset, double) {
                    (Charset::Utf8 { .. }, _) => ("\u{2018}".as_bytes(), "\u{2019}".as_bytes()),
                    (Charset::Ascii, true) => (b"\"", b"\""),
                    (Charset::Ascii, false) => (b"'", b"'"),
                };
                self.c(name, left, right, &self.also).into()
            }
        };
        let quoted = text.len() != name.len() || text.first() != name.first();
        let text = if self.shows_question_marks() { self.question_marks(text) } else { text };
        Quoted { text, quoted }
    }

    /// How many columns a name takes, quoted; one more if it is set in beside `some_quoted`.
    pub(crate) fn columns(&self, name: &[u8], some_quoted: bool) -> usize {
        let quoted = self.quote(name);
        let set_in = some_quoted && !quoted.quoted;
        self.charset.columns(&quoted.text) + usize::from(set_in)
    }

    fn shows_question_marks(&self) -> bool {
        let leaves = matches!(self.style, Style::Literal | Style::Shell { escape: false, .. });
        self.question_marks && leaves
    }

    /// Whether names may get quotes around them or not, so that those without are set in by one
    /// column beside others.
    pub(crate) fn may_have_outer_quotes(&self) -> bool {
        matches!(self.style, Style::Shell { always: false, .. } | Style::C { maybe: true })
    }

    /// Whether a shell, or what stands around it, would take the name for something else.
    fn has_meaning(&self, name: &[u8], escape: bool) -> bool {
        let special = |(place, byte): (usize, &u8)| match byte {
            b'#' | b'~' => place == 0,
            b'{' | b'}' => name.len() == 1,
            b'\n' | b'\r' | b'\t' => true,
            _ => b" !\"$&'()*;<=>[^`|?\\".contains(byte),
        };
        name.is_empty()
            || name.iter().enumerate().any(special)
            || name.iter().any(|byte| self.also.contains(byte))
            || (escape && self.pieces(name).any(|(_, printable)| !printable))
    }

    fn needs_escape(&self, name: &[u8]) -> bool {
        name.iter().any(|byte| *byte == b'"' || self.also.contains(byte))
            || self.pieces(name).any(|(_, printable)| !printable)
    }

    /// The characters of a name, and whether each can be printed.
    fn pieces<'n>(&self, name: &'n [u8]) -> impl Iterator<Item = (&'n [u8], bool)> {
        let charset = self.charset;
        let mut rest = name;
        std::iter::from_fn(move || {
            let (length, width) = charset.first(rest);
            let (piece, behind) = rest.split_at(length);
            rest = behind;
            (length > 0).then_some((piece, width.is_some()))
        })
    }

    /// In single quotes; in double ones if that is shorter and means the same.
    fn shell(&self, name: &[u8], escape: bool) -> Vec<u8> {
        let apostrophe = name.contains(&b'\'');
        if apostrophe && self.is_plain_in_double_quotes(name) {
            return [b"\"", name, b"\""].concat();
        }
        let mut out = vec![b'\''];
        // GNU ls goes through a name with an apostrophe twice, and is still in the last escape of
        // the first time when it begins again. The shell reads the same name.
        let ends_escaped = self.pieces(name).last().is_some_and(|(_, printable)| !printable);
        let mut escaping = escape && apostrophe && ends_escaped;
        for (piece, printable) in self.pieces(name) {
            if piece == b"'" {
                out.extend_from_slice(b"'\\''");
                escaping = false;
            } else if escape && !printable {
                if !escaping {
                    out.extend_from_slice(b"'$'");
                }
                escaping = true;
                piece.iter().for_each(|&byte| push_escape(byte, &mut out));
            } else {
                if escaping {
                    out.extend_from_slice(b"''");
                }
                escaping = false;
                out.extend_from_slice(piece);
            }
        }
        out.push(b'\'');
        out
    }

    fn is_plain_in_double_quotes(&self, name: &[u8]) -> bool {
        let special = |(place, byte): (usize, &u8)| match byte {
            b'#' | b'~' => place > 0,
            b'{' | b'}' => name.len() > 1,
            _ => b"!\"$&()*;<=>[^`|?\\".contains(byte),
        };
        !name.iter().enumerate().any(special) && self.pieces(name).all(|(_, printable)| printable)
    }

    /// With the escapes of C, and a backslash before the right quote and what else needs one.
    fn c(&self, name: &[u8], left: &[u8], right: &[u8], also: &[u8]) -> Vec<u8> {
        let mut out = left.to_vec();
        for (piece, printable) in self.pieces(name) {
            let escaped = piece == b"\\" || piece == right || also.contains(&piece[0]);
            if !printable {
                piece.iter().for_each(|&byte| push_escape(byte, &mut out));
                continue;
            }
            if escaped {
                out.push(b'\\');
            }
            out.extend_from_slice(piece);
        }
        out.extend_from_slice(right);
        out
    }

    fn question_marks<'n>(&self, text: Cow<'n, [u8]>) -> Cow<'n, [u8]> {
        if self.pieces(&text).all(|(_, printable)| printable) {
            return text;
        }
        let shown = self.pieces(&text).map(|(piece, printable)| match printable {
            true => piece,
            false => b"?",
        });
        Cow::Owned(shown.collect::<Vec<_>>().concat())
    }
}

/// A byte as C writes it.
fn push_escape(byte: u8, out: &mut Vec<u8>) {
    let letter = match byte {
        7 => b'a',
        8 => b'b',
        12 => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        11 => b'v',
        _ => {
            let digit = |shift: u8| b'0' + (byte >> shift & 7);
            return out.extend_from_slice(&[b'\\', digit(6), digit(3), digit(0)]);
        }
    };
    out.extend_from_slice(&[b'\\', letter]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(style: Style, charset: Charset, name: &[u8]) -> String {
        let quoting = Quoting { style, charset, question_marks: false, also: Vec::new() };
        String::from_utf8(quoting.quote(name).text.into_owned()).unwrap()
    }

    /// As GNU ls and wc 9.1 print them.
    #[test]
    fn names_are_quoted_as_gnu_quotes_them() {
        let shell = Style::Shell { escape: true, always: false };
        for (style, name, expected) in [
            (shell, &b"plain"[..], "plain"),
            (shell, b"", "''"),
            (shell, b"a b", "'a b'"),
            (shell, b"it's\ta", "'it'\\''s'$'\\t''a'"),
            (shell, b"it's", "\"it's\""),
            (shell, b"n\nl\xff'z", "'n'$'\\n''l'$'\\377'\\''z'"),
            (shell, b"\nabc\r\n", "''$'\\n''abc'$'\\r\\n'"),
            (Style::C { maybe: false }, b"a\"\\\x01", "\"a\\\"\\\\\\001\""),
            (Style::Escape, b"a\nb", "a\\nb"),
            (Style::Locale { double: false }, b"a'b", "'a\\'b'"),
        ] {
            assert_eq!(quoted(style, Charset::Ascii, name), expected, "{}", name.escape_ascii());
        }
        let utf8 = Charset::Utf8 { guarded: true };
        assert_eq!(quoted(shell, utf8, "gr\u{fc}n".as_bytes()), "gr\u{fc}n");
        assert_eq!(quoted(shell, utf8, "a\u{202e}".as_bytes()), "'a'$'\\342\\200\\256'");
    }

    #[test]
    fn columns_are_those_that_a_terminal_takes() {
        let utf8 = Charset::Utf8 { guarded: false };
        assert_eq!(Charset::Ascii.columns(b"a\xc3\xa9\n"), 1);
        assert_eq!(utf8.columns("a\u{e9}\u{732b}\n".as_bytes()), 4);
        assert_eq!(utf8.columns(b"a\xff\xc3"), 3);
    }
}
