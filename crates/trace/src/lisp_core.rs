//! The core of a Lisp that lies behind a program, in the same file.

use std::io::{Read, Seek, SeekFrom};

/// Whether it is SBCL with a core behind it, as `save-lisp-and-die` makes it: the last word of the
/// file says so (`CORE_MAGIC` in SBCL's `coreparse.c`).
pub(crate) fn is_behind(file: &mut (impl Read + Seek)) -> bool {
    let mut last = [0; 8];
    let read = file.seek(SeekFrom::End(-8)).and_then(|_| file.read_exact(&mut last));
    read.is_ok() && &last == b"LCBS\0\0\0\0"
}
