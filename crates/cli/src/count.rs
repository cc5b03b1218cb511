//! `fewer count`: a program's system calls, by name, by path and by caller.

use clap::ArgMatches;
use trace::count::{self, Counts};

use crate::watched::{self, Destination};

/// Runs the verb as the flags say; returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    let output = match Destination::of(flags, "output") {
        Ok(output) => output,
        Err(status) => return status,
    };
    let mut counts = Counts::default();
    let (registry, ended) = match watched::watch(flags, &mut [&mut counts]) {
        Ok(watched) => watched,
        Err(status) => return status,
    };
    let text = match flags.get_flag("json") {
        true => format!("{}\n", count::json(&counts, &registry)),
        false => {
            let top = flags.get_one::<usize>("top").copied().unwrap_or_default();
            count::text(&counts, &registry, top)
        }
    };
    watched::end(ended, watched::deliver(output.as_ref(), text.as_bytes()))
}
