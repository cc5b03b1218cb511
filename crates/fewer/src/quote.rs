//! Words for a shell; and names as GNU quotes them, for a shell or with the escapes of C (coreutils
//! manual, "Formatting the file names").

use std::borrow::Cow;

use crate::escape::controls_terminal;

/// A word as every shell reads it: as it is if it has no meaning for one, else in single quotes.
///
/// Price: none.
#[must_use]
pub fn word(text: &[u8]) -> Cow<'_, [u8]> {
    if is_plain_word(text) {
        return text.into();
    }
    let mut out = Vec::with_capacity(text.len() + 2);
    single_quoted(text, &mut out);
    out.into()
}

/// Appends a text in single quotes, `'it'\''s'`, as every shell reads it.
///
/// Price: none.
pub fn single_quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'\'');
    for &byte in text {
        match byte {
            b'\'' => out.extend_from_slice(b"'\\''"),
            _ => out.push(byte),
        }
    }
    out.push(b'\'');
}

/// Braces have a meaning with a comma or two dots between them (bash and ksh), or alone.
fn is_plain_word(text: &[u8]) -> bool {
    let has_braces = text.iter().any(|byte| matches!(byte, b'{' | b'}'));
    let expands =
        text.len() == 1 || text.contains(&b',') || text.windows(2).any(|two| two == b"..");
    let plain = |byte: &u8| {
        byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"%+,-./:=@^_{}".contains(byte)
    };
    !text.is_empty() && text.iter().all(plain) && !(has_braces && expands)
}

/// Which characters a text consists of, and which of them can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Each byte is a character; printable ASCII can be shown.
    Ascii,
    /// Invalid bytes count one by one. With `guarded`, characters that change the direction of text
    /// are not shown: they would hide the text beside them.
    Utf8 {
        /// See above.
        guarded: bool,
    },
}

impl Charset {
    /// The length of the first character, and the character if it can be shown.
    ///
    /// Price: none.
    #[must_use]
    pub fn first(self, text: &[u8]) -> (usize, Option<char>) {
        match (self, text.first()) {
            (_, None) => (0, None),
            (_, Some(&byte @ b' '..=b'~')) => (1, Some(char::from(byte))),
            (Charset::Ascii, _) | (_, Some(0..=0x7f)) => (1, None),
            (Charset::Utf8 { guarded }, _) => first_character(text, guarded),
        }
    }

    /// The characters of a text, and whether each can be shown.
    ///
    /// Price: none.
    pub fn pieces(self, text: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let (length, shown) = self.first(rest);
            let (piece, behind) = rest.split_at(length);
            rest = behind;
            (length > 0).then_some((piece, shown.is_some()))
        })
    }

    fn shows_all(self, text: &[u8]) -> bool {
        self.pieces(text).all(|(_, shown)| shown)
    }
}

fn first_character(text: &[u8], guarded: bool) -> (usize, Option<char>) {
    let head = &text[..text.len().min(4)];
    let Some(chunk) = head.utf8_chunks().next() else { return (1, None) };
    match chunk.valid().chars().next() {
        Some(c) if c.is_control() || guarded && controls_terminal(c) => (c.len_utf8(), None),
        Some(c) => (c.len_utf8(), Some(c)),
        // An incomplete character at the end is one piece, other invalid bytes are one each.
        None => match std::str::from_utf8(head) {
            Err(error) if error.error_len().is_none() => (head.len(), None),
            _ => (1, None),
        },
    }
}

/// Whether a shell would misread the name: it contains one of the bytes `also`, a special
/// character, or with `escape` one that cannot be shown.
///
/// Price: none.
#[must_use]
pub fn has_meaning(name: &[u8], charset: Charset, escape: bool, also: &[u8]) -> bool {
    let special = |(place, byte): (usize, &u8)| match byte {
        b'#' | b'~' => place == 0,
        b'{' | b'}' => name.len() == 1,
        b'\n' | b'\r' | b'\t' => true,
        _ => b" !\"$&'()*;<=>[^`|?\\".contains(byte) || also.contains(byte),
    };
    name.is_empty() || name.iter().enumerate().any(special) || (escape && !charset.shows_all(name))
}

/// The name in single quotes; in double ones if that is shorter and means the same, and none of the
/// bytes `also` is in it. With `escape`, characters that cannot be shown are written as `$'\n'`.
///
/// Price: none.
#[must_use]
pub fn shell(name: &[u8], charset: Charset, escape: bool, also: &[u8]) -> Vec<u8> {
    let apostrophe = name.contains(&b'\'');
    if apostrophe && is_plain_in_double_quotes(name, charset, also) {
        return [b"\"", name, b"\""].concat();
    }
    let mut out = vec![b'\''];
    // GNU goes through a name with an apostrophe twice, and is still in the last escape of the
    // first time when it begins again. The shell reads the same name.
    let ends_escaped = charset.pieces(name).last().is_some_and(|(_, shown)| !shown);
    let mut escaping = escape && apostrophe && ends_escaped;
    for (piece, shown) in charset.pieces(name) {
        if piece == b"'" {
            out.extend_from_slice(b"'\\''");
            escaping = false;
        } else if escape && !shown {
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

fn is_plain_in_double_quotes(name: &[u8], charset: Charset, also: &[u8]) -> bool {
    let special = |(place, byte): (usize, &u8)| match byte {
        b'#' | b'~' => place > 0,
        b'{' | b'}' => name.len() > 1,
        _ => b"!\"$&()*;<=>[^`|?\\".contains(byte) || also.contains(byte),
    };
    !name.iter().enumerate().any(special) && charset.shows_all(name)
}

/// The name with the escapes of C between these quotes, and a backslash before the right one and
/// the bytes `also`.
///
/// Price: none.
#[must_use]
pub fn c(name: &[u8], charset: Charset, (left, right): (&[u8], &[u8]), also: &[u8]) -> Vec<u8> {
    let mut out = left.to_vec();
    for (piece, shown) in charset.pieces(name) {
        if !shown {
            piece.iter().for_each(|&byte| push_escape(byte, &mut out));
            continue;
        }
        if piece == b"\\" || piece == right || also.contains(&piece[0]) {
            out.push(b'\\');
        }
        out.extend_from_slice(piece);
    }
    out.extend_from_slice(right);
    out
}

/// A byte as C writes it.
fn push_escape(byte: u8, out: &mut Vec<u8>) {
    match escape_letter(byte) {
        Some(letter) => out.extend_from_slice(&[b'\\', letter]),
        None => {
            let digit = |shift: u8| b'0' + (byte >> shift & 7);
            out.extend_from_slice(&[b'\\', digit(6), digit(3), digit(0)]);
        }
    }
}

/// The letter behind the backslash by which C writes a control character, if it has one.
///
/// Price: none.
#[must_use]
pub fn escape_letter(byte: u8) -> Option<u8> {
    Some(match byte {
        7 => b'a',
        8 => b'b',
        12 => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        11 => b'v',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::process::Command;
    use sys::OsStrExt;

    use super::*;

    #[rustfmt::skip]
    const TEXTS: &[&[u8]] = &[
        b"", b"a", b"a b", b"it's", b"'", b"''", b"a\"b", b"$x", b"`", b"a\\b", b"\\", b"~", b"~/a",
        b"a:~", b"#a", b"a#b", b"{", b"}", b"{}", b"{n}", b"{a,b}", b"{1..3}", b"{a", b"a,b}c{",
        b"a=b", b"a=~", b"*", b"?", b"[a]", b"!", b"!a", b"^", b"%1", b"@(a)", b"+x", b"-n", b"..",
        b"a;b", b"a&b", b"a|b", b"(a)", b"<a>", b"\t\n\r", b"a\n", b"\xff\xc3\xa9\x01", b"if",
    ];

    /// Behind another word, as an argument: `if` is a word of the grammar only in front.
    #[test]
    fn every_shell_reads_the_word_again() {
        let mut script = b"printf '%s\\0'".to_vec();
        for text in TEXTS {
            script.push(b' ');
            script.extend_from_slice(&word(text));
        }
        let expected: Vec<u8> =
            TEXTS.iter().flat_map(|text| [*text, &b"\0"[..]].concat()).collect();
        for shell in ["dash", "bash", "ksh93"] {
            let mut command = Command::new(shell);
            let command =
                command.arg("-c").arg(OsStr::from_bytes(&script)).env("LC_ALL", "C.UTF-8");
            let read = command.output().expect(shell).stdout;
            assert_eq!(read.escape_ascii().to_string(), expected.escape_ascii().to_string());
        }
    }

    #[test]
    fn words_without_a_meaning_stay_as_they_are() {
        for text in ["ls", "--color=auto", "/usr/bin/env", "{n}", "a{n}b", "gr\u{fc}n", "%d@x+1^2"]
        {
            assert_eq!(word(text.as_bytes()), text.as_bytes());
        }
        for (text, quoted) in [("", "''"), ("it's", r"'it'\''s'"), ("{a,b}", "'{a,b}'")] {
            assert_eq!(word(text.as_bytes()), quoted.as_bytes());
        }
    }
}
