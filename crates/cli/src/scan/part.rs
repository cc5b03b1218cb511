//! The part of a unit: its rows, in a file or an object that is there once it is whole.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use fewer::present::escaped;
use fewer::whole_file::NewFile;
use fewer::{Answer, Errno, Error};
use sys::OsStrExt;
use tables::{Contents, PartWriter, Row};

/// The part of a unit. It begins with the first row: without one there is none.
pub(super) struct Part<'f> {
    flags: &'f ArgMatches,
    folder: &'f Path,
    is_address: bool,
    name: String,
    of_store: bool,
    writer: Option<PartWriter<Output>>,
    /// Why it cannot be written.
    refused: Option<io::Error>,
}

/// Where the bytes of a part are until it is whole.
enum Output {
    File(NewFile),
    /// They are sent to the store at once.
    Memory(Vec<u8>),
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::File(file) => file.write(bytes)?,
            Output::Memory(memory) => memory.extend_from_slice(bytes),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'f> Part<'f> {
    pub(super) fn new(flags: &'f ArgMatches, id: &str) -> Result<Part<'f>, String> {
        let folder = flags.get_one::<OsString>("out").ok_or("--out is not there")?;
        let folder = Path::new(folder);
        let is_address = is_address(folder)?;
        let name = format!("part-{id}.parquet");
        Ok(Part { flags, folder, is_address, name, of_store: false, writer: None, refused: None })
    }

    /// Its rows are those of a store, which have an ETag.
    #[cfg(feature = "stores")]
    pub(super) fn set_of_store(&mut self) {
        self.of_store = true;
    }

    /// The folder or the address that it goes to, and whether it is an address.
    pub(super) fn folder(&self) -> (&'f Path, bool) {
        (self.folder, self.is_address)
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
            let output = match self.is_address {
                true => Output::Memory(Vec::new()),
                false => Output::File(NewFile::create(&self.path())?),
            };
            self.writer = Some(PartWriter::new(self.of_store, output)?);
        }
        self.writer.as_mut().map_or(Ok(()), |writer| writer.push(row))
    }

    /// Puts it in its place: its name, if there is one, and what it has.
    pub(super) fn finish(mut self) -> Result<(Option<String>, Contents), String> {
        if let Some(refused) = self.refused.take() {
            return Err(cannot_write(&self.path(), &refused));
        }
        let Some(writer) = self.writer.take() else { return Ok((None, Contents::default())) };
        let failed = |refused: io::Error| cannot_write(&self.path(), &refused);
        let (output, contents) = writer.finish().map_err(failed)?;
        match output {
            Output::File(file) => file.finish().map_err(|errno| failed(errno.into()))?,
            Output::Memory(bytes) => put(self.flags, &self.path(), bytes)?,
        }
        Ok((Some(self.name), contents))
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }
}

#[cfg(feature = "stores")]
fn is_address(folder: &Path) -> Result<bool, String> {
    let is_address = stores::Location::is_address(folder.as_os_str().as_bytes());
    if is_address && !crate::store::is_tree(folder) {
        crate::store::location(folder)?;
    }
    Ok(is_address)
}

#[cfg(not(feature = "stores"))]
fn is_address(folder: &Path) -> Result<bool, String> {
    crate::hints::addresses(&[folder.to_owned()]).map_or(Ok(false), Err)
}

/// Makes the bytes what is at an address.
#[cfg(feature = "stores")]
fn put(flags: &ArgMatches, path: &Path, bytes: Vec<u8>) -> Result<(), String> {
    let address = path.to_str().ok_or_else(|| format!("'{}' is not UTF-8", shown(path)))?;
    let overrides = crate::flags::store::overrides(flags);
    stores::put(address, bytes, &overrides).map_err(|error| error.to_string())
}

#[cfg(not(feature = "stores"))]
fn put(_: &ArgMatches, path: &Path, _: Vec<u8>) -> Result<(), String> {
    Err(format!("'{}' is an address of a store", shown(path)))
}

fn cannot_write(path: &Path, refused: &io::Error) -> String {
    match refused.raw_os_error().map(Errno::from_raw_os_error) {
        Some(errno) => Error::new(errno, "write to", path.as_os_str().as_bytes()).to_string(),
        None => format!("cannot write to '{}': {refused}", shown(path)),
    }
}

fn shown(path: &Path) -> String {
    escaped(path.as_os_str().as_bytes())
}
