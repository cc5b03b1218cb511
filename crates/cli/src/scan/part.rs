//! The part of a unit: its rows, in a file that has its name once it is whole.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use fewer::whole_file::NewFile;
use fewer::{Action, Answer, Errno, Error};
use sys::OsStrExt;
use tables::{Contents, PartWriter, Row};

/// The part of a unit. It begins with the first row: without one there is no file.
pub(super) struct Part<'f> {
    folder: &'f Path,
    name: String,
    of_store: bool,
    writer: Option<PartWriter<File>>,
    /// Why it cannot be written.
    refused: Option<io::Error>,
}

struct File(NewFile);

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'f> Part<'f> {
    pub(super) fn new(flags: &'f ArgMatches, id: &str) -> Result<Part<'f>, String> {
        let folder = flags.get_one::<OsString>("out").ok_or("--out is not there")?;
        let name = format!("part-{id}.parquet");
        let folder = Path::new(folder);
        Ok(Part { folder, name, of_store: false, writer: None, refused: None })
    }

    /// Its rows are those of a store, which have an ETag.
    pub(super) fn set_of_store(&mut self) {
        self.of_store = true;
    }

    /// The folder that it goes to.
    pub(super) fn folder(&self) -> &'f Path {
        self.folder
    }

    /// Adds a row. It takes no more once it cannot be written, or the process is to end.
    pub(super) fn push(&mut self, row: &Row<'_>) -> Answer {
        // What was refused once is not tried again: then the part would lack something.
        if self.refused.is_none() {
            self.refused = self.try_push(row).err();
        }
        self.answer()
    }

    /// Whether it takes more.
    pub(super) fn answer(&self) -> Answer {
        let is_stopped = self.refused.is_some() || sys::noted_end().is_some();
        if is_stopped { Answer::Stop } else { Answer::Continue }
    }

    fn try_push(&mut self, row: &Row<'_>) -> io::Result<()> {
        if self.writer.is_none() {
            let file = File(NewFile::create(&self.path())?);
            self.writer = Some(PartWriter::new(self.of_store, file)?);
        }
        self.writer.as_mut().map_or(Ok(()), |writer| writer.push(row))
    }

    /// Puts it in its place: its name, if there is one, and what it has.
    pub(super) fn finish(mut self) -> Result<(Option<String>, Contents), String> {
        let path = self.path();
        let done = match (self.refused.take(), self.writer.take()) {
            (Some(refused), _) => Err(refused),
            (None, None) => Ok((None, Contents::default())),
            (None, Some(writer)) => writer.finish().and_then(|(File(file), contents)| {
                file.finish()?;
                Ok((Some(self.name), contents))
            }),
        };
        done.map_err(|refused| cannot_write(&path, &refused))
    }

    fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }
}

fn cannot_write(path: &Path, refused: &io::Error) -> String {
    match refused.raw_os_error().map(Errno::from_raw_os_error) {
        Some(errno) => {
            let action = Action::from("write to");
            Error::new(errno, action, path.as_os_str().as_bytes()).to_string()
        }
        None => format!("cannot write to '{}': {refused}", path.display()),
    }
}
