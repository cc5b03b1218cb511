//! Texts as they would have to be written in a script: every shell has its own way, and several.

use crate::Dialect;
use crate::dialect::Quoting;

/// What the text is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum For {
    /// `printf %q`
    Printf,
    /// `${x@Q}`
    Transform,
    /// The value in what `set` lists.
    Set,
    /// The same in bash's `set -o posix`.
    PosixSet,
    /// The value in what `declare -p`, `typeset -p` and `export -p` list.
    Declare,
    /// The command in what `trap` lists (also of `alias`).
    Trap,
    /// A word of `set -x`.
    Trace,
}

/// Appends a text so that the shell would read it back.
pub fn quote(text: &[u8], purpose: For, dialect: Dialect, utf8: bool, out: &mut Vec<u8>) {
    match dialect.profile().formats.quoting {
        Quoting::Always if purpose == For::Trace => out.extend_from_slice(text),
        Quoting::Always => always(text, out),
        Quoting::ByPurpose => by_purpose(text, purpose, utf8, out),
        Quoting::IfNeeded => if_needed(text, utf8, out),
    }
}

/// A key of an associative array as bash's `declare -p` and `${a[@]@K}` write it.
pub fn key(text: &[u8], utf8: bool, out: &mut Vec<u8>) {
    if text.is_empty() || text == b"@" || text == b"*" || has_metas(text) {
        by_purpose(text, For::Declare, utf8, out);
    } else {
        by_purpose(text, For::Set, utf8, out);
    }
}

fn by_purpose(text: &[u8], purpose: For, utf8: bool, out: &mut Vec<u8>) {
    let strange = || !printable(text, utf8, bash_prints);
    match purpose {
        For::Trap => single(text, out),
        For::Trace if text.is_empty() => out.extend_from_slice(b"''"),
        For::Trace if has_metas(text) => single(text, out),
        For::Set | For::PosixSet if text.is_empty() => {}
        For::PosixSet if has_metas(text) => single(text, out),
        For::PosixSet => out.extend_from_slice(text),
        _ if strange() => ansi(text, utf8, out),
        For::Trace => out.extend_from_slice(text),
        For::Set if has_metas(text) => single(text, out),
        For::Set => out.extend_from_slice(text),
        For::Transform => single(text, out),
        For::Declare => double(text, out),
        For::Printf if text.is_empty() => out.extend_from_slice(b"''"),
        For::Printf => backslashes(text, out),
    }
}

/// `'it'\''s'`; a lone quote is `\'`.
fn single(text: &[u8], out: &mut Vec<u8>) {
    if text == b"'" {
        return out.extend_from_slice(b"\\'");
    }
    fewer::present::quote::single_quoted(text, out);
}

fn double(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        if matches!(byte, b'"' | b'$' | b'`' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// Whether a byte says something to bash wherever it stands.
fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\'' | b'"' | b'\\' | b'|' | b'&' | b';' | b'(' | b')')
        || matches!(byte, b'<' | b'>' | b'!' | b'{' | b'}' | b'*' | b'[' | b']' | b'?' | b'^')
        || matches!(byte, b'$' | b'`')
}

/// Whether the byte there is a `~` or `#` that says something because of where it stands.
fn is_leading(text: &[u8], at: usize) -> bool {
    match text[at] {
        b'~' => at == 0 || matches!(text[at - 1], b'=' | b':'),
        b'#' => at == 0 || matches!(text[at - 1], b' ' | b'\t'),
        _ => false,
    }
}

fn has_metas(text: &[u8]) -> bool {
    (0..text.len()).any(|at| is_meta(text[at]) || is_leading(text, at))
}

fn backslashes(text: &[u8], out: &mut Vec<u8>) {
    for (at, &byte) in text.iter().enumerate() {
        let leading = is_leading(text, at) && (byte == b'~' || at == 0);
        if is_meta(byte) || byte == b',' || leading {
            out.push(b'\\');
        }
        out.push(byte);
    }
}

/// `$'a\nb'`
fn ansi(text: &[u8], utf8: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(b"$'");
    each(text, utf8, |piece| match piece {
        Ok(character) if bash_prints(character) && !matches!(character, '\'' | '\\') => {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Ok(character) if character.is_ascii() => match letter(character as u8) {
            Some(letter) => out.extend_from_slice(&[b'\\', letter]),
            None => out.extend_from_slice(format!("\\{:03o}", character as u8).as_bytes()),
        },
        Ok(character) => {
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
            }
        }
        Err(byte) => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
    });
    out.push(b'\'');
}

/// What stands behind the backslash for a byte that has a letter.
fn letter(byte: u8) -> Option<u8> {
    match byte {
        27 => Some(b'E'),
        b'\\' | b'\'' => Some(byte),
        _ => fewer::present::quote::escape_letter(byte),
    }
}

/// The characters of a text, and the bytes that are in none.
fn each(text: &[u8], utf8: bool, mut visit: impl FnMut(Result<char, u8>)) {
    if !utf8 {
        for &byte in text {
            visit(if byte.is_ascii() { Ok(char::from(byte)) } else { Err(byte) });
        }
        return;
    }
    for chunk in text.utf8_chunks() {
        chunk.valid().chars().for_each(|character| visit(Ok(character)));
        chunk.invalid().iter().for_each(|&byte| visit(Err(byte)));
    }
}

fn printable(text: &[u8], utf8: bool, prints: fn(char) -> bool) -> bool {
    if text.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return true;
    }
    let mut good = true;
    each(text, utf8, |piece| good &= piece.is_ok_and(prints));
    good
}

/// What the C library's C.UTF-8 says, but for characters that Unicode has not given out.
fn bash_prints(character: char) -> bool {
    let code = u32::from(character);
    !character.is_control() && !matches!(code, 0x2028 | 0x2029) && code & 0xfffe != 0xfffe
}

/// ksh does not print white space of other kinds, nor what has no width.
fn ksh_prints(character: char) -> bool {
    let code = u32::from(character);
    let invisible = matches!(code, 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x2064 | 0xfeff);
    bash_prints(character) && !invisible && (character == ' ' || !character.is_whitespace())
}

/// `'it'"'"'s'`
fn always(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    loop {
        let plain = rest.iter().position(|byte| *byte == b'\'').unwrap_or(rest.len());
        out.push(b'\'');
        out.extend_from_slice(&rest[..plain]);
        out.push(b'\'');
        rest = &rest[plain..];
        let quotes = rest.iter().take_while(|byte| **byte == b'\'').count();
        if quotes == 0 {
            return;
        }
        out.push(b'"');
        out.extend_from_slice(&rest[..quotes]);
        out.push(b'"');
        rest = &rest[quotes..];
        if rest.is_empty() {
            return;
        }
    }
}

/// Plain, `'…'` or `$'…'`; a name and `=` before stay outside.
fn if_needed(text: &[u8], utf8: bool, out: &mut Vec<u8>) {
    if text.is_empty() {
        return out.extend_from_slice(b"''");
    }
    let is_name = |at: usize| {
        let byte = text[at];
        byte == b'_'
            || byte >= 0x80
            || byte.is_ascii_alphabetic()
            || (at > 0 && byte.is_ascii_digit())
    };
    let mut after_name = (0..text.len()).take_while(|&at| is_name(at)).count();
    let mut rest = text;
    if after_name > 0 && text.get(after_name) == Some(&b'=') {
        out.extend_from_slice(&text[..=after_name]);
        rest = &text[after_name + 1..];
        after_name = 0;
    }
    if !printable(rest, utf8, ksh_prints) || rest.contains(&b'\'') {
        return ksh_ansi(rest, utf8, out);
    }
    let special = |byte: &u8| b" ;&|()<>$`\"\\*?[]{}=".contains(byte);
    if rest.iter().any(special) || matches!(rest.get(after_name), Some(b'#' | b'~')) {
        out.push(b'\'');
        out.extend_from_slice(rest);
        out.push(b'\'');
    } else {
        out.extend_from_slice(rest);
    }
}

fn ksh_ansi(text: &[u8], utf8: bool, out: &mut Vec<u8>) {
    let mut pieces = Vec::new();
    each(text, utf8, |piece| pieces.push(piece));
    out.extend_from_slice(b"$'");
    for (at, piece) in pieces.iter().enumerate() {
        // A digit behind would be read as one more.
        let digit_behind = matches!(pieces.get(at + 1), Some(Ok(c)) if c.is_ascii_hexdigit());
        let written = match *piece {
            Ok(character) if ksh_prints(character) && !matches!(character, '\'' | '\\') => {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            Ok(character) if character != '\u{b}' && character.is_ascii() => {
                match letter(character as u8) {
                    Some(letter) => format!("\\{}", char::from(letter)),
                    None => hexadecimal(character as u8, digit_behind),
                }
            }
            Ok(character) if character.is_ascii() => hexadecimal(character as u8, digit_behind),
            Ok(character) => format!("\\u[{:x}]", u32::from(character)),
            Err(byte) => hexadecimal(byte, digit_behind),
        };
        out.extend_from_slice(written.as_bytes());
    }
    out.push(b'\'');
}

fn hexadecimal(byte: u8, digit_behind: bool) -> String {
    if digit_behind { format!("\\x[{byte:02x}]") } else { format!("\\x{byte:02x}") }
}

/// A text with a backslash before each character: how bash shows what is quoted in a pattern.
pub(crate) fn all_escaped(text: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(2 * text.len());
    for byte in text {
        // Not inside of a character.
        if byte & 0xc0 != 0x80 {
            shown.push(b'\\');
        }
        shown.push(*byte);
    }
    shown
}
