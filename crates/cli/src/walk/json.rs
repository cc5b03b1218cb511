//! An entry as a line of JSON.

use std::io::Write;

use fewer::Entry;
use fewer::present::lossless::push_json;

/// Prints the entry.
pub(super) fn print(entry: &Entry<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"v\":1,\"path\":");
    push_json(entry.path_bytes(), out);
    let (kind, depth, inode) = (entry.kind().name(), entry.depth(), entry.inode());
    // Writing to memory does not fail.
    let _ = writeln!(out, ",\"kind\":\"{kind}\",\"depth\":{depth},\"inode\":{inode}}}");
}
