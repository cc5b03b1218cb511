//! The source files that locations name, as far as they are there.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::answer_use;
use crate::{Location, read_file};

/// Larger files were not written by hand.
const LARGEST: u64 = 2 << 20;
/// Files that are read.
const MOST: usize = 512;

/// Source files, each read once.
#[derive(Debug, Default)]
pub(crate) struct SourceFiles {
    texts: BTreeMap<PathBuf, Option<String>>,
}

impl SourceFiles {
    /// Whether nothing but the kind of the file is wanted of the metadata that is asked for at a
    /// location; `None` if that cannot be told. A relative name lies in `directory`.
    pub(crate) fn only_kind(&mut self, location: &Location, directory: &[u8]) -> Option<bool> {
        if location.line == 0 || !answer_use::is_known(&location.file) {
            return None;
        }
        let path = Path::new(OsStr::from_bytes(directory)).join(&location.file);
        let text = self.text(path)?;
        answer_use::only_kind(&location.file, text, location.line)
    }

    fn text(&mut self, path: PathBuf) -> Option<&str> {
        if self.texts.len() >= MOST && !self.texts.contains_key(&path) {
            return None;
        }
        self.texts.entry(path).or_insert_with_key(|path| read(path)).as_deref()
    }
}

/// A regular file of a moderate size: nothing else is read.
fn read(path: &Path) -> Option<String> {
    let name = CString::new(path.as_os_str().as_bytes()).ok()?;
    let fields = sys::Fields::KIND | sys::Fields::SIZE;
    let stat = sys::stat(sys::CWD, &name, true, fields).ok()?;
    if stat.kind() != sys::Kind::File || stat.size() > LARGEST || !path.is_absolute() {
        return None;
    }
    Some(String::from_utf8_lossy(&read_file(path).ok()?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.js"), "\nfs.statSync(p).isFile()\n").unwrap();
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("b.js")).unwrap();
        let directory = folder.path().as_os_str().as_bytes();
        let mut files = SourceFiles::default();
        let mut only_kind = |file: &str, line| {
            let location = Location { file: file.to_owned(), line, ..Location::default() };
            files.only_kind(&location, directory)
        };
        assert_eq!(only_kind("a.js", 2), Some(true));
        assert_eq!(only_kind("a.js", 1), Some(true), "a call may begin in the line before");
        for (file, line) in [("a.js", 0), ("a.js", 3), ("b.js", 1), ("c.js", 1), ("a.java", 1)] {
            assert_eq!(only_kind(file, line), None, "{file}:{line}");
        }
    }
}
