//! Names in messages, as GNU quotes them for a shell.

use std::borrow::Cow;

/// A name in front of a colon: as it is, if nobody could take it for something else.
pub(super) fn for_colon(name: &[u8], utf8: bool) -> Cow<'_, [u8]> {
    let special = |(place, byte): (usize, &u8)| match byte {
        b'#' | b'~' => place == 0,
        b'{' | b'}' => name.len() == 1,
        b'\n' | b'\r' | b'\t' | b':' => true,
        _ => b" !\"$&'()*;<=>[^`|?\\".contains(byte),
    };
    let plain = !name.is_empty()
        && !name.iter().enumerate().any(special)
        && pieces(name, utf8).all(|(_, printable)| printable);
    if plain { Cow::Borrowed(name) } else { Cow::Owned(quoted(name, utf8, b":")) }
}

/// A name within a sentence: always in quotes.
pub(super) fn always(name: &[u8], utf8: bool) -> Vec<u8> {
    quoted(name, utf8, b"")
}

/// A name within a sentence of the few tools that quote in the locale's way, with C's escapes.
pub(super) fn in_words(name: &[u8], utf8: bool) -> Vec<u8> {
    let (left, right): (&[u8], &[u8]) = match utf8 {
        true => ("\u{2018}".as_bytes(), "\u{2019}".as_bytes()),
        false => (b"'", b"'"),
    };
    let mut out = left.to_vec();
    for (piece, printable) in pieces(name, utf8) {
        if !printable {
            piece.iter().for_each(|&byte| push_escape(byte, &mut out));
            continue;
        }
        if piece == b"\\" || piece == right {
            out.push(b'\\');
        }
        out.extend_from_slice(piece);
    }
    out.extend_from_slice(right);
    out
}

/// In single quotes; in double ones if that is shorter and means the same.
fn quoted(name: &[u8], utf8: bool, also: &[u8]) -> Vec<u8> {
    let apostrophe = name.contains(&b'\'');
    if apostrophe && is_plain_in_double_quotes(name, utf8, also) {
        return [b"\"", name, b"\""].concat();
    }
    let mut out = vec![b'\''];
    // GNU goes through a name with an apostrophe twice, and is still in the last escape of the
    // first time when it begins again. The shell reads the same name.
    let ends_escaped = pieces(name, utf8).last().is_some_and(|(_, printable)| !printable);
    let mut escaping = apostrophe && ends_escaped;
    for (piece, printable) in pieces(name, utf8) {
        if piece == b"'" {
            out.extend_from_slice(b"'\\''");
            escaping = false;
        } else if printable {
            if escaping {
                out.extend_from_slice(b"''");
            }
            escaping = false;
            out.extend_from_slice(piece);
        } else {
            if !escaping {
                out.extend_from_slice(b"'$'");
            }
            escaping = true;
            piece.iter().for_each(|&byte| push_escape(byte, &mut out));
        }
    }
    out.push(b'\'');
    out
}

fn is_plain_in_double_quotes(name: &[u8], utf8: bool, also: &[u8]) -> bool {
    let special = |(place, byte): (usize, &u8)| match byte {
        b'#' | b'~' => place > 0,
        b'{' | b'}' => name.len() > 1,
        _ => b"!\"$&()*;<=>[^`|?\\".contains(byte) || also.contains(byte),
    };
    !name.iter().enumerate().any(special) && pieces(name, utf8).all(|(_, printable)| printable)
}

/// The characters of a name, and whether each can be printed.
fn pieces(name: &[u8], utf8: bool) -> impl Iterator<Item = (&[u8], bool)> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let (length, printable) = match first {
            b' '..=b'~' => (1, true),
            0..0x80 => (1, false),
            _ if utf8 => character(rest),
            _ => (1, false),
        };
        let (piece, behind) = rest.split_at(length);
        rest = behind;
        Some((piece, printable))
    })
}

fn character(text: &[u8]) -> (usize, bool) {
    let head = &text[..text.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    match valid.chars().next() {
        Some(c) => (c.len_utf8(), !c.is_control()),
        // A character that the text is too short for is one, else each byte is.
        None => match std::str::from_utf8(head) {
            Err(error) if error.error_len().is_none() => (head.len(), false),
            _ => (1, false),
        },
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
