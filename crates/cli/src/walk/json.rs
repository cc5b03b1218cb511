//! An entry as a line of JSON.

use std::io::Write;

use fewer::Entry;
use fewer::present::lossless::push_json;

/// Prints the entry.
pub(super) fn print(entry: &Entry<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"v\":1,\"path\":");
    push_json(entry.path_bytes(), out);
    #[cfg(feature = "stores")]
    if entry.is_object() {
        return end_object(entry, out);
    }
    let (kind, depth, inode) = (entry.kind().name(), entry.depth(), entry.inode());
    // Writing to memory does not fail.
    let _ = writeln!(out, ",\"kind\":\"{kind}\",\"depth\":{depth},\"inode\":{inode}}}");
}

/// What a store told of an object, by the names that `ls --json` has for it.
#[cfg(feature = "stores")]
fn end_object(entry: &Entry<'_>, out: &mut Vec<u8>) {
    use fewer::Fields;

    let (kind, depth) = (entry.kind().name(), entry.depth());
    let _ = write!(out, ",\"kind\":\"{kind}\",\"depth\":{depth}");
    if let Ok(stat) = entry.stat(Fields::SIZE | Fields::MODIFIED) {
        let _ = write!(out, ",\"size\":{}", stat.size());
        crate::json::push_time("modified", stat.modified(), out);
    }
    out.extend_from_slice(b"}\n");
}
