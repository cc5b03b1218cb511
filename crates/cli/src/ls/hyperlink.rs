//! Names as links (OSC 8) to the files that they name.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What all links have in common.
pub(super) struct Hyperlinks {
    host: Vec<u8>,
}

impl Hyperlinks {
    /// Price: one `uname`.
    pub(super) fn new() -> Hyperlinks {
        let mut host = Vec::new();
        percent_encode(&kernel::host_name(), b"", &mut host);
        Hyperlinks { host }
    }

    /// The path without any link in it, below `folder`, which is such a path already, or below the
    /// working directory.
    ///
    /// Price: one `readlinkat` for each component of `path`; without a folder one `getcwd`.
    pub(super) fn canonical(&self, folder: Option<&Path>, path: &Path) -> PathBuf {
        fewer::canonical(folder, path)
    }

    /// Prints `text` as a link to `target`.
    pub(super) fn push(&self, target: &Path, text: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b]8;;file://");
        out.extend_from_slice(&self.host);
        percent_encode(target.as_os_str().as_bytes(), b"/", out);
        out.push(7);
        out.extend_from_slice(text);
        out.extend_from_slice(b"\x1b]8;;\x07");
    }
}

/// What is not plain in an address (RFC 3986), nor one of `also`, becomes `%` and two digits.
fn percent_encode(bytes: &[u8], also: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte),
            _ if also.contains(&byte) => out.push(byte),
            _ => out.extend_from_slice(format!("%{byte:02x}").as_bytes()),
        }
    }
}
