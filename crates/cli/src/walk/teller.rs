//! The visitor: prints or counts, and keeps account of errors.

use std::path::PathBuf;

use clap::ArgMatches;
use fewer::walk::{Item, Visitor};
use fewer::{Answer, Entry};

use super::pretty::Pretty;
use super::tally::Tally;
use super::{json, plain};
use crate::progress::Progress;
use crate::report;

/// What is told of each entry.
pub(super) enum Telling {
    /// Nothing: they are counted.
    Count,
    /// Its path, and this byte behind it.
    Plain(u8),
    /// Its path for somebody who looks at it.
    Pretty(Box<Pretty>),
    /// An object.
    Json,
}

impl Telling {
    pub(super) fn from_flags(flags: &ArgMatches) -> Telling {
        if flags.get_flag("count") {
            return Telling::Count;
        }
        if flags.get_flag("json") {
            return Telling::Json;
        }
        match Pretty::from_flags(flags) {
            Some(pretty) => Telling::Pretty(Box::new(pretty)),
            None => Telling::Plain(plain::end(flags)),
        }
    }
}

/// One worker's visitor.
pub(super) struct Teller<'w> {
    telling: &'w Telling,
    sorted_roots: &'w [PathBuf],
    progress: &'w Progress,
    seen: usize,
    pub(super) tally: Tally,
    pub(super) failed: bool,
    pub(super) failed_roots: usize,
}

impl<'w> Teller<'w> {
    pub(super) fn new(
        telling: &'w Telling,
        sorted_roots: &'w [PathBuf],
        progress: &'w Progress,
    ) -> Teller<'w> {
        let tally = Tally::default();
        Teller { telling, sorted_roots, progress, seen: 0, tally, failed: false, failed_roots: 0 }
    }

    fn tell(&mut self, entry: &Entry<'_>, out: &mut Vec<u8>) {
        match self.telling {
            Telling::Count => self.tally.add(entry.kind()),
            Telling::Plain(end) => plain::print(entry, *end, out),
            Telling::Pretty(pretty) => pretty.print(entry, out),
            Telling::Json => json::print(entry, out),
        }
    }
}

impl Visitor for Teller<'_> {
    #[inline]
    fn visit(&mut self, item: Item<'_>, out: &mut Vec<u8>) -> Answer {
        match item {
            Ok(entry) => {
                self.tell(&entry, out);
                self.seen += 1;
                if self.seen.is_multiple_of(Progress::EVERY) {
                    self.progress.add(Progress::EVERY);
                }
            }
            Err(error) => {
                self.failed = true;
                let is_root =
                    self.sorted_roots.binary_search_by(|r| (**r).cmp(error.path())).is_ok();
                self.failed_roots += usize::from(is_root && error.action() == "access");
                self.progress.clear();
                report::complain(&error);
            }
        }
        Answer::Continue
    }
}
