//! Escapes bytes for messages, and for names on a terminal.

/// Appends `bytes` to `out` with everything that could control a terminal or hide in it replaced by
/// an escape: control characters (`\n`, `\t`, `\r`, else `\x1b`), bytes that are not UTF-8
/// (`\xff`), and the characters that turn the direction of text around (`\u{202e}`).
pub fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    if bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return out.extend_from_slice(bytes);
    }
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => out.extend_from_slice(b"\\n"),
                '\t' => out.extend_from_slice(b"\\t"),
                '\r' => out.extend_from_slice(b"\\r"),
                _ if character.is_ascii_control() => push_hex(character as u8, out),
                _ if controls_terminal(character) => {
                    out.extend(character.escape_unicode().map(|c| c as u8));
                }
                _ => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        for &byte in chunk.invalid() {
            push_hex(byte, out);
        }
    }
}

/// The same as a text of its own.
#[must_use]
pub fn escaped(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(bytes.len());
    escape(bytes, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether a character could control a terminal, or change the direction of the text near it.
#[must_use]
pub fn controls_terminal(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn push_hex(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(&[b'\\', b'x', DIGITS[usize::from(byte >> 4)]]);
    out.push(DIGITS[usize::from(byte & 15)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_a_terminal_is_shown_and_all_else_stays() {
        assert_eq!(escaped(b"plain name.txt"), "plain name.txt");
        assert_eq!(escaped("grün 猫".as_bytes()), "grün 猫");
        assert_eq!(escaped(b"\x1b[31m\n\t\r\x7f"), "\\x1b[31m\\n\\t\\r\\x7f");
        assert_eq!(escaped("a\u{202e}b\u{9b}".as_bytes()), "a\\u{202e}b\\u{9b}");
        assert_eq!(escaped(b"caf\xe9!"), "caf\\xe9!");
    }
}
