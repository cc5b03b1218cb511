//! Names as links (OSC 8) to the files that they name.

/// What all links have in common.
pub(crate) struct Hyperlinks {
    host: Vec<u8>,
}

impl Hyperlinks {
    /// Price: one `uname`.
    pub(crate) fn new() -> Hyperlinks {
        let mut host = Vec::new();
        percent_encode(&sys::host_name(), b"", &mut host);
        Hyperlinks { host }
    }

    /// Begins a link to a file, whose path is absolute.
    pub(crate) fn push_start(&self, path: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b]8;;file:");
        let (root, names) = path.split_at(sys::root_length(path));
        if !root.starts_with(b"//") {
            out.extend_from_slice(b"//");
            out.extend_from_slice(&self.host);
        }
        if !root.starts_with(b"/") {
            out.push(b'/'); // before a drive: `file://host/C:/folder`
        }
        percent_encode(root, b"/:", out); // or a server's: `file://server/share/folder`
        percent_encode(names, b"/", out);
        out.push(7);
    }

    /// Ends a link.
    pub(crate) fn push_end(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b]8;;\x07");
    }
}

/// Bytes that have a meaning in a URL (RFC 3986) and are not in `also` become `%` and two digits.
fn percent_encode(bytes: &[u8], also: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte),
            _ if also.contains(&byte) => out.push(byte),
            _ => out.extend_from_slice(format!("%{byte:02x}").as_bytes()),
        }
    }
}
