//! Addresses of stores instead of paths: `fewer walk s3://bucket/prefix`, `gs://…`,
//! `az://…`, `hdfs://namenode/path`.
//!
//! | module | what is in it |
//! |---|---|
//! | here | what the flags mean for all of them |
//! | `bucket` | keys of a bucket |
//! | `checkpoints` | what is left of a listing, kept in a file |
//! | `tree` | files and directories of HDFS |

mod bucket;
mod checkpoints;
mod tree;

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use fewer::object::{Object, Objects};
use fewer::walk::Visitor;
use fewer::{Answer, Entry, Errno, Fields, Filter};
use stores::hdfs::Address;
use stores::{Location, Outcome, Store, hdfs};
use sys::OsStrExt;

use checkpoints::Checkpoints;

use super::table::Table;
use super::visitor::{OutputFormat, PrintVisitor};
use super::{Tally, filter, write};
use crate::flags::{self, store};
use crate::progress::Progress;
use crate::{exit_status, report};

/// So many bytes are written at once.
const BLOCK_BYTES: usize = 64 << 10;

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
    refuse_flags(flags, paths)?;
    let are_trees = paths.iter().all(|path| is_tree(path));
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
        table: Table::from_flags(flags, true)?,
        out: Vec::new(),
        refused: None,
        left: results(flags),
        outcome: Outcome::default(),
        cents: 0.0,
        stores: Vec::new(),
        tree_outcome: hdfs::Outcome::default(),
        checkpoints: None,
    };
    let (mut status, mut missing) = (exit_status::OK, 0);
    for path in paths {
        if listing.left == 0 || listing.is_stopped() {
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
    let status = if all_missing { exit_status::FAILED } else { status };
    let end = sys::noted_end().filter(|_| listing.is_in_part());
    let status = listing.finish(status);
    if let Some(signal) = end {
        sys::die_of(signal);
    }
    Ok(status)
}

/// Refuses flags that these addresses have no answer to.
fn refuse_flags(flags: &ArgMatches, paths: &[PathBuf]) -> Result<(), String> {
    if let Some(flag) = store::about_files(flags) {
        return Err(format!("--{flag} is about files, and does not go with addresses of stores"));
    }
    if let Some(flag) = store::about_buckets(flags).filter(|_| paths.iter().all(|it| is_tree(it))) {
        return Err(format!("--{flag} is about buckets, and does not go with hdfs://"));
    }
    if paths.len() > 1 && flags.contains_id("checkpoint") {
        return Err("--checkpoint is for one address".to_owned());
    }
    let mut stores: Vec<Store> = paths.iter().filter_map(|path| store_of(path)).collect();
    stores.dedup();
    if let Some(flag) = store::about_s3(flags).filter(|_| !stores.contains(&Store::S3)) {
        return Err(format!("--{flag} is about S3, and no address is s3://"));
    }
    let unfit = stores.iter().find(|store| !store.lists_ranges());
    if let Some(store) = unfit.filter(|_| flags.contains_id("checkpoint")) {
        return Err(format!("--checkpoint: {} lists from the beginning alone", store.name()));
    }
    if stores.len() > 1 && flags.contains_id("endpoint-url") {
        return Err("--endpoint-url is the server of one store".to_owned());
    }
    Ok(())
}

/// The store that has a bucket; `None` if the address cannot be listed, which is said later.
fn store_of(path: &Path) -> Option<Store> {
    Some(Location::parse(path.to_str()?).ok()?.store())
}

fn is_tree(path: &Path) -> bool {
    Address::is_address(path.as_os_str().as_bytes())
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
    /// In place of what is printed.
    table: Option<Table<'w>>,
    out: Vec<u8>,
    /// Why standard output takes no more.
    refused: Option<Errno>,
    /// How many results are still wanted.
    left: usize,
    /// Of buckets.
    outcome: Outcome,
    cents: f64,
    /// Those to which requests were sent.
    stores: Vec<Store>,
    tree_outcome: hdfs::Outcome,
    checkpoints: Option<Checkpoints>,
}

impl Listing<'_> {
    /// Prints an entry that passes the filter. In a bucket it is what this object stands for.
    fn entry(
        &mut self,
        objects: &Objects,
        entry: Entry<'_>,
        object: Option<&stores::Object<'_>>,
        deepest: usize,
    ) -> Answer {
        if entry.depth() > deepest || !objects.accept(&self.filter, &entry).unwrap_or(false) {
            return Answer::Continue;
        }
        self.left -= 1;
        if let Some(table) = &mut self.table {
            let etag = object.map(|object| object.etag).filter(|etag| !etag.is_empty());
            self.printer.printed(1, usize::from(entry.is_dir()));
            let is_folder = object.is_some_and(|object| object.is_common_prefix);
            let answer = table.push_object(&entry, is_folder, etag);
            return if self.left == 0 { Answer::Stop } else { answer };
        }
        self.printer.visit(Ok(entry), &mut self.out);
        // A checkpoint is for whole pages.
        let is_time = self.out.len() >= BLOCK_BYTES && self.checkpoints.is_none();
        if is_time && self.write() == Answer::Stop || self.left == 0 {
            return Answer::Stop;
        }
        Answer::Continue
    }

    /// Whether nothing more is wanted.
    fn is_stopped(&self) -> bool {
        self.refused.is_some() || self.table.as_ref().is_some_and(Table::is_stopped)
    }

    /// Reports that there is no more of an address.
    fn fail(&mut self, address: &[u8], message: &str) {
        self.printer.complain(&message);
        if let Some(table) = &mut self.table {
            // If it cannot be written, that is reported at its end.
            let _ = table.push_failure(address, message);
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
            if self.outcome.requests > 0 {
                report::requests(&self.outcome, self.cents, &self.stores, json);
            }
            if self.tree_outcome.calls > 0 {
                report::name_node_calls(&self.tree_outcome, json);
            }
        }
        let counts = self.printer.tally.counts();
        if let Some(table) = self.table.take() {
            status = table.finish(status);
            if let Some(checkpoints) = &mut self.checkpoints {
                if status == exit_status::FAILED {
                    return status;
                }
                checkpoints.save(counts, true);
            }
        }
        // The very last: without a checkpoint the listing would begin anew.
        if let Err(error) = self.checkpoints.take().map_or(Ok(()), Checkpoints::end) {
            report::complain(&error);
            status = status.max(exit_status::SOME_FAILED);
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
