//! Runs a command as often as it takes to know what it may do.

use trace::{Error, Text};

use crate::allowed::Allowed;
use crate::command::{Command, Run, Scale};
use crate::measured::Measured;
use crate::outcome::{Failure, INTERRUPTED};
use crate::slope::Slope;

/// Runs a command and counts its calls.
pub trait Measure {
    /// One run of these words as `run` has it.
    ///
    /// # Errors
    ///
    /// The command cannot be run, or not be watched.
    fn measure(&mut self, words: &[Text], run: &Run) -> Result<Measured, Error>;

    /// Tries what could be done against what it wastes, by running it many times: a line for each
    /// remedy that works.
    ///
    /// # Errors
    ///
    /// Nothing can be told, or the user pressed Ctrl-C.
    fn prove(&mut self, run: &Run) -> Result<Vec<String>, Failure>;
}

/// Runs a command so many times; what it did is what it may do.
///
/// # Errors
///
/// It cannot be run, or does not always end in the same way.
pub fn record(
    run: &Run,
    times: usize,
    measure: &mut dyn Measure,
) -> Result<(Command, Vec<Measured>), Failure> {
    let runs = several(Vec::new(), times, &run.line.words(), run, measure)?;
    let (status, allowed) = (runs[0].status, Allowed::of_runs(&runs));
    Ok((Command { name: None, run: run.clone(), status, allowed, proved: None }, runs))
}

/// Runs a command, once at least, until there are so many runs.
pub(crate) fn several(
    mut runs: Vec<Measured>,
    times: usize,
    words: &[Text],
    run: &Run,
    measure: &mut dyn Measure,
) -> Result<Vec<Measured>, Failure> {
    while runs.len() < times.max(1) && runs.iter().all(|run| run.status != INTERRUPTED) {
        runs.push(measure.measure(words, run)?);
    }
    if runs.iter().any(|run| run.status == INTERRUPTED) {
        return Err(Failure::Interrupted);
    }
    if let Some(failed) = runs.iter().find(|it| run.line.is_unknown_to_shell(it.status)) {
        return Err(Failure::Shell(failed.complaint.clone()));
    }
    match runs.iter().find(|other| other.status != runs[0].status) {
        Some(other) => Err(Failure::Differs(runs[0].status, other.status)),
        None => Ok(runs),
    }
}

/// Runs of a command with a number of items.
pub(crate) type Items = (u64, Vec<Measured>);

/// Runs a command so many times with each number of items.
///
/// # Errors
///
/// It cannot be run, or does not always end in the same way, or there are less than two numbers.
pub fn record_scale(
    run: &Run,
    n: &[u64],
    times: usize,
    measure: &mut dyn Measure,
) -> Result<(Scale, Slope, Vec<Measured>), Failure> {
    let mut n = n.to_vec();
    n.sort_unstable();
    n.dedup();
    if n.len() < 2 {
        return Err(Failure::NoSlope);
    }
    several_items(n.into_iter().map(|n| (n, Vec::new())).collect(), run, times, measure)
}

pub(crate) fn several_items(
    mut runs: Vec<Items>,
    run: &Run,
    times: usize,
    measure: &mut dyn Measure,
) -> Result<(Scale, Slope, Vec<Measured>), Failure> {
    for (n, runs) in &mut runs {
        let words = run.line.with(*n).words();
        *runs = several(std::mem::take(runs), times, &words, run, measure)?;
    }
    let slope = Slope::new(&runs).ok_or(Failure::NoSlope)?;
    let n = runs.iter().map(|(n, _)| *n).collect();
    let runs: Vec<Measured> = runs.into_iter().flat_map(|(_, runs)| runs).collect();
    let (status, per_item) = (runs[0].status, slope.per_item.clone());
    if let Some(other) = runs.iter().find(|other| other.status != status) {
        return Err(Failure::Differs(status, other.status));
    }
    Ok((Scale { name: None, run: run.clone(), status, n, per_item }, slope, runs))
}
