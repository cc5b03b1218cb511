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
    let is_machine = flags.get_flag("machine");
    let mut counts = if is_machine { Counts::by_program() } else { Counts::default() };
    let (registry, ended) = match watched::watch(flags, None, &mut [&mut counts]) {
        Ok(watched) => watched,
        Err(status) => return status,
    };
    let text = match flags.get_flag("json") {
        true => format!("{}\n", count::json(&counts, &registry)),
        false => {
            let top = flags.get_one::<usize>("top").copied().unwrap_or_default();
            let rate = watched::span(flags, ended).map_or_else(String::new, |span| {
                let each = counts.total().calls as f64 / span.as_secs_f64().max(1e-9);
                format!("\nWatched for {:.1} s: {each:.1} calls a second.\n", span.as_secs_f64())
            });
            count::text(&counts, &registry, top) + &rate
        }
    };
    watched::end(ended, watched::deliver(output.as_ref(), text.as_bytes()))
}
