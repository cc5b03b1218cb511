//! A snapshot in a file: read whole; written beside and renamed, so that a reader finds the old one
//! or the new one, whatever happens.

use std::ffi::CString;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use sys::{AsFile, Descriptor, Fields, Kind, OsStrExt};

use super::error::{Defect, SnapshotError};
use super::{Snapshot, format};
use crate::error::{Action, Errno, Error};
use crate::path::{base_name, c_string, canonical, in_pieces};

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
        let bytes = path.as_os_str().as_bytes();
        let written = match self.write_there(bytes) {
            Ok(false) => self.write_there(canonical(None, path).as_os_str().as_bytes()),
            other => other,
        };
        match written {
            Ok(true) => Ok(()),
            Ok(false) => Err(Error::new(Errno::LOOP, Action::WRITE_SNAPSHOT, bytes)),
            Err(errno) => Err(Error::new(errno, Action::WRITE_SNAPSHOT, bytes)),
        }
    }

    /// Writes the snapshot unless the path is a link: then it returns false.
    fn write_there(&self, path: &[u8]) -> Result<bool, Errno> {
        let name = c_string(base_name(path))?;
        let folder = &path[..path.len() - name.as_bytes().len()];
        if path.ends_with(b"/") {
            return Err(Errno::ISDIR);
        }
        let folder = if folder.is_empty() { b"." } else { folder };
        let folder =
            in_pieces(sys::CWD, folder, |at, rest| sys::open_dir(at, &c_string(rest)?, true))?;
        let fields = Fields::KIND | Fields::PERMISSIONS;
        let permissions = match sys::stat(folder.as_file(), &name, false, fields) {
            Ok(old) if old.is_symlink() => return Ok(false),
            Ok(old) if old.is_file() => Some(old.permissions()),
            Ok(old) => return Err(if old.is_dir() { Errno::ISDIR } else { Errno::INVAL }),
            Err(Errno::NOENT) => None,
            Err(errno) => return Err(errno),
        };
        let (file, beside) = create_beside(&folder, &name)?;
        let done = self
            .fill(&file, permissions)
            .and_then(|()| sys::rename(folder.as_file(), &beside, folder.as_file(), &name, false));
        if let Err(errno) = done {
            let _ = sys::remove_file(folder.as_file(), &beside);
            return Err(errno);
        }
        to_disk(&folder)?;
        Ok(true)
    }

    fn fill(&self, file: &Descriptor, permissions: Option<u16>) -> Result<(), Errno> {
        sys::write_all(file.as_file(), &self.bytes)?;
        if let Some(permissions) = permissions {
            sys::set_permissions_of(file.as_file(), permissions.into())?;
        }
        to_disk(file)
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

/// Makes a file with a name that no other has, hidden, beside the one of that name.
fn create_beside(folder: &Descriptor, name: &CString) -> Result<(Descriptor, CString), Errno> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    /// The longest name that file systems take, less what is put around it.
    const NAME_BYTES: usize = 200;
    let name = &name.as_bytes()[..name.as_bytes().len().min(NAME_BYTES)];
    loop {
        let (process, number) = (sys::own_number(), NUMBER.fetch_add(1, Relaxed));
        let end = format!(".{process}.{number}.new");
        let beside = c_string(&[b".", name, end.as_bytes()].concat())?;
        match sys::create(folder.as_file(), &beside, 0o666) {
            Err(Errno::EXIST) => {}
            made => return Ok((made?, beside)),
        }
    }
}

/// Waits until it is on the disk, where there is one.
fn to_disk(file: &Descriptor) -> Result<(), Errno> {
    match sys::sync_data(file) {
        Err(Errno::INVAL) => Ok(()),
        done => done,
    }
}
