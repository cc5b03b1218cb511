//! A file of budgets on the disk: recorded into, checked, blessed.

use std::ffi::{CStr, CString};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use fewer::Errno;
use sys::{CWD, Fields, How};

use crate::check;
use crate::command::{Command, Run, Scale};
use crate::disk::{self, call_on};
use crate::edit::Editor;
use crate::measured::Measured;
use crate::outcome::{Checked, Failure};
use crate::record::{self, Measure};
use crate::slope::Slope;
use crate::snapshot::Snapshot;
use trace::{Error, Text, read_file};

/// A file of budgets.
#[derive(Debug)]
pub struct Budgets {
    path: PathBuf,
    /// Its bytes, as they are on the disk; `None` if there is no file yet.
    text: Option<Vec<u8>>,
    snapshot: Snapshot,
}

impl Budgets {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// It is not there, cannot be read, or is no file of budgets.
    pub fn open(path: &Path) -> Result<Budgets, Error> {
        let text = read_file(path)?;
        let snapshot = Snapshot::parse(&text, path.as_os_str().as_bytes())?;
        Ok(Budgets { path: path.into(), text: Some(text), snapshot })
    }

    /// The same; one that is not there is empty.
    ///
    /// # Errors
    ///
    /// It is there and cannot be read, or is no file of budgets.
    pub fn open_or_begin(path: &Path) -> Result<Budgets, Error> {
        match call_on(path, "read", |name| sys::stat(CWD, name, false, Fields::KIND)) {
            Err(error) if error.errno() == Some(Errno::NOENT) => {
                Ok(Budgets { path: path.into(), text: None, snapshot: Snapshot::default() })
            }
            _ => Budgets::open(path),
        }
    }

    /// What is in it.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The directory that it lies in.
    #[must_use]
    pub fn directory(&self) -> &Path {
        match self.path.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => Path::new("/"),
        }
    }

    /// The path of another directory relative to that of the file; `None` if they are the same.
    ///
    /// # Errors
    ///
    /// One of them cannot be found.
    pub fn path_to(&self, directory: &Path) -> Result<Option<Text>, Error> {
        let real = |path: &Path| call_on(path, "enter directory", disk::real_path);
        let relative = relative_path(&real(self.directory())?, &real(directory)?);
        Ok(relative.map(|path| Text::from(path.as_os_str().as_bytes())))
    }

    /// Runs a command so many times and writes down what it did; over what was written down of it
    /// before, if anything was. With `proves`, also how many remedies work for it.
    ///
    /// # Errors
    ///
    /// It cannot be run, does not always end in the same way, or the file cannot be written.
    pub fn record(
        &mut self,
        run: &Run,
        times: usize,
        proves: bool,
        measure: &mut dyn Measure,
    ) -> Result<(Command, Vec<Measured>), Failure> {
        self.must_be_writable()?;
        let (mut command, runs) = record::record(run, times, measure)?;
        if proves {
            command.proved = Some(measure.prove(run)?.len() as u64);
        }
        let at = self.snapshot.commands.iter().position(|other| other.run == *run);
        let mut editor = self.editor()?;
        editor.command(at, &command)?;
        self.save(&editor)?;
        Ok((command, runs))
    }

    /// The same for what a command does per item.
    ///
    /// # Errors
    ///
    /// As `record`; or there are less than two numbers of items.
    pub fn record_scale(
        &mut self,
        run: &Run,
        n: &[u64],
        times: usize,
        measure: &mut dyn Measure,
    ) -> Result<(Scale, Slope, Vec<Measured>), Failure> {
        self.must_be_writable()?;
        let (scale, slope, runs) = record::record_scale(run, n, times, measure)?;
        let at = self.snapshot.scales.iter().position(|other| other.run == *run);
        let mut editor = self.editor()?;
        editor.scale(at, &scale)?;
        self.save(&editor)?;
        Ok((scale, slope, runs))
    }

    /// Runs everything in the file: once, and up to so many times what asks for too much. With
    /// `bless`, what is different now is written down, but for
    /// commands that fail or end in another way.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn check(
        &mut self,
        bless: bool,
        times: usize,
        measure: &mut dyn Measure,
    ) -> Result<Vec<Checked>, Error> {
        if bless {
            self.must_be_writable()?;
        }
        let mut editor = self.editor()?;
        let mut checked: Vec<Checked> = Vec::new();
        let goes_on = |checked: &[Checked]| !checked.iter().any(Checked::was_interrupted);
        for (at, command) in self.snapshot.commands.iter().enumerate() {
            if goes_on(&checked) {
                let (mut it, runs) = check::check(command, times, measure);
                if bless {
                    let now = check::bless(command, (&mut it, runs), times, measure);
                    now.map_or(Ok(()), |now| editor.command(Some(at), &now))?;
                }
                checked.push(it);
            }
        }
        for (at, scale) in self.snapshot.scales.iter().enumerate() {
            if goes_on(&checked) {
                let (mut it, runs) = check::check_scale(scale, times, measure);
                if bless {
                    let now = check::bless_scale(scale, (&mut it, runs), times, measure);
                    now.map_or(Ok(()), |now| editor.scale(Some(at), &now))?;
                }
                checked.push(it);
            }
        }
        if checked.iter().any(|it| it.blessed) {
            self.save(&editor)?;
        }
        Ok(checked)
    }

    fn editor(&self) -> Result<Editor, Error> {
        // What could be read as a snapshot is UTF-8.
        let text = String::from_utf8_lossy(self.text.as_deref().unwrap_or_default());
        Editor::new(&text, self.path.as_os_str().as_bytes())
    }

    /// Finds out before anything is run whether there would be a place for the result.
    fn must_be_writable(&self) -> Result<(), Error> {
        call_on(&self.path, "write to", |name| match self.text {
            Some(_) => sys::open_how(CWD, name, How::Existing).map(drop),
            None => {
                let directory = CString::new(self.directory().as_os_str().as_bytes());
                let directory = directory.map_err(|_| Errno::INVAL)?;
                sys::stat(CWD, &directory, true, Fields::KIND).map(drop)
            }
        })
    }

    /// Writes the file: all of it or nothing, with the permissions that it has.
    fn save(&mut self, editor: &Editor) -> Result<(), Error> {
        let text = editor.text();
        // A link stays one.
        call_on(&self.path, "write to", |name| {
            let path = disk::real_path(name).unwrap_or_else(|_| self.path.clone());
            let path = CString::new(path.into_os_string().into_vec()).map_err(|_| Errno::INVAL)?;
            replace(&path, text.as_bytes())
        })?;
        self.snapshot = Snapshot::parse(text.as_bytes(), self.path.as_os_str().as_bytes())?;
        self.text = Some(text.into_bytes());
        Ok(())
    }
}

/// Gives a file new contents: all or, if that fails, none. It keeps its permissions.
///
/// Price: `openat`, `statx`, `fchmod`, `write`, `close` and `renameat2`.
fn replace(path: &CStr, contents: &[u8]) -> Result<(), Errno> {
    let name = [path.to_bytes(), format!(".{}", sys::own_number()).as_bytes()].concat();
    let new = CString::new(name).map_err(|_| Errno::INVAL)?;
    let file = sys::create(CWD, &new, 0o666)?;
    let write = || {
        if let Ok(old) = sys::stat(CWD, path, true, Fields::PERMISSIONS) {
            sys::set_permissions_of(file.as_fd(), old.permissions().into())?;
        }
        sys::write_all(file.as_fd(), contents)?;
        sys::rename(CWD, &new, CWD, path, false)
    };
    write().inspect_err(|_| {
        // The reason why there is no new file says enough.
        let _ = sys::remove_file(CWD, &new);
    })
}

/// The relative path from one directory to another, both without links; `None` if they are the
/// same. Directories that have only the root in common are named from there.
fn relative_path(from: &Path, to: &Path) -> Option<PathBuf> {
    if from == to {
        return None;
    }
    let pairs = from.components().zip(to.components());
    let shared = pairs.take_while(|(a, b)| a == b).count();
    if shared <= 1 && from.components().count() > 1 {
        return Some(to.into());
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    Some(up.chain(to.components().skip(shared)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_relative_path_of_a_directory_holds_in_another_checkout() {
        for (from, to, expected) in [
            ("/a/b", "/a/b", None),
            ("/a/b", "/a/b/c", Some("c")),
            ("/a/b/c", "/a", Some("../..")),
            ("/a/b", "/a/c/d", Some("../c/d")),
            ("/a/b", "/c", Some("/c")),
            ("/", "/c", Some("c")),
            ("/a", "/", Some("/")),
        ] {
            let path = relative_path(Path::new(from), Path::new(to));
            assert_eq!(path.as_deref(), expected.map(Path::new), "{from} {to}");
        }
    }
}
