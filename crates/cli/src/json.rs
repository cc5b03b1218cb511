//! Names, kinds and texts in JSON.

use base64::prelude::{BASE64_STANDARD, Engine};
use fewer::Kind;

/// Prints bytes without loss: `{"text":…}`, or `{"bytes":…}` in base 64 if they are not UTF-8.
pub(crate) fn bytes(bytes: &[u8], out: &mut Vec<u8>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            out.extend_from_slice(b"{\"text\":");
            string(text, out);
        }
        Err(_) => {
            out.extend_from_slice(b"{\"bytes\":\"");
            out.extend_from_slice(BASE64_STANDARD.encode(bytes).as_bytes());
            out.push(b'"');
        }
    }
    out.push(b'}');
}

/// A JSON string, in which nothing controls a terminal.
fn string(text: &str, out: &mut Vec<u8>) {
    let start = out.len();
    // Writing to memory does not fail, and a string always has a JSON form.
    let _ = serde_json::to_writer(&mut *out, text);
    if text.chars().any(fewer::controls_terminal) {
        let json = String::from_utf8_lossy(&out.split_off(start)).into_owned();
        for character in json.chars() {
            match fewer::controls_terminal(character) {
                true => out.extend_from_slice(format!("\\u{:04x}", character as u32).as_bytes()),
                false => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }
}

/// The word for a kind.
pub(crate) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::File => "file",
        Kind::Directory => "directory",
        Kind::Symlink => "symlink",
        Kind::Fifo => "fifo",
        Kind::Socket => "socket",
        Kind::Block => "block",
        Kind::Char => "char",
        Kind::Unknown => "unknown",
    }
}
