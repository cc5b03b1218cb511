//! The price of a file that is written whole, again and again. It depends on the file system: some
//! begin to write to the disk whenever a file is emptied or replaced.

use std::ffi::CString;
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use sys::{CWD, Errno, Fields};

use crate::bytes;
use crate::price::replay::TimedAct;
use crate::price::sample::SampledAct;
use crate::price::stopwatch::{Lap, done};

/// Folders for what is soon removed.
const TEMPORARY: &[&str] = &["/tmp", "/var/tmp", "/dev/shm"];
/// Files written in a lap.
const TIMES: usize = 8;

/// Writes a file of as many bytes as the program did, again and again, on the same file system if
/// one of the folders for temporary files lies there; else in the first.
pub(super) fn rewriting(one: &SampledAct, replaces: bool) -> Option<TimedAct<'static>> {
    const LARGEST: usize = 1 << 20;
    let folder = Folder::new(&place(one)).ok()?;
    let block = vec![b'x'; one.moved.min(LARGEST)];
    Some(Box::new(move || {
        let rewrite = || folder.rewrite(&block, replaces);
        // What the disk is waited for counts, too.
        let lap = Lap::waiting(|| (0..TIMES).for_each(|_| done(rewrite())));
        Lap { acts: TIMES as u64, ..lap }
    }))
}

fn place(one: &SampledAct) -> PathBuf {
    let device = |path: &[u8]| {
        let path = CString::new(path).ok()?;
        sys::stat(CWD, &path, true, Fields::NONE).ok().map(|stat| stat.device())
    };
    let wanted =
        one.file.as_deref().and_then(|file| bytes::parent(file.to_bytes())).and_then(device);
    let temporary = std::env::temp_dir();
    let mut places = std::iter::once(temporary.as_path()).chain(TEMPORARY.iter().map(Path::new));
    let is_there =
        |place: &&Path| wanted.is_some() && device(place.as_os_str().as_bytes()) == wanted;
    places.find(is_there).unwrap_or(&temporary).to_owned()
}

/// A folder of our own, which is removed with what is in it.
struct Folder {
    path: CString,
    file: CString,
    new: CString,
}

impl Folder {
    fn new(place: &Path) -> Result<Folder, Errno> {
        // A name that is there already is an error.
        let now = sys::Time::now();
        let path = place.join(format!("fewer-price-{}-{}", now.seconds, now.nanoseconds));
        let name = |path: PathBuf| {
            CString::new(path.into_os_string().into_vec()).map_err(|_| Errno::INVAL)
        };
        let (file, new) = (name(path.join("file"))?, name(path.join("new"))?);
        let path = name(path)?;
        sys::make_directory(CWD, &path, 0o700)?;
        Ok(Folder { path, file, new })
    }

    fn rewrite(&self, block: &[u8], replaces: bool) -> Result<(), Errno> {
        let name = if replaces { &self.new } else { &self.file };
        let file = sys::overwrite(CWD, name, 0o600)?;
        sys::write(file.as_fd(), block)?;
        drop(file);
        if replaces { sys::rename(CWD, &self.new, CWD, &self.file, false) } else { Ok(()) }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        for name in [&self.file, &self.new] {
            let _ = sys::remove_file(CWD, name);
        }
        let _ = sys::remove_directory(CWD, &self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_what_was_written() {
        let scratch = tempfile::tempdir().unwrap();
        for replaces in [false, true] {
            let folder = Folder::new(scratch.path()).unwrap();
            (0..3).for_each(|_| folder.rewrite(b"text", replaces).unwrap());
            let file = folder.file.to_str().unwrap().to_owned();
            assert_eq!(std::fs::read(file).unwrap(), b"text");
            drop(folder);
            assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn a_file_system_with_a_temporary_folder_is_found() {
        let file = CString::new("/dev/shm/some file").unwrap();
        let one = SampledAct { file: Some(file), moved: 1, failed: false };
        assert_eq!(place(&one), Path::new("/dev/shm"));
        let nowhere = SampledAct { file: Some(c"/proc/1".into()), moved: 1, failed: false };
        assert_eq!(place(&nowhere), std::env::temp_dir());
    }
}
