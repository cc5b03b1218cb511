//! The library that is loaded before the C library: see `source/preloaded`.

use std::sync::Arc;

use crate::packed::unpacked_bytes;

/// Functions that can be put before those of the C library.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Functions {
    /// `localtime` and `ctime` that look at the time zone's file once.
    LocalTime,
    /// `getpwuid`, `getgrgid` and their reentrant kin, with a memory.
    Owners,
    /// `read` of a regular file from a block of 128 KiB.
    Reads,
    /// Standard output without `fflush` in between.
    Streams,
    /// `stat`, `access`, `readlink`, and `open` of what is not there, from the first answer.
    Answers,
}

/// The library, compiled and packed by the build script; empty if it could not be compiled.
const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/functions.so.gz"));

/// What stands in it before the choice.
const MARK: &[u8] = b"fewer-functions:";

/// The library with these functions chosen; without any it hands on all calls. `None` if this build
/// of `fewer` has none. Free of calls.
#[must_use]
pub fn library(chosen: &[Functions]) -> Option<Arc<[u8]>> {
    let mut library = unpacked_bytes(LIBRARY);
    let at = memchr::memmem::find(&library, MARK)? + MARK.len();
    for function in chosen {
        library[at + *function as usize] = b'1';
    }
    Some(library.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_a_byte() {
        let Some(none) = library(&[]) else { return eprintln!("skipped: no linker made it") };
        let some = library(&[Functions::LocalTime, Functions::Streams]).unwrap();
        let differ: Vec<usize> = (0..none.len()).filter(|at| none[*at] != some[*at]).collect();
        assert_eq!(differ.len(), 2);
        assert_eq!(differ[1] - differ[0], 3);
        assert_eq!(memchr::memmem::find_iter(&none, MARK).count(), 1);
    }
}
