//! `fewer why --prove`: runs the command with and without each remedy, in a scratch copy.

use clap::ArgMatches;
use trace::count::Counts;
use trace::explain::{Explainer, Thresholds};
use trace::price::{self, Pricing, Table};
use trace::prove::{self, Searches, Verdict};
use trace::source::scratch::{Input, Scratch, Variant};
use trace::source::{Options, stop_price};
use trace::watch;

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
    let scratch = Scratch { command, input, network: flags.get_flag("prove-network") };
    let options = Options {
        all: flags.get_flag("all"),
        stacks: !flags.get_flag("no-stacks"),
        ..Options::default()
    };
    let (mut counts, mut explainer) = (Counts::default(), Explainer::default());
    let mut searches = Searches::default();
    let watched = watch::watch_in_scratch(
        &scratch,
        &Variant::default(),
        &options,
        &mut [&mut counts, &mut explainer, &mut searches],
    );
    let (registry, ended, outcome) = watched.map_err(|why| report::fail(&why))?;
    if ended.interrupted {
        sys::die_of(SIGINT);
    }
    for directory in &outcome.empty {
        let why = format!("'{}' cannot be copied: the command finds it empty", directory.display());
        report::complain(&why);
    }
    let found = explainer.findings(&registry, thresholds);
    let stop = table.is_none().then(stop_price).flatten().map(|stop| stop.processor);
    // No file is looked at again: what the command made is gone.
    let pricing = Pricing { table, hands_off: true, most: None, stop };
    let findings = price::price(found, &registry, thresholds, &pricing);
    let candidates = prove::candidates(&findings, &registry, &searches);
    let more = prove::runs(&candidates, pairs);
    if more > 0 {
        report::complain(&format!("the command will be run {more} times more"));
    }
    let proofs = prove::prove(&scratch, options, candidates, pairs);
    let plain = counts.calls().total().calls;
    let said = match flags.get_flag("json") {
        true => prove::json(&proofs, &findings, plain),
        false => prove::text(&proofs, &findings, plain),
    };
    let written = watched::deliver(output.as_ref(), said.as_bytes());
    let is_proved =
        proofs.is_ok_and(|proofs| proofs.all.iter().any(|proof| proof.verdict == Verdict::Proved));
    Ok(written.max(if is_proved { PROVED } else { NOT_PROVED }))
}

/// How many pairs are made by default.
const PAIRS: usize = 10;

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
