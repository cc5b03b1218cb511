//! A file that is always whole: written beside and renamed, so that a reader finds the old one or
//! the new one, whatever happens.

use std::ffi::CString;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use sys::{AsFile, BorrowedFile, Descriptor, Fields, Kind, OsStrExt};

use crate::error::Errno;
use crate::path::{base_name, c_string, canonical, in_pieces};

/// Reads a file of at most so many bytes. Links are followed; a FIFO or a device is refused.
///
/// Price: `openat`, `statx`, `close`, and a `read` for all of it and for its end.
///
/// # Errors
/// The kernel's number; `EISDIR` for a directory, `EINVAL` for another thing that is no file,
/// `EFBIG` if it is longer.
pub fn read(path: &Path, limit_bytes: usize) -> Result<Vec<u8>, Errno> {
    let (file, size) = open(path)?;
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    if size > limit_bytes {
        return Err(Errno::FBIG);
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size + 1).map_err(|_| Errno::NOMEM)?;
    while bytes.len() <= size && sys::read_more(&file, &mut bytes)? > 0 {}
    Ok(bytes)
}

/// Opens a file to be read piece by piece, and returns it with its size in bytes. Links are
/// followed; a FIFO or a device is refused.
///
/// Price: `openat`, `statx`.
///
/// # Errors
/// The kernel's number; `EISDIR` for a directory, `EINVAL` for another thing that is no file.
pub fn open(path: &Path) -> Result<(Descriptor, u64), Errno> {
    in_pieces(sys::CWD, path.as_os_str().as_bytes(), |at, rest| {
        let file = sys::open_at_once(at, &c_string(rest)?)?;
        let stat = sys::stat_descriptor(&file, Fields::KIND | Fields::SIZE)?;
        match stat.kind() {
            Kind::File => Ok((file, stat.size())),
            Kind::Directory => Err(Errno::ISDIR),
            _ => Err(Errno::INVAL),
        }
    })
}

/// Writes a file, which is the old one until the new one is whole and on the disk: a new file
/// beside it takes its name. Of several processes that do so the last one wins. The file has the
/// permissions of the one that it replaces, or those that the umask leaves. If the path is a link,
/// the file is that which it leads to.
///
/// Price: `openat` and `close` of the directory and of the file, `statx`, `write`, two
/// `fdatasync`, `renameat2`; an `fchmod` if there was a file.
///
/// # Errors
/// The kernel's number; `EINVAL` if there is something else than a file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Errno> {
    let file = NewFile::create(path)?;
    file.write(bytes)?;
    file.finish()
}

/// A file that is being written, and has its name once it is [finished](NewFile::finish). Dropped
/// before, it is removed, and the old one is as it was.
#[derive(Debug)]
pub struct NewFile {
    folder: Descriptor,
    name: CString,
    /// Its name until it is finished.
    beside: CString,
    file: Descriptor,
    /// Of the file that it replaces.
    permissions: Option<u16>,
    is_finished: bool,
}

impl NewFile {
    /// Makes a file beside the one that it is to replace, as [`write()`] does.
    ///
    /// Price: `openat` and `close` of the directory and of the file, `statx`.
    ///
    /// # Errors
    /// The kernel's number; `EINVAL` if there is something else than a file.
    pub fn create(path: &Path) -> Result<NewFile, Errno> {
        at_its_place(path, |path| {
            let (folder, name) = place(path)?;
            let fields = Fields::KIND | Fields::PERMISSIONS;
            let permissions = match sys::stat(folder.as_file(), &name, false, fields) {
                Ok(old) if old.is_symlink() => return Ok(None),
                Ok(old) if old.is_file() => Some(old.permissions()),
                Ok(old) => return Err(if old.is_dir() { Errno::ISDIR } else { Errno::INVAL }),
                Err(Errno::NOENT) => None,
                Err(errno) => return Err(errno),
            };
            let (file, beside) = create_beside(&folder, &name)?;
            Ok(Some(NewFile { folder, name, beside, file, permissions, is_finished: false }))
        })
    }

    /// The inode and the device of the file, as [`Stat`](crate::Stat) has them, by which a walk
    /// recognizes it.
    ///
    /// Price: one `statx`.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn identity(&self) -> Result<(u64, u64), Errno> {
        let stat = sys::stat_descriptor(&self.file, Fields::INODE)?;
        Ok((stat.inode(), stat.device()))
    }

    /// Appends bytes.
    ///
    /// Price: one `write`.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Errno> {
        sys::write_all(self.file.as_file(), bytes)
    }

    /// Puts it in its place, once it is on the disk.
    ///
    /// Price: two `fdatasync`, `renameat2`; an `fchmod` if there was a file.
    ///
    /// # Errors
    /// The kernel's number.
    pub fn finish(mut self) -> Result<(), Errno> {
        if let Some(permissions) = self.permissions {
            sys::set_permissions_of(self.file.as_file(), permissions.into())?;
        }
        to_disk(self.file.as_file())?;
        let folder = self.folder.as_file();
        sys::rename(folder, &self.beside, folder, &self.name, false)?;
        self.is_finished = true;
        to_disk(folder)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = sys::remove_file(self.folder.as_file(), &self.beside);
        }
    }
}

/// Removes a file. If the path is a link, the file is that which it leads to.
///
/// Price: `openat` and `close` of the directory, `statx`, `unlinkat`, `fdatasync`.
///
/// # Errors
/// The kernel's number.
pub fn remove(path: &Path) -> Result<(), Errno> {
    at_its_place(path, |path| {
        let (folder, name) = place(path)?;
        if sys::stat(folder.as_file(), &name, false, Fields::KIND)?.is_symlink() {
            return Ok(None);
        }
        sys::remove_file(folder.as_file(), &name)?;
        to_disk(folder.as_file()).map(Some)
    })
}

/// Does something at a path, or where it leads to if it is a link: then `there` returns `None`.
fn at_its_place<T>(
    path: &Path,
    there: impl Fn(&[u8]) -> Result<Option<T>, Errno>,
) -> Result<T, Errno> {
    if let Some(done) = there(path.as_os_str().as_bytes())? {
        return Ok(done);
    }
    there(canonical(None, path).as_os_str().as_bytes())?.ok_or(Errno::LOOP)
}

/// The directory of a file, and its name there.
fn place(path: &[u8]) -> Result<(Descriptor, CString), Errno> {
    let name = c_string(base_name(path))?;
    let folder = &path[..path.len() - name.as_bytes().len()];
    if path.ends_with(b"/") {
        return Err(Errno::ISDIR);
    }
    let folder = if folder.is_empty() { b"." } else { folder };
    let folder = in_pieces(sys::CWD, folder, |at, rest| sys::open_dir(at, &c_string(rest)?, true))?;
    Ok((folder, name))
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
///
/// Price: one `fdatasync`.
///
/// # Errors
/// The kernel's number.
pub fn to_disk(file: BorrowedFile<'_>) -> Result<(), Errno> {
    match sys::sync_data(file) {
        Err(Errno::INVAL) => Ok(()),
        done => done,
    }
}
