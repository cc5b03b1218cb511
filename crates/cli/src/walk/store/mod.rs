//! Addresses of stores instead of paths: `fewer walk s3://bucket/prefix`, `gs://…`,
//! `az://…`, `https://host/path`, `hdfs://namenode/path`.
//!
//! | module | what is in it |
//! |---|---|
//! | here | what the flags mean, and what is done with what is found |
//! | `address` | one address: a bucket, perhaps from a checkpoint, or a tree |
//! | `checkpoints` | what is left of a listing, kept in a file |
//! | `since` | what changed since an earlier listing |

mod address;
mod checkpoints;
mod since;

use std::path::PathBuf;

use clap::ArgMatches;
use fewer::walk::Visitor as _;
use fewer::{Answer, Entry, Errno, Filter};
use stores::KeyRange;

use checkpoints::Checkpoints;

use super::table::Table;
use super::visitor::{OutputFormat, PrintVisitor};
use super::{Tally, filter, write};
use crate::flags::store::about_files;
use crate::progress::Progress;
use crate::store::{self, Came, Cost};
use crate::{exit_status, report};

/// So many bytes are written at once.
const BLOCK_BYTES: usize = 64 << 10;

/// Lists what is in stores; `None` if the paths are no addresses of stores.
pub(super) fn run(flags: &ArgMatches) -> Option<u8> {
    let Some(paths) = store::addresses(flags) else {
        let meant = ["checkpoint", "inventory"].into_iter().find(|flag| flags.contains_id(flag));
        let message = |flag| format!("--{flag} is for addresses of stores");
        return meant.map(|flag| report::fail(&message(flag)));
    };
    let status = paths.and_then(|paths| list_all(flags, &paths));
    Some(status.unwrap_or_else(|message| report::fail(&message)))
}

fn list_all(flags: &ArgMatches, paths: &[PathBuf]) -> Result<u8, String> {
    if let Some(flag) = about_files(flags) {
        return Err(store::is_about_files(&format!("--{flag}")));
    }
    store::refuse_flags(flags, paths)?;
    if let Some(file) = since::file(flags) {
        return since::run(flags, paths, &file);
    }
    refuse_checkpoint(flags, paths)?;
    if flags.contains_id("inventory") && deepest(flags) == Some(1) {
        return Err("--inventory knows no folders, which -d 1 lists".to_owned());
    }
    let are_trees = paths.iter().all(|path| store::is_tree(path));
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
        deepest: deepest(flags).unwrap_or(usize::MAX),
        checkpoints: None,
    };
    let (mut cost, mut came) = (Cost::default(), Vec::new());
    for path in paths {
        if listing.left == 0 || listing.is_stopped() {
            break;
        }
        came.push(match store::is_tree(path) {
            true => listing.walk(path, &mut cost),
            false => listing.list(path, &mut cost),
        });
        listing.write();
    }
    progress.clear();
    let status = Came::status(&came);
    let end = sys::noted_end().filter(|_| listing.is_in_part());
    let status = listing.finish(status, &cost);
    if let Some(signal) = end {
        sys::die_of(signal);
    }
    Ok(status)
}

/// Refuses a checkpoint that these addresses cannot have.
fn refuse_checkpoint(flags: &ArgMatches, paths: &[PathBuf]) -> Result<(), String> {
    if !flags.contains_id("checkpoint") {
        return Ok(());
    }
    if paths.len() > 1 {
        return Err("--checkpoint is for one address".to_owned());
    }
    let stores = store::stores_of(paths);
    match stores.iter().find(|store| !store.lists_ranges()) {
        Some(store) => {
            Err(format!("--checkpoint: {} lists from the beginning alone", store.name()))
        }
        None => Ok(()),
    }
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
    /// The deepest level that is wanted.
    deepest: usize,
    checkpoints: Option<Checkpoints>,
}

impl store::Visitor for Listing<'_> {
    fn filter(&self) -> &Filter {
        &self.filter
    }

    fn most_keys(&self) -> u64 {
        self.flags.get_one("max-keys").copied().unwrap_or(u64::MAX)
    }

    fn entry(&mut self, entry: Entry<'_>, object: Option<&stores::Object<'_>>) -> Answer {
        self.left -= 1;
        if let Some(table) = &mut self.table {
            self.printer.printed(1, usize::from(entry.is_dir()));
            let answer = table.push_object(&entry, object);
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

    fn failed(&mut self, address: &[u8], message: &str) {
        // What a signal has ended is no failure.
        if self.table.is_some() && sys::noted_end().is_some() {
            return;
        }
        self.printer.complain(&message);
        if let Some(table) = &mut self.table {
            // If it cannot be written, that is reported at its end.
            let _ = table.push_failure(address, message);
        }
    }

    fn between_pages(&mut self, left: &dyn Fn() -> Vec<KeyRange>) -> Answer {
        // A table notes the signals that end a program, and so does a checkpoint.
        let is_end = sys::noted_end().is_some();
        if self.table.is_some() {
            return if is_end { Answer::Stop } else { Answer::Continue };
        }
        let Some(checkpoints) = &self.checkpoints else { return Answer::Continue };
        let is_due = checkpoints.is_due();
        if self.out.len() < BLOCK_BYTES && !is_due && !is_end {
            return Answer::Continue;
        }
        if self.write() == Answer::Stop {
            return Answer::Stop;
        }
        let Some(checkpoints) = &mut self.checkpoints else { return Answer::Continue };
        checkpoints.written(left());
        let is_saved = !is_due || checkpoints.save(self.printer.tally.counts(), false);
        if is_end || !is_saved { Answer::Stop } else { Answer::Continue }
    }
}

impl Listing<'_> {
    /// Whether nothing more is wanted.
    fn is_stopped(&self) -> bool {
        self.refused.is_some() || self.table.as_ref().is_some_and(Table::is_stopped)
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

    fn finish(mut self, mut status: u8, cost: &Cost) -> u8 {
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
            cost.print(json);
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
    if !store::fields(in_tree).contains(format.fields()) {
        let flag = if flags.contains_id("format") { "--format" } else { "--printf" };
        return Some(flag.to_owned());
    }
    unknown_type(flags, in_tree)
}

/// The `--type` that a store does not tell of an object.
fn unknown_type(flags: &ArgMatches, in_tree: bool) -> Option<String> {
    let executable: &[&str] = if in_tree { &[] } else { &["x", "executable"] };
    let unknown = [executable, &["e", "empty"]].concat();
    let mut types = flags.get_many::<String>("type").into_iter().flatten();
    types.find(|word| unknown.contains(&word.as_str())).map(|word| format!("--type {word}"))
}
