//! An open executable, as the `object` crate reads it. The system calls are those of crates/sys.

use std::ffi::CString;
use std::io::{self, Read, Seek, SeekFrom};

use sys::{CWD, Descriptor, Errno, Fields};

/// An open file.
pub(super) struct Executable {
    file: Descriptor,
    length: u64,
}

impl Executable {
    /// Opens a file and asks for its length. Price: `openat`, `statx`; `close` later.
    pub(super) fn open(path: &[u8]) -> Result<Executable, Errno> {
        let name = CString::new(path).map_err(|_| Errno::INVAL)?;
        let file = sys::open(CWD, &name)?;
        let length = sys::stat_descriptor(&file, Fields::SIZE)?.size();
        Ok(Executable { file, length })
    }
}

/// Price: one `read`.
impl Read for Executable {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        Ok(sys::read(&self.file, block)?)
    }
}

/// Price: one `lseek`; two from where the file stands.
impl Seek for Executable {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, offset) = match to {
            SeekFrom::Start(position) => (position, 0),
            SeekFrom::End(offset) => (self.length, offset),
            SeekFrom::Current(offset) => (sys::position(&self.file)?, offset),
        };
        let position = from.checked_add_signed(offset).ok_or(Errno::INVAL)?;
        sys::set_position(&self.file, position)?;
        Ok(position)
    }
}
