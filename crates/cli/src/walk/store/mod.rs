//! Addresses of object stores instead of paths: `fewer walk s3://bucket/prefix`.

mod checkpoints;

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use fewer::object::{Object, Objects};
use fewer::walk::Visitor as _;
use fewer::{Answer, Errno, Fields, Filter};
use stores::{KeyRange, List, Location, Outcome, Visitor};
use sys::OsStrExt;

use checkpoints::Checkpoints;

use super::visitor::{OutputFormat, PrintVisitor};
use super::{Tally, filter, write};
use crate::flags::{self, store};
use crate::progress::Progress;
use crate::{exit_status, report};

/// So many bytes are written at once.
const BLOCK_BYTES: usize = 64 << 10;

/// What S3 takes for 1,000 list requests in the region us-east-1, in cents; source: its price list
/// of 2026.
const CENTS_FOR_1000: f64 = 0.5;

/// Lists what is in stores; `None` if the paths are no addresses of stores.
pub(super) fn run(flags: &ArgMatches) -> Option<u8> {
    let paths = flags::paths(flags);
    let is_address = |path: &PathBuf| Location::is_address(path.as_os_str().as_bytes());
    if !paths.iter().any(is_address) {
        let is_meant = flags.contains_id("checkpoint");
        return is_meant.then(|| report::fail(&"--checkpoint is for addresses of stores"));
    }
    let status = match paths.iter().find(|path| !is_address(path)) {
        Some(path) => Err(format!("'{}' is no address, and others are", path.display())),
        None => list_all(flags, &paths),
    };
    Some(status.unwrap_or_else(|message| report::fail(&message)))
}

fn list_all(flags: &ArgMatches, paths: &[PathBuf]) -> Result<u8, String> {
    if let Some(flag) = store::about_files(flags) {
        return Err(format!("--{flag} is about files, and does not go with addresses of stores"));
    }
    if paths.len() > 1 && flags.contains_id("checkpoint") {
        return Err("--checkpoint is for one address".to_owned());
    }
    let format = OutputFormat::from_flags(flags)?;
    if let Some(flag) = unknown_fields(flags, &format) {
        return Err(format!(
            "{flag}: of an object a store tells path, kind, depth, size and mtime only"
        ));
    }
    let progress = Progress::new("keys").unless_unwanted(flags);
    let mut listing = Listing {
        flags,
        filter: filter::from_flags(flags)?,
        printer: PrintVisitor::new(&format, &[], &progress),
        out: Vec::new(),
        refused: None,
        left: results(flags),
        outcome: Outcome::default(),
        checkpoints: None,
    };
    let mut status = exit_status::OK;
    for path in paths {
        if listing.left == 0 || listing.refused.is_some() {
            break;
        }
        if let Err(error) = listing.list(path) {
            progress.clear();
            report::complain(&error);
            let nothing = listing.outcome.keys == 0 && paths.len() == 1;
            status = if nothing { exit_status::FAILED } else { exit_status::SOME_FAILED };
        }
    }
    progress.clear();
    let end = sys::noted_end().filter(|_| listing.is_in_part());
    let status = listing.finish(status);
    if let Some(signal) = end {
        sys::die_of(signal);
    }
    Ok(status)
}

/// A listing under way.
struct Listing<'w> {
    flags: &'w ArgMatches,
    filter: Filter,
    printer: PrintVisitor<'w>,
    out: Vec<u8>,
    /// Why standard output takes no more.
    refused: Option<Errno>,
    /// How many results are still wanted.
    left: usize,
    outcome: Outcome,
    checkpoints: Option<Checkpoints>,
}

impl Listing<'_> {
    fn list(&mut self, path: &Path) -> Result<(), String> {
        let address = path.to_str().ok_or_else(|| format!("'{}' is not UTF-8", path.display()))?;
        let location = Location::parse(address).map_err(|error| error.to_string())?;
        let deepest = number(self.flags, "max-depth").or(number(self.flags, "exact-depth"));
        let mut list = List::new(location.clone())
            .overrides(store::overrides(self.flags))
            .sorted(self.flags.get_flag("sort"))
            .one_level(deepest == Some(1));
        if let Some(requests) = self.flags.get_one::<u16>("threads").copied() {
            list = list.requests(NonZero::new(requests.into()).unwrap_or(NonZero::<usize>::MIN));
        }
        self.checkpoints = Checkpoints::open(self.flags, &location, &list)?;
        if let Some(checkpoints) = &self.checkpoints {
            list = list.in_ranges().ranges(checkpoints.left().to_vec());
            self.printer.tally = Tally::of_counts(checkpoints.counts());
        }
        let mut objects = Found {
            objects: Objects::below(location.address().as_bytes()),
            front: location.front().len(),
            address: location.front().into_bytes(),
            deepest: deepest.unwrap_or(usize::MAX),
            listing: self,
        };
        let listed = list.visit(&mut objects);
        let (outcome, error) = match listed {
            Ok(outcome) => (outcome, None),
            Err(failed) => (*failed.outcome, Some(failed.error.to_string())),
        };
        self.write();
        self.save(outcome.left);
        self.outcome.keys += outcome.keys;
        self.outcome.requests += outcome.requests;
        self.outcome.repeated += outcome.repeated;
        self.outcome.slowed += outcome.slowed;
        error.map_or(Ok(()), Err)
    }

    /// At the end of a listing: the checkpoint has what is left.
    fn save(&mut self, left: Vec<KeyRange>) {
        let Some(checkpoints) = &mut self.checkpoints else { return };
        let is_written = self.refused.is_none();
        if is_written {
            checkpoints.written(left);
        }
        if !checkpoints.left().is_empty() && checkpoints.failed().is_none() {
            checkpoints.save(self.printer.tally.counts(), is_written);
        }
    }

    fn write(&mut self) -> Answer {
        let answer = match &self.checkpoints {
            // Should the reader be gone, there is something to be saved.
            Some(_) => match sys::write_all(sys::STDOUT, &self.out) {
                Ok(()) => Answer::Continue,
                Err(errno) => {
                    self.refused = Some(errno);
                    Answer::Stop
                }
            },
            None => write(&self.out, &mut self.refused),
        };
        self.out.clear();
        answer
    }

    /// Whether a checkpoint says that something is left.
    fn is_in_part(&self) -> bool {
        self.checkpoints.as_ref().is_some_and(|checkpoints| !checkpoints.left().is_empty())
    }

    fn finish(mut self, mut status: u8) -> u8 {
        let json = self.flags.get_flag("json");
        if self.printer.failed {
            status = status.max(exit_status::SOME_FAILED);
        }
        if let Some(errno) = self.refused {
            return report::cannot_write(errno);
        }
        if self.flags.get_flag("count") && !self.is_in_part() {
            let tally: &Tally = &self.printer.tally;
            status = status.max(report::print(tally.line(json).as_bytes()));
        }
        if self.flags.get_flag("calls") {
            report::requests(&self.outcome, CENTS_FOR_1000, json);
        }
        // The very last: without a checkpoint the listing would begin anew.
        if let Err(error) = self.checkpoints.take().map_or(Ok(()), Checkpoints::end) {
            report::complain(&error);
            status = status.max(exit_status::SOME_FAILED);
        }
        status
    }
}

/// What is done with what is found at an address.
struct Found<'l, 'w> {
    objects: Objects,
    /// The address of the last object, and how much of it is that of the bucket.
    address: Vec<u8>,
    front: usize,
    deepest: usize,
    listing: &'l mut Listing<'w>,
}

impl Visitor for Found<'_, '_> {
    fn object(&mut self, found: stores::Object<'_>) -> Answer {
        let listing = &mut *self.listing;
        self.address.truncate(self.front);
        self.address.extend_from_slice(found.key);
        let object = Object::new(&self.address, found.size, found.modified);
        let entry = self.objects.entry(&self.address, &object);
        let is_wanted = entry.depth() <= self.deepest
            && self.objects.accept(&listing.filter, &entry).unwrap_or(false);
        if !is_wanted {
            return Answer::Continue;
        }
        listing.printer.visit(Ok(entry), &mut listing.out);
        listing.left -= 1;
        // A checkpoint is for whole pages.
        let is_time = listing.out.len() >= BLOCK_BYTES && listing.checkpoints.is_none();
        if is_time && listing.write() == Answer::Stop || listing.left == 0 {
            return Answer::Stop;
        }
        Answer::Continue
    }

    fn between_pages(&mut self, left: &dyn Fn() -> Vec<KeyRange>) -> Answer {
        let listing = &mut *self.listing;
        let Some(checkpoints) = &listing.checkpoints else { return Answer::Continue };
        let is_end = sys::noted_end().is_some();
        let is_due = checkpoints.is_due();
        if listing.out.len() < BLOCK_BYTES && !is_due && !is_end {
            return Answer::Continue;
        }
        if listing.write() == Answer::Stop {
            return Answer::Stop;
        }
        let Some(checkpoints) = &mut listing.checkpoints else { return Answer::Continue };
        checkpoints.written(left());
        let is_saved = !is_due || checkpoints.save(listing.printer.tally.counts(), false);
        if is_end || !is_saved { Answer::Stop } else { Answer::Continue }
    }
}

fn number(flags: &ArgMatches, name: &str) -> Option<usize> {
    flags.get_one::<usize>(name).copied()
}

fn results(flags: &ArgMatches) -> usize {
    let one = flags.get_flag("max-one-result").then_some(1);
    one.or(number(flags, "max-results")).unwrap_or(usize::MAX)
}

/// The flag that needs what a store does not tell of an object.
fn unknown_fields(flags: &ArgMatches, format: &OutputFormat) -> Option<String> {
    let known = Object::FIELDS.into_iter().collect::<Fields>();
    if !known.contains(format.fields()) {
        let flag = if flags.contains_id("format") { "--format" } else { "--printf" };
        return Some(flag.to_owned());
    }
    let types = flags.get_many::<String>("type").into_iter().flatten();
    let mut types = types.filter(|word| ["x", "executable", "e", "empty"].contains(&word.as_str()));
    types.next().map(|word| format!("--type {word}"))
}
