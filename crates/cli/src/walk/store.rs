//! Addresses of object stores instead of paths: `fewer walk s3://bucket/prefix`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use fewer::object::{Object, Objects};
use fewer::walk::Visitor;
use fewer::{Answer, Errno, Fields, Filter};
use stores::{List, Location, Outcome};
use sys::OsStrExt;

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
        return None;
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
    Ok(listing.finish(status))
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
}

impl Listing<'_> {
    fn list(&mut self, path: &Path) -> Result<(), String> {
        let address = path.to_str().ok_or_else(|| format!("'{}' is not UTF-8", path.display()))?;
        let location = Location::parse(address).map_err(|error| error.to_string())?;
        let front = location.front();
        let objects = Objects::below(location.address().as_bytes());
        let deepest = number(self.flags, "max-depth").or(number(self.flags, "exact-depth"));
        let mut list = List::new(location)
            .overrides(store::overrides(self.flags))
            .sorted(self.flags.get_flag("sort"))
            .one_level(deepest == Some(1));
        if let Some(requests) = self.flags.get_one::<u16>("threads").copied() {
            list = list.requests(NonZero::new(requests.into()).unwrap_or(NonZero::<usize>::MIN));
        }
        let mut address = front.into_bytes();
        let front = address.len();
        let listed = list.run(|found| {
            address.truncate(front);
            address.extend_from_slice(found.key);
            self.object(&objects, &address, found, deepest.unwrap_or(usize::MAX))
        });
        let (outcome, error) = match listed {
            Ok(outcome) => (outcome, None),
            Err(failed) => (*failed.outcome, Some(failed.error.to_string())),
        };
        self.write();
        self.outcome.keys += outcome.keys;
        self.outcome.requests += outcome.requests;
        self.outcome.repeated += outcome.repeated;
        self.outcome.slowed += outcome.slowed;
        error.map_or(Ok(()), Err)
    }

    fn object(
        &mut self,
        objects: &Objects,
        address: &[u8],
        found: stores::Object<'_>,
        deepest: usize,
    ) -> Answer {
        let object = Object::new(address, found.size, found.modified);
        let entry = objects.entry(address, &object);
        if entry.depth() > deepest || !objects.accept(&self.filter, &entry).unwrap_or(false) {
            return Answer::Continue;
        }
        self.printer.visit(Ok(entry), &mut self.out);
        self.left -= 1;
        if self.out.len() >= BLOCK_BYTES && self.write() == Answer::Stop || self.left == 0 {
            return Answer::Stop;
        }
        Answer::Continue
    }

    fn write(&mut self) -> Answer {
        let answer = write(&self.out, &mut self.refused);
        self.out.clear();
        answer
    }

    fn finish(self, mut status: u8) -> u8 {
        let json = self.flags.get_flag("json");
        if self.printer.failed {
            status = status.max(exit_status::SOME_FAILED);
        }
        if let Some(errno) = self.refused {
            return report::cannot_write(errno);
        }
        if self.flags.get_flag("count") {
            let tally: &Tally = &self.printer.tally;
            status = status.max(report::print(tally.line(json).as_bytes()));
        }
        if self.flags.get_flag("calls") {
            report::requests(&self.outcome, CENTS_FOR_1000, json);
        }
        status
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
