//! `fewer walk`: enumerate a tree.
//!
//! | module | what is in it |
//! |---|---|
//! | here | makes the walk that the flags describe, and works out the exit status |
//! | `filter` | flags that choose entries |
//! | `visitor` | what is done with each entry: printed or counted; errors are counted |
//! | `plain`, `pretty`, `json` | how an entry is printed |
//! | `tally` | how entries are counted |

mod filter;
mod json;
mod plain;
mod pretty;
mod tally;
mod visitor;

use clap::ArgMatches;
use fewer::{Answer, Order, Walk};
use sys::Errno;
use tally::Tally;
use visitor::{OutputFormat, PrintVisitor};

use crate::progress::Progress;
use crate::{exit_status, flags, report};

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    match walk(flags) {
        Ok(walk) => print(flags, &walk),
        Err(message) => report::fail(&message),
    }
}

fn walk(flags: &ArgMatches) -> Result<Walk, String> {
    let mut roots = flags::paths(flags).into_iter();
    let first = Walk::new(roots.next().unwrap_or_default());
    let mut walk = roots
        .fold(first, Walk::add_root)
        .filter(filter::from_flags(flags)?)
        .order(if flags.get_flag("sort") { Order::Sorted } else { Order::Any })
        .follow(flags.get_flag("follow"))
        .one_file_system(flags.get_flag("one-file-system"))
        .gitignore(flags.get_flag("gitignore"));
    if let Some(depth) = flags.get_one::<usize>("max-depth") {
        walk = walk.max_depth(*depth);
    }
    if let Some(threads) = flags.get_one::<u16>("threads") {
        walk = walk.threads(usize::from(*threads));
    }
    Ok(walk)
}

fn print(flags: &ArgMatches, walk: &Walk) -> u8 {
    let format = OutputFormat::from_flags(flags);
    let mut roots = flags::paths(flags);
    roots.sort(); // so that a visitor finds out quickly whether a root has failed
    let progress = Progress::new("entries");
    let mut refused: Option<Errno> = None;
    let visitors = walk.visit(
        || PrintVisitor::new(&format, &roots, &progress),
        |bytes| match sys::write_all(sys::STDOUT, bytes) {
            Ok(()) => Answer::Continue,
            // The reader of the pipe has gone: end at once, other threads included.
            Err(Errno::PIPE) => sys::die_of_sigpipe(),
            Err(errno) => {
                refused = Some(errno);
                Answer::Stop
            }
        },
    );
    progress.clear();
    let mut status = status(roots.len(), &visitors);
    if let Some(errno) = refused {
        status = report::cannot_write(errno);
    } else if flags.get_flag("count") {
        let tally = visitors.iter().fold(Tally::default(), |sum, visitor| sum.plus(&visitor.tally));
        status = status.max(report::print(tally.line(flags.get_flag("json")).as_bytes()));
    }
    if flags.get_flag("calls") {
        report::calls(flags.get_flag("json"));
    }
    status
}

fn status(roots: usize, visitors: &[PrintVisitor<'_>]) -> u8 {
    let failed_roots: usize = visitors.iter().map(|visitor| visitor.failed_roots).sum();
    match visitors.iter().any(|visitor| visitor.failed) {
        true if failed_roots >= roots => exit_status::FAILED,
        true => exit_status::SOME_FAILED,
        false => exit_status::OK,
    }
}
