//! A script in a file: found as shells find it, read whole, and named again for another shell.

use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;

use fewer::{Errno, Error, Fields, Scope};
use sys::{How, Kind};

use crate::keep_open;

/// Scripts are shorter as a rule; for a longer block the C library would ask the kernel for memory
/// and give it back: two calls more for every script.
const BLOCK_BYTES: usize = 64 << 10;

/// A script's file.
#[derive(Debug)]
pub struct ScriptFile {
    path: Vec<u8>,
    /// Whether it can be read once more, as a pipe cannot.
    stays: bool,
}

impl ScriptFile {
    /// Finds a script and reads it: as in bash and ksh, a name without a slash that is not there is
    /// looked for in `PATH`. A pipe is waited for.
    ///
    /// Price: one `openat`, one `statx`, one `close`, and a `read` for each 64 KiB and for the end;
    /// for a name that is looked for one more `openat` for each directory.
    ///
    /// # Errors
    /// The kernel's number with the name.
    pub fn find(name: &[u8]) -> Result<(ScriptFile, Vec<u8>), Error> {
        let errno = match ScriptFile::read(name) {
            Ok(file) => return Ok(file),
            Err(errno) => errno,
        };
        if errno == Errno::NOENT && !name.is_empty() && !name.contains(&b'/') {
            let path = std::env::var_os("PATH").unwrap_or_default();
            // In the working directory it is not.
            let paths =
                fewer::path::program_paths(name, path.as_bytes()).filter(|path| path != name);
            if let Some(found) = paths.map(|path| ScriptFile::read(&path)).find_map(Result::ok) {
                return Ok(found);
            }
        }
        Err(Error::new(errno, "open", name))
    }

    fn read(path: &[u8]) -> Result<(ScriptFile, Vec<u8>), Errno> {
        let name = CString::new(path).map_err(|_| Errno::NOENT)?;
        let file = sys::open_how(sys::CWD, &name, How::Read)?;
        let stat = sys::stat_descriptor(&file, Fields::KIND)?;
        let mut text = Vec::new();
        let mut block = vec![0; BLOCK_BYTES];
        loop {
            match sys::read(&file, &mut block)? {
                0 => break,
                bytes => text.extend_from_slice(&block[..bytes]),
            }
        }
        let stays = stat.kind() == Kind::File;
        Ok((ScriptFile { path: path.to_vec(), stays }, text))
    }

    /// A path under which another program can open the script, whose text this is.
    ///
    /// Price: none for a file; else that of [`keep_open`].
    ///
    /// # Errors
    /// As [`keep_open`].
    pub fn path_for_another(&self, text: &[u8]) -> Result<Vec<u8>, Errno> {
        if self.stays { Ok(self.path.clone()) } else { keep_open(text) }
    }
}

/// Whether a file is no text: like the shells, it looks for a NUL byte in the first line.
/// Free.
#[must_use]
pub fn is_program(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    text.starts_with(b"\x7fELF") || line.contains(&0)
}

/// Whether the file is the program that runs here, under whatever name.
///
/// Price: two `statx`; one if there is no such file.
#[must_use]
pub fn is_this_program(path: &[u8]) -> bool {
    let scope = Scope::start();
    let id = |path: &[u8]| {
        let file = scope.stat_target(OsStr::from_bytes(path), Fields::INODE).ok()?;
        Some((file.device(), file.inode()))
    };
    let there = id(path);
    there.is_some() && there == id(b"/proc/self/exe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_told_from_a_script() {
        assert!(is_program(b"\x7fELF\n") && is_program(b"a\0b\nc"));
        assert!(!is_program(b"echo\n\0") && !is_program(b""));
    }

    #[test]
    fn this_program_is_known_under_another_name() {
        let here = std::env::current_exe().unwrap();
        assert!(is_this_program(here.as_os_str().as_bytes()));
        assert!(!is_this_program(b"/bin/sh") && !is_this_program(b"/none"));
    }

    #[test]
    fn a_file_is_read_and_has_a_path_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script");
        std::fs::write(&path, "echo\n").unwrap();
        let name = path.as_os_str().as_bytes();
        let (file, text) = ScriptFile::find(name).unwrap();
        assert_eq!(text, b"echo\n");
        assert_eq!(file.path_for_another(&text).unwrap(), name);
        assert_eq!(ScriptFile::find(b"no such script").unwrap_err().errno(), Errno::NOENT);
    }
}
