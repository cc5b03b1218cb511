//! Parts of JSON objects that several verbs print.

use std::io::Write;

use fewer::Time;
use fewer::disk_usage::Space;

/// Appends a member: seconds with a fraction, which before 1970 counts backwards as the seconds do.
pub(crate) fn push_time(name: &str, time: Time, out: &mut Vec<u8>) {
    let nanoseconds = i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds);
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let whole = nanoseconds.unsigned_abs() / 1_000_000_000;
    let fraction = nanoseconds.unsigned_abs() % 1_000_000_000;
    let _ = write!(out, ",\"{name}\":{sign}{whole}.{fraction:09}");
}

/// Appends three members: what is taken, in bytes.
pub(crate) fn push_space(space: Space, out: &mut Vec<u8>) {
    let Space { entries, size, allocated } = space;
    // Writing to memory does not fail.
    let _ = write!(out, ",\"allocated\":{allocated},\"size\":{size},\"entries\":{entries}");
}
