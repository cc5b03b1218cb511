//! A file of budgets on the disk: recorded into, checked, blessed.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use fewer::Errno;

use super::edit::Editor;
use super::judge::{self, Checked, Failure, Measure};
use super::measured::Measured;
use super::slope::Slope;
use super::snapshot::{Command, Run, Scale, Snapshot};
use crate::{Error, Text};

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
        let text = fs::read(path).map_err(|error| failed(&error, "read", path))?;
        let snapshot = Snapshot::parse(&text, path.as_os_str().as_bytes())?;
        Ok(Budgets { path: path.into(), text: Some(text), snapshot })
    }

    /// The same; one that is not there is empty.
    ///
    /// # Errors
    ///
    /// It is there and cannot be read, or is no file of budgets.
    pub fn open_or_begin(path: &Path) -> Result<Budgets, Error> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
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
        let real = |path: &Path| {
            path.canonicalize().map_err(|error| failed(&error, "enter directory", path))
        };
        let relative = relative_path(&real(self.directory())?, &real(directory)?);
        Ok(relative.map(|path| Text::from(path.as_os_str().as_bytes())))
    }

    /// Runs a command so many times and writes down what it did; over what was written down of it
    /// before, if anything was.
    ///
    /// # Errors
    ///
    /// It cannot be run, does not always end in the same way, or the file cannot be written.
    pub fn record(
        &mut self,
        run: &Run,
        times: usize,
        measure: &mut dyn Measure,
    ) -> Result<(Command, Vec<Measured>), Failure> {
        self.must_be_writable()?;
        let (command, runs) = judge::record(run, times, measure)?;
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
        let (scale, slope, runs) = judge::record_scale(run, n, times, measure)?;
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
                let (mut it, runs) = judge::check(command, times, measure);
                if bless {
                    let now = judge::bless(command, (&mut it, runs), times, measure);
                    now.map_or(Ok(()), |now| editor.command(Some(at), &now))?;
                }
                checked.push(it);
            }
        }
        for (at, scale) in self.snapshot.scales.iter().enumerate() {
            if goes_on(&checked) {
                let (mut it, runs) = judge::check_scale(scale, times, measure);
                if bless {
                    let now = judge::bless_scale(scale, (&mut it, runs), times, measure);
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
        match self.text {
            Some(_) => {
                let file = File::options().append(true).open(&self.path);
                file.map(drop).map_err(|error| failed(&error, "write to", &self.path))
            }
            None => {
                let directory = self.directory();
                let found = fs::metadata(directory);
                found.map(drop).map_err(|error| failed(&error, "write to", &self.path))
            }
        }
    }

    /// Writes the file: all of it or nothing, with the permissions that it has.
    fn save(&mut self, editor: &Editor) -> Result<(), Error> {
        let text = editor.text();
        // A link stays one.
        let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}", std::process::id()));
        let new = path.with_file_name(name);
        let write = || {
            let mut file = File::options().write(true).create_new(true).open(&new)?;
            if let Ok(old) = fs::metadata(&path) {
                file.set_permissions(old.permissions())?;
            }
            file.write_all(text.as_bytes())?;
            fs::rename(&new, &path)
        };
        write().map_err(|error: std::io::Error| {
            // The reason why there is no new file says enough.
            let _ = fs::remove_file(&new);
            failed(&error, "write to", &self.path)
        })?;
        self.snapshot = Snapshot::parse(text.as_bytes(), self.path.as_os_str().as_bytes())?;
        self.text = Some(text.into_bytes());
        Ok(())
    }
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

fn failed(error: &std::io::Error, action: &'static str, path: &Path) -> Error {
    let errno = Errno::from_io_error(error).unwrap_or(Errno::IO);
    Error::new(errno, action, path.as_os_str().as_bytes())
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
