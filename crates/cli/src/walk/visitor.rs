//! What is done with each entry of a walk: it is printed or counted. Errors are reported and
//! counted.

use std::ffi::OsString;
use std::path::PathBuf;
use sys::OsStrExt;

use clap::ArgMatches;
use fewer::format::{FormatError, FormatWriter};
#[cfg(feature = "tables")]
use fewer::walk::Batch;
use fewer::walk::{Item, Visitor};
use fewer::{Answer, Entry, Errno, Error, Format};

use super::pretty::Pretty;
use super::tally::Tally;
use super::{json, plain};
use crate::progress::Progress;
use crate::{report, terminal};

/// How an entry is printed.
pub(super) enum OutputFormat {
    /// Not at all: entries are only counted.
    Count,
    /// As its path, with this byte behind it.
    Plain(u8),
    /// As its path for a person: escaped, coloured, as a hyperlink.
    Pretty(Box<Pretty>),
    /// As a JSON object.
    Json,
    /// After a template, with this behind it.
    Template(Box<Format>, Option<u8>),
}

impl OutputFormat {
    pub(super) fn from_flags(flags: &ArgMatches) -> Result<OutputFormat, String> {
        if flags.get_flag("count") {
            return Ok(OutputFormat::Count);
        }
        if flags.get_flag("json") {
            return Ok(OutputFormat::Json);
        }
        let end = plain::end(flags);
        let template = |flag: &str, parse: fn(&[u8]) -> Result<Format, FormatError>, end| {
            let text = flags.get_one::<OsString>(flag)?;
            let format = parse(text.as_bytes()).map_err(|error| format!("--{flag}: {error}"));
            let escapes = end != Some(0) && terminal::is_stdout();
            Some(format.map(|it| OutputFormat::Template(Box::new(it.escapes(escapes)), end)))
        };
        if let Some(template) = template("format", Format::braces, Some(end))
            .or_else(|| template("printf", Format::percent, None))
        {
            return template;
        }
        Ok(match Pretty::from_flags(flags) {
            Some(pretty) => OutputFormat::Pretty(Box::new(pretty)),
            None => OutputFormat::Plain(end),
        })
    }
}

impl OutputFormat {
    /// The fields that printing an entry needs.
    #[cfg(feature = "stores")]
    pub(super) fn fields(&self) -> fewer::Fields {
        match self {
            OutputFormat::Template(format, _) => format.fields(),
            _ => fewer::Fields::NONE,
        }
    }

    /// Whether printing an entry needs a `statx`.
    pub(super) fn needs_stat(&self) -> bool {
        matches!(self, OutputFormat::Template(format, _) if format.needs_stat())
    }
}

/// One worker's visitor.
pub(super) struct PrintVisitor<'w> {
    format: &'w OutputFormat,
    sorted_roots: &'w [PathBuf],
    progress: &'w Progress,
    /// What fills a template.
    writer: Option<FormatWriter<'w>>,
    /// Entries, and the directories among them.
    unreported: (usize, usize),
    pub(super) tally: Tally,
    pub(super) failed: bool,
    pub(super) failed_roots: usize,
    /// The first root that does not exist.
    pub(super) missing_root: Option<PathBuf>,
}

impl<'w> PrintVisitor<'w> {
    pub(super) fn new(
        format: &'w OutputFormat,
        sorted_roots: &'w [PathBuf],
        progress: &'w Progress,
    ) -> PrintVisitor<'w> {
        let tally = Tally::default();
        let writer = match format {
            OutputFormat::Template(template, _) => Some(template.writer()),
            _ => None,
        };
        PrintVisitor {
            format,
            sorted_roots,
            progress,
            writer,
            unreported: (0, 0),
            tally,
            failed: false,
            failed_roots: 0,
            missing_root: None,
        }
    }

    fn print(&mut self, entry: &Entry<'_>, out: &mut Vec<u8>) {
        match self.format {
            OutputFormat::Count => self.tally.add(entry.kind()),
            OutputFormat::Plain(end) => plain::print(entry, *end, out),
            OutputFormat::Pretty(pretty) => pretty.print(entry, out),
            OutputFormat::Json => json::print(entry, out),
            OutputFormat::Template(_, end) => {
                let written = self.writer.as_mut().map(|writer| writer.write(entry, out));
                match written {
                    Some(Err(error)) => self.complain(&error),
                    _ => out.extend(end),
                }
            }
        }
    }

    /// Counts entries for the progress.
    #[inline]
    fn count(&mut self, entries: usize, directories: usize) {
        self.unreported.0 += entries;
        self.unreported.1 += directories;
        if self.unreported.0 >= Progress::EVERY {
            let (entries, directories) = std::mem::take(&mut self.unreported);
            self.progress.add_tree(entries, directories);
        }
    }

    /// Counts the entries of a batch, and reports its failures.
    #[cfg(feature = "tables")]
    pub(super) fn batch(&mut self, batch: &Batch) {
        let is_directory = |record: &&fewer::walk::Record| record.kind == fewer::Kind::Directory;
        let directories = batch.entries().iter().filter(is_directory).count();
        self.count(batch.entries().len(), directories);
        for failure in batch.failures() {
            self.fail(&batch.error(failure));
        }
    }

    /// Reports why there is no more of a path.
    fn fail(&mut self, error: &Error) {
        let is_root = self.sorted_roots.binary_search_by(|r| (**r).cmp(error.path())).is_ok();
        let is_root = is_root && error.action() == fewer::Action::ACCESS;
        self.failed_roots += usize::from(is_root);
        if is_root && error.errno() == Errno::NOENT {
            self.missing_root.get_or_insert_with(|| error.path().to_owned());
        }
        self.complain(error);
    }

    pub(super) fn complain(&mut self, error: &dyn std::fmt::Display) {
        self.failed = true;
        self.progress.clear();
        report::complain(error);
    }
}

impl Visitor for PrintVisitor<'_> {
    #[inline]
    fn visit(&mut self, item: Item<'_>, out: &mut Vec<u8>) -> Answer {
        match item {
            Ok(entry) => {
                self.print(&entry, out);
                self.count(1, usize::from(entry.is_dir()));
            }
            Err(error) => self.fail(&error),
        }
        Answer::Continue
    }

    fn line_end(&self) -> Option<u8> {
        match self.format {
            OutputFormat::Plain(end) => Some(*end),
            _ => None,
        }
    }

    fn printed(&mut self, entries: usize, directories: usize) {
        self.count(entries, directories);
    }
}
