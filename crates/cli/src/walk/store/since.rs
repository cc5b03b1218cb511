//! `--since`: what changed at an address since the listing whose manifest a file has.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use clap::parser::ValueSource;
use fewer::object::{Object, Objects};
use fewer::snapshot::{Change, ChangeKind};
use fewer::{Answer, Entry, Errno, Filter, Kind};
use stores::{Comparison, KeyRange, Listing, ManifestError, Record};

use super::{BLOCK_BYTES, deepest, results, unknown_type};
use crate::change_printer::ChangePrinter;
use crate::progress::Progress;
use crate::store::{self, Came, Cost, Visitor};
use crate::walk::{filter, write};
use crate::{exit_status, report};

/// The flags that are about entries, and not about changes, or about another kind of listing.
const NOT_FOR_CHANGES: &[&str] = &[
    "count", "format", "printf", "parquet", "arrow", "csv", "checkpoint", "inventory", "max-keys",
];

/// Prints what changed; returns the exit status.
pub(super) fn run(flags: &ArgMatches, paths: &[PathBuf], file: &Path) -> Result<u8, String> {
    if let Some(flag) = NOT_FOR_CHANGES.iter().find(|flag| is_there(flags, flag)) {
        return Err(format!("--{flag} does not go with --since of a store, which prints changes"));
    }
    let [path] = paths else { return Err("--since is for one address of a store".to_owned()) };
    let mut cost = Cost::default();
    let status = match store::is_tree(path) {
        true => changes_in_tree(flags, path, file, &mut cost),
        false => changes_in_bucket(flags, path, file, &mut cost),
    }?;
    if flags.get_flag("calls") {
        cost.print(flags.get_flag("json"));
    }
    Ok(status)
}

fn is_there(flags: &ArgMatches, flag: &str) -> bool {
    // Tables are not in every build.
    matches!(flags.try_contains_id(flag), Ok(true))
        && flags.value_source(flag) == Some(ValueSource::CommandLine)
}

fn changes_in_bucket(
    flags: &ArgMatches,
    path: &Path,
    file: &Path,
    cost: &mut Cost,
) -> Result<u8, String> {
    let location = store::location(path)?;
    let list = store::list(flags, &location).sorted(true);
    let endpoint = list.endpoint().map_err(|error| error.to_string())?;
    let listing = Listing { address: location.address(), endpoint, is_tree: false };
    let objects = Objects::below(location.address().as_bytes());
    let mut since = Since::open(flags, file, listing, objects, location.front().into_bytes())?;
    let (outcome, error) = store::visit_bucket(&list, &location, usize::MAX, &mut since, cost);
    if let Some(message) = error {
        since.complain(&message);
        since.unlisted(b"");
    }
    Ok(since.finish(Came::of(outcome.keys, since.has_failed)))
}

fn changes_in_tree(
    flags: &ArgMatches,
    path: &Path,
    file: &Path,
    cost: &mut Cost,
) -> Result<u8, String> {
    let address = store::address(path)?;
    let tree = store::tree(flags, &address).sorted(true);
    let name = format!("hdfs://{}{}", address.authority(), address.path());
    let listing = Listing { address: name, endpoint: None, is_tree: true };
    let objects = Objects::in_tree(address.as_str().as_bytes());
    let front = address.as_str().as_bytes().to_vec();
    let mut since = Since::open(flags, file, listing, objects, front)?;
    let came = store::visit_tree(&tree, &address, usize::MAX, &mut since, cost);
    Ok(since.finish(came))
}

/// A listing that is compared with an earlier one.
struct Since {
    /// `None` once it failed or nothing more is wanted.
    comparison: Option<Comparison>,
    /// All is compared, whatever is printed.
    all: Filter,
    shown: Shown,
    /// The address in front of a key, or that of the root of a tree.
    front: Vec<u8>,
    is_tree: bool,
    out: Output,
    progress: Progress,
    unreported: (usize, usize),
    has_failed: bool,
}

/// Which changes are printed.
struct Shown {
    filter: Filter,
    objects: Objects,
    deepest: usize,
    /// How many are still wanted.
    left: usize,
}

/// Changes on their way to standard output.
struct Output {
    printer: ChangePrinter,
    bytes: Vec<u8>,
    /// Why standard output takes no more.
    refused: Option<Errno>,
}

impl Since {
    fn open(
        flags: &ArgMatches,
        file: &Path,
        listing: Listing,
        objects: Objects,
        front: Vec<u8>,
    ) -> Result<Since, String> {
        if let Some(flag) = unknown_type(flags, listing.is_tree) {
            return Err(format!("{flag}: a store does not tell it"));
        }
        let shown = Shown {
            filter: filter::from_flags(flags)?,
            objects,
            deepest: deepest(flags).unwrap_or(usize::MAX),
            left: results(flags),
        };
        let is_tree = listing.is_tree;
        let update = flags.get_flag("update");
        let comparison = Comparison::open(file, listing, update);
        if update {
            // Then the new manifest does not stay beside the old one.
            sys::note_ends();
        }
        let progress = Progress::new(if is_tree { "entries" } else { "keys" });
        Ok(Since {
            comparison: Some(comparison.map_err(|error| error.to_string())?),
            all: Filter::new(),
            shown,
            front,
            is_tree,
            out: Output {
                printer: ChangePrinter::from_flags(flags),
                bytes: Vec::new(),
                refused: None,
            },
            progress: progress.unless_unwanted(flags),
            unreported: (0, 0),
            has_failed: false,
        })
    }

    /// What is below here is not gone.
    fn unlisted(&mut self, path: &[u8]) {
        if let Some(comparison) = &mut self.comparison {
            comparison.unlisted(path);
        }
    }

    /// Once nothing more is found: prints what is gone, and writes the manifest.
    fn finish(&mut self, came: Came) -> u8 {
        let mut comparison = self.comparison.take();
        let mut done = Ok(Answer::Continue);
        if let Some(comparison) = &mut comparison {
            let (shown, out) = (&mut self.shown, &mut self.out);
            let (front, is_tree) = (&self.front, self.is_tree);
            done = comparison.rest(&mut |kind, record| {
                shown.print(kind, record, &address(front, record.path, is_tree), is_tree, out)
            });
        }
        self.out.write();
        self.progress.clear();
        if let Some(errno) = self.out.refused {
            return report::cannot_write(errno);
        }
        // The last: what is not printed would be no change the next time.
        let saved = done.and_then(|answer| match comparison.filter(|_| answer != Answer::Stop) {
            Some(comparison) => comparison.save(),
            None => Ok(()),
        });
        if let Err(error) = saved {
            self.complain(&error);
        }
        if let Some(signal) = sys::noted_end() {
            sys::die_of(signal);
        }
        let status = Came::status(&[came]);
        if self.has_failed { status.max(exit_status::SOME_FAILED) } else { status }
    }

    /// Ends the comparison, whose manifest is not written then.
    fn stop(&mut self) -> Answer {
        self.comparison = None;
        Answer::Stop
    }

    fn complain(&mut self, message: &dyn std::fmt::Display) {
        self.has_failed = true;
        self.progress.clear();
        report::complain(message);
    }

    fn compare(&mut self, record: &Record<'_>, now: &[u8]) -> Result<Answer, ManifestError> {
        let Some(comparison) = &mut self.comparison else { return Ok(Answer::Stop) };
        let (shown, out, front, is_tree) =
            (&mut self.shown, &mut self.out, &self.front, self.is_tree);
        comparison.found(record, &mut |kind, record| {
            let gone;
            let address = match kind {
                ChangeKind::Removed => {
                    gone = address(front, record.path, is_tree);
                    &gone
                }
                _ => now,
            };
            shown.print(kind, record, address, is_tree, out)
        })
    }
}

impl Visitor for Since {
    fn filter(&self) -> &Filter {
        &self.all
    }

    fn entry(&mut self, entry: Entry<'_>, object: Option<&stores::Object<'_>>) -> Answer {
        self.unreported.0 += 1;
        self.unreported.1 += usize::from(entry.is_dir());
        if self.unreported.0 >= Progress::EVERY {
            let (entries, directories) = std::mem::take(&mut self.unreported);
            self.progress.add_tree(entries, directories);
        }
        let now = entry.path_bytes();
        let path = now.get(self.front.len()..).unwrap_or_default();
        let path = match self.is_tree {
            true => path.strip_prefix(b"/").unwrap_or(path),
            false => path,
        };
        let Ok(stat) = entry.stat(store::fields(self.is_tree)) else { return Answer::Continue };
        let record = Record {
            path,
            is_directory: entry.is_dir(),
            size: stat.size(),
            modified: stat.modified(),
            etag: object.and_then(|object| stores::etag_hash(object.etag)),
            permissions: self.is_tree.then(|| stat.permissions()),
        };
        match self.compare(&record, now) {
            Ok(answer) if answer != Answer::Stop && sys::noted_end().is_none() => answer,
            Ok(_) => self.stop(),
            Err(error) => {
                self.complain(&error);
                self.stop()
            }
        }
    }

    fn between_pages(&mut self, _: &dyn Fn() -> Vec<KeyRange>) -> Answer {
        if sys::noted_end().is_some() { self.stop() } else { Answer::Continue }
    }

    fn failed(&mut self, address: &[u8], message: &str) {
        self.complain(&message);
        let path = address.get(self.front.len()..).unwrap_or_default().to_vec();
        self.unlisted(path.strip_prefix(b"/").unwrap_or(&path));
    }
}

impl Shown {
    /// Prints a change if it is wanted.
    fn print(
        &mut self,
        kind: ChangeKind,
        record: &Record<'_>,
        address: &[u8],
        is_tree: bool,
        out: &mut Output,
    ) -> Answer {
        let of = if record.is_directory { Kind::Directory } else { Kind::File };
        let object = match is_tree {
            true => {
                let permissions = record.permissions.unwrap_or_default();
                Object::in_tree(of, record.size, record.modified, permissions)
            }
            false => Object::new(address, record.size, record.modified),
        };
        let entry = self.objects.entry(address, &object);
        let accepted = self.objects.accept(&self.filter, &entry).unwrap_or(false);
        if !accepted || entry.depth() > self.deepest {
            return Answer::Continue;
        }
        let change = Change { kind, entry: of, path: address.into(), from: None };
        out.printer.print(&change, &mut out.bytes);
        self.left -= 1;
        if out.bytes.len() >= BLOCK_BYTES && out.write() == Answer::Stop || self.left == 0 {
            return Answer::Stop;
        }
        Answer::Continue
    }
}

impl Output {
    fn write(&mut self) -> Answer {
        let answer = write(&self.bytes, &mut self.refused);
        self.bytes.clear();
        answer
    }
}

/// The address of what is gone.
fn address(front: &[u8], path: &[u8], is_tree: bool) -> Vec<u8> {
    let slash: &[u8] = match is_tree && !path.is_empty() && !front.ends_with(b"/") {
        true => b"/",
        false => b"",
    };
    [front, slash, path].concat()
}

/// The file of `--since`.
pub(super) fn file(flags: &ArgMatches) -> Option<PathBuf> {
    flags.get_one::<OsString>("since").map(PathBuf::from)
}
