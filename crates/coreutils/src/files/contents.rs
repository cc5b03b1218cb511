//! Copies the contents of one open file into another.

use std::os::fd::AsFd;

use fewer::{Descriptor, Errno, Stat};

/// Which of the two files failed.
pub(super) enum Failed {
    /// It cannot be read.
    Reading(Errno),
    /// It cannot be written.
    Writing(Errno),
}

/// How much the kernel copies at a time.
const MOST_BYTES: usize = 1 << 30;
const BLOCK_BYTES: usize = 256 << 10;

/// Copies the contents of `from`, whose size is that of `stat`.
///
/// Price: one `copy_file_range` for each GiB; where the kernel does not copy between these two, or
/// no size is known, one `read` and one `write` for each 256 KiB, and one `read` for the end.
pub(super) fn copy(from: &Descriptor, to: &Descriptor, stat: &Stat) -> Result<(), Failed> {
    let mut copied = 0;
    while copied < stat.size() {
        match sys::copy_range(from, to, MOST_BYTES) {
            Ok(0) => break,
            Ok(bytes) => copied += bytes as u64,
            Err(_) => break, // reading and writing shows which of the two failed
        }
    }
    if copied > 0 && copied >= stat.size() { Ok(()) } else { by_blocks(from, to) }
}

/// Goes on from the offsets of both.
fn by_blocks(from: &Descriptor, to: &Descriptor) -> Result<(), Failed> {
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        let bytes = sys::read(from, &mut block).map_err(Failed::Reading)?;
        if bytes == 0 {
            return Ok(());
        }
        sys::write_all(to.as_fd(), &block[..bytes]).map_err(Failed::Writing)?;
    }
}
