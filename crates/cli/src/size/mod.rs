//! `fewer size`: how much space trees take.
//!
//! | module | what is in it |
//! |---|---|
//! | here | measures what the flags describe, and works out the exit status |
//! | `print` | the rows as text or JSON |
//! | `store` | addresses of stores: their rows, from the sizes of objects |
//! | `folders` | the sizes of objects, summed by folder |

#[cfg(feature = "stores")]
mod folders;
mod print;
#[cfg(feature = "stores")]
mod store;

use std::ffi::OsString;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use sys::OsStrExt;

use clap::ArgMatches;
use fewer::compact;
use fewer::disk_usage::{Event, Row};
use fewer::filter::{Names, PatternError};
use fewer::{Action, Answer, DiskUsage, Filter, Walk};
use print::Style;

use crate::progress::Progress;
use crate::{exit_status, flags, report};

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    #[cfg(feature = "stores")]
    if let Some(status) = store::run(flags) {
        return status;
    }
    #[cfg(not(feature = "stores"))]
    if let Some(message) = crate::hints::addresses(&flags::paths(flags)) {
        return report::fail(&message);
    }
    let status = measure(flags).unwrap_or_else(|message| report::fail(&message));
    if flags.get_flag("calls") {
        report::calls(flags.get_flag("json"));
    }
    status
}

fn measure(flags: &ArgMatches) -> Result<u8, String> {
    let style = Style::from_flags(flags)?;
    let usage = usage(flags).map_err(|error| error.to_string())?;
    let progress = Progress::before_results().unless_unwanted(flags);
    let (failed, missing) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let rows = usage.measure(|event| {
        match event {
            Event::Counted { entries, directories } => progress.add_tree(entries, directories),
            Event::Failed(error) => {
                failed.fetch_add(1, Relaxed);
                missing.fetch_add(usize::from(error.action() == Action::ACCESS), Relaxed);
                progress.clear();
                report::complain(&error);
            }
        }
        Answer::Continue
    });
    progress.clear();
    let printed = print_rows(rows, flags, &style);
    let status = match (failed.into_inner(), missing.into_inner()) {
        (0, _) => exit_status::OK,
        (_, missing) if missing >= flags::paths(flags).len() => exit_status::FAILED,
        _ => exit_status::SOME_FAILED,
    };
    Ok(status.max(printed))
}

/// What the flags describe.
fn usage(flags: &ArgMatches) -> Result<DiskUsage, PatternError> {
    let paths = flags::paths(flags);
    let walk = paths
        .iter()
        .skip(1)
        .fold(Walk::new(&paths[0]), Walk::add_root)
        .filter(filter(flags)?)
        .one_file_system(flags.get_flag("one-file-system"))
        .gitignore(flags.get_flag("gitignore"));
    Ok(DiskUsage::new(flags::threads::walk_with(walk, flags))
        .depth(depth(flags))
        .files(flags.get_flag("all"))
        .count_links(flags.get_flag("count-links")))
}

/// Down to which level there are rows.
fn depth(flags: &ArgMatches) -> usize {
    let depth = flags.get_one("depth").copied();
    if flags.get_flag("summarize") { 0 } else { depth.unwrap_or(1) }
}

fn filter(flags: &ArgMatches) -> Result<Filter, PatternError> {
    Ok(Filter::new().skip_hidden(flags.get_flag("no-hidden")).names(names(flags)?))
}

fn names(flags: &ArgMatches) -> Result<Names, PatternError> {
    let extensions = flags.get_many::<OsString>("extension").into_iter().flatten();
    let extensions: Vec<&[u8]> = extensions.map(|extension| extension.as_bytes()).collect();
    let excluded: Vec<&String> = flags.get_many("exclude").into_iter().flatten().collect();
    Names::new().extensions(&extensions).exclude_globs(&excluded)
}

/// Prints the rows that the flags want, in their order; returns the exit status.
fn print_rows(mut rows: Vec<Row>, flags: &ArgMatches, style: &Style) -> u8 {
    let total = flags.get_flag("total").then(|| print::total(&rows));
    choose(&mut rows, flags, style);
    report::print(&style.text(&rows, total))
}

/// Puts the rows in the order in which they are printed, and drops those that are too many.
fn choose(rows: &mut Vec<Row>, flags: &ArgMatches, style: &Style) {
    // Of the same size, a directory comes after what is in it.
    compact::sort_by_key(rows, |row| (style.bytes(row.space()), std::cmp::Reverse(row.depth())));
    if let Some(&largest) = flags.get_one::<usize>("largest") {
        rows.drain(..rows.len().saturating_sub(largest));
    }
    if flags.get_flag("reverse") {
        rows.reverse();
    }
}
