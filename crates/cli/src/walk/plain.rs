//! An entry as its path, for programs: the bytes as they are.

use clap::ArgMatches;
use fewer::Entry;
use fewer::present::push_ended;

/// What ends a path.
pub(super) fn end(flags: &ArgMatches) -> u8 {
    if flags.get_flag("null") { 0 } else { b'\n' }
}

/// Prints the path.
#[inline]
pub(super) fn print(entry: &Entry<'_>, end: u8, out: &mut Vec<u8>) {
    push_ended(entry.path_bytes(), end, out);
}
