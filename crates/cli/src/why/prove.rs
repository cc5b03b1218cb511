//! `fewer why --prove`: runs the command with and without each remedy, in a scratch copy.

use clap::ArgMatches;
use trace::explain::Thresholds;
use trace::price::Table;
use trace::prove::{self, Experiment, PAIRS};
use trace::source::Options;
use trace::source::scratch::{Input, Scratch};

use crate::watched::{self, Destination};
use crate::{exit_status, report};

/// Exit status: a remedy is proved.
const PROVED: u8 = exit_status::OK;
/// None is.
const NOT_PROVED: u8 = exit_status::SOME_FAILED;

/// Proves what remedies can be applied from outside; `None` without the flag.
pub(super) fn run(
    flags: &ArgMatches,
    thresholds: &Thresholds,
    table: Option<&Table>,
) -> Option<u8> {
    let proves = flags.get_flag("prove");
    proves.then(|| prove(flags, thresholds, table.cloned()).unwrap_or_else(|status| status))
}

fn prove(flags: &ArgMatches, thresholds: &Thresholds, table: Option<Table>) -> Result<u8, u8> {
    let output = Destination::of(flags, "output")?;
    let Some(command) = watched::command(flags) else {
        return Err(report::fail(&"--prove needs a COMMAND"));
    };
    let input = Input::capture().map_err(|why| report::fail(&format!("not comparable: {why}")))?;
    let pairs = flags.get_one::<usize>("pairs").copied().unwrap_or(PAIRS);
    announce(pairs);
    let network = flags.get_flag("prove-network");
    let options = Options {
        all: flags.get_flag("all"),
        stacks: !flags.get_flag("no-stacks"),
        ..Options::default()
    };
    let experiment = Experiment {
        scratch: Scratch { command, directory: None, input, network, read_only: Vec::new() },
        options,
        thresholds,
        table,
        pairs,
    };
    let found = experiment.run(&mut |text| report::complain(&text));
    let Some(found) = found.map_err(|why| report::fail(&why))? else { sys::die_of(SIGINT) };
    let said = match flags.get_flag("json") {
        true => prove::json(&found),
        false => prove::text(&found),
    };
    let written = watched::deliver(output.as_ref(), said.as_bytes());
    let is_proved = found.proved().next().is_some();
    Ok(written.max(if is_proved { PROVED } else { NOT_PROVED }))
}

const SIGINT: i32 = 2;

/// Says how often the command will be run, as far as that is known before it has run.
fn announce(pairs: usize) {
    let (without, (least, most)) = (prove::runs_without(pairs), prove::runs_with(pairs));
    report::complain(&format!(
        "the command is run in a scratch copy of all directories, which is gone afterwards: once \
         watched; then, if a remedy can be tried, {without} times, and {least} to {most} times for \
         each remedy",
    ));
}
