//! Names in messages, as GNU quotes them for a shell.

use std::borrow::Cow;

use fewer::present::quote::{Charset, c, has_meaning, shell};

/// A name in front of a colon: quoted only where it could be misread.
pub(super) fn for_colon(name: &[u8], utf8: bool) -> Cow<'_, [u8]> {
    let charset = charset(utf8);
    match has_meaning(name, charset, true, b":") {
        true => shell(name, charset, true, b":").into(),
        false => name.into(),
    }
}

/// A name within a sentence: always in quotes.
pub(super) fn always(name: &[u8], utf8: bool) -> Vec<u8> {
    shell(name, charset(utf8), true, b"")
}

/// A name within a sentence, as the few tools do it that quote by the locale, with C's escapes.
pub(super) fn in_words(name: &[u8], utf8: bool) -> Vec<u8> {
    let quotes: (&[u8], &[u8]) = match utf8 {
        true => ("\u{2018}".as_bytes(), "\u{2019}".as_bytes()),
        false => (b"'", b"'"),
    };
    c(name, charset(utf8), quotes, b"")
}

fn charset(utf8: bool) -> Charset {
    if utf8 { Charset::Utf8 { guarded: false } } else { Charset::Ascii }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `cat` 9.1 quotes the names of files that are not there (for a colon), and `rm`.
    #[test]
    fn names_are_quoted_as_gnu_quotes_them() {
        for (name, colon, sentence) in [
            (&b"plain"[..], "plain", "'plain'"),
            (b"", "''", "''"),
            (b"#a#", "'#a#'", "'#a#'"),
            (b"a#", "a#", "'a#'"),
            (b"a:b", "'a:b'", "'a:b'"),
            (b"it's", "\"it's\"", "\"it's\""),
            (b"it's:", "'it'\\''s:'", "\"it's:\""),
            (b"it's\ta", "'it'\\''s'$'\\t''a'", "'it'\\''s'$'\\t''a'"),
            (b"\nabc\r\n", "''$'\\n''abc'$'\\r\\n'", "''$'\\n''abc'$'\\r\\n'"),
            ("gr\u{fc}n".as_bytes(), "gr\u{fc}n", "'gr\u{fc}n'"),
            (b"\xff", "''$'\\377'", "''$'\\377'"),
        ] {
            let shown = name.escape_ascii();
            assert_eq!(for_colon(name, true), colon.as_bytes(), "{shown}");
            assert_eq!(always(name, true), sentence.as_bytes(), "{shown}");
        }
        assert_eq!(always("\u{fc}".as_bytes(), false), b"''$'\\303\\274'");
    }
}
