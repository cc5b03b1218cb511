//! How many threads walk.

use clap::{Arg, ArgMatches, value_parser};
use fewer::Walk;

use super::one;

/// What N is where no thread walks.
const OF_ADDRESSES: &str = if cfg!(feature = "stores") {
    " Of an address it is how many requests are under way at once, at most; the default is 64, and \
     16 calls of hdfs://."
} else {
    ""
};

/// The flags.
pub(super) fn flags() -> [Arg; 2] {
    [
        one("threads", "N", "Use N threads (default: as many as gain something)")
            .short('j')
            .value_parser(value_parser!(u16).range(1..))
            .long_help(format!(
                "Use N threads. Without this there are as many as processors while these have \
                 work; while storage has to be waited for more are started, up to --max-threads, \
                 as long as each increase shows a gain in directories per second. A small tree is \
                 walked by one.{OF_ADDRESSES}"
            )),
        one("max-threads", "N", "Use at most N threads, where that is found out (default: 64)")
            .value_parser(value_parser!(u16).range(1..)),
    ]
}

/// Walks with as many as the flags say.
pub(crate) fn walk_with(mut walk: Walk, flags: &ArgMatches) -> Walk {
    let number = |flag: &str| flags.get_one::<u16>(flag).map(|&number| usize::from(number));
    if let Some(threads) = number("max-threads") {
        walk = walk.max_threads(threads);
    }
    if let Some(threads) = number("threads") {
        walk = walk.threads(threads);
    }
    walk
}
