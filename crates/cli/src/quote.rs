//! Quotes names for people, for a shell or for a program: the quoting styles of GNU ls (coreutils
//! manual, "Formatting the file names").

use std::borrow::Cow;

use fewer::locale::{is_utf8, own_locale};
pub(crate) use fewer::present::quote::Charset;
use fewer::present::quote::{c, has_meaning, shell};
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

/// A style with its details.
#[derive(Clone, Debug)]
pub(crate) struct Quoting {
    pub(crate) style: Style,
    pub(crate) charset: Charset,
    /// A `?` for what cannot be printed, in styles that leave it as it is.
    pub(crate) question_marks: bool,
    /// More bytes that have a meaning where the name stands.
    pub(crate) also: Vec<u8>,
}

/// A quoted name, and whether anything was added to it.
pub(crate) struct Quoted<'n> {
    pub(crate) text: Cow<'n, [u8]>,
    pub(crate) quoted: bool,
}

/// The character set of the environment, by the variables and in the order of the C library.
pub(crate) fn charset_from_env() -> Charset {
    match own_locale("LC_CTYPE").is_some_and(|locale| is_utf8(&locale)) {
        true => Charset::Utf8 { guarded: terminal::is_stdout() },
        false => Charset::Ascii,
    }
}

/// How many columns a text takes. Unprintable characters take none; in a UTF-8 locale a byte that
/// is not UTF-8 takes one, because each is shown somehow.
fn columns(charset: Charset, mut text: &[u8]) -> usize {
    let mut columns = 0;
    while !text.is_empty() {
        let (length, shown) = charset.first(text);
        let is_wrong = charset != Charset::Ascii && std::str::from_utf8(&text[..length]).is_err();
        columns += shown.and_then(UnicodeWidthChar::width).unwrap_or(usize::from(is_wrong));
        text = &text[length..];
    }
    columns
}

impl Quoting {
    /// Quotes for a shell, where it would not read the name as it is.
    pub(crate) fn for_shell() -> Quoting {
        Quoting {
            style: Style::Shell { escape: true, always: false },
            charset: charset_from_env(),
            question_marks: false,
            also: Vec::new(),
        }
    }

    /// Quotes a name.
    pub(crate) fn quote<'n>(&self, name: &'n [u8]) -> Quoted<'n> {
        let text: Cow<'n, [u8]> = match self.style {
            Style::Literal => name.into(),
            Style::Shell { always: false, escape }
                if !has_meaning(name, self.charset, escape, &self.also) =>
            {
                if !self.shows_question_marks() {
                    return Quoted { text: name.into(), quoted: false };
                }
                name.into()
            }
            Style::Shell { escape, .. } => shell(name, self.charset, escape, b"").into(),
            Style::C { maybe: true } if !self.needs_escape(name) => name.into(),
            // Double quotes around it already separate it from what follows.
            Style::C { maybe: true } => c(name, self.charset, (b"\"", b"\""), b"").into(),
            Style::C { maybe: false } => c(name, self.charset, (b"\"", b"\""), &self.also).into(),
            Style::Escape => c(name, self.charset, (b"", b""), &self.also).into(),
            Style::Locale { double } => {
                let quotes: (&[u8], &[u8]) = match (self.charset, double) {
                    (Charset::Utf8 { .. }, _) => ("\u{2018}".as_bytes(), "\u{2019}".as_bytes()),
                    (Charset::Ascii, true) => (b"\"", b"\""),
                    (Charset::Ascii, false) => (b"'", b"'"),
                };
                c(name, self.charset, quotes, &self.also).into()
            }
        };
        let quoted = text.len() != name.len() || text.first() != name.first();
        let text = if self.shows_question_marks() { self.question_marks(text) } else { text };
        Quoted { text, quoted }
    }

    /// How many columns a quoted name takes; one more if it is indented beside `some_quoted`.
    pub(crate) fn columns(&self, name: &[u8], some_quoted: bool) -> usize {
        let quoted = self.quote(name);
        let set_in = some_quoted && !quoted.quoted;
        columns(self.charset, &quoted.text) + usize::from(set_in)
    }

    fn shows_question_marks(&self) -> bool {
        let leaves = matches!(self.style, Style::Literal | Style::Shell { escape: false, .. });
        self.question_marks && leaves
    }

    /// Whether some names may get outer quotes and others not, so that those without are indented
    /// by one column.
    pub(crate) fn may_have_outer_quotes(&self) -> bool {
        matches!(self.style, Style::Shell { always: false, .. } | Style::C { maybe: true })
    }

    fn needs_escape(&self, name: &[u8]) -> bool {
        name.iter().any(|byte| *byte == b'"' || self.also.contains(byte))
            || self.charset.pieces(name).any(|(_, printable)| !printable)
    }

    fn question_marks<'n>(&self, text: Cow<'n, [u8]>) -> Cow<'n, [u8]> {
        if self.charset.pieces(&text).all(|(_, printable)| printable) {
            return text;
        }
        let shown = self.charset.pieces(&text).map(|(piece, printable)| match printable {
            true => piece,
            false => b"?",
        });
        Cow::Owned(shown.collect::<Vec<_>>().concat())
    }
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
        assert_eq!(columns(Charset::Ascii, b"a\xc3\xa9\n"), 1);
        assert_eq!(columns(utf8, "a\u{e9}\u{732b}\n".as_bytes()), 4);
        assert_eq!(columns(utf8, b"a\xff\xc3"), 3);
    }
}
