//! An entry as a line of JSON.

use std::io::Write;

use base64::prelude::{BASE64_STANDARD, Engine};
use fewer::{Entry, Kind};

/// Prints the entry. A path that is not UTF-8 is given as its bytes, in base 64.
pub(super) fn print(entry: &Entry<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"v\":1,\"path\":{");
    match std::str::from_utf8(entry.path_bytes()) {
        Ok(text) => {
            out.extend_from_slice(b"\"text\":");
            string(text, out);
        }
        Err(_) => {
            out.extend_from_slice(b"\"bytes\":\"");
            out.extend_from_slice(BASE64_STANDARD.encode(entry.path_bytes()).as_bytes());
            out.push(b'"');
        }
    }
    let (kind, depth, inode) = (name(entry.kind()), entry.depth(), entry.inode());
    let _ = writeln!(out, "}},\"kind\":\"{kind}\",\"depth\":{depth},\"inode\":{inode}}}");
}

/// A JSON string, in which nothing steers a terminal.
fn string(text: &str, out: &mut Vec<u8>) {
    let start = out.len();
    // Writing to memory does not fail, and a string always has a JSON form.
    let _ = serde_json::to_writer(&mut *out, text);
    if text.chars().any(fewer::steers) {
        let json = String::from_utf8_lossy(&out.split_off(start)).into_owned();
        for character in json.chars() {
            match fewer::steers(character) {
                true => out.extend_from_slice(format!("\\u{:04x}", character as u32).as_bytes()),
                false => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }
}

fn name(kind: Kind) -> &'static str {
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
