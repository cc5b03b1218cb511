//! Whether what a report promises is what the mended twin saves: calls, by strace; and time. It
//! makes a record and asserts nothing: seconds depend on the machine and the moment, and the calls
//! of some runtimes on how their threads take turns.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use trace::Name;

use super::Options;
use super::builder::Builder;
use super::judge;
use super::label::Program;
use super::program_folder::{ProgramFolder, Side};
use super::report::{Finding, Report};

/// Runs of each, alternately.
const ROUNDS: usize = 15;

/// The names of the columns of a row.
pub(crate) const HEAD: &str = "program\tcalls found\tcalls saved\tratio\tlabel\twasteful ms\t\
    mended ms\tsaved ms\tpromised ms\tratio";

/// Watched calls that a runtime makes for its memory and while it waits. They count only if the
/// finding is about them, or about programs that are started: these map their libraries.
const OWN_WORK: &[&str] = &["clock_nanosleep", "mmap"];

/// Calls that only wait for a time.
const SLEEPS: &[&str] = &["clock_nanosleep", "nanosleep"];

/// A program and its twin, compared: a row of the table, between tabulators.
pub(crate) struct Compared {
    name: String,
    /// Wasted calls of the findings that the label names.
    found: u64,
    /// The calls that the twin does not make, by strace.
    spared: i64,
    /// What is not as the label says: the caller, the line, the count, a word of the remedy.
    failures: Vec<String>,
    /// Milliseconds.
    wasteful: f64,
    mended: f64,
    promised: f64,
}

impl fmt::Display for Compared {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let saved = self.wasteful - self.mended;
        let label = if self.failures.is_empty() { "right" } else { &self.failures.join("; ") };
        #[expect(clippy::cast_precision_loss, reason = "counts of calls are far below 2^53")]
        let ratio = self.found as f64 / self.spared as f64;
        write!(
            out,
            "{}\t{}\t{}\t{ratio:.2}\t{label}\t{:.2}\t{:.2}\t{saved:.2}\t{:.2}\t{:.2}",
            self.name,
            self.found,
            self.spared,
            self.wasteful,
            self.mended,
            self.promised,
            self.promised / saved,
        )
    }
}

/// Compares a program with its twin.
pub(crate) fn compare(
    program: &Program,
    program_folder: &mut ProgramFolder,
    options: &Options,
    builder: &Builder,
) -> Result<Compared, String> {
    program_folder.set()?;
    let (_, report) = program_folder.why(Side::Wasteful, &options.judge)?;
    let placeholders = builder.placeholders(program, Side::Wasteful, program_folder);
    let failures = judge::judge(&program.finds, &report, &placeholders);
    let named = || {
        let is_named = |id: &str| program.finds.iter().any(|it| it.id == id && !it.optional);
        report.findings.iter().filter(move |finding| is_named(&finding.id))
    };
    let promised: u64 = named().filter_map(|finding| finding.saved_ns).sum();
    let spared = spared_calls(program_folder, &report)?;
    let [wasteful, mended] = times(program_folder)?;
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of a run are far below 2^53 ns")]
    let promised = promised as f64 / 1e6;
    let found = named().map(|finding| finding.wasted).sum();
    Ok(Compared { name: program.full(), found, spared, failures, wasteful, mended, promised })
}

/// The watched calls that the twin does not make.
pub(super) fn spared_calls(
    program_folder: &mut ProgramFolder,
    report: &Report,
) -> Result<i64, String> {
    let mut about: Vec<&str> = report.findings.iter().flat_map(Finding::names).collect();
    if about.contains(&"mmap") {
        about.push("munmap");
    }
    // Who is told of a change does not sleep. A sleep that is not watched is not found, either.
    if report.findings.iter().any(|finding| finding.id == "file-poll") {
        about.extend(SLEEPS.iter().filter(|name| report.has(name)));
    }
    if report.findings.iter().any(|finding| finding.id == "spawn-per-item") {
        about.push("mmap");
    }
    let mut totals = [0; 2];
    for side in [Side::Wasteful, Side::Mended] {
        program_folder.set()?;
        let (_, calls) = program_folder.count(side)?;
        let calls: BTreeMap<String, u64> = calls.into_iter().collect();
        let counted = calls.iter().filter(|(name, _)| counts(name, &about)).map(|(_, count)| count);
        totals[side as usize] = i64::try_from(counted.sum::<u64>()).unwrap_or(i64::MAX);
    }
    Ok(totals[0] - totals[1])
}

/// Whether a call is one of those that a report counts, or that a finding is about.
fn counts(name: &str, about: &[&str]) -> bool {
    let is_watched = Name::parse(name).is_some_and(Name::is_watched);
    is_watched && !OWN_WORK.contains(&name) || about.contains(&name)
}

/// The middle times of both, in milliseconds.
pub(super) fn times(program_folder: &mut ProgramFolder) -> Result<[f64; 2], String> {
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
    Ok(times.map(median))
}

/// The middle one, in milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}
