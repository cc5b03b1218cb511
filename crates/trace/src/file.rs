//! A file read whole.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fewer::Errno;

use crate::Error;

/// How much is read at once.
const BLOCK_BYTES: usize = 256 << 10;

/// The bytes of a file.
///
/// Price: `openat`, `close`, and a `read` for each 256 KiB and for the end.
///
/// # Errors
///
/// It cannot be opened or read.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = path.as_os_str().as_bytes();
    let read = || {
        let name = CString::new(bytes).map_err(|_| Errno::INVAL)?;
        let file = sys::open(sys::CWD, &name)?;
        let mut contents = Vec::new();
        while sys::read_behind(&file, &mut contents, BLOCK_BYTES)? > 0 {}
        Ok(contents)
    };
    read().map_err(|errno| Error::new(errno, "read", bytes))
}
