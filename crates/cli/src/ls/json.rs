//! An entry as a line of JSON.

use std::io::Write;
use std::path::Path;

use fewer::list::{Marks, Moment, Row};
use fewer::present::align::push_number;
use fewer::present::lossless::push_json;
use fewer::{Fields, Stat};

use super::owner_names::OwnerNames;
use super::renderer::Renderer;
use crate::json::push_time;

/// Prints a row with the requested fields. Times are in seconds since 1970, with nine decimals.
pub(super) fn push(
    row: Row<'_>,
    folder: Option<&Path>,
    renderer: &Renderer<'_>,
    out: &mut Vec<u8>,
) {
    use sys::OsStrExt;
    out.extend_from_slice(b"{\"v\":1");
    if let Some(folder) = folder {
        out.extend_from_slice(b",\"directory\":");
        push_json(folder.as_os_str().as_bytes(), out);
    }
    out.extend_from_slice(b",\"name\":");
    push_json(row.name_bytes(), out);
    out.extend_from_slice(b",\"kind\":\"");
    out.extend_from_slice(row.kind().name().as_bytes());
    out.push(b'"');
    let known = renderer.options.details.known;
    if known.contains(Fields::INODE) {
        out.extend_from_slice(b",\"inode\":");
        push_number(row.inode(), out);
    }
    match row.stat() {
        Some(stat) if renderer.options.long && known == Fields::ALL => {
            push_long(stat, &renderer.owner_names, out);
            push_times(row, known, out);
        }
        Some(stat) if renderer.options.long => {
            push_object(stat, known, out);
            push_times(row, known, out);
        }
        Some(stat) if renderer.options.details.blocks => {
            // Writing to memory does not fail.
            let _ = write!(out, ",\"allocated\":{}", stat.allocated());
        }
        _ => {}
    }
    if renderer.options.details.marks {
        let marks = match row.marks() {
            Marks::None => "null",
            Marks::Label => "\"label\"",
            Marks::AccessList => "\"access-list\"",
        };
        let _ = write!(out, ",\"marks\":{marks}");
    }
    if let Some(Ok(target)) = row.link().and_then(|link| link.path.as_ref()) {
        out.extend_from_slice(b",\"target\":");
        push_json(target, out);
    }
    if let Some(errno) = row.stat_error() {
        let _ = write!(out, ",\"errno\":{}", errno.raw_os_error());
    }
    out.extend_from_slice(b"}\n");
}

fn push_long(stat: &Stat, owner_names: &OwnerNames, out: &mut Vec<u8>) {
    let _ = write!(
        out,
        ",\"mode\":\"{:04o}\",\"links\":{},\"size\":{},\"allocated\":{}",
        stat.permissions(),
        stat.links(),
        stat.size(),
        stat.allocated(),
    );
    push_owner("user", stat.user(), owner_names.user(stat.user()), out);
    push_owner("group", stat.group(), owner_names.group(stat.group()), out);
    let (major, minor) = stat.special();
    if (major, minor) != (0, 0) {
        let _ = write!(out, ",\"device\":{{\"major\":{major},\"minor\":{minor}}}");
    }
}

/// What a store tells of an object.
fn push_object(stat: &Stat, known: Fields, out: &mut Vec<u8>) {
    if known.contains(Fields::PERMISSIONS) {
        let _ = write!(out, ",\"mode\":\"{:04o}\"", stat.permissions());
    }
    let _ = write!(out, ",\"size\":{}", stat.size());
}

fn push_times(row: Row<'_>, known: Fields, out: &mut Vec<u8>) {
    for (name, moment, field) in [
        ("modified", Moment::Modified, Fields::MODIFIED),
        ("accessed", Moment::Accessed, Fields::ACCESSED),
        ("changed", Moment::Changed, Fields::CHANGED),
        ("created", Moment::Created, Fields::CREATED),
    ] {
        if let Some(time) = moment.of(row).filter(|_| known.contains(field)) {
            push_time(name, time, out);
        }
    }
}

fn push_owner(what: &str, id: u32, name: Option<&[u8]>, out: &mut Vec<u8>) {
    let _ = write!(out, ",\"{what}\":{{\"id\":{id}");
    if let Some(name) = name {
        out.extend_from_slice(b",\"name\":");
        push_json(name, out);
    }
    out.push(b'}');
}
