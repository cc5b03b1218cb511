//! `fewer walk`: enumerate a tree.
//!
//! | room | what lives there |
//! |---|---|
//! | here | from flags to a walk, and from its end to an exit status |
//! | `filter` | flags that choose entries |
//! | `teller` | the visitor: prints or counts, keeps account of errors |
//! | `plain`, `pretty`, `json` | how an entry is printed |
//! | `tally` | how entries are counted |

mod filter;
mod json;
mod plain;
mod pretty;
mod tally;
mod teller;

use clap::ArgMatches;
use fewer::{Answer, Order, Walk};
use kernel::Errno;
use tally::Tally;
use teller::{Teller, Telling};

use crate::progress::Progress;
use crate::{flags, report};

/// Does what the flags say; back comes the exit status.
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
        .fold(first, Walk::and)
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
    let telling = Telling::from_flags(flags);
    let mut roots = flags::paths(flags);
    roots.sort(); // for the tellers to look up what failed
    let progress = Progress::new("entries");
    let mut refused: Option<Errno> = None;
    let tellers = walk.visit(
        || Teller::new(&telling, &roots, &progress),
        |bytes| match kernel::write_all(kernel::STDOUT, bytes) {
            Ok(()) => Answer::Continue,
            // Nobody reads any more: end here and now, other threads and all.
            Err(Errno::PIPE) => kernel::die_of_sigpipe(),
            Err(errno) => {
                refused = Some(errno);
                Answer::Stop
            }
        },
    );
    progress.clear();
    let mut status = status(roots.len(), &tellers);
    if let Some(errno) = refused {
        status = report::cannot_write(errno);
    } else if flags.get_flag("count") {
        let tally = tellers.iter().fold(Tally::default(), |sum, teller| sum.plus(&teller.tally));
        status = status.max(report::print(tally.line(flags.get_flag("json")).as_bytes()));
    }
    if flags.get_flag("calls") {
        report::calls(flags.get_flag("json"));
    }
    status
}

fn status(roots: usize, tellers: &[Teller<'_>]) -> u8 {
    let failed_roots: usize = tellers.iter().map(|teller| teller.failed_roots).sum();
    match tellers.iter().any(|teller| teller.failed) {
        true if failed_roots >= roots => report::FAILED,
        true => report::PARTLY,
        false => report::WELL,
    }
}
