//! The runs of a proof, and what follows from them.

use std::cell::Cell;
use std::path::PathBuf;
use std::time::Duration;

use super::candidates::{Candidate, Measure};
use super::comparison::difference;
use super::statistics::{Interval, median_interval};
use crate::count::Counts;
use crate::figures::count;
use crate::source::Options;
use crate::source::scratch::{Failure, Outcome, Scratch, Variant};
use crate::watch::watch_in_scratch;

/// What was found out about a remedy.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The program does the same in less time.
    Proved,
    /// It does the same, and takes as long.
    NoGain,
    /// With the remedy it does something else: this.
    OutputDiffers(String),
    /// Whether it does the same cannot be told: why.
    NotComparable(String),
    /// The remedy cannot be applied from outside: why.
    NotProvable(String),
}

/// What a run takes less, in seconds: intervals of the median of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gain {
    /// On the clock.
    pub wall: Interval,
    /// Of the processor's time.
    pub processor: Interval,
}

impl Gain {
    /// Whether it is a gain, and beyond what others say that chance, and the means, make.
    fn is_beyond(&self, others: &[Gain]) -> bool {
        let beyond = |of: fn(&Gain) -> Interval| {
            let own = of(self);
            let chance = others.iter().map(of).map(|it| it.low.abs().max(it.high.abs()));
            own.low > chance.fold(0.0, f64::max)
        };
        beyond(|gain| gain.wall) || beyond(|gain| gain.processor)
    }
}

/// What the runs of a measure showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The finding and the measure.
    pub candidate: Candidate,
    /// What follows.
    pub verdict: Verdict,
    /// Calls of a run with the measure, if it was watched.
    pub calls: Option<u64>,
    /// What it gains; unless something else happened.
    pub gain: Option<Gain>,
    /// What a run gains that has the means of the measure loaded, and not in use.
    pub control: Option<Gain>,
}

impl Proof {
    /// The result for a finding without a measure: nothing is run for it.
    fn not_provable(candidate: Candidate) -> Proof {
        let why = candidate.measure.as_ref().err().cloned();
        let verdict = Verdict::NotProvable(why.unwrap_or_default());
        Proof { candidate, verdict, calls: None, gain: None, control: None }
    }
}

/// All that was found out.
#[derive(Debug)]
pub struct Proofs {
    /// One for each candidate.
    pub all: Vec<Proof>,
    /// What two runs without a measure differ by, and how many pairs there were; nothing if no
    /// candidate has a measure, because then the command was not run for it.
    pub noise: Option<(Gain, usize)>,
}

/// What the second run of each pair takes less, in seconds.
#[derive(Debug, Default)]
struct Differences {
    wall: Vec<f64>,
    processor: Vec<f64>,
}

impl Differences {
    fn gain(&self) -> Gain {
        let interval = |differences: &[f64]| median_interval(differences).unwrap_or_default();
        Gain { wall: interval(&self.wall), processor: interval(&self.processor) }
    }

    /// Makes those of runs with an agent what the program by itself would gain. In an agent each
    /// call takes longer: `unused` is what a run gains, or loses, by one that makes all calls. This
    /// part of the calls was answered.
    fn correct(&mut self, unused: &Differences, part: f64) {
        let each = [(&mut self.wall, &unused.wall), (&mut self.processor, &unused.processor)];
        for (own, unused) in each {
            own.iter_mut().zip(unused).for_each(|(own, unused)| *own += unused * part);
        }
    }
}

/// Why nothing can be said of any measure.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Refusal(pub String);

/// How often the command runs, whatever measures there are.
#[must_use]
pub fn runs_without(pairs: usize) -> usize {
    2 * pairs
}

/// How often it runs at least, and at most, to prove a measure.
#[must_use]
pub fn runs_with(pairs: usize) -> (usize, usize) {
    (1 + 2 * pairs, 1 + 4 * pairs)
}

/// How often [`prove`] runs the command.
#[must_use]
pub(super) fn runs(candidates: &[Candidate], pairs: usize) -> usize {
    let mut measures: Vec<&Measure> = Vec::new();
    for measure in candidates.iter().filter_map(|candidate| candidate.measure.as_ref().ok()) {
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    let (bare, controlled) = runs_with(pairs);
    let with: Vec<usize> = measures
        .iter()
        .map(|measure| if measure.control().is_some() { controlled } else { bare })
        .collect();
    match with.is_empty() {
        true => 0,
        false => runs_without(pairs) + with.iter().sum::<usize>(),
    }
}

/// A command that was watched once, and how it is run from then on.
pub(super) struct Trials {
    pub(super) scratch: Scratch,
    /// Directories in which it does nothing but look.
    pub(super) untouched: Vec<PathBuf>,
    /// What came of its watched run, and the calls of that.
    pub(super) watched: Outcome,
    pub(super) calls: u64,
    /// How it was watched.
    pub(super) options: Options,
    pub(super) pairs: usize,
    /// What a stop takes.
    pub(super) stop: Option<Duration>,
}

/// Proves each candidate that has a measure, or not. The command is run [so often](runs), and once
/// more where it writes to something else each time.
///
/// `None`: the user pressed Ctrl-C.
///
/// # Errors
/// It cannot be run, or two runs without a measure differ.
pub(super) fn prove(trials: Trials, candidates: Vec<Candidate>) -> Result<Option<Proofs>, Refusal> {
    let pairs = trials.pairs;
    let mut prover = match runs(&candidates, pairs) {
        0 => None,
        _ => Some(Prover::new(trials)?),
    };
    let least = |measure: &Result<Measure, String>| {
        let same = candidates.iter().filter(|other| other.measure == *measure);
        same.map(|other| other.wasted).min().unwrap_or_default()
    };
    let least: Vec<u64> = candidates.iter().map(|it| least(&it.measure)).collect();
    let mut all: Vec<Proof> = Vec::new();
    for (candidate, least) in candidates.into_iter().zip(least) {
        let known = all.iter().find(|proof| proof.candidate.measure == candidate.measure);
        let proof = match (known, &mut prover) {
            // One measure may be for several findings.
            (Some(known), _) => Proof { candidate, ..known.clone() },
            (None, Some(prover)) => prover.prove(candidate, least),
            (None, None) => Proof::not_provable(candidate),
        };
        all.push(proof);
        if prover.as_ref().is_some_and(|prover| prover.is_interrupted.get()) {
            return Ok(None);
        }
    }
    Ok(Some(Proofs { all, noise: prover.as_ref().map(|prover| (prover.noise, pairs)) }))
}

/// Runs a command in pairs.
struct Prover {
    /// What the command only looks at is not copied, if it does the same then.
    trials: Trials,
    is_interrupted: Cell<bool>,
    reference: Outcome,
    limit: Duration,
    /// Pairs of two runs without any measure.
    noise: Gain,
}

/// The first unwatched run may take so long.
const FIRST: Duration = Duration::from_secs(600);

/// A run with a measure is ended if it takes so many times as long as one without, and this long.
const PATIENCE: (u32, Duration) = (20, Duration::from_secs(10));

/// A measure is tried if it spares this part of the wasted calls.
const LEAST_PART: u64 = 10;

enum Trouble {
    First(String),
    Second(String),
}

impl Prover {
    /// Runs the command without a measure, twice as often as there are to be pairs.
    ///
    /// # Errors
    /// It cannot be run, or two runs differ.
    fn new(mut trials: Trials) -> Result<Prover, Refusal> {
        let bare = Variant::default();
        trials.scratch.read_only = std::mem::take(&mut trials.untouched);
        let reference = match trials.scratch.run(&bare, FIRST) {
            Ok(outcome) if difference(&trials.watched, &outcome).is_none() => Ok(outcome),
            _ => {
                trials.scratch.read_only.clear();
                trials.scratch.run(&bare, FIRST)
            }
        };
        let reference = reference.map_err(|why| Refusal(why.to_string()))?;
        let limit = (reference.wall * PATIENCE.0).max(PATIENCE.1);
        let noise = Gain::default();
        let mut prover =
            Prover { trials, is_interrupted: Cell::new(false), reference, limit, noise };
        let second =
            prover.trials.scratch.run(&bare, limit).map_err(|why| Refusal(why.to_string()))?;
        if let Some(differs) = difference(&prover.reference, &second) {
            return Err(Refusal(format!("two runs without a remedy differ: {differs}")));
        }
        // Two of the runs were made.
        let mut first = Differences::default();
        prover.add(&mut first, &prover.reference, &second);
        let noise = prover.pairs_of(&bare, &bare, first).map_err(|trouble| {
            let (Trouble::First(why) | Trouble::Second(why)) = trouble;
            Refusal(format!("two runs without a remedy differ: {why}"))
        })?;
        prover.noise = noise.gain();
        Ok(prover)
    }

    /// Proves a measure, or not; of the findings that it is for one wastes `least` calls.
    fn prove(&mut self, candidate: Candidate, least: u64) -> Proof {
        let mut proof =
            Proof { verdict: Verdict::NoGain, calls: None, gain: None, control: None, candidate };
        let mut result = self.try_to_prove(&mut proof, least);
        let read_only = &mut self.trials.scratch.read_only;
        if matches!(result, Err(Verdict::OutputDiffers(_))) && !read_only.is_empty() {
            // With the measure it may write to something else.
            let read_only = std::mem::take(read_only);
            result = self.try_to_prove(&mut proof, least);
            self.trials.scratch.read_only = read_only;
        }
        if let Err(verdict) = result {
            proof.verdict = verdict;
        }
        proof
    }

    fn try_to_prove(&self, proof: &mut Proof, least: u64) -> Result<(), Verdict> {
        let measure = proof.candidate.measure.clone().map_err(Verdict::NotProvable)?;
        let not_provable = |why: &str| Verdict::NotProvable(why.to_owned());
        let variant = measure.variant().map_err(not_provable)?;
        let (calls, outcome) = self.counted(&variant)?;
        proof.calls = Some(calls);
        if let Some(differs) = difference(&self.reference, &outcome) {
            return Err(Verdict::OutputDiffers(differs));
        }
        self.must_spare(proof, &measure, least)?;
        let plain = measure.base();
        let verdict = |trouble| match trouble {
            Trouble::First(why) => Verdict::NotComparable(why),
            Trouble::Second(why) => Verdict::OutputDiffers(why),
        };
        let mut differences =
            self.pairs_of(&plain, &variant, Differences::default()).map_err(verdict)?;
        let mut others = vec![self.noise];
        if let Some(control) = measure.control() {
            let bare = Variant::default();
            let unused =
                self.pairs_of(&bare, &control, Differences::default()).map_err(|trouble| {
                    let (Trouble::First(why) | Trouble::Second(why)) = trouble;
                    Verdict::NotComparable(format!(
                        "what is loaded and not in use changes it: {why}"
                    ))
                })?;
            if let Some(agent) = outcome.agent {
                let answered = agent.answered.calls;
                let part = answered as f64 / self.trials.calls.max(answered).max(1) as f64;
                differences.correct(&unused, part);
            }
            let control = unused.gain();
            proof.control = Some(control);
            others.push(Gain { wall: within(control.wall), processor: within(control.processor) });
        }
        let gain = differences.gain();
        proof.gain = Some(gain);
        if gain.is_beyond(&others) {
            proof.verdict = Verdict::Proved;
        }
        Ok(())
    }

    /// How many calls a run with a measure makes, and what comes of it.
    fn counted(&self, variant: &Variant) -> Result<(u64, Outcome), Verdict> {
        if variant.agent.is_some() {
            let run = self.trials.scratch.run(variant, self.limit);
            let outcome = run.map_err(|why| self.trouble(&why))?;
            let answered = outcome.agent.map_or(0, |agent| agent.answered.calls);
            return Ok((self.trials.calls.saturating_sub(answered), outcome));
        }
        let mut counts = Counts::default();
        let options = Options { stacks: false, ..self.trials.options };
        let watched = watch_in_scratch(&self.trials.scratch, variant, &options, &mut [&mut counts]);
        let (_, ended, outcome) = watched.map_err(|why| self.trouble(&why))?;
        if ended.interrupted {
            return Err(self.trouble(&Failure::Interrupted));
        }
        Ok((counts.calls().total().calls, outcome))
    }

    /// Functions that are replaced are of use only if the program makes its calls through them, and
    /// makes them again.
    fn must_spare(&self, proof: &Proof, measure: &Measure, least: u64) -> Result<(), Verdict> {
        let spared = self.trials.calls.saturating_sub(proof.calls.unwrap_or_default());
        let why = match measure {
            _ if spared >= least / LEAST_PART => return Ok(()),
            Measure::Environment(_) => return Ok(()),
            Measure::Functions(_) => {
                "are not made by functions that can be replaced, or have other answers"
            }
            Measure::Agent => "have other answers, or something changes in between",
        };
        let (spared, wasted) = (count(spared), count(proof.candidate.wasted));
        Err(Verdict::NotProvable(format!(
            "only {spared} of {wasted} calls are spared: the others {why}"
        )))
    }

    /// Remembers whether that is a reason to end, and says it in words.
    fn note(&self, why: &Failure) -> String {
        if matches!(why, Failure::Interrupted) {
            self.is_interrupted.set(true);
        }
        why.to_string()
    }

    fn trouble(&self, why: &Failure) -> Verdict {
        let words = self.note(why);
        match why {
            Failure::TooLong(_) => Verdict::OutputDiffers(words),
            _ => Verdict::NotComparable(words),
        }
    }

    /// Runs in turn: first second, second first, and so on. What a run of the second takes less,
    /// behind what is known of that already.
    fn pairs_of(
        &self,
        first: &Variant,
        second: &Variant,
        mut differences: Differences,
    ) -> Result<Differences, Trouble> {
        for pair in differences.wall.len()..self.trials.pairs {
            let one = || self.checked(first).map_err(Trouble::First);
            let other = || self.checked(second).map_err(Trouble::Second);
            let (a, b) = match pair % 2 {
                0 => {
                    let a = one()?;
                    (a, other()?)
                }
                _ => {
                    let b = other()?;
                    (one()?, b)
                }
            };
            self.add(&mut differences, &a, &b);
        }
        Ok(differences)
    }

    /// Two runs were made. What an agent took for answers is none of what the second one takes. On
    /// the clock it is not known which of several threads are waited for.
    fn add(&self, differences: &mut Differences, a: &Outcome, b: &Outcome) {
        let wall = |of: &Outcome| self.wall(of).as_secs_f64();
        let answered = b.agent.map(|agent| agent.answered).unwrap_or_default();
        let time = answered.time.as_secs_f64();
        let waited_for = if answered.threads == 1 { time } else { 0.0 };
        differences.wall.push(wall(a) - wall(b) + waited_for);
        differences.processor.push(a.processor.as_secs_f64() - b.processor.as_secs_f64() + time);
    }

    /// How long a run took. Without what its stops for an agent took: they are those of its
    /// beginning, and of calls that are of no matter here.
    fn wall(&self, of: &Outcome) -> Duration {
        match (of.agent, self.trials.stop) {
            (Some(agent), Some(stop)) => agent.run_time.unwatched(stop),
            _ => of.wall,
        }
    }

    /// A run that ended, printed and left what the first one did.
    fn checked(&self, variant: &Variant) -> Result<Outcome, String> {
        let outcome =
            self.trials.scratch.run(variant, self.limit).map_err(|why| self.note(&why))?;
        difference(&self.reference, &outcome).map_or(Ok(outcome), Err)
    }
}

/// What loading costs is a loss: only what it seems to gain makes a gain doubtful.
fn within(control: Interval) -> Interval {
    Interval { low: control.low.max(0.0), high: control.high.max(0.0), ..control }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::Functions;

    #[test]
    fn a_measure_for_two_findings_is_run_once() {
        let zone = || Measure::Environment(vec![("TZ".into(), Some("x".into()))]);
        let candidate = |finding, measure| Candidate { finding, wasted: 9, measure };
        let none = candidate(0, Err("static".to_owned()));
        assert_eq!(runs(std::slice::from_ref(&none), 10), 0);
        let one = [none, candidate(1, Ok(zone()))];
        assert_eq!(runs(&one, 10), 20 + 21);
        let two = [&one[..], &[candidate(2, Ok(zone()))]].concat();
        assert_eq!(runs(&two, 10), 20 + 21);
        let reads = Measure::Functions(Functions::Reads);
        let more = if reads.control().is_some() { 41 } else { 21 };
        assert_eq!(runs(&[&two[..], &[candidate(3, Ok(reads))]].concat(), 10), 20 + 21 + more);
    }

    fn gain(low: f64, high: f64) -> Gain {
        let wall = Interval { median: f64::midpoint(low, high), low, high };
        Gain { wall, processor: Interval::default() }
    }

    #[test]
    fn a_gain_is_beyond_nothing_and_beyond_chance() {
        let noise = [gain(-0.2, 0.1)];
        assert!(gain(0.3, 0.5).is_beyond(&noise));
        assert!(!gain(0.15, 0.5).is_beyond(&noise));
        assert!(!gain(-0.1, 0.5).is_beyond(&[]));
        assert!(!gain(0.3, 0.5).is_beyond(&[gain(-0.1, 0.1), gain(0.2, 0.4)]));
        assert!(!Gain::default().is_beyond(&[]));
    }
}
