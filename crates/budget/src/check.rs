//! Runs a command, and compares what it does with what it may do.

use std::time::Instant;

use crate::allowed::Allowed;
use crate::command::{Command, Run, Scale};
use crate::compare::Comparison;
use crate::measured::{Measured, Status};
use crate::outcome::{Checked, Failure, INTERRUPTED, Outcome, Sloped, not_run_by_shell, title};
use crate::record::{Items, Measure, several, several_items};
use crate::slope::Slope;

/// Runs a command; if it does too much again, up to so many times: what only some runs do is
/// chance. The runs come back as well.
#[must_use]
pub fn check(
    command: &Command,
    times: usize,
    measure: &mut dyn Measure,
) -> (Checked, Vec<Measured>) {
    let (mut unseen, mut runs) = (Vec::new(), Vec::new());
    let start = Instant::now();
    let outcome = compared(command, times, measure, &mut unseen, &mut runs);
    let title = title(command.name.as_ref(), &command.run);
    (Checked { title, outcome, unseen, took: start.elapsed(), blessed: false }, runs)
}

fn compared(
    command: &Command,
    times: usize,
    measure: &mut dyn Measure,
    unseen: &mut Vec<String>,
    runs: &mut Vec<Measured>,
) -> Outcome {
    let mut best: Option<Comparison> = None;
    for _ in 0..times.max(1) {
        let words = command.run.line.words();
        let measured = match measure.measure(&words, &command.run) {
            Ok(measured) if measured.status == command.status => measured,
            Ok(measured) => return ended(measured, command.status, &command.run),
            Err(error) => return Outcome::NotRun(error.to_string()),
        };
        let comparison = Comparison::new(&command.allowed, &measured);
        unseen.clone_from(&measured.unseen);
        runs.push(measured);
        if best.as_ref().is_none_or(|best| comparison.new_calls() < best.new_calls()) {
            best = Some(comparison);
        }
        if best.as_ref().is_some_and(|best| best.excess.is_empty()) {
            break;
        }
    }
    let best = best.unwrap_or_default();
    match command.proved {
        Some(allowed) if best.excess.is_empty() => proved(command, allowed, best, measure),
        _ => Outcome::Compared(best),
    }
}

/// What became of a command whose calls are as they may be: which remedies work for it.
fn proved(
    command: &Command,
    allowed: u64,
    calls: Comparison,
    measure: &mut dyn Measure,
) -> Outcome {
    match measure.prove(&command.run) {
        Ok(remedies) if remedies.len() as u64 > allowed => Outcome::Proved { remedies, allowed },
        Ok(_) => Outcome::Compared(calls),
        Err(Failure::Interrupted) => ended_silently(INTERRUPTED, command.status),
        Err(why) => Outcome::NotRun(why.to_string()),
    }
}

/// Runs a command with each number of items, and again if it does too much per item: as `check`.
#[must_use]
pub fn check_scale(
    scale: &Scale,
    times: usize,
    measure: &mut dyn Measure,
) -> (Checked, Vec<Items>) {
    let mut unseen = Vec::new();
    let mut runs: Vec<Items> = scale.n.iter().map(|n| (*n, Vec::new())).collect();
    let start = Instant::now();
    let outcome = sloped(scale, times, measure, &mut unseen, &mut runs);
    let outcome = outcome.unwrap_or_else(|outcome| *outcome);
    let title = title(scale.name.as_ref(), &scale.run);
    (Checked { title, outcome, unseen, took: start.elapsed(), blessed: false }, runs)
}

fn sloped(
    scale: &Scale,
    times: usize,
    measure: &mut dyn Measure,
    unseen: &mut Vec<String>,
    runs: &mut [Items],
) -> Result<Outcome, Box<Outcome>> {
    let mut found = None;
    for _ in 0..times.max(1) {
        for (n, runs) in &mut *runs {
            let words = scale.run.line.with(*n).words();
            let measured = measure.measure(&words, &scale.run);
            let measured =
                measured.map_err(|error| Box::new(Outcome::NotRun(error.to_string())))?;
            if measured.status != scale.status {
                return Err(Box::new(ended(measured, scale.status, &scale.run)));
            }
            unseen.clone_from(&measured.unseen);
            runs.push(measured);
        }
        let Some(now) = Slope::new(runs) else { break };
        let steeper = scale.per_item.beyond(&now.per_item);
        let fewer = scale.per_item.fewer(&now.per_item);
        let is_well = steeper.is_empty();
        found = Some(Sloped { now, allowed: scale.per_item.total, steeper, fewer });
        if is_well {
            break;
        }
    }
    found
        .map(Outcome::Sloped)
        .ok_or_else(|| Box::new(Outcome::NotRun(Failure::NoSlope.to_string())))
}

/// What is to be written down of a command that was checked: from the runs that this took, and more
/// if so many are asked for. `None` if nothing is different, or it is none to be written down.
pub(crate) fn bless(
    command: &Command,
    (checked, runs): (&mut Checked, Vec<Measured>),
    times: usize,
    measure: &mut dyn Measure,
) -> Option<Command> {
    if !checked.can_be_blessed() {
        return None;
    }
    let run = &command.run;
    let proved = match &checked.outcome {
        Outcome::Proved { remedies, .. } => Some(remedies.len() as u64),
        _ => command.proved,
    };
    let now = several(runs, times, &run.line.words(), run, measure).map(|runs| Command {
        name: None,
        run: run.clone(),
        status: runs[0].status,
        allowed: Allowed::of_runs(&runs),
        proved,
    });
    blessed(checked, now, command.status)
}

/// The same of a command with numbers of items.
pub(crate) fn bless_scale(
    scale: &Scale,
    (checked, runs): (&mut Checked, Vec<Items>),
    times: usize,
    measure: &mut dyn Measure,
) -> Option<Scale> {
    if !checked.can_be_blessed() {
        return None;
    }
    let now = several_items(runs, &scale.run, times, measure).map(|(now, ..)| now);
    blessed(checked, now, scale.status)
}

/// What is to be written down of a command that was checked and recorded anew; nothing if it could
/// not be recorded, or ended in another way. Then that is what was found.
fn blessed<T: Ends>(checked: &mut Checked, now: Result<T, Failure>, recorded: Status) -> Option<T> {
    match now {
        Ok(now) if now.status() == recorded => {
            checked.blessed = true;
            return Some(now);
        }
        Ok(now) => {
            checked.outcome = ended_silently(now.status(), recorded);
        }
        Err(Failure::Interrupted) => {
            checked.outcome = ended_silently(INTERRUPTED, recorded);
        }
        Err(why) => checked.outcome = Outcome::NotRun(why.to_string()),
    }
    None
}

/// What has an end: a recorded command.
trait Ends {
    fn status(&self) -> Status;
}

impl Ends for Command {
    fn status(&self) -> Status {
        self.status
    }
}

impl Ends for Scale {
    fn status(&self) -> Status {
        self.status
    }
}

fn ended_silently(now: Status, recorded: Status) -> Outcome {
    Outcome::Ended { now, recorded, complaint: Vec::new() }
}

fn ended(measured: Measured, recorded: Status, run: &Run) -> Outcome {
    if run.line.is_unknown_to_shell(measured.status) {
        return Outcome::NotRun(not_run_by_shell(&measured.complaint));
    }
    Outcome::Ended { now: measured.status, recorded, complaint: measured.complaint }
}

#[cfg(test)]
mod tests {
    use trace::{Error, Text};

    use super::*;
    use crate::command::CommandLine;
    use crate::record::{record, record_scale};
    use crate::stream;

    /// Gives these results, run by run.
    struct Fake(Vec<Result<Measured, Error>>);

    impl Measure for Fake {
        fn measure(&mut self, _: &[Text], _: &Run) -> Result<Measured, Error> {
            self.0.remove(0)
        }

        fn prove(&mut self, _: &Run) -> Result<Vec<String>, Failure> {
            let calls = self.0.remove(0)?.total();
            Ok(vec!["it works".to_owned(); usize::try_from(calls).unwrap()])
        }
    }

    fn opens(count: u64) -> Result<Measured, Error> {
        Ok(stream::run(&[("openat", "/etc/x", "f a.c:1", count)]))
    }

    fn failed(status: u8) -> Result<Measured, Error> {
        Ok(Measured { status: Status::Exited(status), complaint: b"no\n".into(), ..opens(1)? })
    }

    fn run() -> Run {
        Run { line: CommandLine::Words(vec!["x".into(), "{n}".into()]), ..Run::default() }
    }

    fn recorded() -> Command {
        record(&run(), 3, &mut Fake(vec![opens(2), opens(2), opens(2)])).unwrap().0
    }

    #[test]
    fn what_is_recorded_passes_and_more_fails() {
        let command = recorded();
        let same = check(&command, 3, &mut Fake(vec![opens(2)])).0;
        assert!(same.passed() && !same.can_be_blessed());
        assert_eq!(same.title, "x {n}");
        let more = check(&command, 3, &mut Fake(vec![opens(3), opens(4), opens(3)])).0;
        assert!(!more.passed() && more.can_be_blessed());
        let Outcome::Compared(comparison) = more.outcome else { panic!("{more:?}") };
        assert_eq!(comparison.excess[0].new_calls(), 1);
    }

    #[test]
    fn remedies_that_work_are_as_many_as_may() {
        let command = Command { proved: Some(1), ..recorded() };
        let one = check(&command, 1, &mut Fake(vec![opens(2), opens(1)])).0;
        assert!(one.passed() && !one.can_be_blessed());
        let (mut two, runs) = check(&command, 1, &mut Fake(vec![opens(2), opens(2)]));
        let Outcome::Proved { remedies, allowed: 1 } = &two.outcome else { panic!("{two:?}") };
        assert!(remedies.len() == 2 && !two.passed() && two.can_be_blessed());
        let now = bless(&command, (&mut two, runs), 1, &mut Fake(Vec::new())).unwrap();
        assert!(two.passed() && now.proved == Some(2) && now.allowed == command.allowed);
        // A command that asks for too much fails by that: nothing more is run.
        assert!(!check(&command, 1, &mut Fake(vec![opens(3)])).0.passed());
        let (mut fewer, runs) = check(&command, 1, &mut Fake(vec![opens(1), opens(1)]));
        let now = bless(&command, (&mut fewer, runs), 1, &mut Fake(Vec::new())).unwrap();
        assert_eq!(now.proved, Some(1));
    }

    #[test]
    fn what_only_some_runs_do_is_chance() {
        let chance = check(&recorded(), 3, &mut Fake(vec![opens(3), opens(2)])).0;
        assert!(chance.passed());
    }

    #[test]
    fn once_is_once() {
        // A second run would find nothing in the list, and panic.
        let (command, runs) = record(&run(), 1, &mut Fake(vec![opens(2)])).unwrap();
        assert_eq!(runs.len(), 1);
        let (mut more, runs) = check(&command, 1, &mut Fake(vec![opens(3)]));
        assert!(!more.passed());
        let now = bless(&command, (&mut more, runs), 1, &mut Fake(Vec::new())).unwrap();
        assert!(more.blessed && check(&now, 1, &mut Fake(vec![opens(3)])).0.passed());
        let (scale, ..) =
            record_scale(&run(), &[10, 20], 1, &mut Fake(vec![opens(12), opens(22)])).unwrap();
        let (mut more, runs) = check_scale(&scale, 1, &mut Fake(vec![opens(12), opens(32)]));
        let now = bless_scale(&scale, (&mut more, runs), 1, &mut Fake(Vec::new())).unwrap();
        assert_eq!(now.per_item.total.to_string(), "2");
    }

    #[test]
    fn blessing_several_runs_allows_what_differs_between_them() {
        let (mut more, runs) = check(&recorded(), 3, &mut Fake(vec![opens(1)]));
        let now = bless(&recorded(), (&mut more, runs), 3, &mut Fake(vec![opens(1), opens(2)]));
        assert_eq!(now.unwrap().allowed, Allowed::of_runs(&[1, 1, 2].map(|n| opens(n).unwrap())));
    }

    #[test]
    fn fewer_calls_pass_and_can_be_blessed() {
        let fewer = check(&recorded(), 1, &mut Fake(vec![opens(1)])).0;
        assert!(fewer.passed() && fewer.can_be_blessed());
    }

    #[test]
    fn another_end_is_a_failure_with_its_reason() {
        let ended = check(&recorded(), 3, &mut Fake(vec![failed(3)])).0;
        assert!(!ended.passed() && !ended.can_be_blessed());
        let Outcome::Ended { now, complaint, .. } = ended.outcome else { panic!("{ended:?}") };
        assert_eq!((now, complaint.as_slice()), (Status::Exited(3), &b"no\n"[..]));
        let gone = Err(Error::new(fewer::Errno::NOENT, "run", b"x"));
        let gone = check(&recorded(), 3, &mut Fake(vec![gone])).0;
        let Outcome::NotRun(why) = gone.outcome else { panic!("{gone:?}") };
        assert_eq!(why, "cannot run 'x': No such file or directory");
    }

    #[test]
    fn runs_that_end_differently_are_not_recorded() {
        let error = record(&run(), 3, &mut Fake(vec![opens(1), opens(1), failed(1)])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "one run ended with exit status 0, another with exit status 1"
        );
    }

    #[test]
    fn calls_per_item_are_recorded_and_checked() {
        let counts = |a, b| [[a; 3], [b; 3]].concat().into_iter().map(opens).collect();
        let (scale, slope, _) =
            record_scale(&run(), &[20, 10, 20], 3, &mut Fake(counts(12, 22))).unwrap();
        assert_eq!(scale.n, [10, 20]);
        assert_eq!(slope.per_item.total.to_string(), "1");
        let same = check_scale(&scale, 3, &mut Fake(vec![opens(13), opens(23)])).0;
        assert!(same.passed() && !same.can_be_blessed());
        let runs = (0..3).flat_map(|_| [opens(12), opens(32)]).collect();
        let more = check_scale(&scale, 3, &mut Fake(runs)).0;
        assert!(!more.passed() && more.can_be_blessed());
        let Outcome::Sloped(sloped) = more.outcome else { panic!("{more:?}") };
        assert_eq!(sloped.steeper[0].now.to_string(), "2");
        assert!(check_scale(&scale, 3, &mut Fake(vec![opens(3), opens(4)])).0.can_be_blessed());
        let error = record_scale(&run(), &[5, 5], 1, &mut Fake(Vec::new())).unwrap_err();
        assert!(error.to_string().contains("two different numbers"));
    }
}
