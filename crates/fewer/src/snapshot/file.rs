//! A snapshot in a file: read whole; written as a [`whole_file`].

use std::path::Path;

use sys::{Descriptor, Fields, Kind, OsStrExt};

use super::error::{Defect, SnapshotError};
use super::{Snapshot, format};
use crate::error::{Action, Errno, Error};
use crate::path::{c_string, in_pieces};
use crate::whole_file;

/// The first read has the header, and all of a small snapshot.
const FIRST_READ_BYTES: usize = 64 << 10;

impl Snapshot {
    /// Reads a snapshot from a file. Links are followed; a FIFO or a device is refused.
    ///
    /// Price: `openat`, `statx`, `close`, and a `read` for the first 64 KiB and for the rest.
    ///
    /// # Errors
    /// The kernel's number with the path, and why the file is no snapshot that can be used.
    pub fn read(path: impl AsRef<Path>) -> Result<Snapshot, SnapshotError> {
        let path = path.as_ref().as_os_str().as_bytes();
        let bytes = in_pieces(sys::CWD, path, |at, rest| {
            let file = sys::open_at_once(at, &c_string(rest)?)?;
            read_whole(&file)
        })
        .map_err(|errno| Error::new(errno, Action::READ_SNAPSHOT, path))?;
        bytes
            .and_then(Snapshot::from_bytes)
            .map_err(|defect| SnapshotError::Defect(defect, path.into()))
    }

    /// Writes the snapshot to a file, which is the old one until the new one is whole and on the
    /// disk: a new file beside it takes its name. Of several processes that do so the last one
    /// wins. The file has the permissions of the one that it replaces, or those that the umask
    /// leaves. If the path is a link, the file is that which it leads to.
    ///
    /// Price: `openat` and `close` of the directory and of the file, `statx`, `write`, two
    /// `fdatasync`, `renameat2`; an `fchmod` if there was a file.
    ///
    /// # Errors
    /// The kernel's number with the path; `EINVAL` if there is something else than a file.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        whole_file::write(path, &self.bytes)
            .map_err(|errno| Error::new(errno, Action::WRITE_SNAPSHOT, path.as_os_str().as_bytes()))
    }
}

/// Reads a file as long as it is a snapshot.
fn read_whole(file: &Descriptor) -> Result<Result<Vec<u8>, Defect>, Errno> {
    let stat = sys::stat_descriptor(file, Fields::KIND | Fields::SIZE)?;
    match stat.kind() {
        Kind::File => {}
        Kind::Directory => return Err(Errno::ISDIR),
        _ => return Err(Errno::INVAL),
    }
    let size = usize::try_from(stat.size()).map_err(|_| Errno::FBIG)?;
    let mut bytes = Vec::new();
    for room in [size.min(FIRST_READ_BYTES), size] {
        bytes.try_reserve_exact(room.saturating_sub(bytes.len())).map_err(|_| Errno::NOMEM)?;
        while bytes.len() < room {
            if sys::read_more(file, &mut bytes)? == 0 {
                return Ok(Err(Defect::Length));
            }
        }
        match format::whole_length(&bytes) {
            Ok(length) if length == size as u64 => {}
            Ok(_) => return Ok(Err(Defect::Length)),
            Err(defect) => return Ok(Err(defect)),
        }
    }
    Ok(Ok(bytes))
}
