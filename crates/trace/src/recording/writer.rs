//! Into a file, in blocks that can each be read as soon as they are written.

use std::ffi::{CString, OsStr};
use std::io::Write as _;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sys::{Descriptor, Errno};

use super::Header;
use crate::{Error, Event};

/// Writes events as they come.
#[derive(Debug)]
pub struct Writer {
    file: Descriptor,
    path: Box<[u8]>,
    block: Vec<u8>,
    packed: GzEncoder<Vec<u8>>,
}

/// What is gathered before it is compressed and written.
const BLOCK_BYTES: usize = 256 << 10;

impl Writer {
    /// Writes into the file at `path`, from its beginning; what was there is gone.
    ///
    /// Price: one `openat`; one `close` later.
    ///
    /// # Errors
    /// That it cannot be opened.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Writer, Error> {
        let path = path.as_ref().as_os_str().as_bytes();
        let failed = |errno| Error::new(errno, "open", path);
        let name = CString::new(path).map_err(|_| failed(Errno::INVAL))?;
        let file = sys::overwrite(sys::CWD, &name, 0o666).map_err(failed)?;
        Ok(Writer::new(file, path, header))
    }

    /// Writes into what is open there. `path` is what errors call it.
    pub fn from_owned(
        file: impl Into<OwnedFd>,
        path: impl AsRef<OsStr>,
        header: &Header,
    ) -> Writer {
        let file = Descriptor::from(file.into());
        Writer::new(file, path.as_ref().as_bytes(), header)
    }

    fn new(file: Descriptor, path: &[u8], header: &Header) -> Writer {
        let mut block = Vec::with_capacity(BLOCK_BYTES + (4 << 10));
        put(header, &mut block);
        let packed = GzEncoder::new(Vec::new(), Compression::fast());
        Writer { file, path: path.into(), block, packed }
    }

    /// Adds an event.
    ///
    /// Price: one `write` for each 256 KiB of text.
    ///
    /// # Errors
    /// That something cannot be written: `ENOSPC`, `EPIPE`. Nothing should be added then.
    pub fn write(&mut self, event: &Event) -> Result<(), Error> {
        put(event, &mut self.block);
        if self.block.len() >= BLOCK_BYTES {
            self.pack();
            // What comes next is not needed to unpack what is there. Memory does not fail.
            let _ = self.packed.flush();
            self.put_out()?;
        }
        Ok(())
    }

    /// Writes what is left. To be called: a `Writer` that is dropped leaves it out.
    ///
    /// Price: one `write`.
    ///
    /// # Errors
    /// As [`Writer::write`].
    pub fn finish(mut self) -> Result<(), Error> {
        self.pack();
        let _ = self.packed.try_finish();
        self.put_out()
    }

    fn pack(&mut self) {
        let _ = self.packed.write_all(&self.block);
        self.block.clear();
    }

    fn put_out(&mut self) -> Result<(), Error> {
        let packed = self.packed.get_mut();
        let written = sys::write_all(self.file.as_fd(), packed);
        packed.clear();
        written.map_err(|errno| Error::new(errno, "write", &self.path))
    }
}

/// Adds a line.
fn put(value: &impl serde::Serialize, block: &mut Vec<u8>) {
    let before = block.len();
    // Memory does not fail, and no map in an event has keys that JSON could not have.
    if serde_json::to_writer(&mut *block, value).is_err() {
        block.truncate(before);
        return;
    }
    block.push(b'\n');
}
