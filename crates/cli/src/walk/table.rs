//! What is found as a table: in a file, or on standard output.

#[cfg(feature = "stores")]
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::ArgMatches;
#[cfg(feature = "stores")]
use fewer::Entry;
use fewer::walk::Batch;
use fewer::whole_file::NewFile;
use fewer::{Action, Answer, Errno, Error, Fields};
use sys::OsStrExt;
use tables::{Row, TableWriter};

use super::Request;
use super::visitor::{OutputFormat, PrintVisitor};
use crate::progress::Progress;
use crate::{exit_status, flags, report, terminal};

/// A table that is being written.
pub(super) struct Table<'f> {
    path: &'f Path,
    /// Inode and device of the file, which is no row of its own table.
    identity: Option<(u64, u64)>,
    writer: TableWriter<Output>,
    /// Why it cannot be written.
    refused: Option<io::Error>,
}

/// Where a table goes.
enum Output {
    Stdout,
    File(NewFile),
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout => sys::write_all(sys::STDOUT, bytes)?,
            Output::File(file) => file.write(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'f> Table<'f> {
    /// Begins the table that the flags ask for, if they do. If it is a file, the signals that end
    /// a program are noted from then on.
    pub(super) fn from_flags(
        flags: &'f ArgMatches,
        of_store: bool,
    ) -> Result<Option<Table<'f>>, String> {
        let Some((format, path)) = flags::table::format(flags) else { return Ok(None) };
        let path = Path::new(path);
        let (output, identity) = if path.as_os_str() == "-" {
            if terminal::is_stdout() {
                return Err("a table is not for a terminal, which names could control".to_owned());
            }
            (Output::Stdout, None)
        } else {
            sys::note_ends();
            let made = NewFile::create(path).and_then(|file| {
                let identity = file.identity()?;
                Ok((Output::File(file), Some(identity)))
            });
            made.map_err(|errno| error(errno, Action::CREATE, path).to_string())?
        };
        let writer = TableWriter::new(format, of_store, output);
        let writer = writer.map_err(|refused| cannot_write(path, &refused))?;
        Ok(Some(Table { path, identity, writer, refused: None }))
    }

    /// The file that the flags ask for.
    #[cfg(feature = "stores")]
    pub(super) fn file(flags: &'f ArgMatches) -> Option<&'f OsString> {
        Some(flags::table::format(flags)?.1)
    }

    /// Whether a flag asks for a table.
    #[cfg(feature = "stores")]
    pub(super) fn is_flag(name: &str) -> bool {
        flags::table::is_one(name)
    }

    /// Adds an entry of a store, which in a bucket is what the object stands for.
    #[cfg(feature = "stores")]
    pub(super) fn push_object(
        &mut self,
        entry: &Entry<'_>,
        object: Option<&stores::Object<'_>>,
    ) -> Answer {
        crate::store::with_row(entry, object, |row| self.push(row))
    }

    /// Whether it takes no more.
    pub(super) fn is_stopped(&self) -> bool {
        self.refused.is_some() || sys::noted_end().is_some()
    }

    /// Adds a failure.
    pub(super) fn push_failure(&mut self, path: &[u8], message: &str) -> Answer {
        self.push(&Row::failure(path, message))
    }

    fn push(&mut self, row: &Row<'_>) -> Answer {
        // What was refused once is not tried again: then the table would lack a part.
        if self.refused.is_none() {
            self.refused = self.writer.push(row).err();
        }
        if self.is_stopped() { Answer::Stop } else { Answer::Continue }
    }

    /// Adds entries and failures, in the order of the walk.
    fn push_batch(&mut self, batch: &Batch) -> Answer {
        tables::each_row(batch, 0, |row| {
            let identity = row.stat.map(|stat| (stat.inode(), stat.device()));
            let is_itself = identity.is_some() && identity == self.identity;
            if is_itself { Answer::Continue } else { self.push(row) }
        })
    }

    /// Ends the table. If the work failed altogether a file stays as it was. Returns the exit
    /// status; a signal that was noted ends the process.
    pub(super) fn finish(self, status: u8) -> u8 {
        let Table { path, writer, refused, .. } = self;
        if let Some(signal) = sys::noted_end() {
            drop(writer);
            sys::die_of(signal);
        }
        if let Some(refused) = refused {
            drop(writer);
            return fail(path, &refused);
        }
        let finished = match writer.finish() {
            Ok(Output::File(file)) if status != exit_status::FAILED => {
                file.finish().map_err(io::Error::from)
            }
            Ok(_) => Ok(()),
            Err(refused) => Err(refused),
        };
        finished.map_or_else(|refused| fail(path, &refused), |()| status)
    }
}

/// Walks, and writes the table. Returns the exit status.
pub(super) fn run(request: &Request<'_>, mut table: Table<'_>) -> u8 {
    let is_file = table.path.as_os_str() != "-";
    let progress = if is_file { Progress::before_results() } else { Progress::new("entries") };
    let progress = progress.unless_unwanted(request.flags);
    let mut visitor = PrintVisitor::new(&OutputFormat::Count, &request.roots, &progress);
    let walk = request.walk.clone().stat(Fields::ALL);
    let mut batches = walk.batches().cancel_when(|| sys::noted_end().is_some());
    let mut answer = Answer::Continue;
    while let (Answer::Continue, Some(batch)) = (answer, batches.next()) {
        visitor.batch(batch);
        answer = table.push_batch(batch);
    }
    drop(batches);
    progress.clear();
    let status = match table.is_stopped() {
        true => exit_status::FAILED,
        false => request.finish(&[visitor]),
    };
    table.finish(status)
}

/// Reports why a table cannot be written, and returns the status of total failure.
fn fail(path: &Path, refused: &io::Error) -> u8 {
    match errno(refused) {
        Some(errno) if path.as_os_str() == "-" => report::cannot_write(errno),
        _ => report::fail(&cannot_write(path, refused)),
    }
}

fn cannot_write(path: &Path, refused: &io::Error) -> String {
    match errno(refused) {
        Some(errno) => error(errno, "write to", path).to_string(),
        None => {
            let name = fewer::present::escaped(path.as_os_str().as_bytes());
            format!("cannot write to '{name}': {refused}")
        }
    }
}

fn errno(refused: &io::Error) -> Option<Errno> {
    refused.raw_os_error().map(Errno::from_raw_os_error)
}

fn error(errno: Errno, action: impl Into<Action>, path: &Path) -> Error {
    Error::new(errno, action, path.as_os_str().as_bytes())
}
