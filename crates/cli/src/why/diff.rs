//! `fewer why --diff A B`: two recordings compared.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use trace::count::Counts;
use trace::explain::{Explainer, Thresholds};
use trace::price::{self, Pricing, Table};
use trace::report::{ComparedRun, Difference};

use crate::exit_status;
use crate::watched::{self, Destination};

/// Compares two recordings, if the flag names them; returns the exit status.
pub(super) fn run(
    flags: &ArgMatches,
    thresholds: &Thresholds,
    table: Option<&Table>,
) -> Option<u8> {
    let files: Vec<&PathBuf> = flags.get_many("diff")?.collect();
    let [before, after] = files[..] else { return None };
    // The same prices for both, and none that is measured: the files may be those of another
    // machine, and the moment is not to matter.
    let table = table.cloned().unwrap_or_else(Table::reference);
    let pricing = Pricing { table: Some(table), hands_off: true, ..Pricing::default() };
    Some(compare(flags, [before, after], thresholds, &pricing).unwrap_or_else(|status| status))
}

fn compare(
    flags: &ArgMatches,
    [before, after]: [&Path; 2],
    thresholds: &Thresholds,
    pricing: &Pricing,
) -> Result<u8, u8> {
    let output = Destination::of(flags, "output")?;
    let read = |file: &Path| -> Result<ComparedRun, u8> {
        let (mut counts, mut explainer) = (Counts::default(), Explainer::default());
        let registry = watched::replay(file, &mut [&mut counts, &mut explainer])?;
        let found = explainer.findings(&registry, thresholds);
        let findings = price::price(found, &registry, thresholds, pricing);
        Ok(ComparedRun::new(&findings, &registry, &counts))
    };
    let difference = Difference::new(read(before)?, read(after)?);
    let text = if flags.get_flag("json") { difference.json() } else { difference.text() };
    let written = match &output {
        Some(output) => output.write(text.as_bytes()),
        None => crate::report::print(text.as_bytes()),
    };
    let worse = if difference.is_worse() { exit_status::SOME_FAILED } else { exit_status::OK };
    Ok(written.max(worse))
}
