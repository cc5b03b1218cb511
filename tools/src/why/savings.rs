//! Whether the time that a report estimates is the time that the mended twin saves. It makes a
//! record and asserts nothing: seconds depend on the machine and the moment.

use std::time::Duration;

use super::label::Program;
use super::program_folder::{Judge, ProgramFolder, Side};

/// Runs of each, alternately.
const ROUNDS: usize = 15;

pub(crate) fn compare(
    program: &Program,
    program_folder: &mut ProgramFolder,
    judge: &Judge,
) -> Result<(), String> {
    program_folder.set()?;
    let (_, report) = program_folder.why(Side::Wasteful, judge)?;
    let mut times: [Vec<Duration>; 2] = Default::default();
    for _ in 0..ROUNDS {
        for side in [Side::Wasteful, Side::Mended] {
            program_folder.set()?;
            let outcome = program_folder.run(side)?;
            if let Some(why) = outcome.failure {
                return Err(format!("{side}: {why}"));
            }
            times[side as usize].push(outcome.took);
        }
    }
    let [wasteful, mended] = times.map(median);
    let saved = wasteful - mended;
    let ids: Vec<&str> = program.finds.iter().map(|finds| finds.id.as_str()).collect();
    let findings = report.findings.iter().filter(|finding| ids.contains(&finding.id.as_str()));
    let promised: u64 = findings.filter_map(|finding| finding.saved_ns).sum();
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of a run are far below 2^53 ns")]
    let promised = promised as f64 / 1e6;
    println!(
        "{}: {wasteful:.2} ms, mended {mended:.2} ms: saves {saved:.2} ms; promised \
         {promised:.2} ms, ratio {:.2}",
        program.full(),
        promised / saved
    );
    Ok(())
}

/// The middle one, in milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}
