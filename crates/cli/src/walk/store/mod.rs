//! Addresses of stores instead of paths: `fewer walk s3://bucket/prefix`, `hdfs://namenode/path`.
//!
//! | module | what is in it |
//! |---|---|
//! | here | what the flags mean for all of them; keys of a bucket |
//! | `tree` | files and directories of HDFS |

mod tree;

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use fewer::object::{Object, Objects};
use fewer::walk::Visitor;
use fewer::{Answer, Entry, Errno, Fields, Filter};
use stores::hdfs::Address;
use stores::{List, Location, Outcome, hdfs};
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
    let is_tree = |path: &PathBuf| Address::is_address(path.as_os_str().as_bytes());
    let are_trees = paths.iter().all(is_tree);
    if let Some(flag) = store::about_buckets(flags).filter(|_| are_trees) {
        return Err(format!("--{flag} is about buckets, and does not go with hdfs://"));
    }
    let format = OutputFormat::from_flags(flags)?;
    if let Some(flag) = unknown_fields(flags, &format, are_trees) {
        let permissions = if are_trees { " permissions," } else { "" };
        return Err(format!(
            "{flag}: of an object a store tells path, kind, depth,{permissions} size and mtime only"
        ));
    }
    let progress = Progress::new(if are_trees { "entries" } else { "keys" });
    let progress = progress.unless_unwanted(flags);
    let mut listing = Listing {
        flags,
        filter: filter::from_flags(flags)?,
        printer: PrintVisitor::new(&format, &[], &progress),
        out: Vec::new(),
        refused: None,
        left: results(flags),
        outcome: Outcome::default(),
        tree_outcome: hdfs::Outcome::default(),
    };
    let (mut status, mut missing) = (exit_status::OK, 0);
    for path in paths {
        if listing.left == 0 || listing.refused.is_some() {
            break;
        }
        let came = if is_tree(path) { listing.walk(path) } else { listing.list(path) };
        listing.write();
        if came != Came::All {
            status = exit_status::SOME_FAILED;
            missing += usize::from(came == Came::Nothing);
        }
    }
    progress.clear();
    let all_missing = missing == paths.len();
    Ok(listing.finish(if all_missing { exit_status::FAILED } else { status }))
}

/// What came of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    All,
    Some,
    Nothing,
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
    /// Of buckets.
    outcome: Outcome,
    tree_outcome: hdfs::Outcome,
}

impl Listing<'_> {
    fn list(&mut self, path: &Path) -> Came {
        let before = self.outcome.keys;
        let listed = utf8(path).and_then(|address| self.list_bucket(address));
        let Err(message) = listed else { return Came::All };
        self.printer.complain(&message);
        if self.outcome.keys == before { Came::Nothing } else { Came::Some }
    }

    fn list_bucket(&mut self, address: &str) -> Result<(), String> {
        let location = Location::parse(address).map_err(|error| error.to_string())?;
        let front = location.front();
        let objects = Objects::below(location.address().as_bytes());
        let deepest = deepest(self.flags);
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
        self.entry(objects, objects.entry(address, &object), deepest)
    }

    /// Prints an entry that passes the filter.
    fn entry(&mut self, objects: &Objects, entry: Entry<'_>, deepest: usize) -> Answer {
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
            if self.outcome.requests > 0 {
                report::requests(&self.outcome, CENTS_FOR_1000, json);
            }
            if self.tree_outcome.calls > 0 {
                report::name_node_calls(&self.tree_outcome, json);
            }
        }
        status
    }
}

fn utf8(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| format!("'{}' is not UTF-8", path.display()))
}

fn number(flags: &ArgMatches, name: &str) -> Option<usize> {
    flags.get_one::<usize>(name).copied()
}

fn results(flags: &ArgMatches) -> usize {
    let one = flags.get_flag("max-one-result").then_some(1);
    one.or(number(flags, "max-results")).unwrap_or(usize::MAX)
}

/// The deepest level that is wanted.
fn deepest(flags: &ArgMatches) -> Option<usize> {
    number(flags, "max-depth").or(number(flags, "exact-depth"))
}

/// The flag that needs what a store does not tell of an object.
fn unknown_fields(flags: &ArgMatches, format: &OutputFormat, in_tree: bool) -> Option<String> {
    let of_tree: &[Fields] = if in_tree { &Object::FIELDS_IN_TREE } else { &[] };
    let known = Object::FIELDS.iter().chain(of_tree).copied().collect::<Fields>();
    if !known.contains(format.fields()) {
        let flag = if flags.contains_id("format") { "--format" } else { "--printf" };
        return Some(flag.to_owned());
    }
    let executable: &[&str] = if in_tree { &[] } else { &["x", "executable"] };
    let unknown = [executable, &["e", "empty"]].concat();
    let mut types = flags.get_many::<String>("type").into_iter().flatten();
    types.find(|word| unknown.contains(&word.as_str())).map(|word| format!("--type {word}"))
}
