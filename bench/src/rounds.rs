//! Runs the engines in turn. The order moves on by one each round, so that no engine always comes
//! after the same neighbour. Before a cold run the kernel forgets what it has read.

use std::io::IsTerminal;
use std::path::Path;

use crate::conditions;
use crate::engine::Contender;
use crate::measure::{self, Sample};

/// An engine that takes longer than this, and four times as long as the fastest, runs every fourth
/// round.
const SLOW_MS: f64 = 2_000.0;
const SLOW_ROUNDS: u32 = 4;

/// What of a tree stays in memory from one run to the next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stays {
    Warm,
    /// Nothing, because the kernel cannot keep it.
    Far,
    /// Nothing, because it is forgotten before each run.
    Cold,
}

/// What one contender did, in the order of the contenders.
pub(crate) type Outcome = Result<Vec<Sample>, String>;

/// One round that is not kept, unless nothing stays warm anyway, then `rounds` that are. A
/// contender that fails once is out. `name` is for people.
pub(crate) fn run(
    engines: &[Contender],
    trees: &Path,
    name: &str,
    rounds: u32,
    stays: Stays,
) -> Vec<Outcome> {
    let run_once = |contender: &Contender| {
        if stays == Stays::Cold {
            conditions::forget(contender, trees)?;
        }
        measure::run_once(contender, trees)
    };
    let mut outcomes: Vec<Outcome> = engines.iter().map(|_| Ok(Vec::new())).collect();
    let mut warm_ms = vec![0.0; engines.len()];
    let first_round = if stays == Stays::Warm { engines } else { &[] };
    for (at, contender) in first_round.iter().enumerate() {
        match run_once(contender) {
            Ok(sample) => warm_ms[at] = sample.wall_ms,
            Err(error) => outcomes[at] = Err(error),
        }
    }
    let working = (0..engines.len()).filter(|&at| outcomes[at].is_ok());
    let fastest = working.map(|at| warm_ms[at]).fold(f64::INFINITY, f64::min);
    for round in 0..rounds {
        progress(&format!("{name}: round {} of {rounds}", round + 1));
        for turn in 0..engines.len() {
            let at = (turn + round as usize) % engines.len();
            let slow = warm_ms[at] > SLOW_MS && warm_ms[at] > 4.0 * fastest;
            if slow && !round.is_multiple_of(SLOW_ROUNDS) {
                continue;
            }
            let Ok(samples) = &mut outcomes[at] else { continue };
            match run_once(&engines[at]) {
                Ok(sample) => samples.push(sample),
                Err(error) => outcomes[at] = Err(error),
            }
        }
    }
    progress("");
    outcomes
}

/// Shows what is going on in one line on a terminal, in place of what it showed before.
pub(crate) fn progress(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{text}");
    }
}

/// Smallest, middle and largest of some numbers; all 0 if there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spread {
    pub(crate) min: f64,
    pub(crate) median: f64,
    pub(crate) max: f64,
}

impl Spread {
    pub(crate) fn new(numbers: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
            return Spread::default();
        };
        let middle = sorted.len() / 2;
        let median = match sorted.len() % 2 {
            0 => f64::midpoint(sorted[middle - 1], sorted[middle]),
            _ => sorted[middle],
        };
        Spread { min, median, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_even_number_lies_between_two() {
        let spread = Spread::new([4.0, 1.0, 3.0, 2.0].into_iter());
        assert_eq!(spread, Spread { min: 1.0, median: 2.5, max: 4.0 });
        assert_eq!(Spread::new([7.0].into_iter()).median, 7.0);
        assert_eq!(Spread::new(std::iter::empty()), Spread::default());
    }
}
