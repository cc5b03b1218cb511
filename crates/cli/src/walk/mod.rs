//! `fewer walk`: enumerate a tree.
//!
//! | module | what is in it |
//! |---|---|
//! | here | makes the walk that the flags describe, and works out the exit status |
//! | `filter` | flags that choose entries |
//! | `visitor` | what is done with each entry: printed or counted; errors are counted |
//! | `plain`, `pretty`, `json` | how an entry is printed |
//! | `tally` | how entries are counted |
//! | `summary` | what there is, in numbers |
//! | `table` | what is found as Parquet, Arrow or CSV; `no_table` in a build without |
//! | `store` | addresses of stores instead of paths |
//! | `commands` | commands that are run on what is found |

mod commands;
pub(crate) mod filter;
mod json;
mod plain;
mod pretty;
#[cfg(feature = "stores")]
mod store;
mod summary;
#[cfg(feature = "tables")]
mod table;
#[cfg(not(feature = "tables"))]
#[path = "no_table.rs"]
mod table;
mod tally;
mod visitor;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use commands::Commands;
use fewer::compact;
use fewer::path::absolute;
use fewer::{Answer, Order, Walk};
pub(crate) use filter::{kinds, names};
use sys::{Errno, OsStrExt, OsStringExt};
use table::Table;
use tally::Tally;
use visitor::{OutputFormat, PrintVisitor};

use crate::progress::Progress;
use crate::snapshots::SnapshotFile;
use crate::{exit_status, flags, hints, report};

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    #[cfg(feature = "stores")]
    if let Some(status) = store::run(flags) {
        return status;
    }
    let status = Request::from_flags(flags).and_then(|request| {
        if let Some(status) = run_commands(flags, &request)? {
            return Ok(status);
        }
        match Table::from_flags(flags, false)? {
            Some(table) => Ok(table::run(&request, table)),
            None if flags.get_flag("summary") => Ok(summary::run(&request)),
            None => print(&request),
        }
    });
    let status = status.unwrap_or_else(|message| report::fail(&message));
    if flags.get_flag("calls") {
        report::calls(flags.get_flag("json"));
    }
    status
}

/// Runs the commands that the flags say on what is found; `None` if they say none.
fn run_commands(flags: &ArgMatches, request: &Request<'_>) -> Result<Option<u8>, String> {
    Ok(Commands::from_flags(flags)?.map(|commands| commands.run(request)))
}

/// The walk that the flags describe.
struct Request<'f> {
    flags: &'f ArgMatches,
    walk: Walk,
    snapshot: Option<SnapshotFile>,
    /// Sorted, so that a visitor finds out quickly whether a root has failed.
    roots: Vec<PathBuf>,
}

impl<'f> Request<'f> {
    fn from_flags(flags: &'f ArgMatches) -> Result<Request<'f>, String> {
        let mut roots = roots(flags)?;
        let mut walk = roots
            .iter()
            .skip(1)
            .fold(Walk::new(&roots[0]), Walk::add_root)
            .filter(filter::from_flags(flags)?)
            .order(if flags.get_flag("sort") { Order::Sorted } else { Order::Any })
            .follow(flags.get_flag("follow"))
            .one_file_system(flags.get_flag("one-file-system"))
            .gitignore(flags.get_flag("gitignore"));
        let number = |flag: &str| flags.get_one::<usize>(flag).copied();
        if let Some(depth) = number("max-depth").or(number("exact-depth")) {
            walk = walk.max_depth(depth);
        }
        let one = flags.get_flag("max-one-result").then_some(1);
        if let Some(results) = one.or(number("max-results")) {
            walk = walk.max_results(results);
        }
        walk = flags::threads::walk_with(walk, flags);
        compact::sort_by(&mut roots, Ord::cmp);
        let snapshot = SnapshotFile::from_flags(flags)?;
        if let Some(snapshot) = &snapshot {
            walk = snapshot.on(walk);
        }
        Ok(Request { flags, walk, snapshot, roots })
    }

    /// Walks; what is printed goes to `sink`. Counts are printed. Returns the exit status.
    fn walk_into(&self, format: &OutputFormat, sink: impl FnMut(&[u8]) -> Answer + Send) -> u8 {
        let progress = Progress::new("entries").unless_unwanted(self.flags);
        let walk = self.walk.clone().stats_entries(format.needs_stat());
        let visitors = walk.visit(|| PrintVisitor::new(format, &self.roots, &progress), sink);
        progress.clear();
        self.finish(&visitors)
    }

    /// Once the walk is over: gives hints, writes the snapshot, prints counts. Returns the exit
    /// status.
    fn finish(&self, visitors: &[PrintVisitor<'_>]) -> u8 {
        let flags = self.flags;
        if let Some(hint) = hints::dot_and_paths(&flags::paths(flags)) {
            report::complain(&hint);
        }
        let mut missing = visitors.iter().filter_map(|visitor| visitor.missing_root.as_deref());
        if let Some(hint) = missing.find_map(|path| hint_at_patterns(flags, path)) {
            report::complain(&hint);
        }
        let mut status = status(self.roots.len(), visitors);
        if let Some(snapshot) = &self.snapshot {
            status = status.max(snapshot.finish());
        }
        if !flags.get_flag("count") {
            return status;
        }
        let tally = visitors.iter().fold(Tally::default(), |sum, visitor| sum.plus(&visitor.tally));
        status.max(report::print(tally.line(flags.get_flag("json")).as_bytes()))
    }
}

/// Where the walk starts.
///
/// Price: for absolute paths one `getcwd`.
fn roots(flags: &ArgMatches) -> Result<Vec<PathBuf>, String> {
    let roots = flags::paths(flags);
    if !flags.get_flag("absolute-path") {
        return Ok(roots);
    }
    let directory = fewer::Scope::start().physical().map_err(|error| error.to_string())?;
    let spell = |root: PathBuf| {
        let path = absolute(directory.as_os_str().as_bytes(), root.as_os_str().as_bytes());
        PathBuf::from(OsString::from_vec(path))
    };
    Ok(roots.into_iter().map(spell).collect())
}

fn print(request: &Request<'_>) -> Result<u8, String> {
    let format = OutputFormat::from_flags(request.flags)?;
    let mut refused: Option<Errno> = None;
    let status = request.walk_into(&format, |bytes| write(bytes, &mut refused));
    Ok(refused.map_or(status, report::cannot_write))
}

/// Writes to standard output; why that failed is noted, and ends the walk.
fn write(bytes: &[u8], refused: &mut Option<Errno>) -> Answer {
    match sys::write_all(sys::STDOUT, bytes) {
        Ok(()) => Answer::Continue,
        // The reader of the pipe has gone: end at once, other threads included.
        Err(Errno::PIPE) => sys::die_of_sigpipe(),
        Err(errno) => {
            *refused = Some(errno);
            Answer::Stop
        }
    }
}

/// What to say if a starting point is not there that may have been meant as a pattern: the first
/// argument, or one with the signs of a pattern. An existing path is always a path.
fn hint_at_patterns(flags: &ArgMatches, missing: &Path) -> Option<String> {
    let paths = flags::paths(flags);
    let is_first = paths.first().is_some_and(|first| first == missing);
    let name = missing.as_os_str();
    #[cfg(not(feature = "stores"))]
    if let Some(hint) = hints::address(name.as_bytes()) {
        return Some(hint);
    }
    if name.is_empty() || name.as_bytes().contains(&b'/') {
        return None;
    }
    let others: Vec<&OsStr> =
        paths.iter().filter(|path| *path != missing).map(|path| path.as_os_str()).collect();
    (is_first || hints::is_pattern(name.as_bytes())).then(|| hints::pattern(name, &others))
}

fn status(roots: usize, visitors: &[PrintVisitor<'_>]) -> u8 {
    let failed_roots: usize = visitors.iter().map(|visitor| visitor.failed_roots).sum();
    match visitors.iter().any(|visitor| visitor.failed) {
        true if failed_roots >= roots => exit_status::FAILED,
        true => exit_status::SOME_FAILED,
        false => exit_status::OK,
    }
}
