//! `$'…'`

use super::build::Build;
use super::cursor::Parser;
use super::error::Result;

impl Parser<'_> {
    /// `$'…'`, from the quote on. A NUL in it ends it, as in bash.
    pub(super) fn dollar_single(&mut self, out: &mut Build) -> Result<()> {
        let began = self.at;
        self.at += 1;
        let mut text = Vec::new();
        loop {
            match self.byte() {
                None => return Err(self.unmatched("'", began)),
                Some(b'\'') => break,
                Some(b'\\') => {
                    self.at += 1;
                    self.escape(&mut text);
                }
                Some(byte) => {
                    text.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        let end = memchr::memchr(0, &text).unwrap_or(text.len());
        out.quoted(&text[..end]);
        Ok(())
    }

    /// What follows a backslash.
    fn escape(&mut self, text: &mut Vec<u8>) {
        let Some(byte) = self.byte() else { return };
        self.at += 1;
        let rules = &self.dialect.profile().formats.escapes;
        let plain = match byte {
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => byte,
            b'0'..=b'7' => {
                self.at -= 1;
                // Truncated to a byte, as in bash.
                text.push(self.digits(3, 8).unwrap_or(0) as u8);
                return;
            }
            b'x' if rules.wide_hexadecimal => {
                let began = self.at;
                match self.digits(8, 16) {
                    // More than a byte is a character.
                    Some(value) if self.at - began > 2 => push_character(value, text),
                    Some(value) => text.push(value as u8),
                    None => text.extend_from_slice(b"\\x"),
                }
                return;
            }
            b'x' => {
                match self.digits(2, 16) {
                    Some(value) => text.push(value as u8),
                    None => text.extend_from_slice(b"\\x"),
                }
                return;
            }
            b'u' | b'U' => {
                match self.digits(if byte == b'u' { 4 } else { 8 }, 16) {
                    Some(value) => push_character(value, text),
                    None => text.extend_from_slice(&[b'\\', byte]),
                }
                return;
            }
            b'c' => {
                if let Some(letter) = self.byte() {
                    // `\c\\` is control-backslash.
                    self.at += if letter == b'\\' && self.peek(1) == Some(b'\\') { 2 } else { 1 };
                    text.push(if letter == b'?' {
                        127
                    } else {
                        letter.to_ascii_uppercase() & 0x1f
                    });
                }
                return;
            }
            byte if rules.unknown_loses_backslash => byte,
            _ => {
                text.extend_from_slice(&[b'\\', byte]);
                return;
            }
        };
        text.push(plain);
    }

    /// A number of at most so many digits.
    fn digits(&mut self, most: usize, base: u32) -> Option<u32> {
        let mut value = None;
        for _ in 0..most {
            let Some(digit) = self.byte().and_then(|b| char::from(b).to_digit(base)) else { break };
            value = Some(value.unwrap_or(0u32).wrapping_mul(base).wrapping_add(digit));
            self.at += 1;
        }
        value
    }
}

/// A character in UTF-8; what is none is encoded as if it were one.
fn push_character(value: u32, text: &mut Vec<u8>) {
    if let Some(character) = char::from_u32(value) {
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        return;
    }
    let tail = |shift: u32| 0x80 | (value >> shift & 0x3f) as u8;
    match value {
        0..=0xffff => text.extend_from_slice(&[0xe0 | (value >> 12) as u8, tail(6), tail(0)]),
        0x1_0000..=0x1f_ffff => {
            text.extend_from_slice(&[0xf0 | (value >> 18) as u8, tail(12), tail(6), tail(0)])
        }
        0x20_0000..=0x3ff_ffff => {
            text.extend_from_slice(&[
                0xf8 | (value >> 24) as u8,
                tail(18),
                tail(12),
                tail(6),
                tail(0),
            ]);
        }
        _ => text.extend_from_slice(&[
            0xfc | (value >> 30 & 1) as u8,
            tail(24),
            tail(18),
            tail(12),
            tail(6),
            tail(0),
        ]),
    }
}
