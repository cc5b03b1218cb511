//! Bytes that are mostly text in formats that hold nothing but text. In JSON they are
//! `{"text": …}`, or `{"bytes": …}` in base64 where they are not UTF-8.

pub use base64::DecodeError as Base64Error;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::escape::controls_terminal;

/// Bytes as a text that all of them can be had back from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lossless<'b> {
    /// They are UTF-8.
    Text(&'b str),
    /// They are not: base64.
    Base64(String),
}

impl<'b> From<&'b [u8]> for Lossless<'b> {
    fn from(bytes: &'b [u8]) -> Lossless<'b> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Lossless::Text(text),
            Err(_) => Lossless::Base64(to_base64(bytes)),
        }
    }
}

/// Bytes in base64 (RFC 4648, with padding). Price: none.
#[must_use]
pub fn to_base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The bytes that base64 stands for.
///
/// Price: none.
///
/// # Errors
/// What is wrong with the text.
pub fn from_base64(text: &str) -> Result<Vec<u8>, Base64Error> {
    STANDARD.decode(text)
}

/// Appends bytes as JSON, in which nothing controls a terminal: `{"text":…}` or `{"bytes":…}`.
///
/// Price: none.
pub fn push_json(bytes: &[u8], out: &mut Vec<u8>) {
    match Lossless::from(bytes) {
        Lossless::Text(text) => {
            out.extend_from_slice(b"{\"text\":");
            push_json_string(text, out);
        }
        Lossless::Base64(base64) => {
            out.extend_from_slice(b"{\"bytes\":\"");
            out.extend_from_slice(base64.as_bytes());
            out.push(b'"');
        }
    }
    out.push(b'}');
}

/// A string of JSON. What is not escaped by need is escaped only if it could control a terminal.
fn push_json_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for character in text.chars() {
        match character {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            ' '..='~' => out.push(character as u8),
            '\u{8}' => out.extend_from_slice(b"\\b"),
            '\t' => out.extend_from_slice(b"\\t"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\u{c}' => out.extend_from_slice(b"\\f"),
            '\r' => out.extend_from_slice(b"\\r"),
            _ if controls_terminal(character) => {
                out.extend_from_slice(format!("\\u{:04x}", u32::from(character)).as_bytes());
            }
            _ => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(bytes: &[u8]) -> String {
        let mut out = Vec::new();
        push_json(bytes, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn text_stays_text_and_controls_are_escaped() {
        assert_eq!(json(b"a b"), r#"{"text":"a b"}"#);
        assert_eq!(json("\"\\/\u{e9}".as_bytes()), "{\"text\":\"\\\"\\\\/\u{e9}\"}");
        let controls = "\u{0}\u{8}\t\n\u{b}\u{c}\r\u{1b}\u{7f}\u{9b}\u{202e}";
        let escaped = r#"{"text":"\u0000\b\t\n\u000b\f\r\u001b\u007f\u009b\u202e"}"#;
        assert_eq!(json(controls.as_bytes()), escaped);
    }

    #[test]
    fn what_is_not_utf8_comes_back_from_base64() {
        assert_eq!(json(b"\xff"), r#"{"bytes":"/w=="}"#);
        let Lossless::Base64(base64) = Lossless::from(&b"\xff\xfea"[..]) else { panic!() };
        assert_eq!(from_base64(&base64).unwrap(), b"\xff\xfea");
        assert!(from_base64("/w=").is_err());
    }
}
