//! What is done with each entry of a walk: it is printed or counted. Errors are reported and
//! counted.

use std::path::PathBuf;

use clap::ArgMatches;
use fewer::walk::{Item, Visitor};
use fewer::{Answer, Entry};

use super::pretty::Pretty;
use super::tally::Tally;
use super::{json, plain};
use crate::progress::Progress;
use crate::report;

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
}

impl OutputFormat {
    pub(super) fn from_flags(flags: &ArgMatches) -> OutputFormat {
        if flags.get_flag("count") {
            return OutputFormat::Count;
        }
        if flags.get_flag("json") {
            return OutputFormat::Json;
        }
        match Pretty::from_flags(flags) {
            Some(pretty) => OutputFormat::Pretty(Box::new(pretty)),
            None => OutputFormat::Plain(plain::end(flags)),
        }
    }
}

/// One worker's visitor.
pub(super) struct PrintVisitor<'w> {
    format: &'w OutputFormat,
    sorted_roots: &'w [PathBuf],
    progress: &'w Progress,
    seen: usize,
    pub(super) tally: Tally,
    pub(super) failed: bool,
    pub(super) failed_roots: usize,
}

impl<'w> PrintVisitor<'w> {
    pub(super) fn new(
        format: &'w OutputFormat,
        sorted_roots: &'w [PathBuf],
        progress: &'w Progress,
    ) -> PrintVisitor<'w> {
        let tally = Tally::default();
        PrintVisitor {
            format,
            sorted_roots,
            progress,
            seen: 0,
            tally,
            failed: false,
            failed_roots: 0,
        }
    }

    fn print(&mut self, entry: &Entry<'_>, out: &mut Vec<u8>) {
        match self.format {
            OutputFormat::Count => self.tally.add(entry.kind()),
            OutputFormat::Plain(end) => plain::print(entry, *end, out),
            OutputFormat::Pretty(pretty) => pretty.print(entry, out),
            OutputFormat::Json => json::print(entry, out),
        }
    }
}

impl Visitor for PrintVisitor<'_> {
    #[inline]
    fn visit(&mut self, item: Item<'_>, out: &mut Vec<u8>) -> Answer {
        match item {
            Ok(entry) => {
                self.print(&entry, out);
                self.seen += 1;
                if self.seen.is_multiple_of(Progress::EVERY) {
                    self.progress.add(Progress::EVERY);
                }
            }
            Err(error) => {
                self.failed = true;
                let is_root =
                    self.sorted_roots.binary_search_by(|r| (**r).cmp(error.path())).is_ok();
                self.failed_roots +=
                    usize::from(is_root && error.action() == fewer::Action::ACCESS);
                self.progress.clear();
                report::complain(&error);
            }
        }
        Answer::Continue
    }
}
